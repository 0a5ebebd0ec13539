import { integer, join, raw, type Statement, sql, text } from "../../warehouse/statement.ts";
import { catalog } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import type { Dialect } from "../compile/dialect.ts";
import { apartField, tagField } from "../planner/link/name-index.ts";

/**
 * The rows whose tags are read: for a million calls, all of them take 0.6 s of a core in DuckDB, the latest 20,000 with
 * the search for their beginning 70 ms. The names in columns take 110 ms and are always read from every row.
 */
export type TagReach = "all" | "latest";
const latestRows = 20_000;

const mostPairLetters = 120;

/**
 * A SELECT of every name in the organization's data, with its dimension. The most used
 * name of each dimension comes first, then the second of each, so that a limit cuts the dimensions with most names.
 */
export function ownNamesStatement(orgId: string, dialect: Dialect, reach: TagReach): Statement {
  const selects = catalog.flatMap((subject) => [
    ...columnNames(subject, orgId, dialect),
    ...(subject.tags === undefined ? [] : tagNames(subject, orgId, { dialect, reach, tags: raw(subject.tags) })),
  ]);
  return sql`SELECT field, value
FROM (
  SELECT field, value, row_number() OVER (PARTITION BY field ORDER BY uses DESC, value) AS place
  FROM (
    SELECT field, value, sum(uses) AS uses
    FROM (
${join(selects, "\nUNION ALL\n")}
    ) AS seen
    GROUP BY field, value
  ) AS counted
) AS ranked
ORDER BY place, field`;
}

/** A SELECT of the tag keys of an organization's latest rows, the most used first. */
export function tagKeysStatement({ orgId, subject, dialect, contains, limit }: TagKeysAsked): Statement | null {
  if (subject.tags === undefined) return null;
  const tagged: Tagged = { dialect, reach: "latest", tags: raw(subject.tags) };
  const sought = contains === "" ? raw("") : sql` WHERE ${dialect.contains(raw("value"), contains)}`;
  return sql`SELECT value AS tag FROM (${keyNames(subject, orgId, tagged)}) AS counted${sought} ORDER BY uses DESC, value LIMIT ${integer(limit)}`;
}

interface TagKeysAsked {
  readonly orgId: string;
  readonly subject: Subject;
  readonly dialect: Dialect;
  /** A part of the keys, regardless of case; empty for all. */
  readonly contains: string;
  readonly limit: number;
}

const columnNames = (subject: Subject, orgId: string, dialect: Dialect): readonly Statement[] =>
  subject.dimensions
    .filter(({ own }) => own === true)
    .map(({ name, column, apart, ownWhere }) => {
      const rows = rowsOf(subject, orgId, dialect);
      const values = sql`SELECT ${raw(column)} AS value FROM ${rows}${raw(ownWhere === undefined ? "" : ` AND ${ownWhere}`)}`;
      return named(apart ? apartField(subject.name, name) : name, values);
    });

const named = (field: string, values: Statement): Statement =>
  sql`SELECT ${text(field)} AS field, value, count(*) AS uses FROM (${values}) AS one WHERE value IS NOT NULL GROUP BY value`;

const rowsOf = ({ name }: Subject, orgId: string, dialect: Dialect): Statement =>
  sql`${dialect.anyVersions(name)} WHERE org_id = ${text(orgId)}`;

interface Tagged {
  readonly dialect: Dialect;
  readonly reach: TagReach;
  readonly tags: Statement;
}

/** Keys, and pairs of a key and a value; values that occur only once, such as ids of clicks, are left out. */
function tagNames(subject: Subject, orgId: string, tagged: Tagged): readonly Statement[] {
  const pairs = sql`SELECT ${tagged.dialect.tagPairs(tagged.tags)} AS pair FROM ${taggedRows(subject, orgId, tagged)}`;
  return [
    keyNames(subject, orgId, tagged),
    sql`SELECT concat('tag:', substr(pair, 1, position('=' IN pair) - 1)) AS field, substr(pair, position('=' IN pair) + 1) AS value, count(*) AS uses
FROM (${pairs}) AS one WHERE length(pair) <= ${integer(mostPairLetters)} GROUP BY pair HAVING count(*) > 1`,
  ];
}

const keyNames = (subject: Subject, orgId: string, tagged: Tagged): Statement =>
  named(
    tagField,
    sql`SELECT ${tagged.dialect.tagKeys(tagged.tags)} AS value FROM ${taggedRows(subject, orgId, tagged)}`,
  );

function taggedRows(subject: Subject, orgId: string, { dialect, reach }: Tagged): Statement {
  const all = rowsOf(subject, orgId, dialect);
  return reach === "all" ? all : sql`${all} AND ${raw(subject.time)} >= ${latestFrom(all, raw(subject.time))}`;
}

/** Limits by time rather than by a sort of the rows, which would include their tags. */
const latestFrom = (rows: Statement, time: Statement): Statement =>
  sql`(
  SELECT min(moment) FROM (SELECT ${time} AS moment FROM ${rows} ORDER BY ${time} DESC LIMIT ${integer(latestRows)}) AS latest)`;
