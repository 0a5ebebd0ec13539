import { DatabaseError as DriverError, type PoolClient } from "pg";
import { type Clock, systemClock } from "../../ingest/clock.ts";
import { openPostgres, type PostgresOptions } from "../../sql/postgres.ts";
import { openAnnouncements } from "./announcements-postgres.ts";
import {
  type ConfigChange,
  type Database,
  DatabaseError,
  type DatabaseErrorCode,
  type Queryable,
  runWork,
  type Transaction,
} from "./database.ts";

export interface PostgresDatabaseOptions extends PostgresOptions {
  readonly clock?: Clock;
  /** Told of a lost connection that could not be had again yet. */
  onTrouble?(error: unknown): void;
}

/** Runs of a transaction's work, the first one included. */
const maxTries = 5;

/** The config database that several processes share. */
export async function openPostgresDatabase(options: PostgresDatabaseOptions): Promise<Database> {
  const { clock = systemClock, onTrouble = () => undefined, ...postgres } = options;
  const { pool, connect } = await openPostgres(postgres, "config");
  const announcements = await openAnnouncements({ connect, clock, onTrouble }).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  let closing: Promise<void> | null = null;

  async function inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch(refuse);
    const query = toQuery(client);
    const announced: ConfigChange[] = [];
    const announce = async (changes: readonly ConfigChange[]): Promise<void> => {
      await announcements.announceIn({ query }, changes);
      announced.push(...changes);
    };
    let broken = true;
    try {
      const result = await runTransaction(client, () => runWork({ query, announce }, work));
      broken = false;
      if (announced.length > 0) announcements.tell(announced);
      return result;
    } catch (error) {
      broken = !(await rollBack(client));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function closeAll(): Promise<void> {
    await announcements.close();
    await pool.end();
  }

  return {
    query: toQuery(pool),
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await inTransaction(work);
        } catch (error) {
          if (!isOvertaken(error) || tries === maxTries) throw error;
        }
      }
    },
    announce: announcements.announce,
    onAnnounced: announcements.onAnnounced,
    broadcast: announcements.broadcast,
    onBroadcast: announcements.onBroadcast,
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

/**
 * READ COMMITTED, whatever the server's default: a statement that meets a row which another transaction has changed
 * waits for that one and then sees what it wrote. So a sequence hands out its numbers without a retry, an update
 * `WHERE version = $n` finds that it was overtaken, a row updated first is held until the end, and the unique indexes
 * and the references' foreign key catch what two transactions write unseen by each other. A stricter level would turn
 * every wait for a busy row into a failure, and the work runs to tries that publish to the log again.
 */
async function runTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN ISOLATION LEVEL READ COMMITTED").catch(refuse);
  const result = await work();
  await client.query("COMMIT").catch(refuse);
  return result;
}

/** False when the connection cannot be used again. */
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

/** Null for what the driver says itself: the server could not be asked, or did not answer. */
const sqlStateOf = (error: unknown): string | null => (error instanceof DriverError ? (error.code ?? null) : null);

/**
 * States that say nothing against the statement: connection (08), authorization of one (28), no such database (3D),
 * overtaken too often (40), out of resources (53), stopped by an operator or a deadline (57), input and output (58), a
 * standby (25006), idle for too long (25P03), a lock not to be had (55P03).
 */
const unavailable = /^(08|28|3D|40|53|57|58)|^(25006|25P03|55P03)$/;

function toCode(state: string | null): DatabaseErrorCode {
  if (state === "23505") return "unique_violation";
  return state === null || unavailable.test(state) ? "unavailable" : "invalid";
}

/**
 * Another transaction came between, and the work run again sees what it did: serialization failure, deadlock, and the
 * foreign key, by which a document that is named was deleted meanwhile, or one that is deleted was named.
 */
const overtaken: ReadonlySet<string | null> = new Set(["40001", "40P01", "23503"]);

const isOvertaken = (error: unknown): boolean =>
  error instanceof DatabaseError && overtaken.has(sqlStateOf(error.cause));
