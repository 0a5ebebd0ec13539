import type { Row } from "../../warehouse/warehouse.ts";
import { bucketLabel, startOf, toLocal } from "../calendar.ts";
import { measureOf, runningName } from "../catalog/catalog.ts";
import { isRecurring, type Plan } from "../plan.ts";
import { toFigure } from "./figure.ts";
import { figureOf, nameOf, type Told, totals } from "./rows.ts";

/** Over time, or over steps, the extremes tell more than the first rows; of what adds up so far, where it has come to. */
export function overTime(told: Told): string {
  const { plan, subject, rows } = told;
  const [first] = plan.measures;
  const measure = measureOf(subject, first ?? subject.defaultMeasure);
  const label = (row: Row) => nameOf(told, row);
  const figure = (row: Row) => figureOf(told, row, measure.name);
  const known = rows.filter((row) => typeof row[measure.name] === "number");
  if (plan.running === "total" && plan.dimensions.length === 0) return soFar(told, measure.name);
  const parts = partsOf(plan);
  const isWhole = (row: Row) => !parts.has(row[plan.grain ?? ""]);
  const ranked = known.filter(isWhole).toSorted((a, b) => Number(b[measure.name]) - Number(a[measure.name]));
  const [highest, lowest] = [ranked[0], ranked.at(-1)];
  if (highest === undefined || lowest === undefined)
    return known.length === 0 ? "no figures" : known.map((row) => `${label(row)}, ${figure(row)}`).join("; ");
  const inPart = known.filter((row) => !isWhole(row)).map((row) => `; of ${label(row)} only a part, ${figure(row)}`);
  const extremes =
    ranked.length === 1
      ? `${label(highest)}, ${figure(highest)}`
      : `highest ${label(highest)}, ${figure(highest)}; lowest ${label(lowest)}, ${figure(lowest)}`;
  return `${extremes}${inPart.length > mostParts ? "" : inPart.join("")}${totals(told)}`;
}

function soFar({ plan, subject, rows }: Told, name: string): string {
  const last = rows.findLast((row) => typeof row[runningName(name)] === "number");
  if (last === undefined || plan.grain === null) return "no figures";
  return `${toFigure(last[runningName(name)], measureOf(subject, name).unit)} by ${last[plan.grain]}`;
}

/** Beside a second grouping there are as many parts as names. */
const mostParts = 2;

/** The labels of the first and the last bucket where the period begins or ends within them: a part is no lowest. */
function partsOf({ grain, period, zone }: Plan): ReadonlySet<unknown> {
  if (grain === null || isRecurring(grain) || period === null) return new Set();
  const ends = [period.from, period.to].flatMap((end) => (end === null ? [] : toLocal(Date.parse(end), zone)));
  const within = ends.filter((end) => startOf(grain, end) !== end);
  return new Set(within.map((end) => bucketLabel(grain, end)));
}
