import type { Topic } from "../ingest/log/log.ts";
import type { PastCalls } from "./past-calls.ts";
import type { Statement } from "./statement.ts";

export type Value = string | number | boolean | null | Record<string, string> | Value[];
export type Row = Record<string, Value>;

export type ColumnType = "text" | "integer" | "number" | "boolean" | "time" | "map" | "json";
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export const defaultTimeoutMs = 10_000;
export const defaultMaxRows = 10_000;

export interface QueryOptions {
  /** The query is interrupted after this long: `query_timeout`. Default 10,000. */
  readonly timeoutMs?: number;
  /** Reading stops after so many rows and the result says it was cut. Default 10,000. */
  readonly maxRows?: number;
  readonly signal?: AbortSignal;
}

export interface QueryResult {
  readonly columns: readonly Column[];
  /** Times as UTC ISO strings, decimals as numbers. */
  readonly rows: readonly Row[];
  readonly truncated: boolean;
}

/** A contiguous range of one partition, as it came from the log. */
export interface LogRange {
  readonly topic: Topic;
  readonly partition: number;
  readonly firstOffset: number;
  /** The offset after the last message of the range. */
  readonly nextOffset: number;
  /** The messages' values, each one JSON document, unparsed; none when the range is only to be passed over. */
  readonly values: readonly string[];
}

/** Adds up: values given = stored + duplicate. */
export interface Stored {
  readonly stored: number;
  readonly duplicate: number;
}

/** The analytics store. Two adapters: DuckDB and ClickHouse. */
export interface Warehouse {
  /**
   * Stores a range once: a range (or a part of it) that was stored before changes nothing. All of it or none of it.
   * A field that a message lacks leaves its column empty; one that does not fit its column refuses the range.
   * Throws `WarehouseError`: `row_refused` when a value in it cannot be stored, else what stops the loader.
   */
  store(range: LogRange): Promise<Stored>;
  /**
   * Returns the offset at which storing continues in a partition: the `nextOffset` of the last stored range; 0 at
   * first.
   */
  position(topic: Topic, partition: number): Promise<number>;
  /**
   * Takes over what another installation's hidden calls add up to, as if they had been hidden here: rows of their days and
   * before are not shown, whatever is set. What was taken over before changes nothing.
   */
  takePast(all: readonly PastCalls[]): Promise<void>;
  /** Runs one SELECT of ours, values bound. */
  query(statement: Statement, options?: QueryOptions): Promise<QueryResult>;
  close(): Promise<void>;
}

export type WarehouseErrorCode =
  /** A value in a batch does not fit its table: bisect. */
  | "row_refused"
  /** Table, disk, connection or authentication: stop and try again, drop nothing. */
  | "unavailable"
  /** The installation keeps no warehouse. */
  | "disabled"
  | "query_timeout"
  | "query_cancelled"
  | "query_invalid"
  /** The analysts' SQL is not allowed or cannot run; the message is for its author. */
  | "query_refused";

export class WarehouseError extends Error {
  override readonly name = "WarehouseError";
  readonly code: WarehouseErrorCode;
  /** True if the message may contain values of rows, so that it is for their organization only. */
  readonly mentionsRowValues: boolean;
  constructor(
    code: WarehouseErrorCode,
    message: string,
    options?: ErrorOptions & { readonly mentionsRowValues?: boolean },
  ) {
    super(message, options);
    this.code = code;
    this.mentionsRowValues = options?.mentionsRowValues ?? false;
  }
}
