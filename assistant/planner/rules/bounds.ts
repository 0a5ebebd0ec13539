import { findQuantity, measureOf } from "../../catalog/catalog.ts";
import type { Quantity } from "../../catalog/field.ts";
import type { FilterOp } from "../../plan.ts";
import { quantityOfNoun } from "./counted-noun.ts";
import {
  addDimension,
  addFilter,
  addMeasure,
  after,
  before,
  hasRole,
  indexesOf,
  measureAt,
  type Reading,
  range,
  senseAs,
  senses,
  use,
} from "./reading.ts";

const ops = ["more_than", "at_least", "less_than", "at_most"] as const;

/** "longer than 5 minutes", "revenue over $50", "more than 100 calls", "between 2 and 5 minutes", "between 9am and 5pm". */
export function readComparators(reading: Reading): void {
  // In the order in which they are said: of "50+ calls with a rate below 30%" the calls are explained before the rate.
  for (const index of indexesOf(reading, ...ops, "between", "or_more", "or_less")) {
    if (hasRole(reading, index, "between")) readBetween(reading, index);
    else if (hasRole(reading, index, "or_more", "or_less")) readOrMore(reading, index);
    else readComparator(reading, index);
  }
  for (const index of reading.items.keys()) readHour(reading, index);
}

/** "Over $50". */
function readComparator(reading: Reading, index: number): void {
  const op = ops.find((each) => hasRole(reading, index, each)) ?? "more_than";
  const number = after(reading, index, "of");
  if (reading.items[number]?.kind === "period" && op !== "at_least" && op !== "at_most") use(reading, index);
  if (reading.items[number]?.kind === "number") addBounds(reading, index, [[op, number]]);
}

