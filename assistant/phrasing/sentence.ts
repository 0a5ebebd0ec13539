import type { Row } from "../../warehouse/warehouse.ts";
import { bucketLabel, isoDate, startOf, toLocal } from "../calendar.ts";
import { isBin } from "../catalog/bins.ts";
import { measureOf, runningName, shareName, subjectOf } from "../catalog/catalog.ts";
import { isRecurring, type Plan } from "../plan.ts";
import { capital, listOf, toFigure } from "./figure.ts";
import { changeOf, figureOf, nameOf, type Told, totals } from "./rows.ts";
import { describePortion, describeScope, figureLabel, groupingOf, labelOf, measureLabel } from "./scope.ts";

const named = 3;

/** The answer in one or two sentences: the figures and their scope. */
export function toSentence(
  plan: Plan,
  { rows, truncated }: { readonly rows: readonly Row[]; readonly truncated: boolean },
): string {
  const told: Told = { plan, subject: subjectOf(plan.subject), rows, truncated };
  const cut = truncated ? ` Only the first ${rows.length} rows are shown.` : "";
  return `${capital(body(told))}.${cut}`;
}

function body(told: Told): string {
  const { plan, rows } = told;
  const grouped = plan.dimensions.length > 0 || plan.grain !== null;
  if (plan.columns.length > 0) return listed(told);
  if (!grouped) return `${figures(told, rows[0] ?? {})}, ${describeScope(plan)}`;
  const what = listOf(plan.measures.map((name) => figureLabel(plan, name)));
  const against = plan.compare === null ? "" : ` against ${plan.compare.label}`;
  const head = `${what} by ${listOf(groupingOf(plan))}, ${describeScope(plan)}${against}`;
  const runsOn = plan.grain !== null || plan.dimensions.some(isBin);
  if (runsOn && plan.order === null) return `${head}: ${overTime(told)}`;
  return `${head}: ${leaders(told)}`;
}

function figures({ plan, subject }: Told, row: Row): string {
  return plan.measures
    .map((name) => {
      const { unit } = measureOf(subject, name);
      const now = toFigure(row[name], unit);
      const label = plan.average_per === null ? measureLabel(subject, name) : figureLabel(plan, name);
      const part = toFigure(row[shareName(name)], "percent");
      if (plan.portion.length > 0) return `${part} of ${label} (${now}): ${describePortion(plan)}`;
      if (plan.compare === null) return `${label}: ${now}`;
      return `${label}: ${now} against ${toFigure(row[`${name}_before`], unit)} ${plan.compare.label}${changeOf(row, name)}`;
    })
    .join("; ");
}

/** Describes a series by its extremes, which say more than its first rows; a running total by its last value. */
function overTime(told: Told): string {
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

/** With a second grouping, each name has its own incomplete buckets. */
const mostParts = 2;

/** The labels of incomplete buckets, in which the period begins or ends: they are not compared as the lowest. */
function partsOf({ grain, period, zone }: Plan): ReadonlySet<unknown> {
  if (grain === null || isRecurring(grain) || period === null) return new Set();
  const ends = [period.from, period.to].flatMap((end) => (end === null ? [] : toLocal(Date.parse(end), zone)));
  const within = ends.filter((end) => startOf(grain, end) !== end);
  return new Set(within.map((end) => bucketLabel(grain, end)));
}

/** The first rows by name, the number of the others, and the total where the figures add up. */
function leaders(told: Told): string {
  const { plan, rows } = told;
  if (rows.length === 0) return "none";
  const first = rows.slice(0, named);
  // "200: 1,090" are not one number.
  const parts = first.some((row) => /\d$/.test(nameOf(told, row)));
  const shown = first.map((row) => {
    const [name, said] = [nameOf(told, row), plan.measures.map((measure) => figureOf(told, row, measure))];
    return `${name}${parts ? (name.includes(":") ? "," : ":") : ""} ${listOf(said)}`;
  });
  const rest = rows.length - shown.length;
  const more = rest > 0 ? `; and ${rest} more` : "";
  return `${shown.join("; ")}${more}${totals(told)}`;
}

function listed({ plan, subject, rows }: Told): string {
  const noun = rows.length === 1 ? subject.noun.one : subject.noun.many;
  const order =
    plan.order === null
      ? "newest first"
      : `${plan.order.direction === "desc" ? "highest" : "lowest"} ${labelOf(subject, plan.order.by)} first`;
  const said = rows.length > 1 ? `, ${order}` : plan.order === null ? "" : ` with the ${order.replace(/ first$/, "")}`;
  return `${rows.length} ${noun}${said}, ${describeScope(plan)}`;
}

/**
 * The answer where nothing was found, with the dates of the nearest data. `nearest` has `before` and `after` in UTC.
 */
export function toNothing(plan: Plan, nearest: Row | null): string {
  const { noun } = subjectOf(plan.subject);
  const day = (value: Row[string] | undefined) =>
    typeof value === "string" ? isoDate(toLocal(Date.parse(value), plan.zone)) : undefined;
  const [before, after] = [day(nearest?.["before"]), day(nearest?.["after"])];
  const what =
    plan.measures.length === 0
      ? noun.many
      : listOf(plan.measures.map((name) => measureLabel(subjectOf(plan.subject), name)));
  const start = `There is nothing to show for ${what} ${describeScope(plan)}.`;
  const isCounted = plan.measures.every((name) => measureOf(subjectOf(plan.subject), name).unit === "count");
  if (plan.period === null) return isCounted ? `There are no ${what} ${describeScope(plan)}.` : start;
  const sides = [
    ...(before === undefined ? [] : [`the last before is from ${before}`]),
    ...(after === undefined ? [] : [`the first after is from ${after}`]),
  ];
  return sides.length === 0
    ? `${start} Nor is there any such ${noun.one} at another time.`
    : `${start} Of such ${noun.many}, ${sides.join(" and ")}.`;
}
