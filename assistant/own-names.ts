import type { Clock } from "../ingest/clock.ts";
import { join, raw, type Statement, sql, text } from "../warehouse/statement.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { catalog } from "./catalog/catalog.ts";
import type { Dialect } from "./compile/dialect.ts";
import type { Lexicon } from "./planner/lexicon.ts";
import { createNames, type Names, type OwnName, tagField } from "./planner/names.ts";

const keepMs = 60_000;
const mostNames = 10_000;
const mostOrganizations = 500;

/** Every name that the organization's data bears: one column says which dimension, the other the name. */
export function ownNamesStatement(orgId: string, dialect: Dialect): Statement {
  const org = text(orgId);
  const selects = catalog.flatMap((subject) => [
    ...subject.dimensions
      .filter(({ own }) => own === true)
      .map(
        ({ name, column }) =>
          sql`SELECT ${text(name)} AS field, ${raw(column)} AS value FROM ${raw(subject.name)} WHERE org_id = ${org} AND ${raw(column)} IS NOT NULL`,
      ),
    ...(subject.tags === undefined
      ? []
      : [
          sql`SELECT ${text(tagField)} AS field, ${dialect.tagKeys(raw(subject.tags))} AS value FROM ${raw(subject.name)} WHERE org_id = ${org}`,
        ]),
  ]);
  // UNION without ALL: each name once.
  return sql`${join(selects, "\nUNION\n")}
ORDER BY 1, 2`;
}

/** The organization's names, read once a minute at most. */
export function createOwnNames(given: {
  readonly warehouse: Pick<Warehouse, "query">;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly lexicon: Lexicon;
}): (orgId: string, signal?: AbortSignal) => Promise<Names> {
  const { warehouse, clock, dialect, lexicon } = given;
  const cache = new Map<string, { readonly until: number; readonly names: Names }>();
  return async (orgId, signal) => {
    const known = cache.get(orgId);
    if (known !== undefined && clock.now() < known.until) return known.names;
    const options = { maxRows: mostNames, ...(signal === undefined ? {} : { signal }) };
    const { rows } = await warehouse.query(ownNamesStatement(orgId, dialect), options);
    const own = rows.map(({ field, value }): OwnName => ({ field: String(field), value: String(value) }));
    const names = createNames(own, lexicon);
    cache.delete(orgId);
    cache.set(orgId, { until: clock.now() + keepMs, names });
    const [oldest] = cache.keys();
    if (cache.size > mostOrganizations && oldest !== undefined) cache.delete(oldest);
    return names;
  };
}
