import { states } from "../../catalog/states.ts";
import { standsInCapitals } from "../words/capitals.ts";
import type { Word } from "../words/tokenize.ts";
import { asValue, type Match } from "./item.ts";

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
