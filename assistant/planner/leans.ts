import { measureOf } from "../catalog/catalog.ts";
import type { Item } from "./link/item.ts";
import { type Reading, senses } from "./rules/reading.ts";

const pronouns = new Set(["their", "theirs", "them", "they", "those", "it", "its", "he", "she", "him", "his", "her"]);
const wordOf = ({ said }: Item): string => said.toLowerCase();

/** "How much did they bring". */
export const pointsBack = (items: readonly Item[]): boolean =>
  items.some((item) => pronouns.has(wordOf(item)) || /^(what|how much) .*\b(they|it|those|these)\b/.test(wordOf(item)));

/** "Calls to bidders, and how much revenue did they bring": what is pointed at stands in the same question. */
export const pointsWithin = (reading: Pick<Reading, "items" | "subject">): boolean => {
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

/** "And revenue?", "ok and revenue?". */
export const opensWithAnd = (items: readonly Item[]): boolean => {
  const first = items.find(({ said }) => !/^(ok|okay|right|so)$/i.test(said));
  return first !== undefined && wordOf(first) === "and";
};
