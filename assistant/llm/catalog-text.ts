import { publicColumns } from "../../warehouse/public-tables.ts";
import { catalog } from "../catalog/catalog.ts";
import type { Dimension, Subject } from "../catalog/field.ts";
import type { Plan, SubjectName } from "../plan.ts";
import { understand } from "../planner/correct-typos.ts";
import type { Meaning } from "../planner/link/lexicon.ts";
import { stem, toWords } from "../planner/words/tokenize.ts";
import type { Planning } from "../planning.ts";

/** What of the catalog a question is about. */
interface Touched {
  readonly subjects: ReadonlySet<string>;
  /** True for what the question names, by its words in the catalog or by those of its definition. */
  names(named: { readonly name: string; readonly words: readonly string[]; readonly definition: string }): boolean;
}

/**
 * The catalog as a question needs it: of the kinds of records that it is about all names, with definitions of what it
 * touches; of the others only the names of their figures and groupings.
 */
export function describeCatalog(planning: Planning, candidate: Plan | undefined): string {
  const touched = touchedBy(planning, candidate);
  const isWhole = ({ name }: Subject): boolean => touched.subjects.has(name);
  return [
    ...catalog.filter(isWhole).map((subject) => describeSubject(subject, touched)),
    ...catalog.filter((subject) => !isWhole(subject)).map(describeBriefly),
    "",
    "Tables for SQL hold the organization's own rows only. Columns that end in _at are times in UTC, is_* and converted, payable, receivable are booleans, tags are a map of text.",
    ...Object.entries(publicColumns).map(([table, columns]) =>
      touched.subjects.has(table) ? `${table}(${columns.join(", ")})` : table,
    ),
  ].join("\n");
}

function touchedBy({ text, previous, previousSql = "", linking }: Planning, candidate: Plan | undefined): Touched {
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
  ...[...filters, ...having, ...portion].map(({ field }) => field),
];

/** The kinds of records that most words can be about, calls where there are none; ties are all taken. */
function likeliest(meanings: readonly Meaning[]): readonly SubjectName[] {
  const counts = new Map<SubjectName, number>();
  for (const meaning of meanings) {
    if (!("subject" in meaning)) continue;
    // Who names the records means them.
    counts.set(meaning.subject, (counts.get(meaning.subject) ?? 0) + (meaning.kind === "subject" ? named : 1));
  }
  const most = Math.max(0, ...counts.values());
  const found = [...counts].filter(([, count]) => count === most).map(([name]) => name);
  return found.length === 0 || found.length > mostWhole ? ["calls"] : found;
}

const named = 5;
/** A word that is of more kinds of records, such as campaign, tells nothing. */
const mostWhole = 2;

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

const tablesIn = (sql: string): readonly string[] =>
  Object.keys(publicColumns).filter((table) => new RegExp(`\\b${table}\\b`, "i").test(sql));

/** The columns of the tables that SQL names, for its correction. */
export const columnsOf = (sql: string): string =>
  Object.entries(publicColumns)
    .filter(([table]) => tablesIn(sql).includes(table))
    .map(([table, columns]) => `${table}(${columns.join(", ")})`)
    .join("; ");
