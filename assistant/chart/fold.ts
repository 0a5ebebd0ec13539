import type { Row } from "../../warehouse/warehouse.ts";
import { field, inLegend, type Json, quantitative, type Spec } from "./encode.ts";
import { distinct, type Figure, type Shape } from "./shape.ts";

/** Folds figures of one unit into rows, for one axis with a colour for each figure. */
export function folded(
  figures: readonly Figure[],
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
      extra,
    ),
    key: { field: "measure", type: "nominal", title: null, sort: figures.map(inLegend) },
  };
}

/** The axis' label: of two compared periods the figure's name only, as the legend names the periods. */
const sharedLabel = (figures: readonly Figure[]): string => [...new Set(figures.map(({ label }) => label))].join(", ");

interface Kept {
  readonly category: string;
  readonly figure: string;
  /** The number of categories that keep their own line. */
  readonly keep: number;
}

const toNumber = (value: unknown): number => (typeof value === "number" ? value : 0);

/** Keeps the largest categories, and adds up the rest per bucket as "Other"; few categories stay unchanged. */
export function foldOther({ rows, grain }: Shape, { category, figure, keep }: Kept): readonly Row[] {
  const names = distinct(rows, category);
  if (names.length <= keep + 1 || grain === null) return rows;
  const totals = new Map<string, number>();
  for (const row of rows)
    totals.set(String(row[category]), (totals.get(String(row[category])) ?? 0) + toNumber(row[figure]));
  const largest = new Set(
    [...totals]
      .sort(([, a], [, b]) => b - a)
      .slice(0, keep)
      .map(([name]) => name),
  );
  const other = new Map<string, Row>();
  for (const row of rows) {
    if (largest.has(String(row[category]))) continue;
    const bucket = String(row[grain]);
    const sum = toNumber(other.get(bucket)?.[figure]) + toNumber(row[figure]);
    other.set(bucket, { [grain]: row[grain] ?? null, [category]: "Other", [figure]: sum });
  }
  return [...rows.filter((row) => largest.has(String(row[category]))), ...other.values()];
}
