import { createHmac, timingSafeEqual } from "node:crypto";

/** The fields of a form as they were read: a name that came more than once has all its values. */
export type Form = Readonly<Record<string, string | readonly string[]>>;

/**
 * The signature of a request: the address as the carrier called it, then each field's name and value in order of the
 * names (Twilio: Validating Signatures).
 */
export function signatureOf(token: string, address: string, form: Form): string {
  const fields = Object.keys(form)
    .sort()
    .flatMap((name) => [...new Set([form[name] ?? ""].flat())].sort().map((value) => name + value));
  return createHmac("sha1", token)
    .update(address + fields.join(""))
    .digest("base64");
}

export interface Signed {
  readonly signature: string;
  readonly address: string;
  readonly form: Form;
}

/** Whether one of the tokens made the signature; takes as long for a wrong one as for a right one. */
export function isSigned({ signature, address, form }: Signed, tokens: readonly string[]): boolean {
  const given = Buffer.from(signature);
  const matches = tokens.flatMap((token) =>
    addressesOf(address).map((each) => areEqual(given, Buffer.from(signatureOf(token, each, form)))),
  );
  return matches.includes(true);
}

const areEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);

/** Carriers sign an address with its port or without it, whichever way they were given it. */
function addressesOf(address: string): string[] {
  const [, scheme, host, port, rest = ""] = /^(https?):\/\/(\[[^\]]*\]|[^/:?#]*)(:\d+)?(.*)$/s.exec(address) ?? [];
  if (scheme === undefined) return [address];
  return [`${scheme}://${host}${rest}`, `${scheme}://${host}${port ?? (scheme === "https" ? ":443" : ":80")}${rest}`];
}
