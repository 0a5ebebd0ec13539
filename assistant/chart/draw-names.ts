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
  table,
  tooltip,
} from "./encode.ts";
import { folded } from "./fold.ts";
import { heatMap } from "./heat-map.ts";
import { type Axis, countNames, distinct, type Shape } from "./shape.ts";

export const mostGroupedNames = 25;
const mostBars = 25;
const barsOfMany = 20;
const mostCells = 40;
const mostParts = 6;

/** Horizontal bars: names read best along the left. The order is the answer's. */
export function bars(shape: Shape): Chart {
  const [category] = shape.categories;
  const figure = only(shape);
  if (category === undefined) return table();
  const all = shape.rows.length;
  const rows = all > mostBarsOf(category) ? shape.rows.slice(0, barsOfMany) : shape.rows;
  const encoding = {
    y: nominal(category, { sort: null }),
    x: quantitative(figure, fromZero),
    tooltip: tooltip([category], [figure]),
  };
  const title = cutTitle(shape, { shown: rows.length, all });
  return {
    type: "bar",
    spec: { ...root(rows), ...fit, ...title, height: heightOf(rows.length), mark: "bar", encoding },
  };
}

/** The maximal number of bars; smaller for states, of which there are more than can be compared. */
const mostBarsOf = ({ name }: Axis): number => (name === "state" ? barsOfMany : mostBars);

/** Grouped bars, one for each figure of a name; of two compared periods, the names that lead in the current one. */
export function groupedBars(shape: Shape): Chart {
  const [category] = shape.categories;
  if (category === undefined) return table();
  const all = shape.rows.length;
  const rows = all > mostBarsOf(category) ? shape.rows.slice(0, barsOfMany) : shape.rows;
  const { transform, value, key } = folded(shape.figures, fromZero);
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
    x: quantitative(first),
    y: quantitative(second),
    tooltip: tooltip(shape.categories, shape.figures),
  };
  return { type: "scatter", spec: { ...root(shape.rows), ...fit, mark: "point", encoding } };
}

/** True where the bars of two groups can be told apart. */
export function areFewBars({ rows, categories }: Shape): boolean {
  const [firsts, seconds] = categories.map(({ name }) => distinct(rows, name).length);
  return firsts !== undefined && seconds !== undefined && firsts * seconds <= mostCells && seconds <= mostParts;
}

export function crossed(shape: Shape): Chart {
  const [first, second] = shape.categories;
  return first === undefined || second === undefined
    ? table()
    : heatMap(shape, { x: nominal(second), y: first, tooltips: [first, second] });
}

export function twoCategories(shape: Shape): Chart {
  const [first, second] = shape.categories;
  const figure = only(shape);
  if (first === undefined || second === undefined) return table();
  if (!areFewBars(shape)) return crossed(shape);
  const [firsts, seconds] = [countNames(shape), distinct(shape.rows, second.name).length];
  const key = nominal(second);
  const encoding = {
    y: nominal(first, { sort: null }),
    x: quantitative(figure, fromZero),
    color: key,
    tooltip: tooltip([first, second], [figure]),
    // Parts of a sum may be stacked; rates stand side by side.
    ...(figure.additive ? {} : { yOffset: key }),
  };
  const height = heightOf(firsts, figure.additive ? 1 : seconds);
  return { type: "bar", spec: { ...root(shape.rows), ...fit, height, mark: "bar", encoding } };
}
