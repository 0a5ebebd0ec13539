import type { Word } from "../words/tokenize.ts";
import { asValue, type Match } from "./item.ts";

const callId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** "Call 01a1fc3a-f67d-7382-88da-5cf9a7a7ff74", with or without its noun: records of that one call. */
export function matchCall(words: readonly Word[], at: number): Match | undefined {
  const isNoun = words[at]?.text === "call";
  const from = !isNoun ? at : words[at + 1]?.text === "id" ? at + 2 : at + 1;
  const value = words[from]?.text ?? "";
  if (!callId.test(value)) return undefined;
  const subjects = [
    "calls",
    "outgoing_webhook_requests",
    "incoming_webhook_requests",
    "outbound_rtb_requests",
  ] as const;
  return asValue({ name: "call", value }, subjects, from - at + 1);
}
