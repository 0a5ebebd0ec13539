import type { Word } from "../words/tokenize.ts";
import { asValue, type Match } from "./item.ts";

/** "No api keys", "by an api key": who made changes; elsewhere the words ask for a secret. */
export function matchDoer(words: readonly Word[], at: number): Match | undefined {
  const isKey = words[at]?.text === "api" && words[at + 1]?.stem === "key";
  const before = words[at - 1]?.text ?? "";
  const led = /^(an?|any|the)$/.test(before) ? (words[at - 2]?.text ?? "") : before;
  const isOfChanges = words.some(({ stem }) =>
    /^(change|deletion|creation|updated|deleted|created|edited|audit)$/.test(stem),
  );
  if (!isKey || !isOfChanges || !/^(no|not|by|excluding|without|except|via|through)$/.test(led)) return undefined;
  return asValue({ name: "actor_type", value: "api_key" }, ["audit_logs"], 2);
}
