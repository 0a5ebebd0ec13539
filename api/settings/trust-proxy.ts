import express from "express";
import { z } from "zod";

/** Whether the `hop`th address, counted from this process, is a proxy's whose word on its client is taken. */
export type Trust = (address: string, hop: number) => boolean;

type TrustProxy = boolean | number | string;

/** What Express makes of its setting `trust proxy`; throws where it is no such value. */
export function toTrust(value: TrustProxy): Trust {
  const app = express();
  app.set("trust proxy", value);
  return app.get("trust proxy fn");
}

function toValue(text: string): TrustProxy {
  if (text === "true" || text === "false") return text === "true";
  return /^\d{1,3}$/.test(text) ? Number(text) : text;
}

function isTrust(value: TrustProxy): boolean {
  try {
    toTrust(value);
    return true;
  } catch {
    return false;
  }
}

export const trustProxyField = z
  .string()
  .transform(toValue)
  .refine(
    isTrust,
    "must be a number of proxies, or addresses and networks with commas between them, such as loopback,10.0.0.0/8",
  )
  .prefault("false")
  .describe(
    "Which proxies in front are believed when X-Forwarded-For tells the caller's address, as Express understands it: how many there are, such as 1, or their addresses, networks, loopback, linklocal or uniquelocal, by commas; true believes anybody. Histories, the audit log and the limit of failed sign-ins go by that address. Without it, by that of the connection.",
  );
