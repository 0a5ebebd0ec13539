import type { Row } from "../../warehouse/warehouse.ts";
import { bucketLabel, startOf, toLocal } from "../calendar.ts";
import { isBin } from "../catalog/bins.ts";
import { findQuantity, measureOf, runningName, shareName, subjectOf } from "../catalog/catalog.ts";
import { isRecurring, type Plan } from "../plan.ts";
import { nameBucket, nameOther, toDate } from "./dates.ts";
import { capital, listOf, toFigure } from "./figure.ts";
import { sayOverGroups } from "./over-groups.ts";
import { changeOf, figureOf, nameOf, type Told, totals } from "./rows.ts";
import {
  describeFigures,
  describePortion,
  describeScope,
  figureLabel,
  groupingOf,
  labelOf,
  measureLabel,
} from "./scope.ts";

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
  if (plan.over_groups.length > 0) return `${sayOverGroups(plan, rows[0] ?? {})}${inPart(plan)}`;
  if (!grouped) return figures(told, rows[0] ?? {});
  const against = plan.compare === null ? "" : ` against ${nameOther(plan.compare, plan.zone)}`;
  const head = `${describeFigures(plan)} by ${listOf(groupingOf(plan))} ${describeScope(plan)}${against}`;
  const runsOn = plan.grain !== null || plan.dimensions.some(isBin);
  if (runsOn && plan.order === null) return `${head}: ${overTime(told)}`;
  return `${head}: ${leaders(told)}`;
}

/** "764 calls last month", "Revenue last month was $120.00", "764 calls and revenue $120.00 last month". */
function figures(told: Told, row: Row): string {
  const { plan } = told;
  const scope = describeScope(plan);
  const [name = "", other] = plan.measures;
  const against = plan.compare === null ? "" : ` against ${nameOther(plan.compare, plan.zone)}`;
  if (plan.portion.length > 0)
    return `${listOf(plan.measures.map((each) => partOf(told, row, each)))} ${scope}: ${describePortion(plan)}`;
  if (other !== undefined || against !== "")
    return `${listOf(plan.measures.map((each) => said(told, row, each)))} ${scope}${against}`;
  if (isCounted(told, name)) return `${said(told, row, name)} ${scope}`;
  const label = plan.average_per === null ? measureLabel(told.subject, name) : figureLabel(plan, name);
  if (typeof row[name] !== "number") return `there is no ${label} ${scope}`;
  return `${label} ${scope} was ${toFigure(row[name], measureOf(told.subject, name).unit)}`;
}

const isCounted = ({ plan, subject }: Told, name: string): boolean =>
  plan.average_per === null && measureOf(subject, name).unit === "count";

/** "764 calls", "revenue $120.00"; with what it is compared with: "764 calls (700, +9.14%)". */
function said(told: Told, row: Row, name: string): string {
  const { plan, subject } = told;
  const { unit } = measureOf(subject, name);
  const before = row[`${name}_before`];
  const change = changeOf(row, name).replace(/^ \(|\)$/g, "");
  const compared = plan.compare === null ? "" : ` (${[toFigure(before, unit), change].filter(Boolean).join(", ")})`;
  return isCounted(told, name)
    ? `${countOf(row[name], measureLabel(subject, name), subject)}${compared}`
    : `${figureLabel(plan, name)} ${toFigure(row[name], unit)}${compared}`;
}

/** "1 converted call", "0 calls". */
const countOf = (count: Row[string] | undefined, label: string, { noun }: Told["subject"]): string =>
  `${toFigure(count ?? 0, "count")} ${count === 1 && label.endsWith(noun.many) ? label.slice(0, -noun.many.length) + noun.one : label}`;

/** "28.1% (95) of calls". */
function partOf({ subject }: Told, row: Row, name: string): string {
  const figure = toFigure(row[name], measureOf(subject, name).unit);
  return `${toFigure(row[shareName(name)], "percent")} (${figure}) of ${measureLabel(subject, name)}`;
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
  const inPart = partial({ known: known.filter((row) => !isWhole(row)), plan, label, figure });
  const extremes =
    ranked.length === 1
      ? `${label(highest)}, ${figure(highest)}`
      : `highest ${label(highest)}, ${figure(highest)}; lowest ${label(lowest)}, ${figure(lowest)}`;
  return `${extremes}${inPart}${totals(told)}`;
}

