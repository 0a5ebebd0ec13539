import {
  type Chart,
  cutTitle,
  fit,
  folded,
  heightOf,
  nominal,
  only,
  quantitative,
  root,
  table,
  tooltip,
} from "./encode.ts";
import { heatMap } from "./heat-map.ts";
import { countNames, distinct, type Shape } from "./shape.ts";

const mostBars = 25;
const barsOfMany = 20;
const mostCells = 40;
const mostParts = 6;

/** Names read best along the left; the order is the answer's. */
export function bars(shape: Shape): Chart {
  const [category] = shape.categories;
  const figure = only(shape);
  if (category === undefined) return table();
  const all = shape.rows.length;
  const rows = all > mostBars ? shape.rows.slice(0, barsOfMany) : shape.rows;
  const encoding = {
    y: nominal(category, { sort: null }),
    x: quantitative(figure, { scale: { zero: true } }),
    tooltip: tooltip([category], [figure]),
  };
  const title = cutTitle(shape, { shown: rows.length, all });
  return {
    type: "bar",
    spec: { ...root(rows), ...fit, ...title, height: heightOf(rows.length), mark: "bar", encoding },
  };
}

export function groupedBars(shape: Shape): Chart {
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
  const height = heightOf(countNames(shape), shape.figures.length);
  return { type: "bar", spec: { ...root(shape.rows), ...fit, height, transform, mark: "bar", encoding } };
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

export function twoCategories(shape: Shape): Chart {
  const [first, second] = shape.categories;
  const figure = only(shape);
  if (first === undefined || second === undefined) return table();
  const firsts = countNames(shape);
  const seconds = distinct(shape.rows, second.name).length;
  if (firsts * seconds > mostCells || seconds > mostParts)
    return heatMap(shape, { x: nominal(second), y: first, tooltips: [first, second] });
  const key = nominal(second);
  const encoding = {
    y: nominal(first, { sort: null }),
    x: quantitative(figure, { scale: { zero: true } }),
    color: key,
    tooltip: tooltip([first, second], [figure]),
    // Parts of a sum may be stacked; rates stand side by side.
    ...(figure.additive ? {} : { yOffset: key }),
  };
  const height = heightOf(firsts, figure.additive ? 1 : seconds);
  return { type: "bar", spec: { ...root(shape.rows), ...fit, height, mark: "bar", encoding } };
}
