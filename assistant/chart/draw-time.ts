import type { Row } from "../../warehouse/warehouse.ts";
import { grainWords } from "../catalog/catalog.ts";
import {
  type Chart,
  fit,
  folded,
  type Json,
  nominal,
  only,
  ordinalTime,
  parserOf,
  quantitative,
  root,
  type Spec,
  table,
  timeAxis,
  tooltip,
} from "./encode.ts";
import { foldOther } from "./fold-other.ts";
import { heatMap } from "./heat-map.ts";
import { countNames, distinct, recurs, type Shape } from "./shape.ts";

export const mostSeries = 8;
const fewBuckets = 3;
const panelWidthPx = 600;

/** What time is drawn with, where it was asked for. */
type TimeMark = "bar" | "line" | "area";
const lineMarks = { line: { type: "line", point: true }, area: { type: "area" } } as const satisfies Record<
  string,
  Json
>;

/** Bars where buckets recur or are few, lines where time runs on; with the axis and the data that go with them. */
function marks(shape: Shape, rows: readonly Row[] = shape.rows) {
  const grain = shape.grain ?? "day";
  const wished = shape.timeMark;
  const isBar =
    wished === "bar" || recurs(shape) || (wished === undefined && distinct(rows, grain).length <= fewBuckets);
  const other = wished === "area" ? "area" : "line";
  const type: TimeMark = isBar ? "bar" : other;
  return {
    type,
    mark: isBar ? "bar" : lineMarks[other],
    x: isBar ? ordinalTime(shape) : timeAxis(shape),
    data: root(rows, isBar ? undefined : parserOf(grain)),
    /** Bars of one bucket stand side by side. */
    beside: (key: Spec): Spec => (isBar ? { xOffset: key } : {}),
    scale: isBar ? { scale: { zero: true } } : {},
  };
}

const timeLabel = ({ grain }: Shape) => ({ name: grain ?? "day", label: grainWords[grain ?? "day"] });

export function overTime(shape: Shape): Chart {
  const figure = only(shape);
  const { type, mark, x, data, scale } = marks(shape);
  const encoding = { x, y: quantitative(figure, scale), tooltip: tooltip([timeLabel(shape)], [figure]) };
  return { type, spec: { ...data, ...fit, mark, encoding } };
}

/** Figures of one unit share an axis, told apart by colour. */
export function manyLines(shape: Shape): Chart {
  const { transform, value, key } = folded(shape.figures);
  const { type, mark, x, data, beside } = marks(shape);
  const encoding = { x, y: value, color: key, tooltip: tooltip([timeLabel(shape)], shape.figures), ...beside(key) };
  return { type, spec: { ...data, ...fit, transform, mark, encoding } };
}

/** Different units: one panel each, under one time axis. Panels cannot follow their container. */
export function panels(shape: Shape): Chart {
  const { type, mark, x, data, scale } = marks(shape);
  const vconcat = shape.figures.map((figure) => ({
    width: panelWidthPx,
    height: 140,
    mark,
    encoding: { x, y: quantitative(figure, scale), tooltip: tooltip([timeLabel(shape)], [figure]) },
  }));
  return { type, spec: { ...data, vconcat } };
}

export function heatMapOverTime(shape: Shape): Chart {
  const [category] = shape.categories;
  if (category === undefined) return table();
  return heatMap(shape, { x: ordinalTime(shape), y: category, tooltips: [timeLabel(shape), category] });
}

export function linePerCategory(shape: Shape): Chart {
  const [category] = shape.categories;
  const figure = only(shape);
  if (category === undefined) return table();
  const rows = foldOther(shape, { category: category.name, figure: figure.name, keep: mostSeries - 1 });
  const key = nominal(category);
  // Parts of a whole are stacked: areas where time runs on.
  const isStacked = figure.additive && (shape.isShare === true || shape.timeMark === "area");
  const { type, mark, x, data, beside } = marks(
    isStacked && shape.timeMark === undefined ? { ...shape, timeMark: "area" } : shape,
    rows,
  );
  const encoding = {
    x,
    y: quantitative(figure, isStacked ? { stack: "zero" } : {}),
    color: key,
    tooltip: tooltip([timeLabel(shape), category], [figure]),
    ...(isStacked ? {} : beside(key)),
  };
  const all = countNames(shape);
  const title = all > mostSeries ? { title: `Largest ${mostSeries - 1} of ${all}, the rest as Other` } : {};
  return { type, spec: { ...data, ...fit, ...title, mark, encoding } };
}
