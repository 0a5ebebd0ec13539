import { measureOf } from "../catalog/catalog.ts";
import type { Item } from "./link/item.ts";
import { type Said, senses } from "./link/senses.ts";

const pronouns = new Set(["their", "theirs", "them", "they", "those", "it", "its", "he", "she", "him", "his", "her"]);
const wordOf = ({ said }: Item): string => said.toLowerCase();

/** "The week before it" points at the week. */
const withoutPeriods = (items: readonly Item[]): readonly Item[] =>
  items.filter((_, at) => !/ before$/i.test(items[at - 1]?.said ?? ""));

/** "They", "how much did they bring". */
const points = (item: Item): boolean =>
  pronouns.has(wordOf(item)) || /^(what|how much) .*\b(they|it|those|these)\b/.test(wordOf(item));

/** True for a question with a pronoun such as "they", which may mean the answer before. */
export const pointsBack = (items: readonly Item[]): boolean => withoutPeriods(items).some(points);

/** "Calls to bidders, and how much revenue did they bring": what is pointed at stands in the same question. */
export const pointsWithin = (reading: Said): boolean => {
  const at = reading.items.findIndex(points);
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
