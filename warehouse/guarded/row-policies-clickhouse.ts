/** The setting that has a query's key: of the kind that a server accepts without configuration. */
export const keySetting = "SQL_trunkline_key";
/** Longer than any query takes. */
const keyMinutes = 10;

/** A row policy: the rows of a table that the engine shows. */
export interface Policy {
  readonly table: string;
  readonly filter: string;
}

interface Given {
  readonly database: string;
  /** Every table with a column `org_id`, the keys' too. */
  readonly tables: readonly string[];
  readonly setting?: string;
}

export const keyTable = "guard_keys";

/**
 * The rows that a reader may read: of the keys the one that its query has, and of the other tables the rows of that
 * key's organization. Without one key for one organization nothing is read, and the query fails: no rows would be taken
 * for an answer. Names in a filter are resolved where the query runs, so each has its database. `IN`, because for `=`
 * the engine replaces the subquery by its result, in the policy that all queries share, when `merge(…)` reads the
 * table: from then on everybody was shown one organization (seen on 26.7).
 */
export function toPolicies({ database, tables, setting = keySetting }: Given): readonly Policy[] {
  const own = `key_hash = hex(SHA256(getSetting('${setting}'))) AND made_at > now() - INTERVAL ${keyMinutes} MINUTE`;
  const organization = `SELECT any(org_id) FROM ${quoted(database)}.${keyTable} WHERE ${own}
    HAVING throwIf(ifNull(uniqExact(org_id), 0) != 1, 'The key of this query opens nothing.') = 0`;
  return tables.map((table) => ({ table, filter: table === keyTable ? own : `org_id IN (${organization})` }));
}

interface Users {
  readonly database: string;
  /** The user that runs the statements and reads everything. */
  readonly owner: string;
  /** The user that the policies restrict. */
  readonly reader: string;
}

/**
 * Returns the statements that put the policies into force. The owner still reads everything, also on a server that
 * shows a table with policies only to users that one names. Each user has its own policies: those of an earlier reader
 * stay.
 */
export function toStatements(policies: readonly Policy[], { database, owner, reader }: Users): readonly string[] {
  return policies.flatMap(({ table, filter }) => {
    const at = `${quoted(database)}.${quoted(table)}`;
    return [
      `CREATE ROW POLICY OR REPLACE ${quoted(`all_for_${owner}`)} ON ${at} USING 1 TO ${quoted(owner)}`,
      `CREATE ROW POLICY OR REPLACE ${quoted(`organization_for_${reader}`)} ON ${at} USING ${filter} TO ${quoted(reader)}`,
    ];
  });
}

const quoted = (name: string): string => `\`${name.replaceAll(/[\\`]/g, "\\$&")}\``;
