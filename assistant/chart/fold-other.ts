import type { Row } from "../../warehouse/warehouse.ts";
import { distinct, type Shape } from "./shape.ts";

interface Kept {
  readonly category: string;
  readonly figure: string;
  /** How many categories keep their own line. */
  readonly keep: number;
}

const toNumber = (value: unknown): number => (typeof value === "number" ? value : 0);

/** The largest categories and "Other" for the rest, added up per bucket; as it is when they are few. */
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
