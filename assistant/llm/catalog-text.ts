import { type PublicTable, publicColumns } from "../../warehouse/public-tables.ts";
import type { Column } from "../../warehouse/warehouse.ts";
import { catalog } from "../catalog/catalog.ts";
import type { Dimension, Subject } from "../catalog/field.ts";
import { alternatives, type Plan, type SubjectName } from "../plan.ts";
import { understand } from "../planner/correct-typos.ts";
import type { Meaning } from "../planner/link/lexicon.ts";
import { stem, toWords } from "../planner/words/tokenize.ts";
import type { Planning } from "../planning.ts";
import type { Seeking, Similar } from "./similar.ts";

const publicTables = Object.keys(publicColumns) as PublicTable[];

/** The part of the catalog that a question is about. */
interface Touched {
  readonly subjects: ReadonlySet<string>;
  /** True for what the question names, by its words in the catalog or by those of its definition. */
  names(named: { readonly name: string; readonly words: readonly string[]; readonly definition: string }): boolean;
}

/**
 * The catalog as a question needs it: of the kinds of records that it is about all names, with definitions of what it
 * touches; of the others only the names of their figures and groupings.
 */
export function describeCatalog(planning: Planning, candidate: Plan | undefined, near?: ReadonlySet<string>): string {
  const touched = touchedBy(planning, candidate, near);
  const isWhole = ({ name }: Subject): boolean => touched.subjects.has(name);
  return [
    ...catalog.filter(isWhole).map((subject) => describeSubject(subject, touched)),
    ...catalog.filter((subject) => !isWhole(subject)).map(describeBriefly),
    "",
    "Tables for SQL hold the organization's own rows only, their columns by type. Times are in UTC, maps are of text.",
    ...publicTables.map((table) => (touched.subjects.has(table) ? describeTable(table) : table)),
  ].join("\n");
}

function touchedBy(
  { text, previous, previousSql = "", linking }: Planning,
  candidate: Plan | undefined,
  near: ReadonlySet<string> = new Set(),
): Touched {
  const words = toWords(text);
  const { items } = understand(words, linking);
  const meanings = items.flatMap((item) => (item.kind === "meanings" ? item.meanings : []));
  const plans = [candidate, previous].filter((plan) => plan !== undefined);
  const named = new Set([...meanings.map(nameOf), ...plans.flatMap(namesIn)]);
  const unknown = items.flatMap((item) => (item.kind === "unknown" ? toWords(item.said).map((word) => word.stem) : []));
  const subjects =
    plans.length > 0 ? plans.map(({ subject }) => subject) : previousSql === "" ? likeliest(meanings) : [];
  return {
    subjects: new Set([...subjects, ...tablesIn(previousSql)]),
    names: ({ name, definition }) =>
      named.has(name) ||
      near.has(name) ||
      (unknown.length > 0 &&
        definition
          .toLowerCase()
          .split(/\W+/)
          .some((word) => unknown.includes(stem(word)))),
  };
}

const nameOf = (meaning: Meaning): string | undefined => ("name" in meaning ? meaning.name : undefined);

const namesIn = ({ measures, dimensions, columns, filters, having, portion }: Plan): readonly string[] => [
  ...measures,
  ...dimensions,
  ...columns,
  ...[...filters, ...having, ...portion].flatMap(alternatives).map(({ field }) => field),
];

/** The kinds of records that most words can be about, calls where there are none; ties are all taken. */
function likeliest(meanings: readonly Meaning[]): readonly SubjectName[] {
  const counts = new Map<SubjectName, number>();
  for (const meaning of meanings) {
    if (!("subject" in meaning)) continue;
    // A question that names the records is about them.
    counts.set(meaning.subject, (counts.get(meaning.subject) ?? 0) + (meaning.kind === "subject" ? named : 1));
  }
  const most = Math.max(0, ...counts.values());
  const found = [...counts].filter(([, count]) => count === most).map(([name]) => name);
  return found.length === 0 || found.length > mostWhole ? ["calls"] : found;
}

const named = 5;
/** A word that is of more kinds of records, such as campaign, tells nothing. */
const mostWhole = 2;

