import type { QueryResult, Row } from "../../warehouse/warehouse.ts";
import type { AnswerColumn } from "../answer.ts";
import { findBin } from "../catalog/bins.ts";
import { dimensionAlias, measureOf, runningName, shareName, subjectOf } from "../catalog/catalog.ts";
import type { Subject, Unit } from "../catalog/field.ts";
import { isAdditive } from "../compile/aggregate.ts";
import { figureLabel, labelOf } from "../phrasing/scope.ts";
import { type ChartType, type Grain, isRecurring, type Plan } from "../plan.ts";

export interface Figure {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  readonly additive: boolean;
  /** Of two periods, in words, the one that it is of. */
  readonly period?: string;
  /** Whether it is of the period that is compared with; it follows the one of this period. */
  readonly isBefore?: boolean;
}
export interface Axis {
  readonly name: string;
  readonly label: string;
  /** Where the names are the beginnings of steps of a number. */
  readonly steps?: { readonly width: number; readonly unit: Unit };
}

/** An answer as the chart rules see it: roles come from the plan, never from guessing at the values. */
export interface Shape {
  readonly grain: Grain | null;
  readonly zone: string;
  readonly categories: readonly Axis[];
  readonly figures: readonly Figure[];
  readonly rows: readonly Row[];
  /** Whether there were more rows than these. */
  readonly truncated: boolean;
  /** Whether the lowest figure comes first. */
  readonly ascending: boolean;
  readonly isListing: boolean;
  /** Whether the figures are parts of a whole. */
  readonly isShare?: boolean;
  /** The chart that was asked for. */
  readonly wish?: ChartType | null;
  /** What time is drawn with, where that is not left to the rules. */
  readonly timeMark?: "bar" | "line" | "area";
}

export function toShape(
  plan: Plan,
  columns: readonly AnswerColumn[],
  { rows, truncated }: Pick<QueryResult, "rows" | "truncated">,
): Shape {
  const subject = subjectOf(plan.subject);
  const categories = plan.dimensions.map((name) => toAxis(subject, name));
  const names = categories.filter(({ steps }) => steps === undefined);
  const named = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(names.map(({ name }) => [name, row[name] === null ? "(none)" : String(row[name])])),
  }));
  return {
    grain: plan.grain,
    zone: plan.zone,
    categories,
    figures: plan.measures.flatMap((name) => toFigures(plan, name, columns)),
    rows: named,
    truncated,
    ascending: plan.order?.direction === "asc",
    isListing: plan.columns.length > 0,
    isShare: plan.share,
    wish: plan.chart,
  };
}

function toAxis(subject: Subject, name: string): Axis {
  const bin = findBin(subject, name);
  const axis = { name: dimensionAlias(name), label: bin?.quantity.words[0] ?? labelOf(subject, name) };
  return bin === undefined ? axis : { ...axis, steps: { width: bin.width, unit: bin.quantity.unit } };
}

/** The measure, its share in its stead where that was asked for, or the measure and its figure of the other period. */
function toFigures(plan: Plan, name: string, columns: readonly AnswerColumn[]): Figure[] {
  const subject = subjectOf(plan.subject);
  const label = figureLabel(plan, name);
  if (plan.share || plan.portion.length > 0)
    return [{ name: shareName(name), label, unit: "percent", additive: plan.share }];
  const measure = measureOf(subject, name);
  if (plan.running === "change") return [{ name: `${name}_change`, label, unit: "percent", additive: false }];
  if (plan.running === "total") return [{ name: runningName(name), label, unit: measure.unit, additive: false }];
  const figure = {
    name,
    label,
    unit: measure.unit,
    additive: isAdditive(measure) && measure.aggregate.kind !== "distinct" && measure.aggregate.kind !== "repeats",
  };
  const before = columns.some((column) => column.name === `${name}_before`);
  return before
    ? [
        { ...figure, period: plan.period?.label ?? "now" },
        { ...figure, name: `${name}_before`, period: otherPeriod(plan), isBefore: true },
      ]
    : [figure];
}

/** Two periods of one name would be one line. */
const otherPeriod = ({ period, compare }: Plan): string =>
  compare === null || compare.label === period?.label ? "before" : compare.label;

export const distinct = (rows: readonly Row[], name: string): readonly string[] => [
  ...new Set(rows.map((row) => String(row[name]))),
];
export const sameUnit = ([first, ...others]: readonly Figure[]): boolean =>
  others.every(({ unit }) => unit === first?.unit);

/** How many names the first category has. */
export const countNames = ({ rows, categories }: Pick<Shape, "rows" | "categories">): number =>
  distinct(rows, categories[0]?.name ?? "").length;

/** Whether each figure stands beside its own of another period. */
export const isCompared = ({ figures }: Shape): boolean => figures.some(({ isBefore }) => isBefore === true);

/** Whether a unit of time that recurs is among what the figures are spread over: a picture of when in the week or day. */
export const recurs = ({ grain }: Shape): boolean => grain !== null && isRecurring(grain);
export const crosses = ({ grain, categories }: Shape): boolean =>
  grain !== null && categories.some(({ name }) => isRecurring(name));
