import type { Row } from "../../warehouse/warehouse.ts";
import { grainWords } from "../catalog/catalog.ts";
import { timeAxis } from "./buckets.ts";
import { largestOf } from "./durations.ts";
import {
  type Chart,
  fit,
  fromZero,
  type Json,
  nominal,
  only,
  quantitative,
  root,
  type Spec,
  table,
  tooltip,
} from "./encode.ts";
import { bySize, folded, foldOther, placing, stackOrder } from "./fold.ts";
import { heatMap } from "./heat-map.ts";
import { countNames, distinct, type Figure, isCompared, recurs, type Shape } from "./shape.ts";

export const mostSeries = 8;
const fewBuckets = 3;
const panelWidthPx = 600;

/** The mark of a time series. */
type TimeMark = "bar" | "line" | "area";
/** A value between two gaps is a line of no length, so its point is always drawn. */
const pointed = { type: "line", point: { filled: true, size: 30, opacity: 1 } } as const;
const lineMarks = { line: { type: "line", point: true }, area: { type: "area" } } as const satisfies Record<
  string,
  Json
>;

/** Bars where buckets recur or are few, else a line; with the matching axis and data. */
function marks(shape: Shape, rows: readonly Row[] = shape.rows) {
  const grain = shape.grain ?? "day";
  const requested = shape.timeMark;
  const isBar =
    requested === "bar" || recurs(shape) || (requested === undefined && distinct(rows, grain).length <= fewBuckets);
  const other = requested === "area" ? "area" : "line";
  const type: TimeMark = isBar ? "bar" : other;
  return {
    type,
    mark: isBar ? "bar" : hasGaps(shape) && other === "line" ? pointed : lineMarks[other],
    x: timeAxis(shape),
    data: root(rows),
    /** Puts the bars of one bucket side by side. */
    beside: (key: Spec): Spec => (isBar ? { xOffset: key } : {}),
    scale: isBar ? fromZero : {},
  };
}

const hasGaps = ({ rows, figures }: Shape): boolean =>
  rows.some((row) => figures.some(({ name }) => (row[name] ?? null) === null));

const timeLabel = ({ grain }: Shape) => ({ name: grain ?? "day", label: grainWords[grain ?? "day"] });

export function overTime(shape: Shape): Chart {
  const figure = only(shape);
  const { type, mark, x, data, scale } = marks(shape);
  const y = quantitative(figure, largestOf(shape.rows, [figure.name]), scale);
  const encoding = { x, y, tooltip: tooltip([timeLabel(shape)], [figure]) };
  return { type, spec: { ...data, ...fit, mark, encoding } };
}

/** Figures of one unit on a shared axis, distinguished by colour; the compared period is dashed, bucket on bucket. */
export function manyLines(shape: Shape): Chart {
  const { type, data, view } = foldedView(shape, shape.figures);
  return { type, spec: { ...data, ...fit, ...view } };
}

function foldedView(shape: Shape, figures: readonly Figure[]) {
  const { type, mark, x, data, beside, scale } = marks(shape);
  const { transform, value, key } = folded({ ...shape, figures }, scale);
  const shown = tooltip(bucketsOf(shape), figures);
  const encoding = { x, y: value, color: key, tooltip: shown, ...dashes(type, figures, key), ...beside(key) };
  return { type, data, view: { transform, mark, encoding } };
}

const [solid, dashed] = [
  [1, 0],
  [6, 4],
];
const dashes = (type: TimeMark, figures: readonly Figure[], key: Spec): Spec =>
  type === "line" && figures.some(({ isBefore }) => isBefore === true)
    ? {
        color: { ...key, legend: { symbolType: "stroke", symbolSize: 400 } },
        strokeDash: { ...key, scale: { range: figures.map(({ isBefore }) => (isBefore === true ? dashed : solid)) } },
      }
    : {};

/** Tooltip fields: the bucket, and that of the compared period. */
const bucketsOf = (shape: Shape) => {
  const own = timeLabel(shape);
  const before = `${own.name}_before`;
  return isCompared(shape) && shape.rows.some((row) => before in row)
    ? [own, { name: before, label: `${own.label} before` }]
    : [own];
};

/** Figures of different units: one panel each, over one time axis. Panels have a fixed width. */
export function panels(shape: Shape): Chart {
  const { type, mark, x, data, scale } = marks(shape);
  const size = { width: panelWidthPx, height: 140 };
  const single = (figure: Figure): Spec => ({
    ...size,
    mark,
    encoding: {
      x,
      y: quantitative(figure, largestOf(shape.rows, [figure.name]), scale),
      tooltip: tooltip([timeLabel(shape)], [figure]),
    },
  });
  const both = (figure: Figure): Spec => ({ ...size, ...foldedView(shape, pairOf(shape, figure)).view });
  const first = shape.figures.filter(({ isBefore }) => isBefore !== true);
  const vconcat = first.map((figure) => (isCompared(shape) ? both(figure) : single(figure)));
  // Each panel has its own two lines to tell apart.
  const legends: Spec = isCompared(shape)
    ? { resolve: { scale: { color: "independent", strokeDash: "independent" } } }
    : {};
  return { type, spec: { ...data, vconcat, ...legends } };
}

/** Pairs a figure with that of the compared period, which follows it. */
const pairOf = ({ figures }: Shape, figure: Figure): readonly Figure[] => {
  const at = figures.indexOf(figure);
  return figures.slice(at, at + 2);
};

export function heatMapOverTime(shape: Shape): Chart {
  const [category] = shape.categories;
  if (category === undefined) return table();
  return heatMap(shape, { x: timeAxis(shape), y: category, tooltips: [timeLabel(shape), category] });
}

export function linePerCategory(shape: Shape): Chart {
  const [category] = shape.categories;
  const figure = only(shape);
  if (category === undefined) return table();
  const rows = foldOther(shape, { category: category.name, figure, keep: mostSeries - 1 });
  const names = bySize(rows, category.name, figure);
  const key = nominal(category, { sort: names });
  const { isStacked, timeMark } = stacking(shape, rows);
  const { type, mark, x, data, beside, scale } = marks(
    { ...shape, ...(timeMark === undefined ? {} : { timeMark }) },
    rows,
  );
  const encoding = {
    x,
    y: quantitative(
      figure,
      largestOf(rows, [figure.name], isStacked ? (shape.grain ?? "day") : undefined),
      isStacked ? { stack: "zero" } : scale,
    ),
    color: key,
    tooltip: tooltip([timeLabel(shape), category], [figure]),
    ...(isStacked ? stackOrder : beside(key)),
  };
  const transform = [placing(category, names)];
  const all = countNames(shape);
  const title = all > mostSeries ? { title: `Largest ${mostSeries - 1} of ${all}, the rest as Other` } : {};
  return { type, spec: { ...data, ...fit, ...title, transform, mark, encoding } };
}

/** Stacks the parts of a whole: areas, or bars where there are few buckets or bars were requested. */
function stacking(shape: Shape, rows: readonly Row[]): { readonly isStacked: boolean; readonly timeMark?: TimeMark } {
  const asked = shape.timeMark;
  const isShare = shape.isShare === true;
  const isStacked = only(shape).additive && (isShare || asked === "area" || asked === "bar");
  if (asked !== undefined) return { isStacked, timeMark: asked };
  const isShort = distinct(rows, shape.grain ?? "day").length <= fewBuckets;
  return isStacked ? { isStacked, timeMark: isShort ? "bar" : "area" } : { isStacked };
}
