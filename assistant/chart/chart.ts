import type { ChartSuggestion } from "../answer.ts";
import { bars, groupedBars, scatter, twoCategories } from "./draw-names.ts";
import { heatMapOverTime, linePerCategory, manyLines, mostSeries, overTime, panels } from "./draw-time.ts";
import { type Chart, fit, root, type Spec, table, titleOf } from "./encode.ts";
import { countNames, crosses, recurs, type Shape, sameUnit } from "./shape.ts";
import { drawWish } from "./wish.ts";

interface Rule {
  readonly applies: (shape: Shape) => boolean;
  readonly draw: (shape: Shape) => Chart;
}

const mostGroupedNames = 25;

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
  {
    applies: (shape) => shape.figures.length === 1 && (crosses(shape) || (recurs(shape) && countNames(shape) > 2)),
    draw: heatMapOverTime,
  },
  {
    applies: (shape) =>
      shape.grain !== null &&
      shape.figures.length === 1 &&
      (countNames(shape) <= mostSeries || shape.figures[0]?.additive === true),
    draw: linePerCategory,
  },
  { applies: (shape) => shape.grain !== null, draw: table },
  { applies: (shape) => shape.categories.length === 1 && shape.figures.length === 1, draw: bars },
  {
    applies: (shape) =>
      shape.categories.length === 1 && sameUnit(shape.figures) && countNames(shape) <= mostGroupedNames,
    draw: groupedBars,
  },
  {
    applies: (shape) => shape.categories.length === 1 && shape.figures.length === 2 && countNames(shape) >= mostSeries,
    draw: scatter,
  },
  { applies: (shape) => shape.categories.length === 2 && shape.figures.length === 1, draw: twoCategories },
  { applies: () => true, draw: table },
];

/** The chart that was asked for where it tells the truth, else the one that suits, and why. */
export function suggestChart(shape: Shape): ChartSuggestion {
  const suited = () => (rules.find(({ applies }) => applies(shape)) ?? { draw: table }).draw(shape);
  const { wish = null } = shape;
  if (wish === null) return toSuggestion(shape, suited());
  const wished = drawWish(shape, wish);
  if (typeof wished !== "string") return toSuggestion(shape, wished);
  const chart = suited();
  return chart.type === wish ? toSuggestion(shape, chart) : { ...toSuggestion(shape, chart), note: wished };
}

function toSuggestion(shape: Shape, { type, spec }: Chart): ChartSuggestion {
  const x = shape.grain ?? shape.categories[0]?.name ?? null;
  const y = shape.figures[0]?.name ?? null;
  return { type, x_axis: x, y_axis: y, vega_lite: spec === null ? null : { ...spec } };
}

function bigNumber({ rows, figures }: Shape): Chart {
  const values = figures.map((figure) => ({ title: titleOf(figure), value: rows[0]?.[figure.name] ?? null }));
  const encoding: Spec = {
    text: { field: "value", type: "quantitative", format: ",.2~f" },
    ...(figures.length > 1 ? { x: { field: "title", type: "nominal", title: null, sort: null } } : {}),
  };
  return { type: "number", spec: { ...root(values), ...fit, mark: { type: "text", size: 32 }, encoding } };
}
