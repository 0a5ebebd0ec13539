import {
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseLogLevel,
  createClient,
} from "@clickhouse/client";
import { type Migration, migrate, readMigrations } from "./migrate.ts";

/** The address and credentials of ClickHouse, as its client takes them. */
export type ClickhouseOptions = Pick<ClickHouseClientConfigOptions, "url" | "username" | "password" | "database">;

const requestTimeoutMs = 60_000;
/** Connections at most; further requests wait for a free one. */
const maxConnections = 32;

/** A client of a database, connected to nothing yet. */
export const createClickhouse = (options: ClickhouseOptions): ClickHouseClient =>
  createClient({
    ...options,
    application: "trunkline",
    request_timeout: requestTimeoutMs,
    max_open_connections: maxConnections,
    // In every statement, as standard SQL has it, a column's name means the column and not an alias of the same name.
    clickhouse_settings: { prefer_column_name_to_alias: 1 },
    // Many values make an address that what stands between may refuse: from 4 KiB on they go in the body.
    use_multipart_params_auto: true,
    // Errors are thrown, and logged by callers that know the purpose.
    log: { level: ClickHouseLogLevel.OFF },
  });

/**
 * Makes the client's database where it is missing, and brings the store's schema in it up to date. No statement of a
 * migration may harm when it runs twice: the engine has no transaction around them, nor a lock against a second process.
 */
export async function prepareClickhouse(client: ClickHouseClient, store: string, options: ClickhouseOptions) {
  if (options.database !== undefined) await createDatabase(options, options.database);
  await migrate(clickhouseTarget(client), readMigrations(store, "clickhouse"));
}

/** On a client of its own: a request that names a database which is missing is refused. */
async function createDatabase({ database: _, ...options }: ClickhouseOptions, name: string): Promise<void> {
  const client = createClickhouse(options);
  try {
    const known = await client.query({
      query: "SELECT 1 FROM system.databases WHERE name = {name:String}",
      query_params: { name },
      format: "JSONCompactEachRow",
    });
    if ((await known.text()) !== "") return;
    await client.command({ query: "CREATE DATABASE IF NOT EXISTS {name:Identifier}", query_params: { name } });
  } finally {
    await client.close();
  }
}

const clickhouseTarget = (client: ClickHouseClient) => ({
  async applied() {
    await client.command({
      query: `CREATE TABLE IF NOT EXISTS schema_migrations
        (version UInt32, name String, checksum String, applied_at DateTime64(3, 'UTC'))
        ENGINE = ReplacingMergeTree ORDER BY version`,
    });
    const found = await client.query({
      query: "SELECT version, checksum FROM schema_migrations FINAL",
      format: "JSONEachRow",
    });
    return found.json<{ version: number; checksum: string }>();
  },
  async apply({ version, name, sql, checksum }: Migration) {
    for (const query of statementsOf(sql)) await client.command({ query });
    await client.command({
      query: "INSERT INTO schema_migrations SELECT {version:UInt32}, {name:String}, {checksum:String}, now64(3, 'UTC')",
      query_params: { version, name, checksum },
    });
  },
});

/** The engine takes one statement at a time; in a migration each ends with a semicolon at the end of a line. */
const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/^--.*$/gm, "")
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
