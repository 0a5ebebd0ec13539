import type { CarrierAccess } from "../../serve/access.ts";
import { areEqualSecrets } from "../../serve/equal-secrets.ts";
import { ApiError, SignInError } from "../../serve/errors.ts";
import type { CarrierDeps } from "../carriers.ts";

/** Requests with the user name and the password that the switch was given. */
export function jambonzAccess({ settings }: Pick<CarrierDeps, "settings">): CarrierAccess {
  return {
    scheme: "basic",
    admit({ headers }) {
      const { JAMBONZ_USERNAME: name, JAMBONZ_PASSWORD: password } = settings;
      if (name === undefined || password === undefined) {
        const message = "No switch is set up: set JAMBONZ_USERNAME and JAMBONZ_PASSWORD to what jambonz is to send.";
        throw new ApiError(404, "not_found", message);
      }
      const expected = Buffer.from(`${name}:${password}`).toString("base64");
      if (headers.authorization === undefined) {
        const message =
          "Send the user name and the password that were set for jambonz, by HTTP's basic authentication.";
        throw new ApiError(401, "unauthorized", message, challenge);
      }
      if (areEqualSecrets(loginIn(headers.authorization), expected)) return;
      const message = "The user name or the password is not the one that was set for jambonz.";
      throw new SignInError(401, "unauthorized", message, challenge);
    },
  };
}

const challenge = { headers: { "WWW-Authenticate": 'Basic realm="jambonz"' } };

const loginIn = (authorization: string): string => /^basic +(\S+)$/i.exec(authorization)?.[1] ?? "";
