import type { Row } from "../../warehouse/warehouse.ts";
import type { ChartSuggestion } from "../answer.ts";
import { grainWords } from "../catalog/catalog.ts";
import type { Unit } from "../catalog/field.ts";
import { capital } from "../phrasing/figure.ts";
import type { Grain } from "../plan.ts";
import { weekdayNames } from "../planner/period/date.ts";
import type { Axis, Figure, Shape } from "./shape.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Spec = { readonly [key: string]: Json };

const schema = "https://vega.github.io/schema/vega-lite/v6.json";
/** Enough for any chart that can be read; more would only weigh. */
const mostRows = 2000;

const unitSigns: Readonly<Record<Unit, string>> = {
  count: "",
  number: "",
  money: " ($)",
  seconds: " (s)",
  percent: " (%)",
  ms: " (ms)",
};
const formats: Readonly<Record<Unit, string>> = {
  count: ",",
  number: ",.2~f",
  money: "$,.2f",
  seconds: ",.0f",
  percent: ",.1f",
  ms: ",.0f",
};
/** Axes are read at a glance: no cents. */
const axisFormats: Readonly<Record<Unit, string>> = { ...formats, count: "~s", money: "$~s" };

/** Vega-Lite reads dots, brackets and quotes in a field as paths. */
export const field = (name: string): string => name.replace(/[.[\]\\"']/g, "\\$&");

export const titleOf = ({ label, unit }: Pick<Figure, "label" | "unit">): string =>
  `${capital(label)}${unitSigns[unit]}`;

export function root(rows: readonly Row[], parse?: Spec): Spec {
  const data = {
    values: rows.slice(0, mostRows) as readonly Json[],
    ...(parse === undefined ? {} : { format: { parse } }),
  };
  return { $schema: schema, data };
}

export const quantitative = (figure: Figure, extra: Spec = {}): Spec => ({
  field: field(figure.name),
  type: "quantitative",
  title: titleOf(figure),
  axis: { format: axisFormats[figure.unit] },
  ...extra,
});

/** Hours of the day and weekdays keep their own order. */
const orders: Readonly<Record<string, readonly string[]>> = {
  hour_of_day: Array.from({ length: 24 }, (_, hour) => String(hour)),
  day_of_week: weekdayNames,
};

export const nominal = ({ name, label }: Axis, extra: Spec = {}): Spec => ({
  field: field(name),
  type: "nominal",
  title: capital(label),
  ...(orders[name] === undefined ? {} : { sort: orders[name] }),
  ...extra,
});

export const tooltip = (axes: readonly Axis[], figures: readonly Figure[]): Json => [
  ...axes.map((axis) => nominal(axis)),
  ...figures.map((figure) => ({
    field: field(figure.name),
    type: "quantitative",
    title: titleOf(figure),
    format: formats[figure.unit],
  })),
];

/**
 * How a grain's bucket is read, and one form for its labels: the library's own change from tick to tick ("Oct",
 * "Thu 22"). Buckets are wall-clock labels, so they are read and drawn as UTC: the reader's zone must not shift them.
 */
const timeForms: Partial<Record<Grain, { readonly parse: string; readonly label: string }>> = {
  hour: { parse: "utc:'%Y-%m-%d %H:%M'", label: "%b %-d %H:%M" },
  day: { parse: "utc:'%Y-%m-%d'", label: "%b %-d" },
  week: { parse: "utc:'%Y-%m-%d'", label: "%b %-d" },
  month: { parse: "utc:'%Y-%m'", label: "%b %Y" },
};

export const parserOf = (grain: Grain): Spec | undefined => {
  const form = timeForms[grain];
  return form === undefined ? undefined : { [grain]: form.parse };
};

export function timeAxis({ grain, zone }: Shape, extra: Spec = {}): Spec {
  const name = grain ?? "day";
  const title = `${capital(grainWords[name])} (${zone})`;
  if (name === "day_of_week") return { field: name, type: "ordinal", title, sort: weekdayNames, ...extra };
  const form = timeForms[name];
  if (form === undefined) return { field: name, type: "ordinal", title, ...extra };
  const axis = { format: form.label, labelAngle: 0 };
  return { field: name, type: "temporal", title, scale: { type: "utc" }, axis, ...extra };
}

export const ordinalTime = (shape: Shape): Spec => {
  const { scale: _scale, axis: _axis, ...rest } = timeAxis(shape);
  return { ...rest, type: "ordinal" };
};

export interface Chart {
  readonly type: ChartSuggestion["type"];
  readonly spec: Spec | null;
}

export const table = (): Chart => ({ type: "table", spec: null });

/** As wide as its container, as high as its content. */
export const fit = { width: "container", autosize: { type: "fit-x", contains: "padding" } };

const barPx = 28;
/** A bar for each name along the left, some of them split. */
export const heightOf = (names: number, bars = 1): number => names * Math.max(barPx, bars * 14);

export const only = ({ figures }: Shape): Figure =>
  figures[0] ?? { name: "", label: "", unit: "number", additive: false };

/** What is left out of a picture is said over it; the table has all rows. */
export function cutTitle(
  { ascending, truncated, figures }: Shape,
  { shown, all }: { readonly shown: number; readonly all: number },
): Spec {
  if (shown === all) return {};
  const count = `${truncated ? "more than " : ""}${all.toLocaleString("en-US")}`;
  return { title: `${ascending ? "Lowest" : "Top"} ${shown} of ${count} by ${figures[0]?.label ?? ""}` };
}

/** Figures of one unit on one axis: each becomes rows of its own, told apart by colour. */
export function folded(figures: readonly Figure[]): {
  readonly transform: Json;
  readonly value: Spec;
  readonly key: Spec;
} {
  const labels = Object.fromEntries(figures.map(({ name, label }) => [name, label]));
  return {
    transform: [
      { fold: figures.map(({ name }) => field(name)), as: ["measure_name", "value"] },
      { calculate: `${JSON.stringify(labels)}[datum.measure_name]`, as: "measure" },
    ],
    value: quantitative({
      ...(figures[0] ?? { unit: "number", additive: false }),
      name: "value",
      label: figures.map(({ label }) => label).join(", "),
    }),
    key: { field: "measure", type: "nominal", title: null, sort: figures.map(({ label }) => label) },
  };
}
