import { toLabel } from "../format.ts";
import type { ChartSuggestion, Data } from "../wire.ts";

export type Spec = Record<string, unknown>;

// Room for the axis' title and labels beside a panel, whose width Vega-Lite counts without them.
const axisRoomPx = 84;

const isSpec = (value: unknown): value is Spec => typeof value === "object" && value !== null && !Array.isArray(value);

const stretchPanel = (panel: unknown, width: number): unknown => (isSpec(panel) ? { ...panel, width } : panel);

/**
 * The server's specification made to fill `widthPx`: a single view with its axes, stacked panels each by a number,
 * because Vega-Lite fits single views only. `usermeta` may carry options to the embedder and is dropped.
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

/** Whether a view tells more from less by its colour, so that its colours are not the page's own but between them. */
export const mixesColours = (spec: Spec): boolean => {
  const views = Array.isArray(spec["vconcat"]) ? spec["vconcat"].filter(isSpec) : [spec];
  return views.some(({ encoding }) => {
    const color = isSpec(encoding) ? encoding["color"] : undefined;
    return isSpec(color) && color["type"] === "quantitative";
  });
};

/** What a person who cannot see the chart is told in its place. */
export const describeChart = (chart: ChartSuggestion, data: Data): string => {
  const kind = chart.type.replaceAll("_", " ");
  const axes = [chart.y_axis, chart.x_axis].filter((axis) => axis !== null && axis !== undefined && axis !== "");
  const subject = axes.length === 0 ? "" : ` of ${axes.map((axis) => toLabel(axis ?? "").toLowerCase()).join(" by ")}`;
  const drawn = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${/chart|map|plot$/.test(kind) ? "" : " chart"}`;
  const title = chart.vega_lite?.["title"];
  // Where not all is drawn, the title says so.
  const extent = typeof title === "string" ? title : `${data.rows.length} rows`;
  return `${drawn}${subject}, ${extent}. The table below holds ${typeof title === "string" ? "all" : "the same"} figures.`;
};
