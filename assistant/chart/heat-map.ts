import { isRecurring } from "../plan.ts";
import { largestOf } from "./durations.ts";
import { type Chart, field, fit, heightOf, nominal, only, root, type Spec, ticks, titleOf, tooltip } from "./encode.ts";
import { bySize } from "./fold.ts";
import type { Axis, Shape } from "./shape.ts";

/** More lines than these are unreadable; the table has the rest. */
const mostLines = 40;

/** Labels along the short ramp of colours. */
const mostOnRamp = 3;

interface Sides {
  readonly x: Spec;
  readonly y: Axis;
  readonly tooltips: readonly Axis[];
}

/** A heat map: a cell for each pair, darker for more; the largest names come first. */
export function heatMap(shape: Shape, { x, y, tooltips }: Sides): Chart {
  const figure = only(shape);
  const names = bySize(shape.rows, y.name, figure);
  const shown = new Set(names.slice(0, mostLines));
  const rows = shape.rows.filter((row) => shown.has(String(row[y.name])));
  const color = {
    field: field(figure.name),
    type: "quantitative",
    title: titleOf(figure),
    legend: ticks(figure.unit, largestOf(rows, [figure.name]), mostOnRamp),
  };
  const isOrdered = isRecurring(y.name) || y.steps !== undefined;
  const side = nominal(y, isOrdered ? {} : { sort: [...shown] });
  const encoding = { x, y: side, color, tooltip: tooltip(tooltips, [figure]) };
  return {
    type: "heat_map",
    spec: {
      ...root(rows),
      ...fit,
      ...(shown.size < names.length ? { title: `Largest ${shown.size} of ${names.length}` } : {}),
      height: heightOf(shown.size),
      mark: "rect",
      encoding,
    },
  };
}
