import type { Transporter } from "nodemailer";

/** A mail to send. The same id is sent once more after a crash at the worst, and receivers may tell by it. */
export interface Mail {
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: Buffer;
  }[];
}

/** A mail that was not accepted; `isPermanent` where another attempt would end the same. */
export class MailError extends Error {
  override readonly name = "MailError";
  readonly isPermanent: boolean;
  constructor(message: string, isPermanent: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isPermanent = isPermanent;
  }
}

export interface MailerOptions {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the beginning. */
  readonly url: string;
  readonly from: string;
}

/** A server that says nothing for so long has failed. */
const silenceMs = 15_000;
const connections = 2;

/** Sends mails by an SMTP server over pooled connections. */
export function createMailer({ url, from }: MailerOptions) {
  let transporter: Promise<Transporter> | null = null;

  async function open(): Promise<Transporter> {
    // Imported at the first mail: an installation that sends none does not wait for it at its start.
    const { createTransport } = await import("nodemailer");
    const timeouts = { connectionTimeout: silenceMs, greetingTimeout: silenceMs, socketTimeout: silenceMs };
    const safe = { disableFileAccess: true, disableUrlAccess: true };
    return createTransport({ url, pool: true, maxConnections: connections, ...timeouts, ...safe });
  }

  return {
    /** Resolves with a remark on recipients who were refused while others were not, else null; throws `MailError`. */
    async send({ id, to, attachments, ...content }: Mail): Promise<string | null> {
      transporter ??= open();
      const host = new URL(url).hostname;
      const mail = { from, to: [...to], attachments: [...attachments], ...content, messageId: `<${id}@${host}>` };
      // Programs that answer mails by themselves leave it alone (RFC 3834).
      const headers = { "Auto-Submitted": "auto-generated" };
      try {
        const { rejected = [] } = await (await transporter).sendMail({ ...mail, headers });
        return rejected.length === 0 ? null : `The mail server refused ${rejected.map(String).join(", ")}.`;
      } catch (error) {
        throw toMailError(error);
      }
    },
    async close(): Promise<void> {
      (await transporter)?.close();
    },
  };
}
export type Mailer = ReturnType<typeof createMailer>;

interface SmtpFault {
  readonly code?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

/** The password is in none of the messages. */
function toMailError(cause: unknown): MailError {
  const { code, responseCode, response } = (cause instanceof Error ? cause : {}) as SmtpFault;
  if (typeof responseCode === "number") {
    const said = `The mail server answered: ${String(response).slice(0, 300)}`;
    // 5yz is permanent (RFC 5321, 4.2.1), but for a sign-in, which its operator can mend.
    return new MailError(said, responseCode >= 500 && code !== "EAUTH", { cause });
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return new MailError(`The mail server cannot be reached: ${message}`, false, { cause });
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML, in attributes, too. */
export const toHtmlText = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
