import { LRUCache } from "lru-cache";
import { createBatcher } from "../../ingest/concurrency/batcher.ts";
import { closeSqlite, type SqliteConnection } from "../../sql/sqlite.ts";
import { DatabaseError, type DatabaseErrorCode, type DatabaseRow, type DatabaseValue } from "./database.ts";

export interface SqliteSessionDeps {
  readonly connection: SqliteConnection;
  /** Resolves when all that the connection committed before is on the disk. */
  sync(): Promise<void>;
}

/** Writes that share a commit. */
interface Group {
  readonly openedAt: number;
  resolve(synced: Promise<void> | undefined): void;
  reject(error: DatabaseError): void;
}

/** Requests that come later share the next commit. */
const maxGroupMs = 10;
const maxPreparedStatements = 500;

/**
 * Executes statements at once, one after another, with group commit: what is written in one turn of the event loop shares a
 * commit, and commits share a sync of the disk. A request that wrote, or read what is not on the disk yet, is answered
 * after the sync. If the commit fails, all of the group fail and nothing of it is stored.
 */
export function createSqliteSession({ connection, sync }: SqliteSessionDeps) {
  const prepared = createPrepared(connection);
  const syncs = createBatcher<void, void>({
    work: async (commits) => {
      await sync().catch(breakDown);
      return commits;
    },
    countNext: (commits) => commits.length,
  });
  let group: Group | null = null;
  /** Resolves when the latest group is on the disk, rejects where it is undone; null once there is nothing to wait for. */
  let undurable: Promise<void> | null = null;
  let transaction: { lost: DatabaseError | null } | null = null;
  let broken: DatabaseError | null = null;
  let changes = 0;

  /** After a failed sync nobody can tell what is on the disk, and the next sync would not say so. */
  function breakDown(cause: unknown): never {
    broken = new DatabaseError("unavailable", "The disk failed to store the config database: restart the service.", {
      cause,
    });
    throw broken;
  }

  function run(sql: string, params: readonly DatabaseValue[] = []): DatabaseRow[] {
    if (broken !== null) throw broken;
    try {
      return prepared(sql, params);
    } catch (cause) {
      const error = toDatabaseError(cause);
      // A full disk and similar errors roll back everything that is open, not only the statement.
      if (group !== null && !connection.inTransaction) lose(error);
      throw error;
    }
  }

  function lose(error: DatabaseError): void {
    group?.reject(error);
    group = null;
    if (transaction !== null) transaction.lost = error;
  }

  function openGroup(): void {
    if (group !== null) return;
    run("BEGIN IMMEDIATE");
    const durable = new Promise<void>((resolve, reject) => {
      group = { openedAt: performance.now(), resolve, reject };
    });
    undurable = durable;
    const done = () => {
      if (undurable === durable) undurable = null;
    };
    durable.then(done, done);
    setImmediate(commitGroup);
  }

  function commitGroup(): void {
    if (group === null || transaction !== null) return;
    const written = group;
    try {
      run("COMMIT");
      written.resolve(hasChanged() ? syncs.add() : undefined);
    } catch (error) {
      // The flag of the connection is read, not the database: after a failure of the disk no statement works.
      if (connection.inTransaction) connection.exec("ROLLBACK");
      written.reject(error as DatabaseError);
    }
    group = null;
  }

  /** Returns true if rows have changed since the last call. */
  function hasChanged(): boolean {
    const before = changes;
    changes = Number(run("SELECT total_changes() AS changes")[0]?.changes);
    return changes !== before;
  }

  function commitIfLate(): void {
    if (group !== null && performance.now() - group.openedAt > maxGroupMs) commitGroup();
  }

  function within(sql: string, params?: readonly DatabaseValue[]): DatabaseRow[] {
    if (transaction === null) throw new Error(`No transaction is open for ${sql}`);
    if (transaction.lost !== null) throw transaction.lost;
    return run(sql, params);
  }

  return {
    /** Executes a statement that is no part of the open transaction. */
    async statement(sql: string, params: readonly DatabaseValue[]): Promise<DatabaseRow[]> {
      if (!/^\s*SELECT\b/i.test(sql)) openGroup();
      const written = undurable;
      const rows = run(sql, params);
      commitIfLate();
      await written;
      return rows;
    },
    begin(): void {
      openGroup();
      run("SAVEPOINT work");
      transaction = { lost: null };
    },
    /** Executes a statement of the open transaction. */
    within,
    /** Ends the transaction; resolves when its writes are on the disk. */
    async commit(): Promise<void> {
      try {
        within("RELEASE work");
      } finally {
        transaction = null;
      }
      const written = undurable;
      if (group !== null) setImmediate(commitGroup);
      commitIfLate();
      await written;
    },
    rollback(): void {
      try {
        within("ROLLBACK TO work");
        within("RELEASE work");
      } catch {
        // The transaction is lost, with all of its group.
      }
      transaction = null;
      if (group !== null) setImmediate(commitGroup);
    },
    /** Writes what is open, and closes the file. */
    async close(): Promise<void> {
      commitGroup();
      await syncs.idle();
      broken ??= new DatabaseError("unavailable", "The config database is closed.");
      try {
        closeSqlite(connection);
      } catch {
        // A full disk: commits are in the write-ahead log, and the lock ends with the process.
      }
    },
  };
}

