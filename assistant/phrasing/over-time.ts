import type { Row } from "../../warehouse/warehouse.ts";
import { measureOf, runningName } from "../catalog/catalog.ts";
import { isRecurring, type Plan } from "../plan.ts";
import { addUnits, bucketLabel, startOf, toLocal } from "../planner/period/calendar.ts";
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
  const unfinished = unfinishedOf(plan);
  const isWhole = (row: Row) => unfinished === undefined || row[plan.grain ?? ""] !== unfinished;
  const ranked = known.filter(isWhole).toSorted((a, b) => Number(b[measure.name]) - Number(a[measure.name]));
  const [highest, lowest] = [ranked[0], ranked.at(-1)];
  if (highest === undefined || lowest === undefined)
    return known.length === 0 ? "no figures" : known.map((row) => `${label(row)}, ${figure(row)}`).join("; ");
  const open = known.filter((row) => !isWhole(row));
  const running = open.length === 0 ? "" : `; ${unfinished} is not over${openFigure(open, figure)}`;
  const extremes =
    ranked.length === 1
      ? `${label(highest)}, ${figure(highest)}`
      : `highest ${label(highest)}, ${figure(highest)}; lowest ${label(lowest)}, ${figure(lowest)}`;
  return `${extremes}${running}${totals(told)}`;
}

const openFigure = ([only, other]: readonly Row[], figure: (row: Row) => string): string =>
  only === undefined || other !== undefined ? "" : `, so far ${figure(only)}`;

function soFar({ plan, subject, rows }: Told, name: string): string {
  const last = rows.findLast((row) => typeof row[runningName(name)] === "number");
  if (last === undefined || plan.grain === null) return "no figures";
  return `${toFigure(last[runningName(name)], measureOf(subject, name).unit)} by ${last[plan.grain]}`;
}

/** The label of the last bucket where the period ends within it: less than a whole one is no lowest. */
function unfinishedOf({ grain, period, zone }: Plan): string | number | undefined {
  if (grain === null || isRecurring(grain) || period === null) return undefined;
  const end = toLocal(Date.parse(period.to), zone);
  const start = startOf(grain, end);
  return start === end || addUnits(grain, start, 1) === end ? undefined : bucketLabel(grain, end);
}
