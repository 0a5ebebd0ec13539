import type { CarrierAccess, SentRequest } from "../../serve/access.ts";
import { ApiError, SignInError } from "../../serve/errors.ts";
import type { CarrierDeps } from "../carriers.ts";
import { type Form, isSigned } from "./signature.ts";

const notSigned = (message: string): ApiError => new ApiError(403, "forbidden", message);

const signatureIn = ({ headers }: SentRequest): string | undefined => {
  const given = headers["x-twilio-signature"];
  return typeof given === "string" && given !== "" ? given : undefined;
};

/** Requests that were signed with the account's auth token. */
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