interface InPart {
  readonly known: readonly Row[];
  readonly plan: Plan;
  readonly label: (row: Row) => string;
  readonly figure: (row: Row) => string;
}

/** The buckets that the period cuts: with their figures, or by their time alone where each has several groups. */
function partial({ known, plan, label, figure }: InPart): string {
  const { grain } = plan;
  if (grain === null) return "";
  if (plan.dimensions.length === 0)
    return known.map((row) => `; of ${label(row)} only a part, ${figure(row)}`).join("");
  const buckets = new Set(known.map((row) => nameBucket(grain, row[grain], plan)));
  return buckets.size === 0 ? "" : `; of ${listOf([...buckets])} only a part`;
}

/** "; Nov 3 counts with a part only": an average, a least or a most of buckets is of those, too. */
function inPart(plan: Plan): string {
  const { grain } = plan;
  const parts = grain === null ? [] : [...partsOf(plan)].map((label) => nameBucket(grain, label, plan));
  return parts.length === 0 ? "" : `; ${listOf(parts)} ${parts.length === 1 ? "counts" : "count"} with a part only`;
}

function soFar({ plan, subject, rows }: Told, name: string): string {
  const last = rows.findLast((row) => typeof row[runningName(name)] === "number");
  if (last === undefined || plan.grain === null) return "no figures";
  return `${toFigure(last[runningName(name)], measureOf(subject, name).unit)} by ${nameBucket(plan.grain, last[plan.grain], plan)}`;
}

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

/** "10 calls last month, newest first", "the longest call last month was 41 min 12 s". */
function listed({ plan, subject, rows }: Told): string {
  const scope = describeScope(plan);
  const many = `${rows.length} ${rows.length === 1 ? subject.noun.one : subject.noun.many} ${scope}`;
  if (plan.order === null) return rows.length > 1 ? `${many}, newest first` : many;
  const { by, direction } = plan.order;
  const isLength = by === subject.length;
  const end = direction === "desc" ? (isLength ? "longest" : "highest") : isLength ? "shortest" : "lowest";
  const unit = findQuantity(subject, by)?.unit ?? "number";
  const figureIn = (row: Row | undefined) => toFigure(row?.[findQuantity(subject, by)?.column ?? by], unit);
  const [first, last] = [figureIn(rows[0]), figureIn(rows.at(-1))];
  if (rows.length === 1)
    return isLength
      ? `the ${end} ${subject.noun.one} ${scope} was ${first}`
      : `the ${end} ${labelOf(subject, by)} of a ${subject.noun.one} ${scope} was ${first}`;
  const order = `${end} ${isLength ? "" : `${labelOf(subject, by)} `}first`;
  return rows.length === 0 ? many : `${many}, ${order}: ${first} to ${last}`;
}

/**
 * The answer where nothing was found, with the dates of the nearest data. `nearest` has `before` and `after` in UTC.
 */
export function toNothing(plan: Plan, nearest: Row | null): string {
  const subject = subjectOf(plan.subject);
  const day = (value: Row[string] | undefined) =>
    typeof value === "string" ? toDate(toLocal(Date.parse(value), plan.zone)) : undefined;
  const [before, after] = [day(nearest?.["before"]), day(nearest?.["after"])];
  const labels = plan.measures.map((name) => measureLabel(subject, name));
  const counts = plan.measures.every((name) => measureOf(subject, name).unit === "count");
  const none = counts
    ? `${capital(listOf((labels.length === 0 ? [subject.noun.many] : labels).map((label) => `0 ${label}`)))} ${describeScope(plan)}.`
    : `There is no ${listOf(labels)} ${describeScope(plan)}, as there are no ${plan.filters.length === 0 ? "" : "such "}${subject.noun.many}.`;
  if (plan.period === null) return none;
  const sides = [
    ...(before === undefined ? [] : [`the last before is from ${before}`]),
    ...(after === undefined ? [] : [`the first after is from ${after}`]),
  ];
  return sides.length === 0
    ? `${none} Nor is there any such ${subject.noun.one} at another time.`
    : `${none} Of such ${subject.noun.many}, ${sides.join(" and ")}.`;
}
