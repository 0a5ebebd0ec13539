import express from "express";
import { z } from "zod";

/** Returns true if the address, the `hop`th counted from this process, is of a trusted proxy. */
export type Trust = (address: string, hop: number) => boolean;

type TrustProxy = boolean | number | string;

/** Compiles a value of Express's setting `trust proxy`; throws if it is invalid. */
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
