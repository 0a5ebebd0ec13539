import { z } from "zod";
import type { CarrierAccess } from "../../serve/access.ts";
import { areEqualSecrets } from "../../serve/equal-secrets.ts";
import { ApiError, SignInError } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { aboutDial, aboutTurn, type CarrierDeps } from "../carriers.ts";
import {
  actionHook,
  callHook,
  gatherHook,
  jambonzPath,
  onAction,
  onCall,
  onGather,
  onStatus,
  statusHook,
} from "./callbacks.ts";

/**
 * The webhooks of jambonz. Only `call` and `status` are set at its application, with user name and password; the other
 * addresses come with our answers and name the call.
 */
export function jambonzOperations(deps: CarrierDeps): Operation[] {
  const about = {
    method: "post",
    tag: "Telephony",
    limit: "none",
    status: 200,
    errors: [404],
    answer: z.array(z.looseObject({ verb: z.string() })),
    access: jambonzAccess(deps),
  } as const;
  return [
    defineOperation({
      ...about,
      path: `${jambonzPath}/call`,
      name: "jambonzCall",
      summary: "A caller dials a tracking number: set it as the application's call hook",
      body: callHook,
      example: { call_sid: "5f3e0d5f-ba6f-4b18-8d80-111111111111", from: "+12125550123", to: "+18005550100" },
      handle: ({ body }) => onCall(body, deps),
    }),
    defineOperation({
      ...about,
      path: `${jambonzPath}/action`,
      name: "jambonzAction",
      summary: "A dial is over; the answer says what to do next",
      query: aboutDial,
      body: actionHook,
      example: { call_sid: "5f3e0d5f-ba6f-4b18-8d80-111111111111", dial_call_status: "busy" },
      handle: ({ query, body }) => onAction(query, body, deps),
    }),
    defineOperation({
      ...about,
      path: `${jambonzPath}/gather`,
      name: "jambonzGather",
      summary: "A menu has a digit, or its time was up; the answer says what to do next",
      query: aboutTurn,
      body: gatherHook,
      example: { call_sid: "5f3e0d5f-ba6f-4b18-8d80-111111111111", digits: "1" },
      handle: ({ query, body }) => onGather(query, body, deps),
    }),
    defineOperation({
      ...about,
      path: `${jambonzPath}/status`,
      name: "jambonzStatus",
      summary: "A leg changes its status: set it as the application's call status hook, so that answers are heard",
      body: statusHook,
      example: { call_sid: "5f3e0d5f-ba6f-4b18-8d80-111111111111", call_status: "completed" },
      handle: ({ body }) => onStatus(body, deps),
    }),
  ];
}

/** Access for requests with the user name and the password that the switch was given. */
function jambonzAccess({ settings }: Pick<CarrierDeps, "settings">): CarrierAccess {
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
