export type DatabaseValue = string | number | boolean | null;
export type DatabaseRow = Readonly<Record<string, DatabaseValue>>;

/** SQL in the part of the language that SQLite and PostgreSQL share, parameters as `$1`, JSON read and written as text. */
export interface Queryable {
  query(sql: string, params?: readonly DatabaseValue[]): Promise<DatabaseRow[]>;
}

/** What a transaction's work is given. */
export interface Transaction extends Queryable {
  /**
   * Tells every process what the transaction has changed, once it is kept and in no other case: nobody can be stopped
   * between the change and the telling of it.
   */
  announce(changes: readonly ConfigChange[]): Promise<void>;
}

/** Where config and what processes share about it is kept. Two adapters: SQLite and PostgreSQL. */
export interface Database extends Queryable {
  /**
   * All of it or none of it; the work may be tried again when another transaction came between. What it has read,
   * another one may change before it writes: change a row first (`UPDATE … RETURNING`) to hold it until the end, or
   * update it `WHERE version = $n` and see whether that met it.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Tells every process what one statement has changed, after it; what a transaction changes, it announces itself. */
  announce(changes: readonly ConfigChange[]): Promise<void>;
  /**
   * Called for each announcement, this process's own ones too; with null when some may have been missed. Returns what
   * ends it.
   */
  onAnnounced(listener: (changes: readonly ConfigChange[] | null) => void): () => void;
  /**
   * Sends messages of at most {@link maxBroadcastBytes} each to the other processes that are connected now, in order.
   * They are stored nowhere. Throws `DatabaseError` "unavailable" while the connection is lost.
   */
  broadcast(messages: readonly string[]): Promise<void>;
  /**
   * Called for each message of another process; with null when some may have been missed. Returns what ends it.
   */
  onBroadcast(listener: (message: string | null) => void): () => void;
  close(): Promise<void>;
}

/** PostgreSQL takes less than 8000 bytes of payload, of which the sender's id takes 36. */
export const maxBroadcastBytes = 7900;

/** What changed: one document, or where `type` is "organization" or "api_key" that row. */
export interface ConfigChange {
  readonly orgId: string;
  readonly type: string;
  readonly id: string;
}

export type DatabaseErrorCode = "unique_violation" | "unavailable" | "invalid";

/** What a database refused; adapters make the code from their driver's own. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code: DatabaseErrorCode;
  constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Runs the work of a transaction; once a statement of it has failed, it fails, in engines too that would go on. */
export async function runWork<T>(connection: Transaction, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const failures: unknown[] = [];
  const noting = <R>(statement: Promise<R>): Promise<R> =>
    statement.catch((error: unknown) => {
      failures.push(error);
      throw error;
    });
  const result = await work({
    query: (sql, params) => noting(connection.query(sql, params)),
    announce: (changes) => noting(connection.announce(changes)),
  });
  if (failures.length > 0) throw failures[0];
  return result;
}
