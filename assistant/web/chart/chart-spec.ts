import { toLabel } from "../format.ts";
import type { ChartSuggestion, Data } from "../wire.ts";

export type Spec = Record<string, unknown>;

// Room for the axis' title and labels beside a panel, whose width Vega-Lite counts without them.
const axisRoomPx = 84;

export const isSpec = (value: unknown): value is Spec =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const stretchPanel = (panel: unknown, width: number): unknown => (isSpec(panel) ? { ...panel, width } : panel);

/**
 * Fits the server's specification to `widthPx`: a single view with its axes, stacked panels by a width for each,
 * because Vega-Lite fits single views only. `usermeta` could carry options to the embedder and is dropped.
 */
export const toFittedSpec = (spec: Spec, widthPx: number): Spec => {
  const { usermeta: _dropped, ...rest } = spec;
  const panels = rest["vconcat"];
  if (Array.isArray(panels)) {
    const width = Math.max(120, Math.round(widthPx - axisRoomPx));
    return { ...rest, vconcat: panels.map((panel) => stretchPanel(panel, width)) };
  }
  if ("hconcat" in rest || "facet" in rest || "repeat" in rest || "concat" in rest) return rest;
  return { ...rest, width: widthPx, autosize: { type: "fit-x", contains: "padding" } };
};

/** The panels of a specification, or itself with its layers. */
export const viewsOf = (spec: Spec): readonly Spec[] => {
  const { vconcat, layer } = spec;
  if (Array.isArray(vconcat)) return vconcat.filter(isSpec);
  return Array.isArray(layer) ? [spec, ...layer.filter(isSpec)] : [spec];
};

/** True where a view has a scale of colours, which Vega mixes from the page's. */
export const mixesColours = (spec: Spec): boolean =>
  viewsOf(spec).some(({ encoding }) => {
    const color = isSpec(encoding) ? encoding["color"] : undefined;
    return isSpec(color) && color["type"] === "quantitative";
  });

/** The chart's text alternative. */
export const describeChart = (chart: ChartSuggestion, data: Data): string => {
  const kind = chart.type.replaceAll("_", " ");
  const axes = [chart.y_axis, chart.x_axis].filter((axis) => axis !== null && axis !== undefined && axis !== "");
  const subject = axes.length === 0 ? "" : ` of ${axes.map((axis) => toLabel(axis ?? "").toLowerCase()).join(" by ")}`;
  const drawn = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${/chart|map|plot$/.test(kind) ? "" : " chart"}`;
  const title = chart.vega_lite?.["title"];
  // A title says how much of the rows is drawn.
  const extent = typeof title === "string" ? title : `${data.rows.length} rows`;
  return `${drawn}${subject}, ${extent}. The table below holds ${typeof title === "string" ? "all" : "the same"} figures.`;
};

/** A way to draw an answer's rows; `spec` is null for the table alone. */
export type ChartOption = { readonly type: string; readonly spec: Spec | null };

const tableOnly: ChartOption = { type: "table", spec: null };

/** Alternatives that draw the rows of the suggested chart come without rows. */
const withRows = (spec: Spec, rows: unknown): Spec => {
  const data = isSpec(spec["data"]) ? spec["data"] : {};
  return "values" in data ? spec : { ...spec, data: { ...data, values: rows } };
};

/** The suggested chart first, its alternatives, and the table alone; empty where nothing is drawn. */
export const chartOptions = (chart: ChartSuggestion | null | undefined, data: Data): readonly ChartOption[] => {
  if (!chart || chart.type === "number" || data.rows.length === 0) return [];
  const suggested = chart.type === "table" || !chart.vega_lite ? null : chart.vega_lite;
  const rows = isSpec(suggested?.["data"]) ? suggested["data"]["values"] : undefined;
  const others = chart.alternatives.map(
    ({ type, vega_lite: spec }): ChartOption => ({ type, spec: rows === undefined ? spec : withRows(spec, rows) }),
  );
  if (suggested === null) return others.length === 0 ? [] : [tableOnly, ...others];
  return [{ type: chart.type, spec: suggested }, ...others, tableOnly];
};
