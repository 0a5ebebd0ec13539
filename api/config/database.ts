export type DatabaseValue = string | number | boolean | null;
export type DatabaseRow = Readonly<Record<string, DatabaseValue>>;

/** SQL in the part of the language that DuckDB and PostgreSQL share, parameters as `$1`, JSON read and written as text. */
export interface Queryable {
  query(sql: string, params?: readonly DatabaseValue[]): Promise<DatabaseRow[]>;
}

/** Where config and what processes share about it is kept. Two adapters: DuckDB and PostgreSQL. */
export interface Database extends Queryable {
  /** All of it or none of it; the work may be tried again when another transaction came between. */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>;
  /** Tells every process what has changed, after the transaction that changed it. */
  announce(changes: readonly ConfigChange[]): Promise<void>;
  /**
   * Called for each announcement, this process's own ones too; with null when some may have been missed. Returns what
   * ends it.
   */
  onAnnounced(listener: (changes: readonly ConfigChange[] | null) => void): () => void;
  close(): Promise<void>;
}

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
