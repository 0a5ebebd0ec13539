import { httpMethods } from "../../catalog/webhook-exchange.ts";
import { standsInCapitals } from "../words/capitals.ts";
import type { Word } from "../words/tokenize.ts";
import { asValue, type Match } from "./item.ts";

/** "Using GET", "method put": a webhook's method, where the same word in small letters means little or something else. */
export function matchMethod(words: readonly Word[], at: number): Match | undefined {
  const { original = "", quoted = false } = words[at] ?? {};
  const value = original.toUpperCase();
  const isPlaced = /^(using|via|method|methods|verb)$/.test(words[at - 1]?.text ?? "");
  if (quoted || !httpMethods.includes(value) || !(isPlaced || standsInCapitals(words, at))) return undefined;
  return asValue({ name: "method", value }, ["outgoing_webhook_requests", "incoming_webhook_requests"]);
}
