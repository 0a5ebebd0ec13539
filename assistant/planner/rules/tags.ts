import { tagKey } from "../../catalog/catalog.ts";
import type { Item } from "../link/item.ts";
import type { Meaning } from "../link/lexicon.ts";
import { hasRole, type Reading, senses } from "./reading.ts";

type Read = Pick<Reading, "items" | "subject">;

/** "Calls tagged cpc", "with a tag utm_source": of that tag, where "tagged calls" and "calls with a tag" are of any. */
export const withTags = (reading: Read): readonly Item[] =>
  reading.items.map((item, index) =>
    isOfAnyTag(reading, index) && namesTag(reading, index + 1) ? withoutTag(item) : item,
  );

const isOfAnyTag = (reading: Read, index: number): boolean =>
  senses(reading, index).some((each) => each.kind === "flag" && each.name === "tagged" && !each.noun);

function namesTag(reading: Read, from: number): boolean {
  let at = from;
  while (reading.items[at]?.kind === "stop" || hasRole(reading, at, "with", "of")) at++;
  const isTag = senses(reading, at).some(
    (each) => (each.kind === "dimension" || each.kind === "value") && tagKey(each.name) !== undefined,
  );
  return isTag || reading.items[at]?.kind === "number" || reading.items[at]?.kind === "unknown";
}

function withoutTag({ from, to, said }: Item): Item {
  if (/^tagged$/i.test(said)) return { from, to, said, kind: "stop" };
  const joint: Meaning = { kind: "role", role: /^(without|with no)/i.test(said) ? "not" : "with" };
  return { from, to, said, kind: "meanings", meanings: [joint] };
}
