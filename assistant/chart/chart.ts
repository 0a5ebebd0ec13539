import type { ChartSuggestion } from "../answer.ts";
import { alternatives } from "./alternatives.ts";
import { bigNumbers } from "./big-numbers.ts";
import { bars, groupedBars, mostGroupedNames, scatter, twoCategories } from "./draw-names.ts";
import { histogram, isStepped } from "./draw-steps.ts";
import { heatMapOverTime, linePerCategory, manyLines, mostSeries, overTime, panels } from "./draw-time.ts";
import { type Chart, table } from "./encode.ts";
import { countNames, crosses, isCompared, recurs, type Shape, sameUnit } from "./shape.ts";
import { drawWish } from "./wish.ts";

interface Rule {
  readonly applies: (shape: Shape) => boolean;
  readonly draw: (shape: Shape) => Chart;
}

const isAlone = (shape: Shape): boolean => shape.categories.length === 0;
const isOne = (shape: Shape): boolean => shape.figures.length === 1;
/** Fewer points are no cloud. */
const fewestPoints = 10;

/** The first rule that fits draws. One axis never mixes units; bars start at zero; what no picture tells is a table. */
const rules: readonly Rule[] = [
  { applies: ({ rows, isListing, figures }) => isListing || rows.length === 0 || figures.length === 0, draw: table },
  { applies: ({ rows }) => rows.length === 1, draw: bigNumbers },
  {
    applies: (shape) =>
      isStepped(shape) && (isOne(shape) || (shape.categories.length === 1 && sameUnit(shape.figures))),
    draw: histogram,
  },
  { applies: (shape) => shape.grain !== null && isAlone(shape) && isOne(shape), draw: overTime },
  // Of several figures, each with its own of another period, four lines on one axis would be a riddle.
  {
    applies: (shape) => shape.grain !== null && isAlone(shape) && isCompared(shape) && shape.figures.length > 2,
    draw: panels,
  },
  { applies: (shape) => shape.grain !== null && isAlone(shape) && sameUnit(shape.figures), draw: manyLines },
  { applies: (shape) => shape.grain !== null && isAlone(shape), draw: panels },
  {
    applies: (shape) => isOne(shape) && (crosses(shape) || (recurs(shape) && countNames(shape) > 2)),
    draw: heatMapOverTime,
  },
  {
    applies: (shape) =>
      shape.grain !== null &&
      isOne(shape) &&
      shape.categories.length === 1 &&
      (countNames(shape) <= mostSeries || shape.figures[0]?.additive === true),
    draw: linePerCategory,
  },
  { applies: (shape) => shape.grain !== null, draw: table },
  { applies: (shape) => shape.categories.length === 1 && isOne(shape), draw: bars },
  {
    applies: (shape) =>
      shape.categories.length === 1 &&
      sameUnit(shape.figures) &&
      (isCompared(shape) ? shape.figures.length === 2 : countNames(shape) <= mostGroupedNames),
    draw: groupedBars,
  },
  {
    applies: (shape) =>
      shape.categories.length === 1 &&
      shape.figures.length === 2 &&
      !sameUnit(shape.figures) &&
      countNames(shape) >= mostSeries,
    draw: scatter,
  },
  { applies: (shape) => shape.categories.length === 2 && isOne(shape), draw: twoCategories },
  {
    applies: (shape) => isAlone(shape) && shape.figures.length === 2 && shape.rows.length >= fewestPoints,
    draw: scatter,
  },
  { applies: () => true, draw: table },
];

/** The chart that was asked for where it tells the truth, else the one that suits, and why; with the others that do. */
export function suggestChart(shape: Shape): ChartSuggestion {
  const suited = () => (rules.find(({ applies }) => applies(shape)) ?? { draw: table }).draw(shape);
  const { wish = null } = shape;
  if (wish === null) return toSuggestion(shape, suited());
  const wished = drawWish(shape, wish);
  if (typeof wished !== "string") return toSuggestion(shape, wished, suited());
  const chart = suited();
  return chart.type === wish ? toSuggestion(shape, chart) : { ...toSuggestion(shape, chart), note: wished };
}

function toSuggestion(shape: Shape, chart: Chart, suited?: Chart): ChartSuggestion {
  const { type, spec } = chart;
  const x = shape.grain ?? shape.categories[0]?.name ?? null;
  const y = shape.figures[0]?.name ?? null;
  const others = alternatives(shape, { chart, suited });
  return {
    type,
    x_axis: x,
    y_axis: y,
    vega_lite: spec === null ? null : { ...spec },
    ...(others.length === 0 ? {} : { alternatives: others }),
  };
}
