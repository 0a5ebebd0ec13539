import type { QueryResult, Row } from "../../warehouse/warehouse.ts";
import type { AnswerColumn } from "../answer.ts";
import { dimensionAlias, measureOf, runningName, shareName, subjectOf } from "../catalog/catalog.ts";
import type { Unit } from "../catalog/field.ts";
import { isAdditive } from "../compile/aggregate.ts";
import { figureLabel, labelOf } from "../phrasing/scope.ts";
import { type ChartType, type Grain, isRecurring, type Plan } from "../plan.ts";

export interface Figure {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  readonly additive: boolean;
}
export interface Axis {
  readonly name: string;
  readonly label: string;
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
  const categories = plan.dimensions.map((name) => ({ name: dimensionAlias(name), label: labelOf(subject, name) }));
  const named = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(categories.map(({ name }) => [name, row[name] === null ? "(none)" : String(row[name])])),
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
    additive: isAdditive(measure) && measure.aggregate.kind !== "distinct",
  };
  const before = columns.some((column) => column.name === `${name}_before`);
  return before
    ? [figure, { ...figure, name: `${name}_before`, label: `${figure.label}, ${plan.compare?.label ?? "before"}` }]
    : [figure];
}

export const distinct = (rows: readonly Row[], name: string): readonly string[] => [
  ...new Set(rows.map((row) => String(row[name]))),
];
export const sameUnit = ([first, ...others]: readonly Figure[]): boolean =>
  others.every(({ unit }) => unit === first?.unit);

/** How many names the first category has. */
export const countNames = ({ rows, categories }: Pick<Shape, "rows" | "categories">): number =>
  distinct(rows, categories[0]?.name ?? "").length;

/** Whether a unit of time that recurs is among what the figures are spread over: a picture of when in the week or day. */
export const recurs = ({ grain }: Shape): boolean => grain !== null && isRecurring(grain);
export const crosses = ({ grain, categories }: Shape): boolean =>
  grain !== null && categories.some(({ name }) => isRecurring(name));
