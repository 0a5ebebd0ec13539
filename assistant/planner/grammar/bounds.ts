import { weekdayNames, workdays } from "../../calendar.ts";
import { findMeasure, findQuantity, measureOf } from "../../catalog/catalog.ts";
import { hoursName, workHours as usual } from "../../catalog/hours.ts";
import { ratioName } from "../../catalog/statistics.ts";
import type { Filter, FilterOp } from "../../plan.ts";
import { counting, numberNamed, rateOf } from "./figures.ts";
import { type Bound, type Piece, unify } from "./piece.ts";
import type { Setting } from "./production.ts";

const bounded = (...bounds: readonly Bound[]): Piece => ({ word: { bounds } });
const boundOf = (op: FilterOp, { word }: Piece): Bound => ({
  op,
  value: word?.number ?? 0,
  unit: word?.unit ?? null,
  ...(/^(once|twice|times)$/.test(word?.said ?? "") && { isTimes: true as const }),
});

/** "Over 5 minutes". */
export const amount = (op: FilterOp, number: Piece): Piece => bounded(boundOf(op, number));

/** "0 payout", "no more than that". */
export const exactly = (number: Piece): Piece => bounded(boundOf(number.word?.number === 0 ? "at_most" : "is", number));

/** "Between 2 and 5 minutes": the first number borrows the unit of the second. */
export function between(low: Piece, high: Piece): Piece | undefined {
  const [from, to] = [boundOf("at_least", low), boundOf("at_most", high)];
  const scale = from.unit === null && to.unit === "seconds" ? secondsOf(high.word?.said ?? "") : 1;
  const start = { ...from, value: from.value * scale, unit: from.unit ?? to.unit };
  return start.value > to.value ? undefined : bounded(start, to);
}

const secondsOf = (said: string): number => (/h(ou)?rs?$/.test(said) ? 3600 : /m|min(ute)?s?$/.test(said) ? 60 : 1);

/** A condition on a number of each record: on the one that is named, else on its length. */
export function ofRecords(setting: Setting, { word }: Piece, amounts: Piece): Piece | undefined {
  const { subject } = setting;
  const bounds = amounts.word?.bounds ?? [];
  const quantity = findQuantity(subject, word?.quantity ?? subject.length ?? "");
  if (quantity?.name === "attempt" && word?.isPlural) return perMessage(setting, amounts);
  const isNamed = word?.quantity !== undefined;
  // The first attempt is number 1.
  if (quantity?.name === "attempt" && bounds.some(({ value }) => value < 1)) return undefined;
  if (quantity === undefined || bounds.some(({ unit }) => unit === null && !isNamed)) return undefined;
  // "Billed more than once" is no dollar.
  if (quantity.unit === "money" && bounds.some(({ isTimes }) => isTimes)) return undefined;
  const filters = bounds.map(({ op, value, unit }) => ({
    field: quantity.name,
    op,
    values: [scaled(value, unit, quantity.unit)],
  }));
  return filters.every(({ values }) => !Number.isNaN(values[0])) ? { filters } : undefined;
}

/** "More than one attempt" are several, where "attempt 3 or later" is one of them. */
export const ofSeveral = (setting: Setting, amounts: Piece, { word = {} }: Piece): Piece | undefined =>
  ofRecords(setting, { word: { ...word, isPlural: true } }, amounts);

/** "Attempt number 3 or higher": of a column that holds a number. */
export function ofColumn(setting: Setting, { groups: [name = ""] = [] }: Piece, amounts: Piece): Piece | undefined {
  return findQuantity(setting.subject, name) && ofRecords(setting, { word: { quantity: name } }, amounts);
}

/** "Bids above $40": the number that the counted records are named by. */
export function ofCounted(setting: Setting, figure: Piece, amounts: Piece): Piece | undefined {
  if (measureOf(setting.subject, figure.measures?.[0] ?? setting.subject.defaultMeasure).aggregate.kind !== "count")
    return undefined;
  const quantity = numberNamed(setting, figure);
  const bounds = quantity && ofRecords(setting, { word: { quantity } }, amounts);
  return bounds ? unify(figure, bounds) : undefined;
}

/** "Deliveries that needed more than 3 attempts": each row is one, so the different deliveries that had such a row. */
export function perMessage(setting: Setting, amounts: Piece, retries = 0): Piece | undefined {
  const bounds = (amounts.word?.bounds ?? []).map((each) => ({ ...each, value: each.value + retries }));
  const isLeast = bounds.every(({ op }) => op === "more_than" || op === "at_least");
  if (setting.subject.name !== "outgoing_webhook_requests" || !isLeast) return undefined;
  const filters = ofRecords(setting, { word: { quantity: "attempt" } }, { word: { bounds } });
  return filters && { ...filters, measures: ["messages"] };
}

const callingParties = ["caller", "number", "state", "area_code", "zip"];

/** "Callers who called more than twice", "transaction ids that came in more than once": how often. */
export function ofTimes(setting: Setting, head: Piece, _joint: Piece, amounts: Piece): Piece | undefined {
  const bounds = amounts.word?.bounds ?? [];
  const { name, defaultMeasure } = setting.subject;
  const isOften = name !== "outgoing_webhook_requests" && bounds.every(({ isTimes }) => isTimes);
  if (!isOften || (name === "calls" && !callingParties.includes(head.groups?.[0] ?? ""))) return undefined;
  const having = bounds.map(({ op, value }) => ({ field: defaultMeasure, op, values: [value] }));
  return unify(head, { measures: [defaultMeasure], having });
}

