import { findMeasure } from "../../catalog/catalog.ts";
import { quantityOfNoun } from "./counted-noun.ts";
import { addFilter, after, isPlural, type Reading, senseAs, use } from "./reading.ts";

/** "median revenue per converted call": of a ratio over calls, of what each such call has. */
export function readOfEach(reading: Reading, target: number): string | undefined {
  const { aggregate } = findMeasure(reading.subject, senseAs(reading, target, "measure")?.name ?? "") ?? {};
  if (aggregate?.kind !== "ratio" || aggregate.part.kind !== "sum" || aggregate.of.kind !== "count") return undefined;
  const { column } = aggregate.part;
  const { where } = aggregate.of;
  const quantity = reading.subject.quantities.find((each) => each.column === column)?.name;
  const flag = reading.subject.flags.find(({ condition }) => condition === where)?.name;
  if (quantity === undefined || (where !== undefined && flag === undefined)) return undefined;
  if (flag !== undefined) addFilter(reading, { field: flag, op: "is", values: [true] }, target);
  return quantity;
}

/** "Average winning bid", "median lost bid": of those alone. */
export function readOfCounted(reading: Reading, target: number): string | undefined {
  const found = quantityOfNoun(reading, target);
  const flag = senseAs(reading, target, "flag");
  if (found === undefined || flag === undefined) return undefined;
  addFilter(reading, { field: flag.name, op: "is", values: [flag.holds] }, target);
  return found.name;
}

/** "p90 talk time per connected call", "average duration per converted call": of those calls alone, and no grouping. */
export function readPerSuch(reading: Reading, target: number): void {
  const per = after(reading, target);
  const at = after(reading, per);
  const flag = senseAs(reading, at, "flag");
  const isOne = /^(per|each|every|a)$/i.test(reading.items[per]?.said ?? "") && !isPlural(reading.items[at]);
  const isGroup = senseAs(reading, at, "dimension") !== undefined;
  if (!isOne || isGroup || (flag?.noun !== true && senseAs(reading, at, "subject") === undefined)) return;
  if (flag !== undefined) addFilter(reading, { field: flag.name, op: "is", values: [flag.holds] }, at);
  use(reading, per, at);
}
