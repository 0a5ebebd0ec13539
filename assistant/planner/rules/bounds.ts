import type { FilterOp } from "../../plan.ts";
import { boundOn, isFigure, unitOf } from "./bound-on.ts";
import { comparatorAt, comparators } from "./comparator.ts";
import { addHours, readHour } from "./hours.ts";
import {
  addFilter,
  addMeasure,
  after,
  before,
  hasRole,
  indexesOf,
  measureAt,
  type Reading,
  range,
  use,
} from "./reading.ts";

/** "longer than 5 minutes", "revenue over $50", "more than 100 calls", "between 2 and 5 minutes", "between 9am and 5pm". */
export function readComparators(reading: Reading): void {
  // In the order in which they are said: of "50+ calls with a rate below 30%" the calls are explained before the rate.
  for (const index of indexesOf(reading, ...comparators, "between", "or_more", "or_less")) {
    if (hasRole(reading, index, "between")) readBetween(reading, index);
    else if (hasRole(reading, index, "or_more", "or_less")) readOrMore(reading, index);
    else readComparator(reading, index);
  }
  for (const index of reading.items.keys()) readHour(reading, index);
}

/** "Over $50". */
function readComparator(reading: Reading, index: number): void {
  const op = comparatorAt(reading, index) ?? "more_than";
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

const secondsOf = ({ items }: Reading, index: number): number =>
  /h(ou)?rs?$/.test(items[index]?.said ?? "") ? 3600 : /m|min(ute)?s?$/.test(items[index]?.said ?? "") ? 60 : 1;
