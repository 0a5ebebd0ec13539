import type { Row } from "../../warehouse/warehouse.ts";
import type { ChartSuggestion } from "../answer.ts";
import { toFigure } from "../phrasing/figure.ts";
import type { ChartType } from "../plan.ts";
import { withBuckets } from "./buckets.ts";
import { bars, groupedBars, mostGroupedNames, scatter, twoCategories } from "./draw-names.ts";
import { histogram, isStepped } from "./draw-steps.ts";
import { heatMapOverTime, linePerCategory, manyLines, mostSeries, overTime, panels } from "./draw-time.ts";
import { saying } from "./durations.ts";
import { type Chart, fit, inLegend, root, type Spec, table, titleOf } from "./encode.ts";
import { drawRequested } from "./requested-chart.ts";
import { countNames, crosses, type Figure, figuresIn, isCompared, recurs, type Shape, sameUnit } from "./shape.ts";

interface Rule {
  readonly applies: (shape: Shape) => boolean;
  readonly draw: (shape: Shape) => Chart;
}

const isAlone = (shape: Shape): boolean => shape.categories.length === 0;
const isOne = (shape: Shape): boolean => shape.figures.length === 1;
/** Fewer points make no scatter plot. */
const fewestPoints = 10;

/** The first rule that applies draws. One axis never mixes units; bars start at zero; the rest is a table. */
const rules: readonly Rule[] = [
  { applies: ({ rows, isListing, figures }) => isListing || rows.length === 0 || figures.length === 0, draw: table },
  { applies: ({ rows }) => rows.length === 1, draw: bigNumbers },
  {
    applies: (shape) =>
      isStepped(shape) && (isOne(shape) || (shape.categories.length === 1 && sameUnit(shape.figures))),
    draw: histogram,
  },
  { applies: (shape) => shape.grain !== null && isAlone(shape) && isOne(shape), draw: overTime },
  // Several figures, each beside that of another period, would be four lines or more on one axis.
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

/**
 * Suggests the requested chart where it is not misleading, else the one that suits, with a note why; and alternatives.
 */
export function suggestChart(given: Shape): ChartSuggestion {
  const figures = figuresIn(given);
  const shape = withBuckets({ ...given, figures, rows: given.rows.map((row) => saying(row, figures)) });
  const suited = () => (rules.find(({ applies }) => applies(shape)) ?? { draw: table }).draw(shape);
  const { requested = null } = shape;
  if (requested === null) return toSuggestion(shape, suited());
  const drawn = drawRequested(shape, requested);
  if (typeof drawn !== "string") return toSuggestion(shape, drawn, suited());
  const chart = suited();
  return chart.type === requested ? toSuggestion(shape, chart) : { ...toSuggestion(shape, chart), note: drawn };
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

/** Draws figures as numbers side by side, each in its unit, with the change where periods are compared. */
function bigNumbers({ rows, figures }: Shape): Chart {
  const [row = {}] = rows;
  const values = figures.flatMap((figure) => [
    { title: titleOf({ ...figure, label: inLegend(figure) }), value: toFigure(row[figure.name], figure.unit) },
    ...changeOf(figure, row),
  ]);
  const encoding: Spec = {
    text: { field: "value", type: "nominal" },
    ...(values.length > 1 ? { x: { field: "title", type: "nominal", title: null, sort: null } } : {}),
  };
  return { type: "number", spec: { ...root(values), ...fit, mark: { type: "text", size: 32 }, encoding } };
}

function changeOf({ name, label, isBefore }: Figure, row: Row): readonly Row[] {
  const change = row[name.replace(/_before$/, "_change")];
  if (isBefore !== true || typeof change !== "number") return [];
  return [{ title: `Change of ${label} (%)`, value: `${change > 0 ? "+" : ""}${toFigure(change, "percent")}` }];
}

/** The chart types that are offered, in their order. */
const offered: readonly ChartType[] = ["line", "bar", "area", "heat_map", "scatter", "pie"];
const mostOfferedSlices = 5;

type Alternatives = NonNullable<ChartSuggestion["alternatives"]>;

/** Other charts that suit the rows; those with the suggested chart's rows come without them. */
function alternatives(
  shape: Shape,
  { chart, suited }: { readonly chart: Chart; readonly suited: Chart | undefined },
): Alternatives {
  if (shape.rows.length < 2 || chart.type === "number") return [];
  return offered.flatMap((type) => {
    if (type === chart.type || (type === "pie" && !isFewSlices(shape))) return [];
    const other = suited?.type === type ? suited : drawRequested(shape, type);
    return typeof other === "string" || other.type !== type || other.spec === null
      ? []
      : [{ type, vega_lite: withoutRowsOf(chart, other.spec) }];
  });
}

/** Pies of more slices, or of days, are drawn on request only. */
const isFewSlices = (shape: Shape): boolean => shape.grain === null && countNames(shape) <= mostOfferedSlices;

const valuesOf = (spec: Spec | null): unknown => {
  const data = spec?.["data"];
  return typeof data === "object" && data !== null && "values" in data ? data["values"] : undefined;
};

function withoutRowsOf({ spec }: Chart, other: Spec): Spec {
  const [own, shown] = [valuesOf(other), valuesOf(spec)];
  const isSame =
    Array.isArray(own) &&
    Array.isArray(shown) &&
    own.length === shown.length &&
    own.every((row, at) => row === shown[at]);
  if (!isSame) return other;
  return { ...other, data: {} };
}
