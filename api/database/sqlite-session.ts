import { LRUCache } from "lru-cache";
import type { SqliteConnection } from "../../sql/sqlite.ts";
import type { DatabaseErrorCode, DatabaseValue } from "./database.ts";

/**
 * A request to the session; requests are executed in order. `statement` is on its own; `within` belongs to the transaction
 * between `begin` and `commit` or `rollback`, which no other request interrupts.
 */
export type SqliteRequest =
  | ({ readonly kind: "statement" | "within"; readonly id: number } & SqliteStatement)
  | { readonly kind: "begin" | "rollback" }
  | { readonly kind: "commit"; readonly id: number };

export interface SqliteStatement {
  readonly sql: string;
  readonly params: readonly DatabaseValue[];
}

export type SqliteReply = { readonly id: number } & (SqliteResult | SqliteFailure);
export interface SqliteResult {
  readonly kind: "rows";
  readonly columns: readonly string[];
  /** Booleans as 0 and 1. */
  readonly rows: readonly (readonly (string | number | null)[])[];
}
export interface SqliteFailure {
  readonly kind: "failure";
  readonly code: DatabaseErrorCode;
  readonly message: string;
}

/** Bounds of a commit group: how long its first request waits for the answer, and how many requests share the commit. */
const maxGroupMs = 10;
const maxGroupSize = 500;
const maxPreparedStatements = 500;

const noRows = { kind: "rows", columns: [], rows: [] } as const;

/**
 * Runs statements and transactions one after the other, with group commit: requests that arrive while others wait share
 * their commit, so many callers wait for the disk once. A request that wrote, or read uncommitted writes, is answered
 * after the commit. If that fails, all of the group fail and nothing of it is stored.
 */
export function createSqliteSession(connection: SqliteConnection) {
  const group = createGroup(connection);
  /** The open transaction, with the failure by which all of it was lost; undefined when none is open. */
  let transaction: { lost: SqliteFailure | null } | undefined;

  function runWithin(statement: SqliteStatement): SqliteResult | SqliteFailure {
    if (transaction === undefined) throw new Error(`No transaction is open for ${statement.sql}`);
    if (transaction.lost !== null) return transaction.lost;
    const result = group.run(statement);
    if (!group.isOpen()) transaction.lost = result.kind === "failure" ? result : null;
    return result;
  }

  function take(request: SqliteRequest): void {
    switch (request.kind) {
      case "statement": {
        const unopened = /^\s*SELECT\b/i.test(request.sql) ? null : group.open();
        group.answer(request.id, unopened ?? group.run(request));
        break;
      }
      case "begin":
        transaction = { lost: group.open() };
        runWithin({ sql: "SAVEPOINT work", params: [] });
        break;
      case "within":
        group.answerNow(request.id, runWithin(request));
        break;
      case "commit": {
        const ended = runWithin({ sql: "RELEASE work", params: [] });
        transaction = undefined;
        group.answer(request.id, ended.kind === "failure" ? ended : noRows);
        break;
      }
      case "rollback":
        runWithin({ sql: "ROLLBACK TO work", params: [] });
        runWithin({ sql: "RELEASE work", params: [] });
        transaction = undefined;
        break;
    }
  }

  return {
    /** Executes a request. */
    take(request: SqliteRequest): void {
      take(request);
      if (transaction === undefined && group.isFull()) group.commit();
    },
    /** Called when no request waits: commits unless a transaction is open, and returns the replies that are ready. */
    settle(): readonly SqliteReply[] {
      if (transaction === undefined && group.isOpen()) group.commit();
      return group.takeReady();
    },
  };
}

/** Statements that share a commit, and the replies that wait for it. */
function createGroup(connection: SqliteConnection) {
  const prepared = createPrepared(connection);
  let ready: SqliteReply[] = [];
  let waiting: SqliteReply[] = [];
  let openSince: number | null = null;

  function run({ sql, params }: SqliteStatement): SqliteResult | SqliteFailure {
    try {
      return prepared(sql, params);
    } catch (error) {
      const failure = toFailure(error);
      // A full disk and similar errors roll back everything that is open, not only the statement.
      if (openSince !== null && !connection.inTransaction) lose(failure);
      return failure;
    }
  }

  function lose(failure: SqliteFailure): void {
    ready.push(...waiting.map(({ id }) => ({ id, ...failure })));
    waiting = [];
    openSince = null;
  }

  return {
    run,
    isOpen: () => openSince !== null,
    isFull: () => openSince !== null && (waiting.length >= maxGroupSize || performance.now() - openSince > maxGroupMs),
    /** Returns null when it is open, else the failure. */
    open(): SqliteFailure | null {
      if (openSince !== null) return null;
      const opened = run({ sql: "BEGIN IMMEDIATE", params: [] });
      if (opened.kind === "failure") return opened;
      openSince = performance.now();
      return null;
    },
    commit(): void {
      const committed = run({ sql: "COMMIT", params: [] });
      if (committed.kind === "failure") {
        if (connection.inTransaction) run({ sql: "ROLLBACK", params: [] });
        lose(committed);
        return;
      }
      openSince = null;
      ready.push(...waiting);
      waiting = [];
    },
    answerNow: (id: number, result: SqliteResult | SqliteFailure) => void ready.push({ id, ...result }),
    answer: (id: number, result: SqliteResult | SqliteFailure) =>
      void (openSince === null || result.kind === "failure" ? ready : waiting).push({ id, ...result }),
    takeReady(): readonly SqliteReply[] {
      const replies = ready;
      ready = [];
      return replies;
    },
  };
}

/** Creates a cache of prepared statements; running one throws the driver's errors. */
function createPrepared(connection: SqliteConnection) {
  const kept = new LRUCache<string, ReturnType<typeof prepare>>({ max: maxPreparedStatements });

  function prepare(sql: string) {
    let needed = 0;
    const text = sql.replace(/\$(\d+)/g, (_, digits: string) => {
      needed = Math.max(needed, Number(digits));
      return `?${digits}`;
    });
    const statement = connection.prepare(text);
    const columns = statement.reader ? statement.raw(true).columns() : [];
    const prepared = { statement, columns: columns.map(({ name }) => name), needed };
    kept.set(sql, prepared);
    return prepared;
  }

  return (sql: string, params: readonly DatabaseValue[]): SqliteResult => {
    const { statement, columns, needed } = kept.get(sql) ?? prepare(sql);
    // The driver would reuse missing values of the previous run.
    if (needed > params.length) throw new Error(`${needed} parameters are needed: ${sql}`);
    return { kind: "rows", columns, rows: statement.all(params.map(toSqlite)) as SqliteResult["rows"] };
  };
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

function toFailure(error: unknown): SqliteFailure {
  const message = error instanceof Error ? error.message : String(error);
  const code = String((error as { readonly code?: unknown }).code ?? "");
  if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(code))
    return { kind: "failure", code: "unique_violation", message };
  return { kind: "failure", code: unavailable.test(code) ? "unavailable" : "invalid", message };
}
