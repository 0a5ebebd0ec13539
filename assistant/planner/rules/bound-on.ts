import { findQuantity, measureOf } from "../../catalog/catalog.ts";
import type { Quantity } from "../../catalog/field.ts";
import { quantityOfNoun } from "./counted-noun.ts";
import { headOf, nounGroup } from "./head-of.ts";
import { addDimension, after, before, isGrouped, measureAt, type Reading, senseAs } from "./reading.ts";

/** Which unit a number was said with. */
export function unitOf({ items }: Reading, index: number): string | null {
  const item = items[index];
  return item?.kind === "number" ? item.unit : null;
}

interface Bound {
  readonly field: string;
  /** Of each group's figure, not of each row. */
  readonly perGroup: boolean;
  readonly items: readonly number[];
  readonly expects: string;
}

/** What a number is held against: the measure before it or after it, else what its unit says. */
export function boundOn(reading: Reading, index: number, number: number): Bound | undefined {
  const { subject } = reading;
  // "Revenue dropped below 1000": what a figure does is no change of it there.
  const left = before(reading, index, "of", "change");
  const right = after(reading, number, "of", "or_more", "or_less");
  const isLeft = isFigure(reading, left) && !fitsBetter(reading, { left, right, number });
  const at = isLeft ? left : right;
  const said = unitOf(reading, number);
  // "Average wait over 20 seconds": of each group's average.
  const figure = reading.draft.statistics.get(left);
  if (figure !== undefined)
    return { field: figure, perGroup: true, items: [left], expects: measureOf(subject, figure).unit };
  const counts = isLeft ? undefined : countOfGroup(reading, { left, index, right });
  if (counts !== undefined && said === null) return { field: counts, perGroup: true, items: [left], expects: "count" };
  const measure = isLeft ? senseAs(reading, left, "measure")?.name : measureAt(reading, right);
  const row = rowQuantity(reading, at, measure);
  const shape = quantityOfShape(reading, left);
  if (shape !== undefined) return { field: shape.name, perGroup: false, items: [left], expects: shape.unit };
  if (measure === undefined && row === undefined) return boundByUnit(reading, said);
  // "Won bids under $20": dollars are of each bid that is counted.
  const counted = quantityOfNoun(reading, at);
  if (counted !== undefined && counted.unit === said)
    return { field: counted.name, perGroup: false, items: [], expects: counted.unit };
  const unit = measure === undefined ? (row?.unit ?? null) : measureOf(subject, measure).unit;
  // "calls over 5 minutes revenue", "calls and revenue over 5 minutes": the figure has no length, its rows have.
  const isOfLength = said === "seconds" && unit !== "ms";
  if ((at === right || unit === "count" || isOfLength) && said !== null && said !== unit && said !== row?.unit)
    return boundByUnit(reading, said);
  // "bids between $20 and $30 per campaign": dollars are of the bid, where bids are counted.
  if (row !== undefined && said !== null && said === row.unit && said !== unit)
    return { field: row.name, perGroup: false, items: measure === undefined ? [at] : [], expects: row.unit };
  const head = headOf(reading, Math.min(at, index));
  const grouped = isGrouped(reading);
  if (measure !== undefined && head === "row" && row === undefined) {
    const group = nounGroup(reading, Math.min(at, index));
    if (group !== undefined) {
      addDimension(reading, group);
      return { field: measure, perGroup: true, items: [at], expects: unit ?? "" };
    }
  }
  if (measure !== undefined && (head === "group" || (head === "none" && row === undefined && grouped)))
    return { field: measure, perGroup: true, items: [at], expects: unit ?? "" };
  if (row !== undefined && head === "none" && grouped) askRowOrGroup(reading, at);
  return row === undefined ? undefined : { field: row.name, perGroup: false, items: [at], expects: row.unit };
}

/** "Days when calls dropped below 5": of the group's records, where a verb stands behind their noun. */
function countOfGroup(
  reading: Reading,
  { left, index, right }: { readonly left: number; readonly index: number; readonly right: number },
): string | undefined {
  const isNoun = senseAs(reading, left, "subject") !== undefined && senseAs(reading, left, "dimension") === undefined;
  if (!isNoun || index - left < 2 || isFigure(reading, right) || headOf(reading, left) !== "group") return undefined;
  return reading.subject.defaultMeasure;
}

/** "Connected calls with less than 30 seconds of talk time": seconds are of the time behind, not of the count before. */
function fitsBetter(
  reading: Reading,
  { left, right, number }: { readonly left: number; readonly right: number; readonly number: number },
): boolean {
  const said = unitOf(reading, number);
  const unitAt = (at: number): string | null => {
    const measure = senseAs(reading, at, "measure")?.name;
    const quantity = findQuantity(reading.subject, senseAs(reading, at, "quantity")?.name ?? "");
    return quantity?.unit ?? (measure === undefined ? null : measureOf(reading.subject, measure).unit);
  };
  return said !== null && unitAt(left) !== said && unitAt(right) === said;
}

/** Whether the item names what a number can be held against. */
export const isFigure = (reading: Reading, index: number): boolean =>
  (senseAs(reading, index, "measure") ?? senseAs(reading, index, "quantity")) !== undefined;

/** A status code is a number and a dimension. */
const quantityOfShape = (reading: Reading, index: number): Quantity | undefined =>
  findQuantity(reading.subject, senseAs(reading, index, "dimension")?.name ?? "");

const isOfMany = /average|avg|mean|median|total|longest|maximum|per |\bp\d/i;

/** The number of each row that the words may stand for; an average has none. */
function rowQuantity(reading: Reading, index: number, measure: string | undefined): Quantity | undefined {
  const { subject, items } = reading;
  if (isOfMany.test(items[index]?.said ?? "")) return undefined;
  const own = senseAs(reading, index, "quantity")?.name ?? measure ?? "";
  const found = findQuantity(subject, own);
  if (found !== undefined || measure === undefined) return found;
  const { aggregate } = measureOf(subject, measure);
  return aggregate.kind === "average" || aggregate.kind === "sum"
    ? subject.quantities.find(({ column }) => column === aggregate.column)
    : undefined;
}

/** "revenue over $100 by campaign": of a call, or of a campaign? */
function askRowOrGroup({ draft, subject, items }: Reading, index: number): void {
  const said = items[index]?.said ?? "";
  draft.problems.push({
    sentence: `Is the limit on the ${said} of each ${subject.noun.one} or of each group? Say "${subject.noun.many} with ${said} …" or, for groups, "campaigns with ${said} …".`,
    options: [],
  });
}

function boundByUnit({ subject }: Reading, unit: string | null): Bound | undefined {
  const fits = (of: string) => of === unit || (unit === "seconds" && of === "ms");
  const quantity = subject.quantities.find((each) => each.name === subject.length && fits(each.unit));
  return quantity && { field: quantity.name, perGroup: false, items: [], expects: quantity.unit };
}
