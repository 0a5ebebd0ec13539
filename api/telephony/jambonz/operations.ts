import { z } from "zod";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { aboutDial, aboutTurn, type CarrierDeps } from "../carriers.ts";
import { jambonzAccess } from "./access.ts";
import { jambonzPath, onAction, onCall, onGather, onStatus } from "./callbacks.ts";
import { actionHook, callHook, gatherHook, statusHook } from "./hooks.ts";

/**
 * The webhooks of jambonz. Only `call` and `status` are set at its application, with user name and password; the other
 * addresses come with our answers, and hold all that the next answer needs.
 */
export function jambonzOperations(deps: CarrierDeps): Operation[] {
  const about = {
    ...({ method: "post", tag: "Telephony", limit: "none", status: 200, errors: [404] } as const),
    answer: z.array(z.looseObject({ verb: z.string() })),
    access: jambonzAccess(deps),
  };
  return [
    defineOperation({
      ...about,
      path: `${jambonzPath}/call`,
      summary: "A caller dials a tracking number: set it as the application's call hook",
      body: callHook,
      example: { call_sid: "5f3e0d5f-ba6f-4b18-8d80-111111111111", from: "+12125550123", to: "+18005550100" },
      handle: ({ body }) => onCall(body, deps),
    }),
    defineOperation({
      ...about,
      path: `${jambonzPath}/action`,
      summary: "A dial is over; the answer says what to do next",
      query: aboutDial,
      body: actionHook,
      example: { call_sid: "5f3e0d5f-ba6f-4b18-8d80-111111111111", dial_call_status: "busy" },
      handle: ({ query, body }) => onAction(query, body, deps),
    }),
    defineOperation({
      ...about,
      path: `${jambonzPath}/gather`,
      summary: "A menu has a digit, or its time was up; the answer says what to do next",
      query: aboutTurn,
      body: gatherHook,
      example: { call_sid: "5f3e0d5f-ba6f-4b18-8d80-111111111111", digits: "1" },
      handle: ({ query, body }) => onGather(query, body, deps),
    }),
    defineOperation({
      ...about,
      path: `${jambonzPath}/status`,
      summary: "A leg changes its status: set it as the application's call status hook, so that answers are heard",
      body: statusHook,
      example: { call_sid: "5f3e0d5f-ba6f-4b18-8d80-111111111111", call_status: "completed" },
      handle: ({ body }) => onStatus(body, deps),
    }),
  ];
}
