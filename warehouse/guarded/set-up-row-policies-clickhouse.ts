import { createHash, randomBytes } from "node:crypto";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { toStoringError } from "../clickhouse/errors.ts";
import { publicColumns } from "../public-tables.ts";
import { storedIn } from "../tables.ts";
import { WarehouseError } from "../warehouse.ts";
import { keySetting, keyTable, toPolicies, toStatements } from "./row-policies-clickhouse.ts";

export interface RowPolicyOptions {
  /** The user that owns the tables and reads all of them. */
  readonly owner: ClickHouseClient;
  /** The user that runs analysts' SQL. */
  readonly reader: ClickHouseClient;
  readonly user: string;
  readonly database: string;
  readonly setting?: string;
  /** Receives an error if the engine shows the reader every organization's rows. */
  onTrouble?(error: unknown): void;
}

/** Returns the settings that open an organization's rows to one query. */
export type Keys = (orgId: string) => Promise<ClickHouseSettings>;

/**
 * Makes the engine itself separate organizations: row policies for the user that runs analysts' SQL. If they cannot be
 * created for lack of a grant, and do not exist, an error is reported and only the other layers remain. The check is
 * the engine's behaviour, whoever made the policies: each table must refuse a reader without a key.
 */
export async function setUpRowPolicies(options: RowPolicyOptions): Promise<Keys> {
  const missing = await createPolicies(options);
  const { open, closed } = await probe(options, missing === undefined);
  if (open.length > 0) {
    const sentence = `ClickHouse shows ${options.user} the rows of every organization in ${open.join(", ")}: only the guard keeps SQL of others to one. Grant the platform's user CREATE ROW POLICY.`;
    options.onTrouble?.(new Error(sentence, { cause: missing }));
  }
  return closed.length > 0 ? createKeys(options) : () => Promise.resolve({});
}

const accessDenied = "497";
const noPlace = "514";

/** Returns why not, where this user or this server cannot. */
async function createPolicies({ owner, user, database, setting = keySetting }: RowPolicyOptions): Promise<unknown> {
  const found = await owner.query({
    query: `SELECT currentUser() AS name, groupUniqArray(c.table) AS tables FROM system.columns AS c
      INNER JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
      WHERE c.database = {database:String} AND c.name = 'org_id' AND endsWith(t.engine, 'MergeTree')`,
    query_params: { database },
    format: "JSONEachRow",
  });
  const [known] = await found.json<{ name: string; tables: string[] }>();
  if (known === undefined || known.name === user) {
    throw new WarehouseError("unavailable", "CLICKHOUSE_GUARD_USERNAME must be another user than the platform's own.");
  }
  const policies = toPolicies({ database, tables: known.tables, setting });
  try {
    for (const query of toStatements(policies, { database, owner: known.name, reader: user })) {
      await owner.command({ query });
    }
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === accessDenied || code === noPlace) return error;
    throw error;
  }
}

/** A custom setting that is not set, and what a policy throws. */
const refusals: ReadonlySet<unknown> = new Set(["115", "395"]);

/**
 * Finds which tables a reader without a key can read. A table without rows shows nothing: then the result is `isMade`.
 */
async function probe({ reader, database }: RowPolicyOptions, isMade: boolean) {
  const tables: { open: string[]; closed: string[] } = { open: [], closed: [] };
  for (const table of Object.keys(publicColumns).flatMap((name) => [name, storedIn(name)])) {
    try {
      const query = "SELECT count() > 0 FROM (SELECT 1 FROM {database:Identifier}.{table:Identifier} LIMIT 1)";
      const found = await reader.query({ query, query_params: { database, table }, format: "JSONCompactEachRow" });
      const [[hasRow] = [0]] = await found.json<readonly [number]>();
      (hasRow === 1 || !isMade ? tables.open : tables.closed).push(table);
    } catch (error) {
      if (codeOf(error) === accessDenied) throw new WarehouseError("unavailable", mayNot(table), { cause: error });
      if (!refusals.has(codeOf(error))) throw error;
      tables.closed.push(table);
    }
  }
  return tables;
}

/** A view runs with the rights of its reader, so the table behind it may be the one that cannot be read. */
const mayNot = (table: string) =>
  `CLICKHOUSE_GUARD_USERNAME may not read ${table}: grant it SELECT on that table and on retention.`;

/** Creates a key for each query: it is secret, and the engine knows only its hash. */
const createKeys =
  ({ owner, setting = keySetting }: RowPolicyOptions): Keys =>
  async (orgId) => {
    const key = randomBytes(32).toString("hex");
    const key_hash = createHash("sha256").update(key).digest("hex").toUpperCase();
    const values = [{ key_hash, org_id: orgId }];
    await owner.insert({ table: keyTable, values, format: "JSONEachRow" }).catch((error: unknown) => {
      throw toStoringError(error);
    });
    return { [setting]: key };
  };

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
