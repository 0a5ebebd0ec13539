import type { Clock } from "../ingest/clock.ts";
import { integer, join, raw, type Statement, sql, text } from "../warehouse/statement.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { catalog } from "./catalog/catalog.ts";
import type { Dialect } from "./compile/dialect.ts";
import type { Lexicon } from "./planner/link/lexicon.ts";
import { createNameIndex, type NameIndex, type Names, type OwnName, tagField } from "./planner/link/name-index.ts";

/** Until then names are new enough; from then on they are read again behind the questions that still use them. */
const keepMs = 60_000;
/** Names that were not asked for in so long are waited for: a million calls with tags take seconds to read. */
const mostAgeMs = 15 * 60_000;
const mostNames = 10_000;
const mostOrganizations = 500;
const mostPairLetters = 120;

/**
 * Every name that the organization's data bears: one column says which dimension, the other the name. The most used
 * name of each dimension comes first, then the second of each, so that a cut takes from the dimensions with most names.
 */
export function ownNamesStatement(orgId: string, dialect: Dialect): Statement {
  const org = text(orgId);
  const selects = catalog.flatMap((subject) => {
    const own = subject.dimensions.filter((dimension) => dimension.own === true);
    const from = (column: Statement) => sql`SELECT ${column} AS value FROM ${raw(subject.name)} WHERE org_id = ${org}`;
    const sources = [
      ...own.map(({ name, column }) => ({ name, values: from(raw(column)) })),
      ...(subject.tags === undefined ? [] : [{ name: tagField, values: from(dialect.tagKeys(raw(subject.tags))) }]),
    ];
    const named = sources.map(
      ({ name, values }) =>
        sql`SELECT ${text(name)} AS field, value, count(*) AS uses FROM (${values}) AS one WHERE value IS NOT NULL GROUP BY value`,
    );
    return [...named, ...(subject.tags === undefined ? [] : [tagValues(subject.name, raw(subject.tags))])];
  });
  // What a tag bears once only is no name that one would ask for, such as the id of a click.
  function tagValues(table: string, tags: Statement): Statement {
    const pairs = sql`SELECT ${dialect.tagPairs(tags)} AS pair FROM ${raw(table)} WHERE org_id = ${org}`;
    return sql`SELECT concat('tag:', substr(pair, 1, position('=' IN pair) - 1)) AS field, substr(pair, position('=' IN pair) + 1) AS value, count(*) AS uses
FROM (${pairs}) AS one WHERE length(pair) <= ${integer(mostPairLetters)} GROUP BY pair HAVING count(*) > 1`;
  }
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

interface Kept {
  readonly readAt: number;
  readonly index: NameIndex;
  readonly names: Names;
}

/**
 * The organization's names, read once a minute at most, and once for all who ask meanwhile. Only the first question, or
 * one after a long pause, waits for them and rejects when they cannot be read.
 */
export function createNameLoader(given: {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly lexicon: Lexicon;
}): (orgId: string) => Promise<Names> {
  const { warehouse, clock, dialect, lexicon } = given;
  const cache = new Map<string, Kept>();
  const loading = new Map<string, Promise<Names>>();

  // Not aborted with the question that began it: others may wait for the same names.
  async function load(orgId: string): Promise<Names> {
    const { rows, truncated } = await warehouse.query(ownNamesStatement(orgId, dialect), { maxRows: mostNames });
    const own = rows.map(({ field, value }): OwnName => ({ field: String(field), value: String(value) }));
    const known = cache.get(orgId)?.index;
    // Names that the data no longer bears are forgotten when there are as many of them as of the others.
    const index = known === undefined || known.size > 2 * mostNames ? createNameIndex(lexicon) : known;
    index.learn(own);
    const names = index.names(!truncated);
    cache.delete(orgId);
    cache.set(orgId, { readAt: clock.now(), index, names });
    const [oldest] = cache.keys();
    if (cache.size > mostOrganizations && oldest !== undefined) cache.delete(oldest);
    return names;
  }

  return (orgId) => {
    const known = cache.get(orgId);
    const ageMs = known === undefined ? mostAgeMs : clock.now() - known.readAt;
    if (known !== undefined && ageMs < keepMs) return Promise.resolve(known.names);
    const begun = loading.get(orgId) ?? load(orgId).finally(() => loading.delete(orgId));
    loading.set(orgId, begun);
    if (known === undefined || ageMs >= mostAgeMs) return begun;
    // The names at hand answer; whoever asks next tries again.
    begun.catch(() => undefined);
    return Promise.resolve(known.names);
  };
}
