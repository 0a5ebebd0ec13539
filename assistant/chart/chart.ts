import type { ChartSuggestion } from "../answer.ts";
import {
  field,
  type Json,
  nominal,
  ordinalTime,
  parserOf,
  quantitative,
  root,
  type Spec,
  timeAxis,
  titleOf,
  tooltip,
} from "./encode.ts";
import { foldOther } from "./fold-other.ts";
import { distinct, type Figure, type Shape, sameUnit } from "./shape.ts";

interface Chart {
  readonly type: ChartSuggestion["type"];
  readonly spec: Spec | null;
}
interface Rule {
  readonly applies: (shape: Shape) => boolean;
  readonly draw: (shape: Shape) => Chart;
}

/** As wide as its container, as high as its content. */
const fit = { width: "container", autosize: { type: "fit-x", contains: "padding" } };
const fewBuckets = 3;
const mostSeries = 8;
const mostBars = 25;
const barsOfMany = 20;
const mostCells = 40;
const mostParts = 6;
const panelWidthPx = 600;

const barPx = 28;
/** A bar for each name along the left, some of them split. */
const heightOf = ({ rows, categories }: Shape, bars = 1): number =>
  distinct(rows, categories[0]?.name ?? "").length * Math.max(barPx, bars * 14);

const isRecurring = ({ grain }: Shape): boolean => grain === "hour_of_day" || grain === "day_of_week";
const series = ({ rows, categories }: Shape): number => distinct(rows, categories[0]?.name ?? "").length;

/** The first rule that fits draws. One axis never mixes units; bars start at zero; what no picture tells is a table. */
const rules: readonly Rule[] = [
  { applies: ({ rows, isListing, figures }) => isListing || rows.length === 0 || figures.length === 0, draw: table },
  { applies: ({ rows }) => rows.length === 1, draw: bigNumber },
  {
    applies: (shape) => shape.grain !== null && shape.categories.length === 0 && shape.figures.length === 1,
    draw: overTime,
  },
  {
    applies: (shape) => shape.grain !== null && shape.categories.length === 0 && sameUnit(shape.figures),
    draw: manyLines,
  },
  { applies: (shape) => shape.grain !== null && shape.categories.length === 0, draw: panels },
  { applies: (shape) => isRecurring(shape) && shape.figures.length === 1 && series(shape) > 2, draw: heatMapOverTime },
  {
    applies: (shape) =>
      shape.grain !== null &&
      shape.figures.length === 1 &&
      (series(shape) <= mostSeries || shape.figures[0]?.additive === true),
    draw: linePerCategory,
  },
  { applies: (shape) => shape.grain !== null, draw: table },
  { applies: (shape) => shape.categories.length === 1 && shape.figures.length === 1, draw: bars },
  {
    applies: (shape) => shape.categories.length === 1 && sameUnit(shape.figures) && series(shape) <= mostBars,
    draw: groupedBars,
  },
  {
    applies: (shape) => shape.categories.length === 1 && shape.figures.length === 2 && series(shape) >= mostSeries,
    draw: scatter,
  },
  { applies: (shape) => shape.categories.length === 2 && shape.figures.length === 1, draw: twoCategories },
  { applies: () => true, draw: table },
];

export function suggestChart(shape: Shape): ChartSuggestion {
  const { type, spec } = (rules.find(({ applies }) => applies(shape)) ?? { draw: table }).draw(shape);
  const x = shape.grain ?? shape.categories[0]?.name ?? null;
  const y = shape.figures[0]?.name ?? null;
  return { type, x_axis: x, y_axis: y, vega_lite: spec === null ? null : { ...spec } };
}

function table(): Chart {
  return { type: "table", spec: null };
}

const only = ({ figures }: Shape): Figure => figures[0] ?? { name: "", label: "", unit: "number", additive: false };

function bigNumber({ rows, figures }: Shape): Chart {
  const values = figures.map((figure) => ({ title: titleOf(figure), value: rows[0]?.[figure.name] ?? null }));
  const encoding: Spec = {
    text: { field: "value", type: "quantitative", format: ",.2~f" },
    ...(figures.length > 1 ? { x: { field: "title", type: "nominal", title: null, sort: null } } : {}),
  };
  return { type: "number", spec: { ...root(values), ...fit, mark: { type: "text", size: 32 }, encoding } };
}

function overTime(shape: Shape): Chart {
  const figure = only(shape);
  const isBar = isRecurring(shape) || shape.rows.length <= fewBuckets;
  const x = isBar ? ordinalTime(shape) : timeAxis(shape);
  const encoding = {
    x,
    y: quantitative(figure, isBar ? { scale: { zero: true } } : {}),
    tooltip: tooltip([timeLabel(shape)], [figure]),
  };
  const mark: Json = isBar ? "bar" : { type: "line", point: true };
  return {
    type: isBar ? "bar" : "line",
    spec: { ...root(shape.rows, isBar ? undefined : parse(shape)), ...fit, mark, encoding },
  };
}

const parse = ({ grain }: Shape): Spec | undefined => (grain === null ? undefined : parserOf(grain));
const timeLabel = ({ grain }: Shape) => ({ name: grain ?? "day", label: (grain ?? "day").replaceAll("_", " ") });

