import type { Row } from "../../warehouse/warehouse.ts";
import { largestOf, saying } from "./durations.ts";
import { field, inLegend, type Json, quantitative, type Spec } from "./encode.ts";
import type { Axis, Figure, Shape } from "./shape.ts";

/** Folds figures of one unit into rows, for one axis with a colour for each figure. */
export function folded(
  { figures, rows }: Pick<Shape, "figures" | "rows">,
  extra: Spec = {},
): { readonly transform: Json; readonly value: Spec; readonly key: Spec } {
  const labels = Object.fromEntries(figures.map((figure) => [figure.name, inLegend(figure)]));
  return {
    transform: [
      { fold: figures.map(({ name }) => field(name)), as: ["measure_name", "value"] },
      { calculate: `${JSON.stringify(labels)}[datum.measure_name]`, as: "measure" },
    ],
    value: quantitative(
      { ...(figures[0] ?? { unit: "number", additive: false }), name: "value", label: sharedLabel(figures) },
      largestOf(
        rows,
        figures.map(({ name }) => name),
      ),
      extra,
    ),
    key: { field: "measure", type: "nominal", title: null, sort: figures.map(inLegend) },
  };
}

/** The axis' label: of two compared periods the figure's name only, as the legend names the periods. */
const sharedLabel = (figures: readonly Figure[]): string => [...new Set(figures.map(({ label }) => label))].join(", ");

/** The name of the categories that are folded into one. */
const rest = "Other";

interface Kept {
  readonly category: string;
  readonly figure: Figure;
  /** The number of categories that keep their own line. */
  readonly keep: number;
}

const toNumber = (value: unknown): number => (typeof value === "number" ? value : 0);

/** The names of a category, largest first: by their sum, or by their mean where figures do not add up; the rest last. */
export function bySize(rows: readonly Row[], category: string, { name, additive }: Figure): readonly string[] {
  const all = new Map<string, number[]>();
  for (const row of rows) {
    const [key, value] = [String(row[category]), row[name]];
    const values = all.get(key) ?? [];
    all.set(key, values);
    if (typeof value === "number") values.push(value);
  }
  const size = (values: readonly number[]): number => {
    const sum = values.reduce((total, value) => total + value, 0);
    return additive || values.length === 0 ? sum : sum / values.length;
  };
  return [...all]
    .map(([key, values]) => ({ key, isRest: key === rest, size: size(values) }))
    .toSorted((a, b) => Number(a.isRest) - Number(b.isRest) || b.size - a.size)
    .map(({ key }) => key);
}

/** The order of stacked parts: that of the legend. */
export const stackOrder: Spec = { order: { field: "place", type: "quantitative" } };
/** A transform that tells a row its name's place among these. */
export const placing = ({ name }: Axis, names: readonly string[]): Spec => ({
  calculate: `indexof(${JSON.stringify(names)}, datum[${JSON.stringify(name)}])`,
  as: "place",
});

/** Keeps the largest categories, and adds up the rest per bucket as "Other"; few categories stay unchanged. */
export function foldOther({ rows, grain }: Shape, { category, figure, keep }: Kept): readonly Row[] {
  const names = bySize(rows, category, figure);
  if (names.length <= keep + 1 || grain === null) return rows;
  const largest = new Set(names.slice(0, keep));
  const other = new Map<string, Row>();
  for (const row of rows) {
    if (largest.has(String(row[category]))) continue;
    const bucket = String(row[grain]);
    const sum = toNumber(other.get(bucket)?.[figure.name]) + toNumber(row[figure.name]);
    other.set(bucket, { [grain]: row[grain] ?? null, [category]: rest, [figure.name]: sum });
  }
  const folded = [...other.values()].map((row) => saying(row, [figure]));
  return [...rows.filter((row) => largest.has(String(row[category]))), ...folded];
}