/** A condition on the figure of each group, which is shown, too. */
export function ofGroups({ subject }: Setting, figure: Piece | undefined, amounts: Piece): Piece | undefined {
  const [said] = (figure && counting({ subject }, figure)?.measures) ?? [];
  if (said === undefined) return undefined;
  const isPart = amounts.word?.bounds?.some(({ unit }) => unit === "percent") === true;
  // "Conversions under 40%": the rate of what is counted.
  const name = (isPart ? rateOf(subject, said) : undefined) ?? said;
  const measure = measureOf(subject, name);
  // "Billed more than once" is no dollar.
  if (measure.unit !== "count" && amounts.word?.bounds?.some(({ isTimes }) => isTimes)) return undefined;
  const having = (amounts.word?.bounds ?? []).map(({ op, value, unit }) => ({
    field: name,
    op,
    values: [scaled(value, unit, measure.unit)],
  }));
  return having.every(({ values }) => !Number.isNaN(values[0])) ? { measures: [name], having } : undefined;
}

/** Totals that may be below zero, whose quotient tells nothing of which is the greater. */
const signed = new Set(["profit"]);

/**
 * "Payout greater than revenue", "more failed than converted calls": the quotient of the two, the smaller divided by the
 * greater, so that a group without the smaller one counts, too.
 */
export function ofTwoFigures(
  setting: Setting,
  one: Piece,
  end: "greater" | "smaller",
  other: Piece,
): Piece | undefined {
  const measures = [one, other].map((piece) => counting(setting, piece)?.measures ?? []);
  const [[first, second] = [], [third, fourth] = []] = measures;
  if (first === undefined || third === undefined || (second ?? fourth) !== undefined) return undefined;
  const [greater, smaller] = end === "greater" ? [first, third] : [third, first];
  const field = ratioName(smaller, greater);
  const isKnown = findMeasure(setting.subject, field) !== undefined;
  const areOfOneUnit = measureOf(setting.subject, first).unit === measureOf(setting.subject, third).unit;
  if (!isKnown || !areOfOneUnit || signed.has(first) || signed.has(third)) return undefined;
  return { measures: [first, third], having: [{ field, op: "less_than", values: [1] }] };
}

/** NaN where the number was said in a unit that is not the field's. */
function scaled(value: number, said: string | null, expected: string): number {
  if (said === null || said === expected) return value;
  return said === "seconds" && expected === "ms" ? value * 1000 : Number.NaN;
}

/** "8am-12pm vs 12pm-5pm": side by side; undefined where they overlap. */
export function besideHours(...sides: readonly Piece[]): Piece | undefined {
  const ranges = sides.map(({ filters = [] }) => {
    const valuesOf = (wanted: FilterOp) => filters.find(({ op }) => op === wanted)?.values.map(Number);
    const around = valuesOf("is");
    const [from = 0] = around ?? valuesOf("at_least") ?? [];
    const to = around === undefined ? (valuesOf("less_than")?.[0] ?? 24) : ((around.at(-1) ?? 0) + 1) % 24;
    return { from, to, hours: Array.from({ length: (to - from + 24) % 24 || 24 }, (_, step) => (from + step) % 24) };
  });
  const hours = ranges.flatMap((range) => range.hours).sort((a, b) => a - b);
  const [first = 0] = hours;
  const isDay = hours.length === 24;
  if (new Set(hours).size < hours.length) return undefined;
  const isOneRun = hours.every((hour, at) => hour === first + at);
  const within: Piece | undefined = isOneRun
    ? ofHours({ from: { word: { hour: first } }, to: { word: { hour: first + hours.length } } })
    : { filters: [{ field: "hour_of_day", op: "is", values: hours }] };
  return within && unify({ groups: [hoursName(ranges)] }, isDay ? {} : within);
}

/** From the one hour to the other, over midnight where the later comes first. */
export function ofHours({ from, to }: { readonly from?: Piece; readonly to?: Piece }): Piece | undefined {
  const [first, last] = [from?.word?.hour, to?.word?.hour];
  const hours = (op: FilterOp, ...values: readonly number[]) => ({ field: "hour_of_day", op, values: [...values] });
  if (first !== undefined && last !== undefined && first > last) {
    const around = Array.from({ length: 24 - first + last }, (_, step) => (first + step) % 24);
    return { filters: [hours("is", ...around)] };
  }
  // Every hour is before midnight.
  if (first === last || last === 0) return undefined;
  return {
    filters: [
      ...(first === undefined ? [] : [hours("at_least", first)]),
      ...(last === undefined ? [] : [hours("less_than", last)]),
    ],
  };
}

/** All other hours than from the one to the other. */
export function outsideHours({ filters: [one, other] = [] }: Piece): Piece | undefined {
  const [from, to] =
    one?.op === "is" ? [one.values[0], Number(one.values.at(-1)) + 1] : [one?.values[0], other?.values[0]];
  const isWhole = one?.op === "is" || (one?.op === "at_least" && other?.op === "less_than");
  return isWhole ? ofHours({ from: { word: { hour: Number(to) } }, to: { word: { hour: Number(from) } } }) : undefined;
}

/** The usual business hours, and all others. */
export const workHours: readonly Filter[] = [
  { field: "day_of_week", op: "is", values: weekdayNames.slice(0, workdays) },
  { field: "hour_of_day", op: "at_least", values: [usual.from] },
  { field: "hour_of_day", op: "less_than", values: [usual.to] },
];
export const offHours: Filter = {
  field: "day_of_week",
  op: "is",
  values: weekdayNames.slice(workdays),
  or: [
    { field: "hour_of_day", op: "less_than", values: [usual.from] },
    { field: "hour_of_day", op: "at_least", values: [usual.to] },
  ],
};
