import { createHmac, timingSafeEqual } from "node:crypto";
import type { CarrierAccess, SentRequest } from "../../serve/access.ts";
import { ApiError, SignInError } from "../../serve/errors.ts";
import type { CarrierDeps } from "../carriers.ts";

const notSigned = (message: string): ApiError => new ApiError(403, "forbidden", message);

const signatureIn = ({ headers }: SentRequest): string | undefined => {
  const given = headers["x-twilio-signature"];
  return typeof given === "string" && given !== "" ? given : undefined;
};

/** Access for requests that are signed with the account's auth token. */
export function twilioAccess({ settings }: Pick<CarrierDeps, "settings">): CarrierAccess {
  return {
    scheme: "signature",
    admit(request) {
      if (settings.TWILIO_AUTH_TOKEN === undefined || settings.PUBLIC_URL === undefined) {
        const message = "No carrier is set up: set TWILIO_AUTH_TOKEN to the account's auth token, and PUBLIC_URL.";
        throw new ApiError(404, "not_found", message);
      }
      if (signatureIn(request) === undefined) throw notSigned("The request has no X-Twilio-Signature header.");
    },
    verify(request, body) {
      const signature = signatureIn(request) ?? "";
      const { TWILIO_AUTH_TOKEN: tokens = [], PUBLIC_URL = "" } = settings;
      const signed = { signature, address: PUBLIC_URL + request.url, form: (body ?? {}) as Form };
      if (isSigned(signed, tokens)) return;
      throw new SignInError(
        403,
        "forbidden",
        "The X-Twilio-Signature is not of this request: compare TWILIO_AUTH_TOKEN with the carrier's, and PUBLIC_URL with the address that it calls.",
      );
    },
  };
}

/** The fields of a form; a name that came more than once has all its values. */
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

/** Returns true if one of the tokens made the signature, in constant time. */
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
