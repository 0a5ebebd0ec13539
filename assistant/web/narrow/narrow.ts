import { dayMs, toInstant } from "../../../ingest/time-zone.ts";
import { toSay } from "../../chart/bucket-labels.ts";
import { isGrain } from "../../grains.ts";
import { type EditablePlan, type PlanFilter, subjectIn } from "../chips/edit-plan.ts";
import { formatCell, toLabel } from "../format.ts";
import type { Catalog, CatalogSubject, Cell, Column, Data, Row } from "../wire.ts";

/** A question that leads on from a row of an answer: its label, and the plan to ask by. */
export type Narrowing = { readonly label: string; readonly plan: EditablePlan };

// The server's own limits.
const maxFilters = 20;
const maxValueLength = 1024;
const maxListed = 100;
/** Groupings that are offered for the records of a row. */
const mostOffered = 5;

const hourMs = 3_600_000;
/** The next finer unit of time of each that follows one another. */
const finer: Readonly<Record<string, string | null>> = {
  year: "month",
  quarter: "month",
  month: "day",
  week: "day",
  day: "hour",
  hour: null,
};
const isRunning = (grain: string | null): grain is string => grain !== null && grain in finer;

/** The answer's column of a dimension. */
const columnOf = (dimension: string): string => dimension.replace(/^tag:/, "tag_");

/** The columns of an answer that say what its rows are about. */
export const groupColumns = ({ dimensions, grain }: Pick<EditablePlan, "dimensions" | "grain">): readonly string[] => [
  ...(grain === null ? [] : [grain]),
  ...dimensions.map(columnOf),
];

/** The labels of the groups of a yes-or-no field. */
const flagValues: Readonly<Record<string, boolean>> = { yes: true, no: false };

/** The condition that the records of a group meet; null where a plan cannot say it. */
const conditionOf = (field: string, value: Cell, { flags }: Pick<CatalogSubject, "flags">): PlanFilter | null => {
  if (field.startsWith("bin:")) return null;
  if (flags.some(({ name }) => name === field)) {
    const flag = flagValues[String(value)];
    return flag === undefined ? null : { field, op: "is", values: [flag] };
  }
  if (value === null || value === "") return { field, op: "empty", values: [] };
  if (typeof value === "string" && value.length > maxValueLength) return null;
  return { field, op: "is", values: [value] };
};

/** The wall-clock beginning and end of a bucket, by its label; null for another text. */
const bucketOf = (grain: string, label: string): readonly [number, number] | null => {
  const [, year = "", quarter, month, day, hour] =
    /^(\d{4})(?:-Q([1-4])|-(\d\d)(?:-(\d\d)(?: (\d\d):00)?)?)?$/.exec(label) ?? [];
  if (year === "") return null;
  const at = (months: number, days = 1): number => Date.UTC(Number(year), months, days);
  const date = at(Number(month ?? 1) - 1, Number(day ?? 1));
  switch (grain) {
    case "year":
      return [at(0), at(12)];
    case "quarter":
      return quarter === undefined ? null : [at(Number(quarter) * 3 - 3), at(Number(quarter) * 3)];
    case "month":
      return month === undefined ? null : [date, at(Number(month))];
    case "week":
      return day === undefined ? null : [date, date + 7 * dayMs];
    case "day":
      return day === undefined ? null : [date, date + dayMs];
    case "hour":
      return hour === undefined ? null : [date + Number(hour) * hourMs, date + (Number(hour) + 1) * hourMs];
    default:
      return null;
  }
};

const dayWords = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const monthWords = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** A bucket as a period is named: "October 2026", "Oct 5 – 11, 2026". */
const bucketWords = (grain: string, label: string, [from, to]: readonly [number, number]): string => {
  if (grain === "month") return monthWords.format(from);
  if (grain === "week") return dayWords.formatRange(from, to - dayMs).replaceAll("\u2009", " ");
  if (grain === "quarter") return label.replace(/^(\d+)-(Q\d)$/, "$2 $1");
  if (grain === "year") return label;
  return grain === "hour" ? `${dayWords.format(from)}, ${label.slice(-5)}` : dayWords.format(from);
};

/** The part of the plan's period that is in the bucket; null where that is nothing, or the label names no bucket. */
const periodIn = (plan: EditablePlan, grain: string, label: string): EditablePlan["period"] => {
  const bucket = bucketOf(grain, label);
  const zone = plan["zone"];
  if (bucket === null || typeof zone !== "string") return null;
  const [start, end] = [toInstant(bucket[0], zone), toInstant(bucket[1], zone)];
  const given = plan.period;
  const from = typeof given?.["from"] === "string" ? Math.max(Date.parse(given["from"]), start) : start;
  const to = typeof given?.["to"] === "string" ? Math.min(Date.parse(given["to"]), end) : end;
  if (!(from < to)) return null;
  const words = bucketWords(grain, label, bucket);
  // A bucket that the period cuts is not all of that day or month.
  const isWhole = from === start && to === end;
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    label: isWhole || given == null ? words : `${words}, of ${given.label}`.slice(0, 120),
  };
};

/**
 * The plan of a row's records alone, without groups; null where no plan says exactly that: for rows that are records, figures
 * over groups, steps of a number, and buckets of two periods that are compared.
 */
