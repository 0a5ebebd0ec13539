import { largestOf } from "./durations.ts";
import {
  type Chart,
  cutTitle,
  fit,
  fromZero,
  heightOf,
  nominal,
  only,
  quantitative,
  root,
  type Spec,
  table,
  tooltip,
} from "./encode.ts";
import { bySize, folded, placing, stackOrder } from "./fold.ts";
import { heatMap } from "./heat-map.ts";
import { type Axis, countNames, distinct, type Shape } from "./shape.ts";

export const mostGroupedNames = 25;
const mostBars = 25;
const barsOfMany = 20;
const mostCells = 40;
const mostParts = 6;
/** In a grid with fewer of its cells filled, most of the picture would be empty. */
const fewestFilled = 0.6;

/** Horizontal bars: names read best along the left. The order is the answer's. Shares have their figure beside them. */
export function bars(shape: Shape): Chart {
  const [category] = shape.categories;
  const figure = only(shape);
  if (category === undefined) return table();
  const all = shape.rows.length;
  const rows = all > mostBarsOf(category) ? shape.rows.slice(0, barsOfMany) : shape.rows;
  const largest = largestOf(rows, [figure.name]);
  const x = quantitative(figure, largest, fromZero);
  const { field = "" } = x;
  const encoding = {
    y: nominal(category, { sort: null }),
    x: shape.isShare === true ? { ...x, scale: { zero: true, domainMax: largest * roomForText } } : x,
    tooltip: tooltip([category], [figure]),
  };
  const title = cutTitle(shape, { shown: rows.length, all });
  const marks = shape.isShare === true ? { layer: [{ mark: "bar" }, beside(field)] } : { mark: "bar" };
  return { type: "bar", spec: { ...root(rows), ...fit, ...title, height: heightOf(rows.length), ...marks, encoding } };
}

const roomForText = 1.3;
/** Percentages at the ends of bars. */
const beside = (field: Spec[string]): Spec => ({
  transform: [{ calculate: `format(datum[${JSON.stringify(field)}], '.1~f') + '%'`, as: "percentage" }],
  mark: { type: "text", align: "left", dx: 5 },
  encoding: { text: { field: "percentage", type: "nominal" } },
});

/** The maximal number of bars; smaller for states, of which there are more than can be compared. */
const mostBarsOf = ({ name }: Axis): number => (name === "state" ? barsOfMany : mostBars);

/** Grouped bars, one for each figure of a name; of two compared periods, the names that lead in the current one. */
export function groupedBars(shape: Shape): Chart {
  const [category] = shape.categories;
  if (category === undefined) return table();
  const all = shape.rows.length;
  const rows = all > mostBarsOf(category) ? shape.rows.slice(0, barsOfMany) : shape.rows;
  const { transform, value, key } = folded({ ...shape, rows }, fromZero);
  const encoding = {
    y: nominal(category, { sort: null }),
    x: value,
    yOffset: key,
    color: key,
    tooltip: tooltip([category], shape.figures),
  };
  const height = heightOf(rows.length, shape.figures.length);
  const title = cutTitle(shape, { shown: rows.length, all });
  return { type: "bar", spec: { ...root(rows), ...fit, ...title, height, transform, mark: "bar", encoding } };
}

export function scatter(shape: Shape): Chart {
  const [first, second] = shape.figures;
  if (first === undefined || second === undefined) return table();
  const encoding = {
    x: quantitative(first, largestOf(shape.rows, [first.name])),
    y: quantitative(second, largestOf(shape.rows, [second.name])),
    tooltip: tooltip(shape.categories, shape.figures),
  };
  return { type: "scatter", spec: { ...root(shape.rows), ...fit, mark: "point", encoding } };
}

const sidesOf = ({ rows, categories }: Shape): readonly number[] =>
  categories.map(({ name }) => distinct(rows, name).length);

/** True where each name of a group has few others within it: they are listed under it. */
function isNested(shape: Shape): boolean {
  const [firsts = 0, seconds = 0] = sidesOf(shape);
  return shape.isRankedWithin === true || shape.rows.length < firsts * seconds * fewestFilled;
}

/** True where the bars of two groups can be told apart. */
export function areFewBars(shape: Shape): boolean {
  const [firsts = 0, seconds = 0] = sidesOf(shape);
  if (shape.categories.length !== 2) return false;
  return isNested(shape) ? shape.rows.length <= mostCells : firsts * seconds <= mostCells && seconds <= mostParts;
}

export function crossed(shape: Shape): Chart {
  const [first, second] = shape.categories;
  if (first === undefined || second === undefined) return table();
  const x = nominal(second, { sort: bySize(shape.rows, second.name, only(shape)) });
  return heatMap(shape, { x, y: first, tooltips: [first, second] });
}

export function twoCategories(shape: Shape): Chart {
  const [first, second] = shape.categories;
  const figure = only(shape);
  if (first === undefined || second === undefined) return table();
  if (!areFewBars(shape)) return crossed(shape);
  if (isNested(shape)) return nestedBars(shape, [first, second]);
  const [firsts, seconds] = [countNames(shape), distinct(shape.rows, second.name).length];
  const names = bySize(shape.rows, second.name, figure);
  const key = nominal(second, { sort: names });
  // Parts of a sum may be stacked; rates stand side by side.
  const largest = largestOf(shape.rows, [figure.name], figure.additive ? first.name : undefined);
  const encoding = {
    y: nominal(first, { sort: bySize(shape.rows, first.name, figure) }),
    x: quantitative(figure, largest, fromZero),
    color: key,
    tooltip: tooltip([first, second], [figure]),
    ...(figure.additive ? stackOrder : { yOffset: key }),
  };
  const transform = [placing(second, names)];
  const height = heightOf(firsts, figure.additive ? 1 : seconds);
  return { type: "bar", spec: { ...root(shape.rows), ...fit, height, transform, mark: "bar", encoding } };
}

/** Separates a group from a name within it in the key of a line, so that a name may be in several groups. */
const within = "\u001f";

/** Bars under the name of their group, in the order of the answer's ranking or the largest group first. */
function nestedBars(shape: Shape, [first, second]: readonly [Axis, Axis]): Chart {
  const figure = only(shape);
  const isRanked = shape.isRankedWithin === true;
  const groups = isRanked ? distinct(shape.rows, first.name) : bySize(shape.rows, first.name, figure);
  const rows = groups.flatMap((group) => [
    { line: `${group}${within}` },
    ...shape.rows
      .filter((row) => String(row[first.name]) === group)
      .map((row) => ({ ...row, line: `${group}${within}${row[second.name]}` })),
  ]);
  const parts = `split(datum.value, '${JSON.stringify(within).slice(1, -1)}')`;
  const encoding = {
    y: {
      field: "line",
      type: "nominal",
      title: null,
      sort: null,
      axis: {
        labelExpr: `${parts}[1] || ${parts}[0]`,
        labelFontWeight: { condition: { test: `${parts}[1] === ''`, value: "bold" }, value: "normal" },
        ticks: false,
      },
    },
    x: quantitative(figure, largestOf(shape.rows, [figure.name]), fromZero),
    tooltip: tooltip([first, second], [figure]),
  };
  return { type: "bar", spec: { ...root(rows), ...fit, height: heightOf(rows.length), mark: "bar", encoding } };
}
