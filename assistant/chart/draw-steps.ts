import type { Unit } from "../catalog/field.ts";
import { crossed } from "./draw-names.ts";
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
import { folded } from "./fold.ts";
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
  const { width, unit } = axis.steps;
  const end = `${axis.name}_end`;
  const encoding = {
    x: { ...nominal(axis), type: "quantitative", bin: { binned: true, step: width }, axis: stepTicks(shape, axis) },
    x2: { field: field(end) },
    y: quantitative(figure, fromZero),
    ...(part === undefined ? {} : { color: nominal(part) }),
    tooltip: [
      { field: field(axis.name), type: "quantitative", title: "From", ...tooltipTicks(unit) },
      { field: field(end), type: "quantitative", title: "to below", ...tooltipTicks(unit) },
      ...(tooltip(part === undefined ? [] : [part], [figure]) as readonly Spec[]),
    ],
  };
  const transform = [{ calculate: `datum[${JSON.stringify(axis.name)}] + ${width}`, as: end }];
  return { type: "bar", spec: { ...root(shape.rows), ...fit, transform, mark: squareBar, encoding } };
}

/** Without rounded corners: Vega-Lite rounds stacks of a band's width only, and would hide these bars. */
const squareBar = { type: "bar", cornerRadiusEnd: 0 };

const tooltipTicks = (unit: Unit): Spec => ({ format: unit === "money" ? "$,.2~f" : ",.2~f" });

/** Steps between ticks of durations: parts and multiples of a minute. */
const clockSteps = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 7200, 21_600, 86_400];
const mostTicks = 10;

function stepTicks({ rows }: Shape, { name, steps }: Axis): Spec {
  if (steps?.unit !== "seconds") return ticks(steps?.unit ?? "number");
  const starts = rows.map((row) => Number(row[name])).filter(Number.isFinite);
  const [first, last] = [Math.min(...starts), Math.max(...starts) + steps.width];
  const step = clockSteps.find((each) => (last - first) / each <= mostTicks) ?? 86_400;
  const from = Math.ceil(first / step) * step;
  const count = Math.min(mostTicks + 1, Math.max(0, Math.floor((last - from) / step) + 1));
  const values = Array.from({ length: count }, (_, index) => from + index * step);
  return {
    values,
    labelExpr: "datum.value % 60 === 0 && datum.value > 0 ? datum.value / 60 + ' min' : datum.value + ' s'",
  };
}

/** Two compared periods of one distribution: their bars side by side at each step. */
function besideEachOther(shape: Shape, axis: Axis): Chart {
  const { transform, value, key } = folded(shape.figures, fromZero);
  const encoding = {
    x: nominal(axis, { axis: { labelAngle: 0, labelOverlap: true } }),
    y: value,
    xOffset: key,
    color: key,
    tooltip: tooltip([axis], shape.figures),
  };
  return { type: "bar", spec: { ...root(shape.rows), ...fit, transform, mark: "bar", encoding } };
}
