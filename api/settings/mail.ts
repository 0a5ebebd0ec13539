import { z } from "zod";

/** Settings of mails: what schedules send. */
export const mailFields = {
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^\s/]+/, "must be smtp://user:password@host:port, or smtps:// for TLS from the beginning")
    .refine((url) => URL.canParse(url), "must be an address: escape what is special in its user or password")
    .optional()
    .describe(
      "Server that sends mails: smtp://user:password@host:587 (TLS where the server offers it; with ?requireTLS=true only then), or smtps://host:465. Needs MAIL_FROM. Without it, scheduled answers go to webhooks alone.",
    ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]*$/, "must be an address, such as Trunkline <reports@example.com>")
    .optional()
    .describe("Sender of mails, such as Trunkline <reports@example.com>; needs SMTP_URL."),
  MAIL_DOMAINS: z
    .string()
    .transform((text) => text.split(",").map((domain) => domain.trim().toLowerCase().replace(/^@/, "")))
    .pipe(z.array(z.string().regex(/^[^\s@]+$/, "must be domains with commas between them")))
    .optional()
    .describe(
      "Domains that mails may go to, several by commas. Without it, analysts have answers sent to any address.",
    ),
};

/** Settings of mails that need another one. */
export const mailDependencies = [
  { name: "SMTP_URL", needs: "MAIL_FROM", as: "the sender of its mails" },
  { name: "MAIL_FROM", needs: "SMTP_URL", as: "the server that sends mails" },
  { name: "MAIL_DOMAINS", needs: "SMTP_URL", as: "the server that sends mails" },
] as const;
