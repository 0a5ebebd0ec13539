import { Client, type ClientConfig, Pool } from "pg";
import { type Migration, migrate, readMigrations } from "./migrate.ts";

export interface PostgresOptions {
  readonly url: string;
  /** Connections of the pool at most; one more listens. */
  readonly poolSize?: number;
  readonly connectTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
}

export interface Postgres {
  readonly pool: Pool;
  /** A connection of its own, open, that the caller ends. */
  connect(): Promise<Client>;
}

/** A transaction may wait this long for what is not the database, then the server ends it and frees its locks. */
const idleInTransactionMs = 30_000;
/** An answer that is this late after the server's own deadline never comes: the network is gone. */
const networkGraceMs = 5_000;
/** Another process may be migrating: this long it is waited for. */
const migrationLockMs = 60_000;

/** Opens a PostgreSQL database with its store's schema brought up to date. Several processes may do so at once. */
export async function openPostgres(options: PostgresOptions, store: string): Promise<Postgres> {
  const { poolSize = 10, statementTimeoutMs = 10_000 } = options;
  const config: ClientConfig = {
    ...connection(options),
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + networkGraceMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
  await migrateAlone(options, store);
  const pool = new Pool({ ...config, max: poolSize });
  // Without a listener a lost connection ends the process; the query that it carried fails by itself.
  pool.on("error", ignore);
  pool.on("connect", (client) => void client.on("error", ignore));
  return { pool, connect: () => connectTo(config) };
}

const connection = ({ url, connectTimeoutMs = 5_000 }: PostgresOptions): ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  application_name: "trunkline",
  types: { getTypeParser: (oid: number) => parserOf(oid) },
});

const ignore = (): void => undefined;

/** Type numbers of PostgreSQL's catalog: int8, int2, int4, float4, float8, numeric. */
const numbers: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700]);
const bool = 16;

/** Numbers and booleans are read as such, all else, JSON and times too, as text. */
function parserOf(oid: number): (text: string) => string | number | boolean {
  if (oid === bool) return (text) => text === "t";
  return numbers.has(oid) ? Number : (text) => text;
}

async function connectTo(config: ClientConfig): Promise<Client> {
  const client = new Client(config);
  client.on("error", ignore);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(ignore);
    throw error;
  }
}

/** On a connection without a statement timeout: a migration may take long, and so may waiting for another process's. */
async function migrateAlone(options: PostgresOptions, store: string): Promise<void> {
  const client = await connectTo({ ...connection(options), lock_timeout: migrationLockMs }).catch((error: unknown) => {
    throw new Error(`PostgreSQL cannot be reached: ${describe(error)}. Check DATABASE_URL.`, { cause: error });
  });
  try {
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [`trunkline migrate ${store}`]);
    await migrate(postgresTarget(client), readMigrations(store, "postgres"));
  } finally {
    // Ending the connection gives the lock back.
    await client.end();
  }
}

/** Describes a connection error: for a host with several addresses it has no message of its own. */
const describe = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(describe).join("; ") : String(error);

const postgresTarget = (client: Client) => ({
  async applied() {
    await client.query(
      `CREATE TABLE IF NOT EXISTS schema_migrations
         (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL)`,
    );
    const { rows } = await client.query("SELECT version, checksum FROM schema_migrations");
    return rows.map(({ version, checksum }) => ({ version: Number(version), checksum: String(checksum) }));
  },
  async apply({ version, name, sql, checksum }: Migration) {
    await client.query("BEGIN");
    try {
      await client.query(sql);
      await client.query("INSERT INTO schema_migrations VALUES ($1, $2, $3, now())", [version, name, checksum]);
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK").catch(ignore);
      throw error;
    }
  },
});
