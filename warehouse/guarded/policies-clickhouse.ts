/** The setting that a query's key is in: of the kind that a server knows without being told of it. */
export const keySetting = "SQL_trunkline_key";
/** Longer than any query takes. */
const keyMinutes = 10;

/** Which rows of a table the engine shows. */
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
 * What a reader is shown: of the keys the one that its query bears, and of all else the rows of the organization that
 * this key is for. Without one key for one organization nothing is read, and the query fails: no rows would pass for an
 * answer. A name in a filter is looked up where the query runs, so each stands with its database.
 *
 * `IN`, for of `=` the engine puts what its SELECT has found in the place of it, in the policy that all queries share, when
 * `merge(…)` reads the table: from then on everybody was shown one organization (seen on 26.7).
 */
export function toPolicies({ database, tables, setting = keySetting }: Given): readonly Policy[] {
  const own = `key_hash = hex(SHA256(getSetting('${setting}'))) AND made_at > now() - INTERVAL ${keyMinutes} MINUTE`;
  const organization = `SELECT any(org_id) FROM ${quoted(database)}.${keyTable} WHERE ${own}
    HAVING throwIf(ifNull(uniqExact(org_id), 0) != 1, 'The key of this query opens nothing.') = 0`;
  return tables.map((table) => ({ table, filter: table === keyTable ? own : `org_id IN (${organization})` }));
}

interface Users {
  readonly database: string;
  /** Who runs the statements, and reads everything. */
  readonly owner: string;
  /** Whom the policies are for. */
  readonly reader: string;
}

/**
 * The statements that put them into force. The owner goes on to read everything, on a server too that shows a table with
 * policies to nobody but whom one names. Each user has policies of its own: those of a reader that was, hold on.
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
