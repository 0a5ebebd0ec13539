import { states } from "../../catalog/states.ts";
import { httpMethods } from "../../catalog/webhook-exchange.ts";
import type { Word } from "../words/tokenize.ts";
import { asValue, type Match } from "./item.ts";

/** "TX", "GET": in capitals among words that are not, so that the capitals say something. */
const standsInCapitals = (words: readonly Word[], at: number): boolean =>
  isCapital(words[at]) && !words.every(isCapital);

const isCapital = (word: Word | undefined): boolean => word?.original === word?.original.toUpperCase();

const stateCodes = new Set(states.map(({ code }) => code));

/** Codes that are words too: only in capitals are they states. */
const wordCodes = new Set(["AL", "CO", "DE", "HI", "ID", "IN", "LA", "MA", "ME", "MS", "OH", "OK", "OR", "PA"]);
/** "TX" in capitals, "from tx" or "tx calls". */
export function matchState(words: readonly Word[], at: number): Match | undefined {
  const { original = "", quoted = false } = words[at] ?? {};
  const value = original.toUpperCase();
  if (quoted || !stateCodes.has(value)) return undefined;
  const isOther = (word: Word | undefined) => stateCodes.has(word?.original.toUpperCase() ?? "") && word !== words[at];
  // "ny and nj".
  const isPair = /^(and|or|vs|versus|,|\/)$/.test(words[at + 1]?.text ?? "") && isOther(words[at + 2]);
  const isBeside = /^(call|caller|traffic)$/.test(words[at + 1]?.stem ?? "");
  const isPlaced = /^(from|in|for|state|vs|and|or)$/.test(words[at - 1]?.text ?? "");
  const isMeant = standsInCapitals(words, at) || ((isBeside || isPlaced || isPair) && !wordCodes.has(value));
  return isMeant ? asValue({ name: "state", value }, ["calls", "inbound_rtb_requests"]) : undefined;
}

/** "Using GET", "method put": a webhook's method, where the same word in small letters means little or something else. */
export function matchMethod(words: readonly Word[], at: number): Match | undefined {
  const { original = "", quoted = false } = words[at] ?? {};
  const value = original.toUpperCase();
  const isPlaced = /^(using|via|method|methods|verb)$/.test(words[at - 1]?.text ?? "");
  if (quoted || !httpMethods.includes(value) || !(isPlaced || standsInCapitals(words, at))) return undefined;
  return asValue({ name: "method", value }, ["outgoing_webhook_requests", "incoming_webhook_requests"]);
}

/** A phone number that is none of the organization's is a caller's, who may have withheld it; an address is where a change came from. */
export function matchPhone(words: readonly Word[], at: number): Match | undefined {
  const value = words[at]?.text ?? "";
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(value)) return asValue({ name: "source_ip", value }, ["audit_logs"]);
  const isWithheld = value === "anonymous" && words[at]?.quoted === false;
  if (!isWithheld && !/^\+\d{10,15}$/.test(value)) return undefined;
  return asValue({ name: "caller", value }, ["calls", "inbound_rtb_requests"]);
}

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
