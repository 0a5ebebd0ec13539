import { XMLBuilder } from "fast-xml-parser";
import { unreachable } from "../../../ingest/primitives.ts";
import { encoded, onOneLine } from "../../outbound/escape.ts";
import { longestCallSeconds } from "../carriers.ts";
import { type Instruction, rejectionOf } from "../instruction.ts";

/** An element: its text, or its attributes (`@name`), its text beside them (`#text`) and its elements, in order. */
export type Element = string | { readonly [name: string]: Element | readonly Element[] };

export interface TwimlContext {
  /** The address of a callback about this call. */
  callback(path: "dial-action" | "status" | "gather" | "recording", about?: { dial?: number; turn?: number }): string;
  /** E.164; null where the caller withheld it, and the carrier shows what it has. */
  readonly callerId: string | null;
  sipPassword(targetId: string): string | undefined;
}

/** The verbs of an instruction for Twilio, and for carriers that speak TwiML. */
export function toTwiml(instruction: Instruction, context: TwimlContext): Element {
  switch (instruction.action) {
    case "dial":
      return { ...said(instruction), Dial: toDial(instruction, context) };
    case "gather":
      return toGather(instruction, context);
    case "reject":
      // A text answers the call, which can then no longer be rejected.
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

/** Headers that a SIP address can carry; others have a meaning of their own between switches. */
const carried = /^(x-[\w.!%*+`'~-]+|user-to-user)$/i;

/** The SIP address to dial, with headers as its parameters. */
function sipAddress(endpoint: string, headers: Readonly<Record<string, string>> = {}): string {
  const address = onOneLine(endpoint).trim();
  const named = /^sips?:/i.test(address) ? address : `sip:${address}`;
  const parameters = Object.entries(headers)
    .filter(([name]) => carried.test(name))
    .map(([name, value]) => `${encoded(name)}=${encoded(onOneLine(value))}`);
  if (parameters.length === 0) return named;
  return `${named}${named.includes("?") ? "&" : "?"}${parameters.join("&")}`;
}

type Gather = Extract<Instruction, { action: "gather" }>;

/** Without a digit the carrier goes on to the next verb, which reports that there was none. */
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

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
  processEntities: true,
  format: false,
});

/** Returns a TwiML document with its verbs. */
export const toDocument = (response: Element): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${builder.build({ Response: writable(response) })}`;

/** Without the characters that no XML document can hold, escaped or not. */
function writable(element: Element | readonly Element[]): unknown {
  if (typeof element === "string") return element.toWellFormed().replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, " ");
  if (Array.isArray(element)) return element.map(writable);
  return Object.fromEntries(Object.entries(element).map(([name, value]) => [name, writable(value)]));
}
