import type { Column, QueryResult, Row } from "../../warehouse/warehouse.ts";
import type { AnswerColumn, ChartSuggestion } from "../answer.ts";
import { bucketLabel, startOf } from "../calendar.ts";
import { type RunningGrain, runningGrains } from "../plan.ts";
import { suggestChart } from "./chart.ts";
import { distinct, type Figure } from "./shape.ts";

const mostColumns = 4;

const isFigure = ({ type }: Column): boolean => type === "integer" || type === "number";

export interface Typed extends Pick<QueryResult, "rows" | "truncated"> {
  readonly columns: readonly AnswerColumn[];
  /** The zone of the times, which are written as if they were UTC. */
  readonly zone: string;
}

/**
 * Suggests a chart for rows without a plan, by the types and units of their columns alone: one time or name, or two
 * names, that distinguish the rows, and figures. Everything else is a table.
 */
export function suggestFromTypes({ columns, rows, truncated, zone }: Typed): ChartSuggestion {
  const times = columns.filter(({ type }) => type === "time");
  const names = columns.filter(({ type }) => type === "text");
  const figures = columns.filter(isFigure);
  const isPlain = times.length + names.length + figures.length === columns.length && columns.length <= mostColumns;
  const keys = [...times, ...names];
  if (!isPlain || times.length > 1 || keys.length > 2 || !areTellingApart(rows, keys)) return asTable(columns);
  const [time] = times;
  const grain = time === undefined ? null : grainOf(rows, time.name);
  if (time !== undefined && grain === null) return asTable(columns);
  const categories = names.map(({ name }) => ({ name, label: name }));
  const labelled = rows.map((row) => toLabelled(row, { time, grain, names }));
  const chart = suggestChart({
    grain,
    categories,
    figures: figures.map(toFigure),
    rows: labelled,
    truncated,
    zone,
    ascending: isRising(rows, figures[0]),
    isListing: false,
  });
  return time === undefined ? chart : { ...chart, x_axis: time.name };
}

const asTable = (columns: readonly Column[]): ChartSuggestion => ({
  type: "table",
  vega_lite: null,
  x_axis: columns.find((column) => !isFigure(column))?.name ?? null,
  y_axis: columns.find(isFigure)?.name ?? null,
});

/** True where no two rows have the same name: they would be drawn over each other. */
function areTellingApart(rows: readonly Row[], keys: readonly Column[]): boolean {
  // Without names each row is a point of its own.
  if (keys.length === 0) return true;
  const seen = rows.map((row) => ({ key: JSON.stringify(keys.map(({ name }) => row[name])) }));
  return distinct(seen, "key").length === rows.length;
}

const toFigure = ({ name, unit }: AnswerColumn): Figure => ({
  name,
  label: name.replaceAll("_", " "),
  unit: unit ?? "number",
  additive: false,
});

/** The coarsest unit of which all times are starts; null for times of any minute. One time alone may be of any. */
function grainOf(rows: readonly Row[], name: string): RunningGrain | null {
  const times = [...new Set(rows.map((row) => Date.parse(String(row[name]))))];
  const units = times.length > 1 ? runningGrains.toReversed() : (["day", "hour"] as const);
  return units.find((unit) => times.every((at) => startOf(unit, at) === at)) ?? null;
}

interface Labels {
  readonly time: Column | undefined;
  readonly grain: RunningGrain | null;
  readonly names: readonly Column[];
}

/** The row in the form of a plan's: the bucket's label under the grain's name, and a name in place of null. */
function toLabelled(row: Row, { time, grain, names }: Labels): Row {
  const named = Object.fromEntries(
    names.map(({ name }) => [name, row[name] === null ? "(none)" : (row[name] ?? null)]),
  );
  if (time === undefined || grain === null) return { ...row, ...named };
  return { ...row, ...named, [grain]: bucketLabel(grain, Date.parse(String(row[time.name]))) };
}

const isRising = (rows: readonly Row[], figure: Column | undefined): boolean =>
  figure !== undefined && Number(rows[0]?.[figure.name]) < Number(rows.at(-1)?.[figure.name]);