export const planOfRow = (plan: EditablePlan, row: Row, catalog: Catalog): EditablePlan | null => {
  const { grain, dimensions, compare } = plan;
  const subject = subjectIn(catalog, plan);
  if (subject === undefined) return null;
  if (plan.columns.length > 0 || plan.over_groups.length > 0 || groupColumns(plan).length === 0) return null;
  const conditions: PlanFilter[] = [];
  for (const name of dimensions) {
    const condition = conditionOf(name, row[columnOf(name)] ?? null, subject);
    if (condition === null) return null;
    conditions.push(condition);
  }
  let period = plan.period;
  if (isRunning(grain)) {
    if (compare !== null) return null;
    period = periodIn(plan, grain, String(row[grain] ?? ""));
    if (period === null) return null;
  } else if (grain !== null) {
    const condition = conditionOf(grain, row[grain] ?? null, subject);
    if (condition === null) return null;
    conditions.push(condition);
  }
  const filters = [...plan.filters, ...conditions];
  if (filters.length > maxFilters) return null;
  return {
    ...plan,
    filters,
    period,
    dimensions: [],
    grain: null,
    having: [],
    order: null,
    limit: null,
    limit_per: null,
    share: false,
    running: null,
    running_over: null,
    average_per: null,
    chart: null,
  };
};

const spanDays = ({ period }: EditablePlan): number =>
  typeof period?.["from"] === "string" && typeof period["to"] === "string"
    ? (Date.parse(period["to"]) - Date.parse(period["from"])) / dayMs
    : Number.POSITIVE_INFINITY;

/** A unit of time that gives a readable number of buckets. */
const unitFor = (days: number): string => (days <= 2 ? "hour" : days <= 92 ? "day" : days <= 366 ? "week" : "month");

const listOf = (plan: EditablePlan, { listing }: CatalogSubject): EditablePlan => ({
  ...plan,
  measures: [],
  columns: [...listing],
  compare: null,
  portion: [],
  limit: maxListed,
});

/** Questions that lead on from a row: its records over time, by other names, and one by one. */
export const narrowingsOf = (plan: EditablePlan, row: Row, catalog: Catalog): readonly Narrowing[] => {
  const subject = subjectIn(catalog, plan);
  const only = planOfRow(plan, row, catalog);
  if (subject === undefined || only === null) return [];
  const unit = isRunning(plan.grain) ? (finer[plan.grain] ?? null) : unitFor(spanDays(plan));
  const unitLabel = catalog.grains.find(({ name }) => name === unit)?.label;
  const settled = new Set(
    only.filters.filter(({ op, or }) => op === "is" && or === undefined).map(({ field }) => field),
  );
  const isOther = (name: string): boolean => !settled.has(name) && !plan.dimensions.includes(name);
  // Grouping by an id would give every record a group of its own.
  const others = subject.dimensions.filter(({ name, label }) => isOther(name) && !/\bid$/.test(label));
  return [
    ...(unit !== null && unitLabel !== undefined && only.compare === null
      ? [{ label: `By ${unitLabel}`, plan: { ...only, grain: unit } }]
      : []),
    ...others
      .slice(0, mostOffered)
      .map(({ name, label }): Narrowing => ({ label: `By ${label}`, plan: { ...only, dimensions: [name] } })),
    ...(subject.listing.length > 0 ? [{ label: `List the ${subject.label}`, plan: listOf(only, subject) }] : []),
  ];
};

/** Returns a row's groups in words: "October 2026, Solar East". */
export const rowTitle = (
  plan: EditablePlan,
  row: Row,
  { columns, zone }: { columns: readonly Column[]; zone: string },
) =>
  groupColumns(plan)
    .map((name) => {
      const column = columns.find((each) => each.name === name);
      const value = row[name] ?? null;
      const bucket = isRunning(plan.grain) && name === plan.grain ? bucketOf(name, String(value)) : null;
      if (bucket !== null) return bucketWords(name, String(value), bucket);
      if (value === null || column === undefined) return `No ${toLabel(name).toLowerCase()}`;
      return formatCell(value, column, zone);
    })
    .join(", ");

/** A chart has buckets as times, as their labels, or as it says these. */
const isSame = (drawn: unknown, cell: Cell, say: (label: string) => string): boolean => {
  if (drawn instanceof Date) return drawn.getTime() === Date.parse(String(cell));
  const text = String(drawn ?? null);
  return text === String(cell) || (cell !== null && text === say(String(cell)));
};

/** Returns the chart's labels of a column's cells: short ones for units of time. */
const sayingIn = ({ grain }: EditablePlan, name: string, rows: readonly Row[]): ((label: string) => string) =>
  grain === name && isGrain(grain)
    ? toSay(
        grain,
        rows.map((row) => String(row[name] ?? "")),
      )
    : (label) => label;

/** The row that a drawn mark stands for, by the columns of its groups; null where it stands for none or for several. */
export const rowOfMark = (datum: unknown, plan: EditablePlan, { rows }: Pick<Data, "rows">): Row | null => {
  if (typeof datum !== "object" || datum === null) return null;
  const drawn = datum as Readonly<Record<string, unknown>>;
  const names = groupColumns(plan);
  if (!names.every((name) => name in drawn)) return null;
  const columns = names.map((name) => ({ name, say: sayingIn(plan, name, rows) }));
  const found = rows.filter((row) => columns.every(({ name, say }) => isSame(drawn[name], row[name] ?? null, say)));
  return found.length === 1 ? (found[0] ?? null) : null;
};
