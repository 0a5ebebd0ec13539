import type { QueryResult, Row } from "../../warehouse/warehouse.ts";
import type { AnswerColumn } from "../answer.ts";
import { findBin } from "../catalog/bins.ts";
import { dimensionAlias, measureOf, movingName, runningName, shareName, subjectOf } from "../catalog/catalog.ts";
import type { Subject, Unit } from "../catalog/field.ts";
import { isAdditive } from "../compile/aggregate.ts";
import { isFilled } from "../compile/compile.ts";
import { toName } from "../phrasing/figure.ts";
import { columnsOverGroups } from "../phrasing/over-groups.ts";
import { figureLabel, labelOf } from "../phrasing/scope.ts";
import { type ChartType, type Grain, isRecurring, type Plan } from "../plan.ts";
import { toSay } from "./bucket-labels.ts";

export interface Figure {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  readonly additive: boolean;
  /** The words of its period, where two are compared. */
  readonly period?: string;
  /** True for the compared period; it follows the figure of the current one. */
  readonly isBefore?: boolean;
}
export interface Axis {
  readonly name: string;
  readonly label: string;
  /** Set where the names are the beginnings of steps of a number. */
  readonly steps?: { readonly width: number; readonly unit: Unit };
}

/** An answer's shape for the chart rules; the roles of columns come from the plan, not from their values. */
export interface Shape {
  readonly grain: Grain | null;
  readonly zone: string;
  readonly categories: readonly Axis[];
  readonly figures: readonly Figure[];
  readonly rows: readonly Row[];
  /** True where there were more rows than these. */
  readonly truncated: boolean;
  /** True where the lowest figure comes first. */
  readonly ascending: boolean;
  readonly isListing: boolean;
  /** True where the figures are parts of a whole. */
  readonly isShare?: boolean;
  /** The requested chart type. */
  readonly requested?: ChartType | null;
  /** The buckets' labels that the time axis shows. */
  readonly ticks?: readonly string[];
  /** True where each name has a ranking of its own: "top 3 publishers for each campaign". */
  readonly isRankedWithin?: boolean;
  /** The mark of a time series, where it is not left to the rules. */
  readonly timeMark?: "bar" | "line" | "area";
}

export function toShape(
  plan: Plan,
  columns: readonly AnswerColumn[],
  { rows, truncated }: Pick<QueryResult, "rows" | "truncated">,
): Shape {
  const subject = subjectOf(plan.subject);
  const isOver = plan.over_groups.length > 0;
  const { grain } = plan;
  const isRanked = grain !== null && (plan.limit_per !== null || (plan.order !== null && plan.dimensions.length === 0));
  const groups = isOver ? [] : [...(isRanked ? [grain] : []), ...plan.dimensions];
  const categories = groups
    .toSorted((a, b) => Number(b === plan.limit_per) - Number(a === plan.limit_per))
    .map((name) => toAxis(subject, name));
  const names = categories.filter(({ steps }) => steps === undefined);
  const say = isRanked ? toSay(grain, distinct(rows, grain)) : undefined;
  const named = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      names.map(({ name }) => [name, name === grain ? (say?.(String(row[name])) ?? null) : toName(row[name], name)]),
    ),
  }));
  return {
    grain: isOver || isRanked ? null : grain,
    // A line would run across buckets that a condition leaves out.
    ...(grain !== null && !isRanked && !isFilled(plan) && plan.compare === null ? { timeMark: "bar" as const } : {}),
    isRankedWithin: plan.limit_per !== null,
    zone: plan.zone,
    categories,
    figures: isOver ? figuresOverGroups(plan) : plan.measures.flatMap((name) => toFigures(plan, name, columns)),
    rows: named,
    truncated,
    ascending: plan.order?.direction === "asc",
    isListing: plan.columns.length > 0,
    isShare: plan.share || plan.portion.length > 0,
    requested: plan.chart,
  };
}

function toAxis(subject: Subject, name: string): Axis {
  const bin = findBin(subject, name);
  const axis = { name: dimensionAlias(name), label: bin?.quantity.words[0] ?? labelOf(subject, name) };
  return bin === undefined ? axis : { ...axis, steps: { width: bin.width, unit: bin.quantity.unit } };
}

const figuresOverGroups = (plan: Plan): Figure[] =>
  columnsOverGroups(plan).map(({ name, unit, label }) => ({ name, label, unit, additive: false }));

/** The figures of a measure: itself, its share where that is requested, or itself and that of the compared period. */
function toFigures(plan: Plan, name: string, columns: readonly AnswerColumn[]): Figure[] {
  const subject = subjectOf(plan.subject);
  const label = figureLabel(plan, name);
  if (plan.share || plan.portion.length > 0)
    return [{ name: shareName(name), label, unit: "percent", additive: plan.share }];
  const measure = measureOf(subject, name);
  if (plan.running === "change") return [{ name: `${name}_change`, label, unit: "percent", additive: false }];
  if (plan.running === "average") return [{ name: movingName(name), label, unit: measure.unit, additive: false }];
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

/** The compared period's label; "before" where it is the same as the current one's. */
const otherPeriod = ({ period, compare }: Plan): string =>
  compare === null || compare.label === period?.label ? "before" : compare.label;

export const distinct = (rows: readonly Row[], name: string): readonly string[] => [
  ...new Set(rows.map((row) => String(row[name]))),
];
export const sameUnit = ([first, ...others]: readonly Figure[]): boolean =>
  others.every(({ unit }) => unit === first?.unit);

/** The figures that some row has: the first rows of a long series may all be from before there were records. */
export const figuresIn = ({ rows, figures }: Shape): readonly Figure[] =>
  rows.length === 1 ? figures : figures.filter(({ name }) => rows.some((row) => (row[name] ?? null) !== null));

/** The number of names in the first category. */
export const countNames = ({ rows, categories }: Pick<Shape, "rows" | "categories">): number =>
  distinct(rows, categories[0]?.name ?? "").length;

/** True where each figure has one of a compared period. */
export const isCompared = ({ figures }: Shape): boolean => figures.some(({ isBefore }) => isBefore === true);

/** True for a recurring grain; `crosses` is true where another grain is among the categories too. */
export const recurs = ({ grain }: Shape): boolean => grain !== null && isRecurring(grain);
export const crosses = ({ grain, categories }: Shape): boolean =>
  grain !== null && categories.some(({ name }) => isRecurring(name));
