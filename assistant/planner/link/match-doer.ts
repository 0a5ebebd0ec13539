import type { Word } from "../words/tokenize.ts";
import { asValue, type Match } from "./item.ts";

/**
 * "No api keys", "by an api key": who made changes. "How many api keys were created": what was changed; the audit log has
 * their names alone. Elsewhere the words ask for a secret.
 */
export function matchDoer(words: readonly Word[], at: number): Match | undefined {
  const isKey = words[at]?.text === "api" && words[at + 1]?.stem === "key";
  const before = words[at - 1]?.text ?? "";
  const led = /^(an?|any|the)$/.test(before) ? (words[at - 2]?.text ?? "") : before;
  const isOfChanges = words.some(({ stem }) =>
    /^(change|deletion|creation|updated|deleted|created|edited|rotated|rotation|audit|made)$/.test(stem),
  );
  if (!isKey || !isOfChanges) return undefined;
  if (!/^(no|not|by|excluding|without|except|via|through|with|using|out|besides|minus|did)$/.test(led))
    return matchKeyChanged(words, at);
  return asValue({ name: "actor_type", value: "api_key" }, ["audit_logs"], 2);
}

/** Only where it is asked how many, who or when: "which api keys were created" asks for the keys. */
function matchKeyChanged(words: readonly Word[], at: number): Match | undefined {
  const opening = words
    .slice(0, at)
    .map(({ text }) => text)
    .join(" ");
  const isCounted = /^(?:and )?(?:how many|(?:the )?number of|count of|who|when)\b/.test(opening);
  const isSecret = words.some(({ text }) => /^(show|give|print|reveal|value|values|secret|secrets|token)$/.test(text));
  if (!isCounted || isSecret) return undefined;
  return asValue({ name: "entity_type", value: "api_key" }, ["audit_logs"], 2);
}
