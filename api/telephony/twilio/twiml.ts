import { unreachable } from "../../../ingest/primitives.ts";
import { longestCallSeconds } from "../carriers.ts";
import type { Instruction } from "../instruction.ts";
import { rejectionOf } from "../reject-reason.ts";
import { sipAddress } from "./sip-address.ts";
import type { Element } from "./xml.ts";

export interface TwimlContext {
  /** The address of a callback about this call. */
  callback(path: "dial-action" | "status" | "gather" | "recording", about?: { dial?: number; turn?: number }): string;
  /** E.164; null where the caller withheld it, and the carrier shows what it has. */
  readonly callerId: string | null;
  sipPassword(targetId: string): string | undefined;
}

/** The verbs that an instruction is to Twilio, and to carriers that speak as it does. */
export function toTwiml(instruction: Instruction, context: TwimlContext): Element {
  switch (instruction.action) {
    case "dial":
      return { ...said(instruction), Dial: toDial(instruction, context) };
    case "gather":
      return toGather(instruction, context);
    case "reject":
      // Once something was said, the call was answered: it can no longer be turned away.
      if (instruction.say.length > 0) return { ...said(instruction), Hangup: "" };
      return { Reject: { "@reason": rejectionOf(instruction.reason) } };
    case "hangup":
      return { ...said(instruction), Hangup: "" };
    case "none":
      return { Hangup: "" };
    default:
      return unreachable(instruction);
  }
}

const said = ({ say }: { readonly say: readonly string[] }): { Say?: readonly string[] } =>
  say.length > 0 ? { Say: say } : {};

type Dial = Extract<Instruction, { action: "dial" }>;

function toDial({ dial, destination, record }: Dial, context: TwimlContext): Element {
  return {
    "@timeout": String(destination.timeout_seconds),
    "@timeLimit": String(longestCallSeconds),
    "@answerOnBridge": "true",
    ...(context.callerId === null ? {} : { "@callerId": context.callerId }),
    ...(record && {
      "@record": "record-from-answer-dual",
      "@recordingStatusCallback": context.callback("recording"),
      "@recordingStatusCallbackEvent": "completed",
    }),
    "@action": context.callback("dial-action", { dial }),
    "@method": "POST",
    ...dialed(destination, {
      "@statusCallback": context.callback("status", { dial }),
      "@statusCallbackEvent": "initiated ringing answered completed",
      "@statusCallbackMethod": "POST",
      sipPassword: context.sipPassword,
    }),
  };
}

interface DialedAbout {
  readonly [attribute: `@${string}`]: string;
  sipPassword: TwimlContext["sipPassword"];
}

function dialed(to: Dial["destination"], { sipPassword, ...attributes }: DialedAbout): Record<string, Element> {
  if (to.type === "number") return { Number: { ...attributes, "#text": to.number ?? "" } };
  const password = to.sip_username ? sipPassword(to.target_id) : undefined;
  const login = {
    ...(to.sip_username ? { "@username": to.sip_username } : {}),
    ...(password === undefined ? {} : { "@password": password }),
  };
  return { Sip: { ...login, ...attributes, "#text": sipAddress(to.sip_endpoint ?? "", to.sip_headers) } };
}

type Gather = Extract<Instruction, { action: "gather" }>;

/** Without a digit the carrier goes on behind the menu: there it is sent where a digit would have led, with none. */
function toGather({ say, turn, timeout_seconds }: Gather, context: TwimlContext): Element {
  const action = context.callback("gather", { turn });
  return {
    Gather: {
      "@input": "dtmf",
      "@numDigits": "1",
      "@finishOnKey": "",
      "@timeout": String(timeout_seconds),
      "@action": action,
      "@method": "POST",
      ...said({ say }),
    },
    Redirect: { "@method": "POST", "#text": action },
  };
}
