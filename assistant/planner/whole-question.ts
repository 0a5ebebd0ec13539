import { understand } from "./correct-typos.ts";
import { barred } from "./decline/out-of-reach.ts";
import type { Item } from "./link/item.ts";
import type { Linking } from "./link/linking.ts";
import { toWords } from "./words/tokenize.ts";

/** What one part of what was typed says by itself. */
export function understandPart(said: string, linking: Linking) {
  const words = toWords(said);
  const { items } = understand(words, linking);
  return { items, refusal: barred({ words, items }) };
}

/** Whether the first say of which records, over what time, or by what, and the second do not. */
export function narrowsBy(before: readonly Item[], after: readonly Item[]): boolean {
  const said = new Set(after.flatMap((item) => toWords(item.said).map(({ stem }) => stem)));
  const named = new Set(after.flatMap(namesOf));
  const grouped = new Set(after.flatMap(groupsOf));
  const isSaid = (item: Item) =>
    toWords(item.said).every(({ stem }) => said.has(stem)) || namesOf(item).some((name) => named.has(name));
  return before.some(
    (item) =>
      !people.test(item.said) && !isSaid(item) && (narrows(item) || groupsOf(item).some((name) => !grouped.has(name))),
  );
}

const people = /^(?:who|whom|whose|people|users?|someone|somebody)$/i;

/** What the item may be the name of. */
const namesOf = (item: Item): readonly string[] =>
  item.kind === "meanings"
    ? item.meanings.flatMap((each) => (each.kind === "value" ? [`${each.name} ${each.value}`] : []))
    : [];

/** What the item may group by, or say of records. */
const groupsOf = (item: Item): readonly string[] =>
  item.kind !== "meanings"
    ? []
    : item.meanings.flatMap((each) =>
        each.kind === "dimension" || each.kind === "flag"
          ? [each.name]
          : each.kind === "grain"
            ? [each.grain.replace("_of_day", "")]
            : [],
      );

const narrows = (item: Item): boolean =>
  item.kind === "period" || item.kind === "number" || item.kind === "hour" || isValue(item);
const isValue = (item: Item): boolean =>
  item.kind === "meanings" &&
  item.meanings.some(({ kind }) => kind === "value" || kind === "days") &&
  !item.meanings.some(({ kind }) => kind === "measure");

/** Whether the second say every figure of the first: "at which hour is the rate lowest? Ignore hours under 30 calls" does not. */
export function saysFigures(before: readonly Item[], after: readonly Item[]): boolean {
  const meant = (items: readonly Item[]) => items.map((item) => (item.kind === "meanings" ? item.meanings : []));
  const told = meant(after).flat();
  const records = new Set(
    told.flatMap((each) => (each.kind === "measure" || each.kind === "subject" ? [each.subject] : [])),
  );
  const said = new Set(told.flatMap((each) => (each.kind === "measure" ? [each.name] : [])));
  return meant(before)
    .map((all) => all.flatMap((each) => (each.kind === "measure" && records.has(each.subject) ? [each.name] : [])))
    .every((names) => names.length === 0 || names.some((name) => said.has(name)));
}

/** A figure, and over which time or by what. */
export function isWhole(items: readonly Item[]): boolean {
  const has = (...kinds: readonly string[]) =>
    items.some((item) => item.kind === "meanings" && item.meanings.some(({ kind }) => kinds.includes(kind)));
  return has("measure", "subject") && (has("dimension", "grain") || items.some(({ kind }) => kind === "period"));
}
