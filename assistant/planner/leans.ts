import { measureOf } from "../catalog/catalog.ts";
import type { Item } from "./link/item.ts";
import { type Said, senses } from "./link/senses.ts";

const pronouns = new Set(["their", "theirs", "them", "they", "those", "it", "its", "he", "she", "him", "his", "her"]);
const wordOf = ({ said }: Item): string => said.toLowerCase();

/** "The week before it" points at the week. */
const withoutPeriods = (items: readonly Item[]): readonly Item[] =>
  items.filter((_, at) => !/ before$/i.test(items[at - 1]?.said ?? ""));

/** "How much did they bring". */
export const pointsBack = (items: readonly Item[]): boolean =>
  withoutPeriods(items).some(
    (item) => pronouns.has(wordOf(item)) || /^(what|how much) .*\b(they|it|those|these)\b/.test(wordOf(item)),
  );

/** "Calls to bidders, and how much revenue did they bring": what is pointed at stands in the same question. */
export const pointsWithin = (reading: Said): boolean => {
  const at = reading.items.findIndex((item) => pronouns.has(wordOf(item)));
  return reading.items
    .slice(0, Math.max(0, at))
    .some((_, index) =>
      senses(reading, index).some(
        (each) =>
          ["subject", "dimension", "value"].includes(each.kind) ||
          (each.kind === "measure" && measureOf(reading.subject, each.name).aggregate.kind === "count"),
      ),
    );
};
