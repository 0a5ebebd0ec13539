import { after, hasRole, indexesOf, type Reading, senses, use } from "./reading.ts";

/**
 * "Missed but longer than 30 seconds": between conditions it joins them. Elsewhere it is left unexplained: "all but the
 * top 5" takes away what no plan can. "All but X", where X is a condition, has been put in other words by `toWords`.
 */
export function readBut(reading: Reading): void {
  for (const index of indexesOf(reading, "but")) {
    const at = after(reading, index, "of", "with");
    const joins = isBound(reading, at) || (isCondition(reading, at) && !saysAll(reading, index));
    if (joins) use(reading, index);
  }
}

const bounds = ["more_than", "at_least", "less_than", "at_most", "between", "contains"] as const;

/** "But over 2 minutes", "but with a margin below 20 %". */
const isBound = (reading: Reading, at: number): boolean =>
  hasRole(reading, at, ...bounds) || (isFigure(reading, at) && hasRole(reading, after(reading, at, "of"), ...bounds));
const isFigure = (reading: Reading, at: number): boolean =>
  senses(reading, at).some(({ kind }) => kind === "measure" || kind === "quantity");

const isCondition = (reading: Reading, at: number): boolean =>
  ["period", "hour"].includes(reading.items[at]?.kind ?? "") ||
  hasRole(reading, at, "not", "empty") ||
  /^(only|just|only for|just for)$/i.test(reading.items[at]?.said ?? "") ||
  senses(reading, at).some(({ kind }) => kind === "flag" || kind === "value" || kind === "days");

/** "All calls from Texas but the converted": what follows is taken away, or so it seems. */
const saysAll = (reading: Reading, index: number): boolean =>
  reading.items
    .slice(0, index)
    .some((item, at) => hasRole(reading, at, "all") || /^(every|each|any|no|none|nothing|last)\b/i.test(item.said));
