import type { Row } from "../../warehouse/warehouse.ts";
import { findBin, isBin } from "../catalog/bins.ts";
import { dimensionAlias, measureOf, runningName, shareName, subjectOf } from "../catalog/catalog.ts";
import type { Measure, Subject } from "../catalog/field.ts";
import type { Plan } from "../plan.ts";
import { isoDate, toLocal } from "../planner/period/calendar.ts";
import { capital, toFigure, toName, toWidth } from "./figure.ts";
import { describePortion, describeScope, figureLabel, groupingOf, labelOf, measureLabel } from "./scope.ts";

const named = 3;

interface Told {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly rows: readonly Row[];
  readonly truncated: boolean;
}

/** The answer in one or two sentences: the figures, and the scope that they hold for. */
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
  const what = plan.measures.map((name) => figureLabel(plan, name)).join(" and ");
  const against = plan.compare === null ? "" : ` against ${plan.compare.label}`;
  const head = `${what} by ${groupingOf(plan).join(" and ")}, ${describeScope(plan)}${against}`;
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
      const change = row[`${name}_change`];
      const by = typeof change === "number" ? ` (${change >= 0 ? "+" : ""}${toFigure(change, "percent")})` : "";
      return `${label}: ${now} against ${toFigure(row[`${name}_before`], unit)} ${plan.compare.label}${by}`;
    })
    .join("; ");
}

/** What a row is of: "Acme", "2026-10-01, Acme", "from 30 s to 1 min". */
function nameOf({ plan, subject }: Told, row: Row): string {
  const keys = [...(plan.grain === null ? [] : [plan.grain]), ...plan.dimensions];
  return keys
    .map((key) => {
      const [bin, value] = [findBin(subject, key), row[dimensionAlias(key)]];
      if (bin === undefined || typeof value !== "number") return toName(value, key);
      const { unit } = bin.quantity;
      return `from ${toWidth(value, unit)} to ${toWidth(value + bin.width, unit)}`;
    })
    .join(", ");
}

/** The first rows by name, how many more there are, and the total where adding up means something. */
function leaders(told: Told): string {
  const { plan, rows } = told;
  if (rows.length === 0) return "none";
  const shown = rows.slice(0, named).map((row) => {
    return `${nameOf(told, row)} ${plan.measures.map((measure) => figureOf(told, row, measure)).join(" and ")}`;
  });
  const rest = rows.length - shown.length;
  const more = rest > 0 ? `; and ${rest} more` : "";
  return `${shown.join("; ")}${more}${totals(told)}`;
}

/** "12"; "12 against 10" beside another period; "12 (34%)" where its share was asked for. */
function figureOf({ plan, subject }: Told, row: Row, name: string): string {
  const { unit } = measureOf(subject, name);
  const figure = toFigure(row[name], unit);
  if (plan.compare !== null) return `${figure} against ${toFigure(row[`${name}_before`], unit)}`;
  if (plan.running === "total") return toFigure(row[runningName(name)], unit);
  if (plan.running === "change") return `${figure} (${toFigure(row[`${name}_change`], "percent")})`;
  const isPart = plan.share || plan.portion.length > 0;
  return isPart ? `${figure} (${toFigure(row[shareName(name)], "percent")})` : figure;
}

const addsUp = ({ aggregate }: Measure): boolean => aggregate.kind === "count" || aggregate.kind === "sum";

function totals({ plan, subject, rows, truncated }: Told): string {
  const measures = plan.measures.map((name) => measureOf(subject, name)).filter(addsUp);
  const isOther = plan.portion.length > 0 || plan.running !== null || plan.average_per !== null;
  if (measures.length === 0 || rows.length < 2 || truncated || isOther) return "";
  if (plan.limit !== null || plan.having.length > 0) return "";
  return `; in all ${measures.map((measure) => toFigure(sumOf(rows, measure.name), measure.unit)).join(" and ")}`;
}
const sumOf = (rows: readonly Row[], name: string): number =>
  rows.reduce((sum, row) => sum + (typeof row[name] === "number" ? row[name] : 0), 0);

/** Over time, or over steps, the extremes tell more than the first rows. */
function overTime(told: Told): string {
  const { plan, subject, rows } = told;
  const [first] = plan.measures;
  const measure = measureOf(subject, first ?? subject.defaultMeasure);
  const label = (row: Row) => nameOf(told, row);
  const known = rows.filter((row) => typeof row[measure.name] === "number");
  const ranked = known.toSorted((a, b) => Number(b[measure.name]) - Number(a[measure.name]));
  const [highest, lowest] = [ranked[0], ranked.at(-1)];
  if (highest === undefined || lowest === undefined) return "no figures";
  const extremes = `highest ${label(highest)}, ${figureOf(told, highest, measure.name)}; lowest ${label(lowest)}, ${figureOf(told, lowest, measure.name)}`;
  return `${extremes}${totals(told)}`;
}

function listed({ plan, subject, rows }: Told): string {
  const noun = rows.length === 1 ? subject.noun.one : subject.noun.many;
  const order =
    plan.order === null
      ? "newest first"
      : `${plan.order.direction === "desc" ? "highest" : "lowest"} ${labelOf(subject, plan.order.by)} first`;
  return `${rows.length} ${noun}, ${order}, ${describeScope(plan)}`;
}

/** Nothing was found: says so, and when the nearest data is, if there is any. `nearest` has `before` and `after`, UTC. */
export function toNothing(plan: Plan, nearest: Row | null): string {
  const { noun } = subjectOf(plan.subject);
  const day = (value: Row[string] | undefined) =>
    typeof value === "string" ? isoDate(toLocal(Date.parse(value), plan.zone)) : undefined;
  const [before, after] = [day(nearest?.["before"]), day(nearest?.["after"])];
  const what =
    plan.measures.length === 0
      ? noun.many
      : plan.measures.map((name) => measureLabel(subjectOf(plan.subject), name)).join(" and ");
  const start = `There is nothing to show for ${what} ${describeScope(plan)}.`;
  if (plan.period === null) return start;
  const sides = [
    ...(before === undefined ? [] : [`the last before is from ${before}`]),
    ...(after === undefined ? [] : [`the first after is from ${after}`]),
  ];
  return sides.length === 0
    ? `${start} Nor is there any such ${noun.one} at another time.`
    : `${start} Of such ${noun.many}, ${sides.join(" and ")}.`;
}