/** "Between 2 and 5 minutes", "between 9am and 5pm". */
function readBetween(reading: Reading, index: number): void {
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

/** "20 or more". */
function readOrMore(reading: Reading, index: number): void {
  const number = numberBefore(reading, index);
  if (reading.items[number]?.kind !== "number") return;
  addBounds(reading, number, [[hasRole(reading, index, "or_more") ? "at_least" : "at_most", number]]);
  if (reading.used.has(number)) use(reading, index);
}

/** "20 or more calls", "20 calls or more". */
function numberBefore(reading: Reading, index: number): number {
  const near = before(reading, index);
  const isNoun = measureAt(reading, near) !== undefined || isFigure(reading, near);
  return isNoun ? before(reading, near) : near;
}

/** "from 9am to 5pm", "after 5pm", "before 9am", "at 3pm". */
function readHour(reading: Reading, index: number): void {
  const item = reading.items[index];
  if (item?.kind !== "hour" || reading.used.has(index)) return;
  const joint = reading.items[index + 1]?.said.toLowerCase() ?? "";
  if (/^(to|-|until|till|through|thru)$/.test(joint) && reading.items[index + 2]?.kind === "hour") {
    addHours(reading, index, [index, index + 2]);
    return;
  }
  if (readAroundMidnight(reading, index)) return;
  const side = before(reading, index);
  const next = after(reading, index);
  const isUp = hasRole(reading, next, "or_more");
  const op =
    isUp || hasRole(reading, side, "later", "at_least")
      ? "at_least"
      : hasRole(reading, side, "earlier", "less_than")
        ? "less_than"
        : "is";
  // Every hour is before midnight.
  if (op === "less_than" && item.hour === 0) return;
  addFilter(reading, { field: "hour_of_day", op, values: [item.hour] }, index);
  use(reading, index, ...(isUp ? [next] : op === "is" ? [] : [side]));
}

/** "After 10pm or before 6am", "before 6am or after 10pm": one stretch, over midnight. */
function readAroundMidnight(reading: Reading, index: number): boolean {
  const side = before(reading, index);
  const joint = after(reading, index);
  const other = after(reading, joint);
  const hour = after(reading, other);
  if (!hasRole(reading, joint, "or")) return false;
  const isLateFirst = hasRole(reading, side, "later") && hasRole(reading, other, "earlier");
  const isEarlyFirst = hasRole(reading, side, "earlier") && hasRole(reading, other, "later");
  if (!isLateFirst && !isEarlyFirst) return false;
  const [low, high] = isLateFirst ? [index, hour] : [hour, index];
  const [from, to] = [reading.items[low], reading.items[high]];
  if (from?.kind !== "hour" || to?.kind !== "hour" || from.hour <= to.hour) return false;
  addHours(reading, side, [low, high]);
  use(reading, side, index, joint, other, hour);
  return true;
}

function addHours(reading: Reading, index: number, [low, high]: readonly [number, number]): void {
  const [from, to] = [reading.items[low], reading.items[high]];
  if (from?.kind !== "hour" || to?.kind !== "hour" || from.hour === to.hour) return;
  use(reading, ...range(index, high + 1));
  if (from.hour > to.hour) {
    addFilter(
      reading,
      { field: "hour_of_day", op: "is", values: [...range(from.hour, 24), ...range(0, to.hour)] },
      index,
    );
    return;
  }
  addFilter(reading, { field: "hour_of_day", op: "at_least", values: [from.hour] }, index);
  addFilter(reading, { field: "hour_of_day", op: "less_than", values: [to.hour] }, index);
}

function addBounds(reading: Reading, index: number, bounds: readonly (readonly [FilterOp, number])[]): void {
  const [low, high] = bounds.map(([, at]) => reading.items[at]);
  if (low?.kind === "number" && high?.kind === "number" && low.value > high.value) return;
  const last = bounds.at(-1)?.[1] ?? index;
  const unit = unitOf(reading, last);
  const subjectOfBound = boundOn(reading, index, last);
  if (subjectOfBound === undefined) return;
  const { field, perGroup, items, expects } = subjectOfBound;
  const inMs = unit === "seconds" && expects === "ms";
  if (unit !== null && unit !== expects && !inMs) return;
  // "between 2 and 5 minutes": the first number borrows the unit of the second.
  const scale = (at: number) => (unit === "seconds" && unitOf(reading, at) === null ? secondsOf(reading, last) : 1);
  for (const [op, at] of bounds) {
    const item = reading.items[at];
    if (item?.kind !== "number") return;
    const filter = { field, op, values: [item.value * scale(at) * (inMs ? 1000 : 1)] };
    if (perGroup) {
      reading.draft.having.push(filter);
      reading.draft.places.set(`${field} ${op}`, index);
    } else addFilter(reading, filter, index);
  }
  if (perGroup) addMeasure(reading, field);
  const verbs = items.flatMap((at) => range(at + 1, index).filter((each) => hasRole(reading, each, "change")));
  use(reading, ...range(index, last + 1), ...items, ...verbs);
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
  const isOfRow = senseAs(reading, left, "subject") !== undefined && senseAs(reading, left, "dimension") === undefined;
  if (measure === undefined && row === undefined)
    return onlyFigure(reading, said) ?? boundByUnit(isOfRow ? { ...reading, groupedBefore: false } : reading, said);
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
  const grouped = reading.items.some(
    (_, each) => (senseAs(reading, each, "dimension") ?? senseAs(reading, each, "grain")) !== undefined,
  );
  if (measure !== undefined && head === "row" && row === undefined) {
    const group = nounGroup(reading, Math.min(at, index));
    if (group !== undefined) {
      addDimension(reading, group);
      return { field: measure, perGroup: true, items: [at], expects: unit ?? "" };
    }
  }
  if (measure !== undefined && head === "none" && reading.groupedBefore)
    return { field: measure, perGroup: true, items: [at], expects: unit ?? "" };
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

const isFigure = (reading: Reading, index: number): boolean =>
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

function boundByUnit({ subject, draft, ...before }: Reading, unit: string | null): Bound | undefined {
  // "Over 20 sec only", of average times by target: of a target's average, or of each call?
  if (before.groupedBefore && unit !== null && before.unitsBefore.includes(unit))
    draft.problems.push({
      sentence: `Is that asked of each group, or of each of the ${subject.noun.many}? Please ask it as a whole question.`,
      options: [],
    });
  const fits = (of: string) => of === unit || (unit === "seconds" && of === "ms");
  const quantity = subject.quantities.find((each) => each.name === subject.length && fits(each.unit));
  return quantity && { field: quantity.name, perGroup: false, items: [], expects: quantity.unit };
}

/** "Only states with more than 10", of calls by state: of the one figure of the answer before. */
function onlyFigure({ subject, planBefore, groupedBefore, draft }: Reading, said: string | null): Bound | undefined {
  const [field, other] = planBefore?.measures ?? [];
  const isGrouped = groupedBefore || draft.dimensions.length > 0 || draft.grain !== null;
  if (!isGrouped || field === undefined || other !== undefined || said !== null) return undefined;
  if (planBefore?.subject !== subject.name || planBefore.share || planBefore.portion.length > 0) return undefined;
  return { field, perGroup: true, items: [], expects: measureOf(subject, field).unit };
}

/** "Webhooks with a failure rate above 3 %": the noun of the records is a group's, too, where no record has the figure. */
function nounGroup(reading: Reading, index: number): string | undefined {
  for (let at = index - 1; at >= 0; at--)
    if (senseAs(reading, at, "subject")) return senseAs(reading, at, "dimension")?.name;
  return undefined;
}

/** "How many calls per campaign had a duration between …": calls have it, whatever they are grouped by. */
function isOfOneOf(reading: Reading, group: number, index: number): boolean {
  const by = before(reading, group);
  const isCounted = hasRole(reading, before(reading, before(reading, by)), "how_many");
  const said = reading.items.slice(group + 1, index).map((item) => item.said.toLowerCase());
  const isNoun = senses(reading, before(reading, by)).some(({ kind }) => kind === "subject");
  return hasRole(reading, by, "by") && isNoun && isCounted && said.includes("had");
}

/** "Number of calls with talk time over 2 minutes". */
const isNumberOfRecords = (reading: Reading, at: number): true | undefined =>
  senseAs(reading, at, "measure")?.name === reading.subject.defaultMeasure || undefined;

/** Whether the noun that a condition hangs on is a group ("publishers with …") or a row ("calls with …"). */
function headOf(reading: Reading, index: number): "group" | "row" | "none" {
  for (let at = index - 1; at >= 0; at--) {
    if (senseAs(reading, at, "subject") ?? isNumberOfRecords(reading, at)) return "row";
    if (isOfOneOf(reading, at, index)) continue;
    if (senseAs(reading, at, "dimension") ?? senseAs(reading, at, "grain")) return "group";
  }
  return "none";
}
