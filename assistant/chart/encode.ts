import type { Row } from "../../warehouse/warehouse.ts";
import type { ChartSuggestion } from "../answer.ts";
import { recurringLabels } from "../calendar.ts";
import type { Unit } from "../catalog/field.ts";
import { capital, toName, toWidth } from "../phrasing/figure.ts";
import { durationTicks, isDuration, saidName } from "./durations.ts";
import type { Axis, Figure, Shape } from "./shape.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Spec = { readonly [key: string]: Json };

const schema = "https://vega.github.io/schema/vega-lite/v6.json";
/** More rows would make the answer larger, but no chart more readable. */
const mostRows = 2000;

const unitSigns: Readonly<Record<Unit, string>> = {
  count: "",
  number: "",
  money: " ($)",
  seconds: "",
  percent: " (%)",
  ms: "",
};
const formats: Readonly<Record<Unit, string>> = {
  count: ",",
  number: ",.2~f",
  money: "$,.2f",
  seconds: ",.0f",
  percent: ",.2~f",
  ms: ",.0f",
};
/** Formats of axes; amounts have no cents. */
const axisFormats: Readonly<Record<Unit, string>> = { ...formats, count: "~s", money: "$~s" };

/**
 * Units whose ticks are formatted one by one: an axis gives all its ticks the prefix of the largest, "0.2k" beside
 * "1k".
 */
const shortened = new Set<Unit>(["count", "money"]);

/** Vega-Lite reads dots, brackets and quotes in a field as paths. */
export const field = (name: string): string => name.replace(/[.[\]\\"']/g, "\\$&");

export const titleOf = ({ label, unit }: Pick<Figure, "label" | "unit">): string =>
  `${capital(label)}${unitSigns[unit]}`;

/** The figure's name in a legend, with its period where two are compared. */
export const inLegend = ({ label, period }: Figure): string => (period === undefined ? label : `${label}, ${period}`);

/** Names and buckets without a figure keep their place on the axis. */
const config = { mark: { invalid: "break-paths-show-domains" } };

export const root = (rows: readonly Row[]): Spec => ({
  $schema: schema,
  config,
  data: { values: rows.slice(0, mostRows) as readonly Json[] },
});

/**
 * The ticks of an axis or a legend up to `to`, at most so many of durations. Rates have their percent sign, durations
 * their units.
 */
export function ticks(unit: Unit, to: number, most?: number): Spec {
  const format = axisFormats[unit];
  if (unit === "seconds") return durationTicks({ to, ...(most === undefined ? {} : { most }) });
  if (unit === "ms") return { labelExpr: "datum.value < 1000 ? datum.value + ' ms' : datum.value / 1000 + ' s'" };
  if (unit === "percent") return { format, labelExpr: "datum.label + '%'" };
  return shortened.has(unit) ? { format, labelExpr: `format(datum.value, '${format}')` } : { format };
}

/** The axis of a figure whose largest value is `to`. */
export const quantitative = (figure: Figure, to: number, extra: Spec = {}): Spec => ({
  field: field(figure.name),
  type: "quantitative",
  title: titleOf(figure),
  axis: ticks(figure.unit, to),
  ...extra,
});

/** Bars begin at zero. */
export const fromZero: Spec = { scale: { zero: true } };

/** The order of recurring labels, such as weekdays. */
const orders: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(recurringLabels).map(([name, labels]) => [name, labels.map((label) => toName(label, name))]),
);

export function nominal({ name, label, steps }: Axis, extra: Spec = {}): Spec {
  const sort = orders.get(name);
  return {
    field: field(name),
    type: steps === undefined ? "nominal" : "ordinal",
    title: `${capital(label)}${steps === undefined ? "" : `, in steps of ${toWidth(steps.width, steps.unit)}`}`,
    ...(sort === undefined ? {} : { sort }),
    ...extra,
  };
}

export const tooltip = (axes: readonly Axis[], figures: readonly Figure[]): Json => [
  ...axes.map((axis) => nominal(axis)),
  ...figures.map((figure) => ({
    title: `${capital(inLegend(figure))}${unitSigns[figure.unit]}`,
    ...(isDuration(figure)
      ? { field: field(saidName(figure.name)), type: "nominal" }
      : { field: field(figure.name), type: "quantitative", format: formats[figure.unit] }),
  })),
];

export interface Chart {
  readonly type: ChartSuggestion["type"];
  readonly spec: Spec | null;
}

export const table = (): Chart => ({ type: "table", spec: null });

/** Fits the width of the container and the height of the content. */
export const fit = { width: "container", autosize: { type: "fit-x", contains: "padding" } };

const barPx = 28;
/** The height of a bar chart with names along the left, each with so many bars. */
export const heightOf = (names: number, bars = 1): number => names * Math.max(barPx, bars * 14);

export const only = ({ figures }: Shape): Figure =>
  figures[0] ?? { name: "", label: "", unit: "number", additive: false };

/** A title that says how many rows are drawn where some are left out; the table has all of them. */
export function cutTitle(
  { ascending, truncated, figures }: Shape,
  { shown, all }: { readonly shown: number; readonly all: number },
): Spec {
  if (shown === all) return {};
  const count = `${truncated ? "more than " : ""}${all.toLocaleString("en-US")}`;
  return { title: `${ascending ? "Lowest" : "Top"} ${shown} of ${count} by ${figures[0]?.label ?? ""}` };
}
