export type DatabaseValue = string | number | boolean | null;
export type DatabaseRow = Readonly<Record<string, DatabaseValue>>;

/** SQL in the part of the language that SQLite and PostgreSQL share, parameters as `$1`, JSON read and written as text. */
export interface Queryable {
  query(sql: string, params?: readonly DatabaseValue[]): Promise<DatabaseRow[]>;
}

/** A transaction in progress. */
export interface Transaction extends Queryable {
  /** Notifies every process of the transaction's changes if and when it commits. */
  notify(changes: readonly ConfigChange[]): Promise<void>;
}

/** The database of config and of state that processes share. Two adapters: SQLite and PostgreSQL. */
export interface Database extends Queryable {
  /**
   * Runs work in a transaction, again if it conflicts with another one. Rows that the work has read may be changed by
   * others before it writes: update a row first (`UPDATE … RETURNING`) to lock it until the end, or update it
   * `WHERE version = $n` and check that a row was updated.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Notifies every process of changes made by a single statement; transactions notify of their own. */
  notify(changes: readonly ConfigChange[]): Promise<void>;
  /**
   * Calls the listener for each notification, this process's own included; with null when some may have been missed.
   * Returns the function that removes the listener.
   */
  onNotification(listener: (changes: readonly ConfigChange[] | null) => void): () => void;
  /**
   * Sends messages of at most {@link maxBroadcastBytes} each to the other processes that are connected now, in order.
   * They are stored nowhere. Throws `DatabaseError` "unavailable" while the connection is lost.
   */
  broadcast(messages: readonly string[]): Promise<void>;
  /**
   * Calls the listener for each broadcast of another process; with null when some may have been missed. Returns the
   * function that removes the listener.
   */
  onBroadcast(listener: (message: string | null) => void): () => void;
  close(): Promise<void>;
}

/** PostgreSQL takes less than 8000 bytes of payload, of which the sender's id takes 36. */
export const maxBroadcastBytes = 7900;

/** A changed document, or the changed row if `type` is "organization" or "api_key". */
export interface ConfigChange {
  readonly orgId: string;
  readonly type: string;
  readonly id: string;
}

export type DatabaseErrorCode = "unique_violation" | "unavailable" | "invalid";

/** An error of the database; adapters derive the code from their driver's. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code: DatabaseErrorCode;
  constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Runs the work of a transaction, which fails if any of its statements did, also in engines that would continue. */
export async function runWork<T>(connection: Transaction, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const failures: unknown[] = [];
  const recordFailure = <R>(statement: Promise<R>): Promise<R> =>
    statement.catch((error: unknown) => {
      failures.push(error);
      throw error;
    });
  const result = await work({
    query: (sql, params) => recordFailure(connection.query(sql, params)),
    notify: (changes) => recordFailure(connection.notify(changes)),
  });
  if (failures.length > 0) throw failures[0];
  return result;
}

/** Creates a list of listeners within this process, each called with everything that is emitted. */
export function createListeners<T>() {
  const listeners = new Set<(value: T) => void>();
  return {
    emit(value: T): void {
      for (const listener of listeners) listener(value);
    },
    /** Returns the function that removes the listener. */
    add(listener: (value: T) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Creates the parameters of a statement; `add` appends a value and returns its placeholder. */
export function createParameters(...values: DatabaseValue[]) {
  return { values, add: (value: DatabaseValue): string => `$${values.push(value)}` };
}

const rowsPerDelete = 1000;

/** Deletes the rows of a condition, the key's columns naming one, some at a time: so nobody else waits for all of them. */
export async function deleteInChunks(
  db: Queryable,
  { table, key, where, params }: { table: string; key: string; where: string; params: readonly DatabaseValue[] },
): Promise<void> {
  // The condition twice: a row that another transaction has changed meanwhile stays.
  const sql = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${rowsPerDelete})
    AND (${where}) RETURNING 1 AS deleted`;
  let deleted: number;
  do deleted = (await db.query(sql, params)).length;
  while (deleted === rowsPerDelete);
}
