import { toFigure } from "../phrasing/figure.ts";
import type { ChartType } from "../plan.ts";
import { areFewBars, bars, crossed, groupedBars, mostGroupedNames, scatter, twoCategories } from "./draw-names.ts";
import { histogram, isStepped } from "./draw-steps.ts";
import { heatMapOverTime, linePerCategory, manyLines, mostSeries, overTime } from "./draw-time.ts";
import { type Chart, fit, nominal, only, quantitative, root, type Spec, table, tooltip } from "./encode.ts";
import { bySize, placing, stackOrder } from "./fold.ts";
import { countNames, isCompared, recurs, type Shape, sameUnit } from "./shape.ts";

interface Drawing {
  readonly isLegal: (shape: Shape) => boolean;
  readonly draw: (shape: Shape) => Chart;
  /** The sentence for rows that do not suit the chart. */
  readonly because: string;
}

const mostSlices = 8;
const groups = ({ categories, grain }: Shape): number => categories.length + (grain === null ? 0 : 1);
const isOneFigure = ({ figures }: Shape): boolean => figures.length === 1;
const isSeries = (shape: Shape): boolean =>
  shape.grain !== null &&
  shape.rows.length > 1 &&
  sameUnit(shape.figures) &&
  (shape.categories.length === 0 || isOneSeriesEach(shape));
/** True for buckets that follow one another, none of them left out by a condition. */
const runsOn = (shape: Shape): boolean => isSeries(shape) && !recurs(shape) && shape.timeMark === undefined;
const isPositive = (shape: Shape): boolean =>
  shape.rows.every((row) => shape.figures.every(({ name }) => typeof row[name] !== "number" || row[name] >= 0));
/** True for one line per category; many names fold into "Other" only where they add up. */
const isOneSeriesEach = (shape: Shape): boolean =>
  shape.categories.length === 1 &&
  isOneFigure(shape) &&
  (countNames(shape) <= mostSeries || shape.figures[0]?.additive === true);

function drawSeries(shape: Shape): Chart {
  if (shape.categories.length > 0) return linePerCategory(shape);
  return isOneFigure(shape) ? overTime(shape) : manyLines(shape);
}

/** The charts that can be requested: when one suits the rows, and how it is drawn. */
const drawings: Readonly<Record<Exclude<ChartType, "number">, Drawing>> = {
  table: { isLegal: () => true, draw: table, because: "" },
  line: {
    isLegal: runsOn,
    draw: (shape) => drawSeries({ ...shape, timeMark: "line" }),
    because: "A line needs time that runs on; between names it would suggest a way from one to the next.",
  },
  area: {
    isLegal: (shape) =>
      runsOn(shape) &&
      isOneFigure(shape) &&
      only(shape).additive &&
      (shape.categories.length === 0 || isPositive(shape)),
    draw: (shape) => drawSeries({ ...shape, timeMark: "area" }),
    because: "An area needs one figure that adds up, over time that runs on; of several names, one not below zero.",
  },
  bar: {
    isLegal: (shape) => isSeries(shape) || (shape.grain === null && sameUnit(shape.figures) && isBarred(shape)),
    draw: drawBars,
    because: "Bars need figures of one unit, by one group or by two that are small.",
  },
  pie: {
    isLegal: isWhole,
    draw: pie,
    because: `A pie needs parts of one whole: one figure that adds up, not below zero, by one group of ${mostSlices} names at most.`,
  },
  heat_map: {
    isLegal: (shape) => groups(shape) === 2 && isOneFigure(shape),
    draw: (shape) => (shape.grain === null ? crossed(shape) : heatMapOverTime(shape)),
    because: "A heat map needs one figure by two groups.",
  },
  scatter: {
    isLegal: (shape) => shape.figures.length === 2 && groups(shape) > 0 && shape.rows.length > 1 && !isCompared(shape),
    draw: scatter,
    because: "A scatter plot needs two figures for each name.",
  },
};

/** Draws the requested chart, or returns a sentence that says why it does not suit the rows. */
export function drawRequested(shape: Shape, type: ChartType): Chart | string {
  if (shape.rows.length === 0) return "There is nothing to draw.";
  if (type === "number") return "One number needs one row.";
  if (type !== "table" && shape.isListing) return "A list of records is shown as a table.";
  const { isLegal, draw, because } = drawings[type];
  return isLegal(shape) ? draw(shape) : because;
}

function drawBars(shape: Shape): Chart {
  if (shape.grain !== null) return drawSeries({ ...shape, timeMark: "bar" });
  if (isStepped(shape)) return histogram(shape);
  if (shape.categories.length === 2) return twoCategories(shape);
  return isOneFigure(shape) ? bars(shape) : groupedBars(shape);
}

function isBarred(shape: Shape): boolean {
  if (isStepped(shape)) return histogram(shape).type === "bar";
  if (groups(shape) === 2) return isOneFigure(shape) && areFewBars(shape);
  return groups(shape) === 1 && (isOneFigure(shape) || isCompared(shape) || countNames(shape) <= mostGroupedNames);
}

function isWhole(shape: Shape): boolean {
  return (
    groups(shape) === 1 &&
    !isStepped(shape) &&
    isOneFigure(shape) &&
    only(shape).additive &&
    isPositive(shape) &&
    countSlices(shape) <= mostSlices
  );
}
const countSlices = (shape: Shape): number => (shape.grain === null ? countNames(shape) : shape.rows.length);

const radiusPx = 110;

/** A pie, the largest slice first from the top, with the percentages of slices that have room for them. */
function pie(shape: Shape): Chart {
  const figure = only(shape);
  const axis = shape.categories[0] ?? { name: shape.grain ?? "day", label: shape.grain ?? "day" };
  const names = bySize(shape.rows, axis.name, figure);
  const whole = shape.rows.reduce((sum, row) => sum + Number(row[figure.name] ?? 0), 0);
  const rows = shape.rows.map((row) => {
    const percentage = (100 * Number(row[figure.name] ?? 0)) / whole;
    return { ...row, percentage: toFigure(percentage, "percent") };
  });
  const { axis: _axis, title: _title, ...theta } = quantitative(figure, whole, { stack: true });
  const shown = tooltip([axis], [figure]) as readonly Spec[];
  const encoding = {
    theta,
    ...stackOrder,
    tooltip: [...shown, { field: "percentage", type: "nominal", title: "Share" }],
  };
  const large = `toNumber(replace(datum.percentage, '%', '')) >= 4`;
  const layer = [
    { mark: { type: "arc", outerRadius: radiusPx }, encoding: { color: nominal(axis, { sort: names }) } },
    {
      transform: [{ calculate: `${large} ? datum.percentage : ''`, as: "shown" }],
      mark: { type: "text", radius: radiusPx + 20 },
      encoding: { text: { field: "shown", type: "nominal" } },
    },
  ];
  return {
    type: "pie",
    spec: { ...root(rows), ...fit, height: 2 * radiusPx + 60, transform: [placing(axis, names)], encoding, layer },
  };
}
