import type { Unit } from "../catalog/field.ts";
import { crossed } from "./draw-names.ts";
import { durationTicks, largestOf } from "./durations.ts";
import {
  type Chart,
  field,
  fit,
  fromZero,
  nominal,
  only,
  quantitative,
  root,
  type Spec,
  table,
  ticks,
  tooltip,
} from "./encode.ts";
import { bySize, folded, placing, stackOrder } from "./fold.ts";
import { type Axis, distinct, type Shape } from "./shape.ts";

const mostParts = 6;

/** True where the figures are grouped by steps of a number. */
export const isStepped = ({ grain, categories }: Shape): boolean =>
  grain === null && categories.length < 3 && categories.some(({ steps }) => steps !== undefined);

/** A histogram: bars as wide as their steps on the number's own scale, so that gaps are visible. */
export function histogram(shape: Shape): Chart {
  const axis = shape.categories.find(({ steps }) => steps !== undefined);
  const part = shape.categories.find((each) => each !== axis);
  if (axis?.steps === undefined) return table();
  if (shape.figures.length > 1) return besideEachOther(shape, axis);
  const figure = only(shape);
  const parts = part === undefined ? 1 : distinct(shape.rows, part.name).length;
  if (part !== undefined && (part.steps !== undefined || parts > mostParts || !figure.additive)) return crossed(shape);
  const names = part === undefined ? [] : bySize(shape.rows, part.name, figure);
  const { width, unit } = axis.steps;
  const end = `${axis.name}_end`;
  const encoding = {
    x: { ...nominal(axis), type: "quantitative", bin: { binned: true, step: width }, axis: stepTicks(shape, axis) },
    x2: { field: field(end) },
    y: quantitative(figure, largestOf(shape.rows, [figure.name], axis.name), fromZero),
    ...(part === undefined ? {} : { color: nominal(part, { sort: names }), ...stackOrder }),
    tooltip: [
      { field: field(axis.name), type: "quantitative", title: "From", ...tooltipTicks(unit) },
      { field: field(end), type: "quantitative", title: "to below", ...tooltipTicks(unit) },
      ...(tooltip(part === undefined ? [] : [part], [figure]) as readonly Spec[]),
    ],
  };
  const transform = [
    { calculate: `datum[${JSON.stringify(axis.name)}] + ${width}`, as: end },
    ...(part === undefined ? [] : [placing(part, names)]),
  ];
  return { type: "bar", spec: { ...root(shape.rows), ...fit, transform, mark: squareBar, encoding } };
}

/** Without rounded corners: Vega-Lite rounds stacks of a band's width only, and would hide these bars. */
const squareBar = { type: "bar", cornerRadiusEnd: 0 };

const tooltipTicks = (unit: Unit): Spec => ({ format: unit === "money" ? "$,.2~f" : ",.2~f" });

const mostTicks = 10;

function stepTicks({ rows }: Shape, { name, steps }: Axis): Spec {
  if (steps?.unit !== "seconds") return ticks(steps?.unit ?? "number", 0);
  const starts = rows.map((row) => Number(row[name])).filter(Number.isFinite);
  const [first, last] = [Math.min(...starts), Math.max(...starts) + steps.width];
  return durationTicks({ from: first, to: last, most: mostTicks });
}

/** Two compared periods of one distribution: their bars side by side at each step. */
function besideEachOther(shape: Shape, axis: Axis): Chart {
  const { transform, value, key } = folded(shape, fromZero);
  const encoding = {
    x: nominal(axis, { axis: { labelAngle: 0, labelOverlap: true } }),
    y: value,
    xOffset: key,
    color: key,
    tooltip: tooltip([axis], shape.figures),
  };
  return { type: "bar", spec: { ...root(shape.rows), ...fit, transform, mark: "bar", encoding } };
}
