import { DatabaseError as DriverError, type PoolClient } from "pg";
import { type Clock, systemClock } from "../../ingest/clock.ts";
import { openPostgres, type PostgresOptions } from "../../sql/postgres.ts";
import {
  type ConfigChange,
  type Database,
  DatabaseError,
  type DatabaseErrorCode,
  type Queryable,
  runWork,
  type Transaction,
} from "./database.ts";
import { openNotifications } from "./notifications-postgres.ts";

export interface PostgresDatabaseOptions extends PostgresOptions {
  readonly clock?: Clock;
  /** Called with the error of a failed reconnect, which is retried. */
  onTrouble?(error: unknown): void;
}

/** Attempts at a transaction, the first one included. */
const maxAttempts = 5;

/** Opens the config database that several processes share. */
export async function openPostgresDatabase(options: PostgresDatabaseOptions): Promise<Database> {
  const { clock = systemClock, onTrouble = () => undefined, ...postgres } = options;
  const { pool, connect } = await openPostgres(postgres, "config");
  const notifications = await openNotifications({ connect, clock, onTrouble }).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  let closing: Promise<void> | null = null;

  async function inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch(refuse);
    const query = toQuery(client);
    const changed: ConfigChange[] = [];
    const notify = async (changes: readonly ConfigChange[]): Promise<void> => {
      await notifications.notifyIn({ query }, changes);
      changed.push(...changes);
    };
    let isBroken = true;
    try {
      const result = await runTransaction(client, () => runWork({ query, notify }, work));
      isBroken = false;
      if (changed.length > 0) notifications.emit(changed);
      return result;
    } catch (error) {
      isBroken = !(await rollBack(client));
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  async function closeAll(): Promise<void> {
    await notifications.close();
    await pool.end();
  }

  return {
    query: toQuery(pool),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await inTransaction(work);
        } catch (error) {
          if (!isWriteConflict(error) || attempt === maxAttempts) throw error;
        }
      }
    },
    notify: notifications.notify,
    onNotification: notifications.onNotification,
    broadcast: notifications.broadcast,
    onBroadcast: notifications.onBroadcast,
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

/**
 * Runs work at READ COMMITTED, whatever the server's default: a statement that finds a row changed by another transaction
 * waits for that one and then sees its change. So a sequence returns its numbers without a retry, an update
 * `WHERE version = $n` detects a conflict, a row updated first is locked until the end, and the unique indexes and the
 * references' foreign key catch conflicts of transactions that do not see each other. A stricter level would turn every
 * wait for a busy row into a failed attempt, and work that publishes to the log would publish again.
 */
async function runTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN ISOLATION LEVEL READ COMMITTED").catch(refuse);
  const result = await work();
  await client.query("COMMIT").catch(refuse);
  return result;
}

/** Returns false when the connection cannot be used again. */
const rollBack = (client: PoolClient): Promise<boolean> =>
  client.query("ROLLBACK").then(
    () => true,
    () => false,
  );

const toQuery =
  (connection: Pick<PoolClient, "query">): Queryable["query"] =>
  async (sql, params = []) =>
    (await connection.query(sql, [...params]).catch(refuse)).rows;

function refuse(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  throw new DatabaseError(toCode(sqlStateOf(error)), message, { cause: error });
}

/** Returns null for the driver's own errors: the server could not be reached, or did not answer. */
const sqlStateOf = (error: unknown): string | null => (error instanceof DriverError ? (error.code ?? null) : null);

/**
 * States that the statement does not cause: connection (08), its authorization (28), no such database (3D), transaction
 * rollback (40), insufficient resources (53), operator intervention or timeout (57), system error (58), a standby (25006),
 * idle for too long (25P03), lock not available (55P03).
 */
const unavailable = /^(08|28|3D|40|53|57|58)|^(25006|25P03|55P03)$/;

function toCode(state: string | null): DatabaseErrorCode {
  if (state === "23505") return "unique_violation";
  return state === null || unavailable.test(state) ? "unavailable" : "invalid";
}

/**
 * Conflicts with another transaction, after which the work sees the other's changes: serialization failure, deadlock, and
 * the foreign key, when a referenced document was deleted meanwhile, or one to be deleted was referenced.
 */
const writeConflicts: ReadonlySet<string | null> = new Set(["40001", "40P01", "23503"]);

const isWriteConflict = (error: unknown): boolean =>
  error instanceof DatabaseError && writeConflicts.has(sqlStateOf(error.cause));
