import { parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Spec } from "./chart-spec.ts";
import { toPageChart } from "./draw-chart.ts";
import { letterPx } from "./legend-layout.ts";

/** The page's colours on paper, as base.css has them: a file has no style sheet beside it. */
export const paperColours: Readonly<Record<string, string>> = {
  surface: "#ffffff",
  ink: "#1a2023",
  "ink-soft": "#545e63",
  line: "#e4e2da",
  "line-strong": "#c4c2b8",
  "series-1": "#0f766b",
  "series-2": "#c2570c",
  "series-3": "#3d63c9",
  "series-4": "#a03a8a",
  "series-5": "#8a6d00",
  "series-6": "#b3363d",
  "series-7": "#4d7c0f",
  "series-8": "#64707a",
  "paper-ramp-1": "#e6f1ee",
  "paper-ramp-2": "#93c9bf",
  "paper-ramp-3": "#2f8f83",
  "paper-ramp-4": "#07403a",
};

const colourOf = (name: string): string => paperColours[name] ?? "#1a2023";
const ramp = [1, 2, 3, 4].map((step) => colourOf(`paper-ramp-${step}`));

/** Vega without a canvas takes a letter for 0.8 of the font's 12 px: names would be cut that have room. */
const widened = 9.6 / letterPx;

/** Draws a chart as the page does, as the text of an SVG file that needs nothing beside it. */
export async function toSvgFile(
  given: Spec,
  { rowCount, widthPx }: { readonly rowCount: number; readonly widthPx: number },
): Promise<string> {
  const chart = toPageChart(given, { ramp, rowCount, widthPx });
  const { axis, legend } = chart.config;
  const config = {
    ...chart.config,
    background: colourOf("surface"),
    axis: { ...axis, labelLimit: axis.labelLimit * widened },
    legend: { ...legend, labelLimit: legend.labelLimit * widened, titleLimit: widthPx / 2 },
  };
  // Unchecked: Vega-Lite refuses at once a specification that it cannot draw.
  const { spec } = compile(chart.spec as unknown as TopLevelSpec, { config });
  const view = new View(parse(spec, {}, { ast: true }), { renderer: "none", expr: expressionInterpreter });
  const svg = await view.toSVG();
  view.finalize();
  return svg.replaceAll(/var\(--([\w-]+)\)/g, (_, name: string) => colourOf(name));
}
