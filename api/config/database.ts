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
  /** Tells every process that config of an organization has changed. */
  announce(orgId: string): Promise<void>;
  /** Called for each announcement, this process's own ones too; returns what ends it. */
  onAnnounced(listener: (orgId: string) => void): () => void;
  close(): Promise<void>;
}