const mostNear = 6;

/** The measures and facts whose definitions are most like the question; none by spelling, which says nothing of them. */
export async function namesNear(
  text: string,
  similar: Similar | undefined,
  asking: Omit<Seeking, "count">,
): Promise<ReadonlySet<string>> {
  const defined = catalog.flatMap(({ measures, flags }) => [...measures, ...flags]);
  const near = await similar?.(text, defined, ({ words, definition }) => `${words[0]}: ${definition}`, {
    ...asking,
    count: mostNear,
  });
  return new Set(near?.map(({ name }) => name));
}

const synonyms = 4;

function describeSubject(subject: Subject, touched: Touched): string {
  const { name, noun, time, measures, dimensions, flags, quantities, listing, tags, defaultMeasure } = subject;
  const defined = (each: Subject["measures"][number] | Subject["flags"][number], unit: string): string => {
    if (!touched.names(each) && each.name !== defaultMeasure) return `${each.name}${unit}`;
    return `${each.name}${unit} [${each.words.slice(0, synonyms).join(", ")}: ${each.definition}]`;
  };
  return [
    `Subject ${name}: ${noun.many}, by ${time}.`,
    `  measures: ${measures.map((each) => defined(each, each.unit === "count" ? "" : ` (${each.unit})`)).join(", ")}`,
    `  dimensions: ${dimensions.map((each) => describeDimension(each, touched)).join(", ")}${tags === undefined ? "" : ", tag:<key>"}`,
    `  flags: ${flags.map((each) => defined(each, "")).join(", ")}`,
    `  quantities: ${quantities.map((each) => `${each.name} (${each.unit})`).join(", ")}`,
    `  listing: ${listing.join(", ")}`,
  ].join("\n");
}

/** A closed list that is longer is told only where it is touched. */
const fewValues = 4;

function describeDimension(dimension: Dimension, touched: Touched): string {
  const { name, values = [] } = dimension;
  const isTold = values.length > 0 && (values.length <= fewValues || touched.names(dimension));
  return isTold ? `${name} (${values.map(({ value }) => value).join(" | ")})` : name;
}

const describeBriefly = ({ name, noun, measures, dimensions }: Subject): string =>
  `Subject ${name}: ${noun.many}. measures: ${measures.map((each) => each.name).join(", ")}. dimensions: ${dimensions.map((each) => each.name).join(", ")}.`;

export const tablesIn = (sql: string): readonly PublicTable[] =>
  publicTables.filter((table) => new RegExp(`\\b${table}\\b`, "i").test(sql));

/** The columns of the tables that SQL names, for its correction. */
export const columnsOf = (sql: string): string => tablesIn(sql).map(describeTable).join("; ");

/** The columns that are no text: a name has the same type in every table. */
const typed: Readonly<Record<Exclude<Column["type"], "text">, string>> = {
  time: "started_at connected_at ended_at converted_at created_at updated_at occurred_at next_attempt_at",
  integer: `version duration ivr_duration connect_duration attempts attempt response_status_code response_time_ms dns_ms
    connect_ms first_byte_ms total_routes allocated_count steps_count`,
  number: `revenue payout profit configured_revenue configured_payout best_payout processing_ms bid effective_bid score
    total_ms`,
  boolean: "revenue_overridden payable receivable converted is_duplicate repeat_caller won",
  map: "tags headers response_headers params",
  json: "changes",
};

const types: ReadonlyMap<string, string> = new Map(
  Object.entries(typed).flatMap(([type, names]) => names.split(/\s+/).map((name) => [name, type] as const)),
);
export const typeOfColumn = (name: string): string => types.get(name) ?? "text";

/** "calls(text: call_id, campaign_name; time: started_at)". */
function describeTable(table: PublicTable): string {
  const groups = new Map<string, string[]>();
  for (const name of publicColumns[table]) {
    const type = typeOfColumn(name);
    groups.set(type, [...(groups.get(type) ?? []), name]);
  }
  return `${table}(${[...groups].map(([type, names]) => `${type}: ${names.join(", ")}`).join("; ")})`;
}
