import { type LoggerInterface, parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Spec } from "../../../assistant/web/chart/chart-spec.ts";
import { toPageChart } from "../../../assistant/web/chart/draw-chart.ts";
import { letterPx } from "../../../assistant/web/chart/legend-layout.ts";

interface Item {
  readonly text?: string | readonly string[];
  readonly limit?: number;
  readonly opacity?: number;
  readonly fill?: string;
  readonly stroke?: string;
  readonly orient?: string;
  readonly x?: number;
  readonly y?: number;
  readonly height?: number;
  readonly mark?: { readonly role?: string; readonly marktype?: string };
  readonly items?: readonly Item[];
}

/** What a chart shows when the page has drawn it. */
export interface Drawn {
  readonly svg: string;
  readonly warnings: readonly string[];
  /** The labels of the axes at the bottom, or at the left, those that overlap others left out. */
  readonly labels: (orient: "bottom" | "left") => readonly string[];
  /** The legend's entries with their colours. */
  readonly legend: readonly { readonly name: string; readonly colour: string }[];
  /** The marks of the data: bars, cells, points, slices, texts. */
  readonly marks: (type: "rect" | "symbol" | "arc" | "text") => readonly Item[];
  /** The domain of a scale. */
  readonly domain: (scale: string) => readonly unknown[];
}

/** The renderer's modules and settings are those of the page, with its interpreter of expressions. */
export async function drawOnPage(spec: object, widthPx = 1280): Promise<Drawn> {
  const warnings: string[] = [];
  const logger: LoggerInterface = {
    level: () => logger,
    error: (...texts) => logger.warn(...texts),
    info: () => logger,
    debug: () => logger,
    warn(...texts) {
      warnings.push(texts.map(String).join(" "));
      return logger;
    },
  };
  const given = spec as Spec;
  const rows = (given["data"] as { values?: readonly unknown[] } | undefined)?.values ?? [];
  const ramp = ["#e3efec", "#7cbcae", "#0f766e", "#063d39"];
  const chart = toPageChart(given, { ramp, rowCount: rows.length, widthPx });
  const compiled = compile(chart.spec as unknown as TopLevelSpec, { config: chart.config as object, logger });
  const view = new View(parse(compiled.spec, {}, { ast: true }), {
    renderer: "none",
    expr: expressionInterpreter,
    logger,
  });
  const svg = await view.toSVG();
  const items = itemsUnder((view.scenegraph() as unknown as { root: Item }).root);
  const symbols = items.filter((item) => item.mark?.role === "legend-symbol");
  return {
    svg,
    warnings,
    labels: (orient) =>
      items
        .filter((item) => item.mark?.role === "axis" && item.orient === orient)
        .flatMap((axis) => itemsUnder(axis))
        .filter((item) => item.mark?.role === "axis-label" && item.opacity !== 0)
        .map(textOf),
    legend: items
      .filter((item) => item.mark?.role === "legend-label")
      .map((label, index) => ({ name: textOf(label), colour: colourOf(symbols[index]) })),
    marks: (type) => items.filter((item) => item.mark?.role === "mark" && item.mark.marktype === type),
    domain: (scale) => (view.scale(scale) as unknown as { domain(): unknown[] }).domain(),
  };
}

const colourOf = ({ fill, stroke }: Item = {}): string =>
  (fill === undefined || fill === "transparent" ? stroke : fill) ?? "";

/** The text as far as there is room for it, by the page's measure of letters; Vega needs a canvas to measure. */
function textOf({ text = "", limit = 0 }: Item): string {
  const whole = typeof text === "string" ? text : text.join(" ");
  const most = limit > 0 ? Math.floor(limit / letterPx) : whole.length;
  return whole.length <= most ? whole : `${whole.slice(0, most - 1)}…`;
}

const itemsUnder = ({ items = [] }: Item): readonly Item[] => items.flatMap((item) => [item, ...itemsUnder(item)]);
