import { findQuantity, measureOf } from "../catalog/catalog.ts";
import type { FilterOp } from "../plan.ts";
import { addFilter, addMeasure, after, before, indexesOf, measureAt, type Reading, senseAs, use } from "./reading.ts";

const ops = ["more_than", "at_least", "less_than", "at_most"] as const;

/** "longer than 5 minutes", "revenue over $50", "more than 100 calls", "between 2 and 5 minutes", "between 9am and 5pm". */
export function readComparators(reading: Reading): void {
  for (const op of ops) {
    for (const index of indexesOf(reading, op)) {
      const number = after(reading, index, "of");
      if (reading.items[number]?.kind === "period" && op !== "at_least" && op !== "at_most") use(reading, index);
      if (reading.items[number]?.kind === "number") addBounds(reading, index, [[op, number]]);
    }
  }
  for (const index of indexesOf(reading, "between")) {
    const low = after(reading, index);
    const high = after(reading, low, "and");
    const kinds = [reading.items[low]?.kind, reading.items[high]?.kind].join();
    if (kinds === "number,number")
      addBounds(reading, index, [
        ["at_least", low],
        ["at_most", high],
      ]);
    if (kinds === "hour,hour") addHours(reading, index, [low, high]);
  }
}

function addHours(reading: Reading, index: number, [low, high]: readonly [number, number]): void {
  const [from, to] = [reading.items[low], reading.items[high]];
  if (from?.kind !== "hour" || to?.kind !== "hour" || from.hour >= to.hour) return;
  addFilter(reading, { field: "hour_of_day", op: "at_least", values: [from.hour] });
  addFilter(reading, { field: "hour_of_day", op: "less_than", values: [to.hour] });
  use(reading, ...range(index, high));
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, step) => from + step);

function addBounds(reading: Reading, index: number, bounds: readonly (readonly [FilterOp, number])[]): void {
  const last = bounds.at(-1)?.[1] ?? index;
  const unit = unitOf(reading, last);
  const subjectOfBound = boundOn(reading, index, last);
  if (subjectOfBound === undefined) return;
  const { field, perGroup, items, expects } = subjectOfBound;
  if (unit !== null && unit !== expects) return;
  // "between 2 and 5 minutes": the first number borrows the unit of the second.
  const scale = (at: number) => (unit === "seconds" && unitOf(reading, at) === null ? secondsOf(reading, last) : 1);
  for (const [op, at] of bounds) {
    const item = reading.items[at];
    if (item?.kind !== "number") return;
    const filter = { field, op, values: [item.value * scale(at)] };
    if (perGroup) reading.draft.having.push(filter);
    else addFilter(reading, filter);
  }
  if (perGroup) addMeasure(reading, field);
  use(reading, ...range(index, last), ...items);
}

function unitOf({ items }: Reading, index: number): string | null {
  const item = items[index];
  return item?.kind === "number" ? item.unit : null;
}
const secondsOf = ({ items }: Reading, index: number): number =>
  /h(ou)?rs?$/.test(items[index]?.said ?? "") ? 3600 : /m|min(ute)?s?$/.test(items[index]?.said ?? "") ? 60 : 1;

interface Bound {
  readonly field: string;
  /** Of each group's figure, not of each row. */
  readonly perGroup: boolean;
  readonly items: readonly number[];
  readonly expects: string;
}

/** What a number is held against: the measure before it or after it, else what its unit says. */
function boundOn(reading: Reading, index: number, number: number): Bound | undefined {
  const { subject } = reading;
  const left = before(reading, index, "of");
  const right = after(reading, number, "of");
  const leftMeasure = senseAs(reading, left, "measure")?.name;
  const at = leftMeasure === undefined ? right : left;
  const measure = leftMeasure ?? measureAt(reading, right);
  const quantity =
    senseAs(reading, left, "dimension") && findQuantity(subject, senseAs(reading, left, "dimension")?.name ?? "");
  if (quantity) return { field: quantity.name, perGroup: false, items: [left], expects: quantity.unit };
  if (measure === undefined) {
    const byUnit = subject.quantities.find(
      (each) => each.name === subject.length && each.unit === unitOf(reading, number),
    );
    return byUnit === undefined ? undefined : { field: byUnit.name, perGroup: false, items: [], expects: byUnit.unit };
  }
  // "calls over 5 minutes revenue": the noun after a length belongs to the question, not to the bound.
  const { unit } = measureOf(subject, measure);
  const said = unitOf(reading, number);
  if (leftMeasure === undefined && said !== null && said !== unit) return boundByUnit(reading, said);
  const row = rowQuantity(reading, at, measure);
  const head = headOf(reading, Math.min(at, index));
  const grouped = reading.items.some(
    (_, each) => (senseAs(reading, each, "dimension") ?? senseAs(reading, each, "grain")) !== undefined,
  );
  if (head === "group" || (head === "none" && row === undefined && grouped)) {
    return { field: measure, perGroup: true, items: [at], expects: unit };
  }
  if (row !== undefined && head === "none" && grouped) askRowOrGroup(reading, at);
  return row === undefined ? undefined : { field: row.name, perGroup: false, items: [at], expects: row.unit };
}

const isOfMany = /average|avg|mean|median|total|longest|maximum|\bp\d/i;

/** The number of each row that a measure's words may stand for; an average has none. */
function rowQuantity({ subject, items }: Reading, index: number, measure: string) {
  const { unit } = measureOf(subject, measure);
  if (isOfMany.test(items[index]?.said ?? "")) return undefined;
  const isLength = unit === "seconds" || unit === "ms";
  return findQuantity(subject, measure) ?? (isLength ? findQuantity(subject, subject.length ?? "") : undefined);
}

/** "revenue over $100 by campaign": of a call, or of a campaign? */
function askRowOrGroup({ draft, subject, items }: Reading, index: number): void {
  const said = items[index]?.said ?? "";
  draft.problems.push({
    sentence: `Is the limit on the ${said} of each ${subject.noun.one} or of each group? Say "${subject.noun.many} with ${said} …" or, for groups, "campaigns with ${said} …".`,
    options: [],
  });
}

function boundByUnit({ subject }: Reading, unit: string): Bound | undefined {
  const quantity = subject.quantities.find((each) => each.name === subject.length && each.unit === unit);
  return quantity && { field: quantity.name, perGroup: false, items: [], expects: unit };
}

/** Whether the noun that a condition hangs on is a group ("publishers with …") or a row ("calls with …"). */
function headOf(reading: Reading, index: number): "group" | "row" | "none" {
  for (let at = index - 1; at >= 0; at--) {
    if (senseAs(reading, at, "subject")) return "row";
    if (senseAs(reading, at, "dimension") ?? senseAs(reading, at, "grain")) return "group";
  }
  return "none";
}
