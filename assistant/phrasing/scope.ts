import { findBin } from "../catalog/bins.ts";
import { findDimension, findFlag, findQuantity, grainWords, measureOf, subjectOf, tagKey } from "../catalog/catalog.ts";
import type { Subject, Unit } from "../catalog/field.ts";
import { ordinal, partsOfRatio } from "../catalog/statistics.ts";
import { alternatives, type Filter, type Grain, type Plan } from "../plan.ts";
import { describePeriod } from "./dates.ts";
import { listOf, toFigure, toWidth } from "./figure.ts";

const opWords = {
  is: "is",
  is_not: "is not",
  contains: "contains",
  not_contains: "does not contain",
  empty: "is empty",
  not_empty: "is known",
  more_than: "over",
  at_least: "at least",
  less_than: "under",
  at_most: "at most",
} as const;

/** The catalog's label of a measure, a dimension or a grain. */
export function labelOf(subject: Subject, name: string): string {
  if (name in grainWords) return grainWords[name as Grain];
  const bin = findBin(subject, name);
  if (bin !== undefined)
    return `${bin.quantity.words[0]}${bin.isSettled ? ` in steps of ${toWidth(bin.width, bin.quantity.unit)}` : ""}`;
  if (subject.measures.some((measure) => measure.name === name)) return measureLabel(subject, name);
  const named = findDimension(subject, name) ?? findQuantity(subject, name);
  if (tagKey(name) !== undefined) return `tag ${tagKey(name)}`;
  return named === undefined ? name.replaceAll("_", " ") : named.words[0];
}
export const measureLabel = (subject: Subject, name: string): string => {
  const measure = measureOf(subject, name);
  if (name === subject.defaultMeasure) return subject.noun.many;
  // "Different states" has no entry in the catalog that names it.
  const isOwn = subject.measures.includes(measure);
  return measure.unit === "count" && isOwn ? name.replaceAll("_", " ") : measure.words[0];
};

/** A figure's label: "share of revenue", "revenue so far", "average revenue per day". */
export const figureLabel = (plan: Plan, name: string): string => {
  const label = measureLabel(subjectOf(plan.subject), name);
  if (plan.share || plan.portion.length > 0) return `share of ${label}`;
  if (plan.running === "average") return `moving average of ${label} over ${plan.running_over} ${plan.grain}s`;
  if (plan.running !== null) return plan.running === "total" ? `${label} so far` : `change of ${label}`;
  return plan.average_per === null ? label : `average ${label} per ${plan.average_per}`;
};

/** Describes the figures shown: "revenue and payout", "share of calls where duration under 30 seconds". */
export const describeFigures = (plan: Plan): string =>
  `${listOf(plan.measures.map((name) => figureLabel(plan, name)))}${plan.portion.length > 0 ? ` where ${describePortion(plan)}` : ""}`;

/** The conditions of the part that a percentage is about. */
export const describePortion = ({ subject, portion }: Plan): string =>
  portion.map((filter) => describeFilter(subjectOf(subject), filter)).join(" and ");

const isComparator = (op: Filter["op"]): boolean =>
  op === "more_than" || op === "at_least" || op === "less_than" || op === "at_most";

/** Describes a filter: "state is TX or FL", "not converted", "failed or duration under 10 s". */
export const describeFilter = (subject: Subject, filter: Filter): string =>
  alternatives(filter)
    .map((each) => describeOne(subject, each))
    .join(" or ");

function describeOne(subject: Subject, filter: Filter): string {
  const flag = findFlag(subject, filter.field);
  if (flag !== undefined)
    return (filter.op === "is") === (filter.values[0] === true) ? flag.words[0] : `not ${flag.words[0]}`;
  // "Payout over revenue": the quotient of the two is under 1.
  const held = filter.op === "less_than" && filter.values[0] === 1 ? partsOfRatio(subject, filter.field) : undefined;
  if (held !== undefined) return `${measureLabel(subject, held.of)} over ${measureLabel(subject, held.part)}`;
  const unit: Unit | undefined =
    subject.measures.find(({ name }) => name === filter.field)?.unit ?? findQuantity(subject, filter.field)?.unit;
  const isText = !isComparator(filter.op) || unit === undefined;
  const values = filter.values.map((value) =>
    isText || typeof value !== "number" ? String(value) : toFigure(value, unit),
  );
  return `${labelOf(subject, filter.field)} ${opWords[filter.op]} ${values.join(" or ")}`.trim();
}

/** Describes the scope of the figures: "last month (Oct 1 – 31, 2026) where state is TX". */
export function describeScope(plan: Plan): string {
  const subject = subjectOf(plan.subject);
  const all = [...plan.filters, ...plan.having];
  const conditions = all.map((filter) => {
    const said = describeFilter(subject, filter);
    return filter.or !== undefined && all.length > 1 ? `(${said})` : said;
  });
  return `${describePeriod(plan)}${conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`}${describeOrder(plan)}`;
}

/** Says what a ranking leaves out: ", only those that fell", ", from the 2nd highest on". */
function describeOrder({ order, limit }: Plan): string {
  const moved = order?.only ? `, only those that ${order.direction === "desc" ? "rose" : "fell"}` : "";
  if (order?.skip === undefined) return moved;
  const place = `the ${ordinal(order.skip + 1)} ${order.direction === "desc" ? "highest" : "lowest"}`;
  return `${moved}, ${limit === 1 ? place : `from ${place} on`}`;
}
export const groupingOf = (plan: Plan): readonly string[] => {
  const subject = subjectOf(plan.subject);
  return [...(plan.grain === null ? [] : [plan.grain]), ...plan.dimensions].map((name) => labelOf(subject, name));
};
