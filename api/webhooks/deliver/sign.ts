import { createHmac, randomBytes } from "node:crypto";
import type { Signing } from "../../config/resources/outgoing-webhook.ts";

/** The previous secret stays valid for so long, for receivers to adopt the new one. */
export const overlapMs = 24 * 60 * 60 * 1000;

const prefix = "whsec_";

/** 256 bits, as Standard Webhooks writes them. */
export const newSigningSecret = (): string => prefix + randomBytes(32).toString("base64");

/** Returns signing with a new secret; the present one ends `overlapMs` from now. */
export const rotated = (signing: Signing | null, secret: string, now: number): Signing => ({
  secret,
  previous: signing === null ? null : { secret: signing.secret, valid_until: new Date(now + overlapMs).toISOString() },
});

/** Returns the secrets that are valid now, the newest first. */
const secretsOf = ({ secret, previous }: Signing, now: number): string[] =>
  previous !== null && now < Date.parse(previous.valid_until) ? [secret, previous.secret] : [secret];

interface Signable {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/**
 * Adds the headers of Standard Webhooks (standardwebhooks.com, v1), which win over a template's own. The id is the
 * delivery's, by which a receiver recognizes a repeat.
 */
export function signed<R extends Signable>(
  request: R,
  signing: Signing | null,
  { id, now }: { readonly id: string; readonly now: number },
): R {
  if (signing === null) return request;
  const seconds = Math.floor(now / 1000);
  const content = `${id}.${seconds}.${request.body ?? ""}`;
  const signatures = secretsOf(signing, now).map((secret) => `v1,${hmacOf(secret, content)}`);
  const headers = { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signatures.join(" ") };
  return { ...request, headers: { ...request.headers, ...headers } };
}

const hmacOf = (secret: string, content: string): string =>
  createHmac("sha256", Buffer.from(secret.slice(prefix.length), "base64"))
    .update(content)
    .digest("base64");
