import { named, quantityAt } from "./named-statistic.ts";
import { addMeasure, after, before, hasRole, indexesOf, isPlural, type Reading, senseAs, use } from "./reading.ts";

/** "Shortest talk time per buyer", "the longest call of each target": one figure, where nothing asks which or for a list. */
export function readLength(reading: Reading, index: number): void {
  const at = after(reading, index);
  const isOneOfEach = senseAs(reading, at, "subject") !== undefined && isEachBehind(reading, at);
  const quantity = quantityAt(reading, at) ?? (isOneOfEach ? (reading.subject.length ?? undefined) : undefined);
  const isNumbered = reading.items[before(reading, index)]?.kind === "number";
  if (quantity === undefined || isNumbered || isPlural(reading.items[at])) return;
  if (indexesOf(reading, "which", "top", "bottom", "list").some((each) => each !== index)) return;
  addMeasure(reading, named(reading, hasRole(reading, index, "longest") ? "max" : "min", quantity));
  use(reading, index, at);
}

const isEachBehind = (reading: Reading, noun: number): boolean => {
  const at = after(reading, noun, "of");
  return hasRole(reading, at, "by") && /each|every|per/i.test(reading.items[at]?.said ?? "");
};

/** "The highest revenue on a single call by buyer": a statistic of rows, no ranking. */
export function readOfSingle(reading: Reading): void {
  const [single] = indexesOf(reading, "single");
  const [extreme] = indexesOf(reading, "top", "bottom");
  if (single === undefined || extreme === undefined) return;
  // "The biggest single call payout", "the highest payout of a single call".
  const figure = after(reading, extreme, "single");
  const quantity = quantityAt(reading, figure);
  if (quantity === undefined) return;
  addMeasure(reading, named(reading, hasRole(reading, extreme, "top") ? "max" : "min", quantity));
  const noun = after(reading, single);
  use(reading, extreme, figure, single, ...(senseAs(reading, noun, "subject") ? [noun] : []));
}
