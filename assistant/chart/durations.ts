import type { Row } from "../../warehouse/warehouse.ts";
import { toFigure } from "../phrasing/figure.ts";
import type { Figure } from "./shape.ts";

/** Steps between ticks of durations: parts and multiples of a minute, an hour and a day. */
const steps = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400];

/** Ticks of seconds at round durations, at most so many and one more. */
export function durationTicks({ from = 0, to, most = 4 }: { from?: number; to: number; most?: number }) {
  const day = 86_400;
  const step = steps.find((each) => (to - from) / each <= most) ?? Math.ceil((to - from) / most / day) * day;
  const first = Math.ceil(from / step) * step;
  const count = Math.max(1, Math.floor((to - first) / step) + 1);
  return { values: Array.from({ length: count }, (_, index) => first + index * step), labelExpr };
}

/** "0 s", "30 s", "1 min 30 s", "2 h 30 min": Vega's own formats know no durations. */
const labelExpr = [
  "datum.value < 60 ? datum.value + ' s'",
  "datum.value < 3600 ? floor(datum.value / 60) + ' min' + (datum.value % 60 > 0 ? ' ' + datum.value % 60 + ' s' : '')",
  "floor(datum.value / 3600) + ' h' + (datum.value % 3600 > 0 ? ' ' + datum.value % 3600 / 60 + ' min' : '')",
].join(" : ");

/** The column with a duration in words, for tooltips. */
export const saidName = (figure: string): string => `${figure}_said`;

export const isDuration = ({ unit }: Pick<Figure, "unit">): boolean => unit === "seconds" || unit === "ms";

/** The row with its durations in words. */
export const saying = (row: Row, figures: readonly Figure[]): Row => ({
  ...row,
  ...Object.fromEntries(
    figures
      .filter((figure) => isDuration(figure) && typeof row[figure.name] === "number")
      .map(({ name, unit }) => [saidName(name), toFigure(row[name], unit)]),
  ),
});

/** The largest value that the axis of a figure shows; parts that are stacked add up at their place. */
export function largestOf(rows: readonly Row[], names: readonly string[], stackedAt?: string): number {
  const sums = new Map<unknown, number>();
  for (const [index, row] of rows.entries()) {
    for (const name of names) {
      const value = row[name];
      const place = stackedAt === undefined ? `${index} ${name}` : row[stackedAt];
      if (typeof value === "number") sums.set(place, (sums.get(place) ?? 0) + value);
    }
  }
  return Math.max(0, ...sums.values());
}
