import { findDimension, tagKey } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import { stem } from "../words/tokenize.ts";
import { withBidders, withDoers } from "./doers.ts";
import type { Item } from "./item.ts";
import type { Meaning } from "./lexicon.ts";
import { hasRole, type Said, senses } from "./senses.ts";

/** What each item means beside its neighbours, of one kind of records. */
export const besideOthers = (items: readonly Item[], subject: Subject): readonly Item[] =>
  [withDoers, withBidders, withTags, withSiblings, withCallersOwn].reduce(
    (said, settle) => settle({ items: said, subject }),
    items,
  );

/** "Calls tagged cpc", "with a tag utm_source": of that tag, where "tagged calls" and "calls with a tag" are of any. */
const withTags = (reading: Said): readonly Item[] =>
  reading.items.map((item, index) =>
    isOfAnyTag(reading, index) && namesTag(reading, index + 1) ? withoutTag(item) : item,
  );

const isOfAnyTag = (reading: Said, index: number): boolean =>
  senses(reading, index).some((each) => each.kind === "flag" && each.name === "tagged" && !each.noun);

function namesTag(reading: Said, from: number): boolean {
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

/** "Sip vs number": beside a value of a closed list, the other one is of the same list, whatever else the word may mean. */
const withSiblings = (reading: Said): readonly Item[] =>
  reading.items.map((item, index) => {
    const meanings = [-1, 1].flatMap((step) => siblingAt(reading, index, step));
    return meanings.length === 0 || item.kind === "stop" ? item : { ...placeOf(item), kind: "meanings", meanings };
  });

const placeOf = ({ from, to, said }: Item) => ({ from, to, said });

function siblingAt(reading: Said, index: number, step: number): readonly Meaning[] {
  const { items, subject } = reading;
  // "The caller hung up and target Acme": the word says what the name behind it is.
  const isOfName = senses(reading, index + 1).some(({ kind }) => kind === "value");
  if (isOfName || !hasRole(reading, index + step, "versus", "and", "or")) return [];
  const said = stem(items[index]?.said.toLowerCase() ?? "");
  return senses(reading, index + 2 * step).flatMap((each) => {
    if (each.kind !== "value" || each.value === said) return [];
    const known = findDimension(subject, each.name)?.values?.some(({ value }) => value === said) === true;
    return known ? [{ ...each, value: said }] : [];
  });
}

/** "By caller language": of whom the language is, not a second grouping. */
const withCallersOwn = (reading: Said): readonly Item[] =>
  reading.items.filter((item, index) => {
    const isCaller = /^(?:caller|callers?['’]s?)$/i.test(item.said);
    const isNext = senses(reading, index + 1).some((each) => each.kind === "dimension" && each.name !== "caller");
    return !isCaller || !isNext;
  });
