import type { Row } from "../../warehouse/warehouse.ts";
import { isoDate, toLocal } from "../calendar.ts";
import { isBin } from "../catalog/bins.ts";
import { measureOf, shareName, subjectOf } from "../catalog/catalog.ts";
import type { Plan } from "../plan.ts";
import { capital, listOf, toFigure } from "./figure.ts";
import { overTime } from "./over-time.ts";
import { changeOf, figureOf, nameOf, type Told, totals } from "./rows.ts";
import { describePortion, describeScope, figureLabel, groupingOf, labelOf, measureLabel } from "./scope.ts";

const named = 3;

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

/** The first rows by name, how many more there are, and the total where adding up means something. */
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

/** Nothing was found: says so, and when the nearest data is, if there is any. `nearest` has `before` and `after`, UTC. */
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