/** Creates a function that executes statements, keeping those that it has prepared; it throws the driver's errors. */
function createPrepared(connection: SqliteConnection) {
  const booleans = booleanColumns(connection);
  const kept = new LRUCache<string, ReturnType<typeof prepare>>({ max: maxPreparedStatements });

  function prepare(sql: string) {
    let needed = 0;
    const text = sql.replace(/\$(\d+)/g, (_, digits: string) => {
      needed = Math.max(needed, Number(digits));
      return `?${digits}`;
    });
    const statement = connection.prepare(text);
    const columns = statement.reader ? statement.raw(true).columns() : [];
    const one = {
      statement,
      columns: columns.map(({ name }) => ({ name, isBoolean: booleans.has(name) })),
      needed,
    };
    kept.set(sql, one);
    return one;
  }

  return (sql: string, params: readonly DatabaseValue[]): DatabaseRow[] => {
    const { statement, columns, needed } = kept.get(sql) ?? prepare(sql);
    // The driver would reuse missing values of the previous run.
    if (needed > params.length) throw new Error(`${needed} parameters are needed: ${sql}`);
    const values = statement.all(params.map(toSqlite)) as (string | number | null)[][];
    return values.map((row) => {
      const named: Record<string, DatabaseValue> = {};
      for (const [index, { name, isBoolean }] of columns.entries()) {
        const value = row[index] ?? null;
        named[name] = isBoolean && value !== null ? value === 1 : value;
      }
      return named;
    });
  };
}

/**
 * Returns the names of boolean columns, which SQLite stores as numbers. Results of `RETURNING` give the name alone, so a
 * name must have one type in all tables: throws if it has not.
 */
function booleanColumns(connection: SqliteConnection): ReadonlySet<string> {
  const columns = connection
    .prepare(
      "SELECT DISTINCT c.name, c.type FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'",
    )
    .all() as { readonly name: string; readonly type: string }[];
  const booleans = new Set(columns.filter(({ type }) => type === "BOOLEAN").map(({ name }) => name));
  const other = columns.find(({ name, type }) => type !== "BOOLEAN" && booleans.has(name));
  if (other !== undefined)
    throw new Error(`Column ${other.name} is BOOLEAN in one table and ${other.type} in another.`);
  return booleans;
}

/**
 * Converts a value so that the driver binds it without loss: it has no booleans, binds numbers as fractions, and reads
 * text up to its first NUL.
 */
export function toSqlite(value: unknown): string | number | bigint | null {
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "string" && value.includes("\0")) throw new Error("Text holds a NUL character.");
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  return value as string | number | bigint | null;
}

/** Errors that the statement does not cause: of the disk, the file or the memory. */
const unavailable = /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|BUSY|LOCKED|NOMEM|PROTOCOL)/;

function toDatabaseError(cause: unknown): DatabaseError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = String((cause as { readonly code?: unknown }).code ?? "");
  return new DatabaseError(toCode(code), message, { cause });
}

function toCode(code: string): DatabaseErrorCode {
  if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(code)) return "unique_violation";
  return unavailable.test(code) ? "unavailable" : "invalid";
}
