import { type Chart, field, fit, heightOf, nominal, only, root, type Spec, ticks, titleOf, tooltip } from "./encode.ts";
import { type Axis, distinct, type Shape } from "./shape.ts";

/** More lines than these are unreadable; the table has the rest. */
const mostLines = 40;

interface Sides {
  readonly x: Spec;
  readonly y: Axis;
  readonly tooltips: readonly Axis[];
}

/** A heat map: a cell for each pair, darker for more. */
export function heatMap(shape: Shape, { x, y, tooltips }: Sides): Chart {
  const figure = only(shape);
  const names = distinct(shape.rows, y.name);
  const shown = new Set(names.slice(0, mostLines));
  const rows = shape.rows.filter((row) => shown.has(String(row[y.name])));
  const color = {
    field: field(figure.name),
    type: "quantitative",
    title: titleOf(figure),
    legend: ticks(figure.unit),
  };
  const encoding = { x, y: nominal(y), color, tooltip: tooltip(tooltips, [figure]) };
  return {
    type: "heat_map",
    spec: {
      ...root(rows),
      ...fit,
      ...(shown.size < names.length ? { title: `${shown.size} of ${names.length} shown` } : {}),
      height: heightOf(shown.size),
      mark: "rect",
      encoding,
    },
  };
}