/** Figures of one unit share an axis: each becomes rows of its own, told apart by colour. */
function folded(figures: readonly Figure[]): { readonly transform: Json; readonly value: Spec; readonly key: Spec } {
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

function manyLines(shape: Shape): Chart {
  const { transform, value, key } = folded(shape.figures);
  const isBar = isRecurring(shape) || shape.rows.length <= fewBuckets;
  const x = isBar ? ordinalTime(shape) : timeAxis(shape);
  const encoding: Spec = {
    x,
    y: value,
    color: key,
    tooltip: tooltip([timeLabel(shape)], shape.figures),
    ...(isBar ? { xOffset: key } : {}),
  };
  const mark: Json = isBar ? "bar" : { type: "line", point: true };
  return {
    type: isBar ? "bar" : "line",
    spec: { ...root(shape.rows, isBar ? undefined : parse(shape)), ...fit, transform, mark, encoding },
  };
}

/** Different units: one panel each, under one time axis. Panels cannot follow their container. */
function panels(shape: Shape): Chart {
  const isBar = isRecurring(shape) || shape.rows.length <= fewBuckets;
  const x = isBar ? ordinalTime(shape) : timeAxis(shape);
  const mark: Json = isBar ? "bar" : { type: "line", point: true };
  const vconcat = shape.figures.map((figure) => ({
    width: panelWidthPx,
    height: 140,
    mark,
    encoding: { x, y: quantitative(figure), tooltip: tooltip([timeLabel(shape)], [figure]) },
  }));
  return { type: isBar ? "bar" : "line", spec: { ...root(shape.rows, isBar ? undefined : parse(shape)), vconcat } };
}

function heatMapOverTime(shape: Shape): Chart {
  const [category] = shape.categories;
  if (category === undefined) return table();
  return heatMap(shape, { x: ordinalTime(shape), y: nominal(category) });
}

function heatMap(shape: Shape, { x, y }: { readonly x: Spec; readonly y: Spec }): Chart {
  const figure = only(shape);
  const color = { field: field(figure.name), type: "quantitative", title: titleOf(figure) };
  return {
    type: "heat_map",
    spec: {
      ...root(shape.rows),
      ...fit,
      height: heightOf(shape),
      mark: "rect",
      encoding: { x, y, color, tooltip: tooltip(shape.categories, [figure]) },
    },
  };
}

function linePerCategory(shape: Shape): Chart {
  const [category] = shape.categories;
  const figure = only(shape);
  if (category === undefined) return table();
  const rows = foldOther(shape, { category: category.name, figure: figure.name, keep: mostSeries - 1 });
  const isBar = isRecurring(shape) || distinct(rows, shape.grain ?? "").length <= fewBuckets;
  const key = nominal(category);
  const x = isBar ? ordinalTime(shape) : timeAxis(shape);
  const encoding: Spec = {
    x,
    y: quantitative(figure),
    color: key,
    tooltip: tooltip([timeLabel(shape), category], [figure]),
    ...(isBar ? { xOffset: key } : {}),
  };
  const mark: Json = isBar ? "bar" : { type: "line", point: true };
  return {
    type: isBar ? "bar" : "line",
    spec: { ...root(rows, isBar ? undefined : parse(shape)), ...fit, mark, encoding },
  };
}

/** Names read best along the left; the order is the answer's. */
function bars(shape: Shape): Chart {
  const [category] = shape.categories;
  const figure = only(shape);
  if (category === undefined) return table();
  const rows = shape.rows.length > mostBars ? shape.rows.slice(0, barsOfMany) : shape.rows;
  const encoding = {
    y: nominal(category, { sort: null }),
    x: quantitative(figure, { scale: { zero: true } }),
    tooltip: tooltip([category], [figure]),
  };
  return { type: "bar", spec: { ...root(rows), ...fit, height: heightOf({ ...shape, rows }), mark: "bar", encoding } };
}

function groupedBars(shape: Shape): Chart {
  const [category] = shape.categories;
  if (category === undefined) return table();
  const { transform, value, key } = folded(shape.figures);
  const encoding = {
    y: nominal(category, { sort: null }),
    x: value,
    yOffset: key,
    color: key,
    tooltip: tooltip([category], shape.figures),
  };
  return {
    type: "bar",
    spec: {
      ...root(shape.rows),
      ...fit,
      height: heightOf(shape, shape.figures.length),
      transform,
      mark: "bar",
      encoding,
    },
  };
}

function scatter(shape: Shape): Chart {
  const [first, second] = shape.figures;
  if (first === undefined || second === undefined) return table();
  const encoding = {
    x: quantitative(first),
    y: quantitative(second),
    tooltip: tooltip(shape.categories, shape.figures),
  };
  return { type: "scatter", spec: { ...root(shape.rows), ...fit, mark: "point", encoding } };
}

function twoCategories(shape: Shape): Chart {
  const [first, second] = shape.categories;
  const figure = only(shape);
  if (first === undefined || second === undefined) return table();
  const seconds = distinct(shape.rows, second.name).length;
  if (distinct(shape.rows, first.name).length * seconds > mostCells || seconds > mostParts)
    return heatMap(shape, { x: nominal(second), y: nominal(first) });
  const key = nominal(second);
  const encoding: Spec = {
    y: nominal(first, { sort: null }),
    x: quantitative(figure, { scale: { zero: true } }),
    color: key,
    tooltip: tooltip([first, second], [figure]),
    // Parts of a sum may be stacked; rates stand side by side.
    ...(figure.additive ? {} : { yOffset: key }),
  };
  return {
    type: "bar",
    spec: {
      ...root(shape.rows),
      ...fit,
      height: heightOf(shape, figure.additive ? 1 : seconds),
      mark: "bar",
      encoding,
    },
  };
}
