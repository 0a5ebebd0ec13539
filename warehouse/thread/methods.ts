import type { NewMessage, Topic } from "../../ingest/log/log.ts";
import type { GuardedQuery } from "../guarded/guarded.ts";
import type { LoadedBatch } from "../loader.ts";
import type { PastCalls } from "../past-calls.ts";
import type { Statement } from "../statement.ts";
import type { LogRange, QueryOptions, QueryResult, Stored } from "../warehouse.ts";
import type { PlainError } from "./remote-calls.ts";

// Calls between the thread of the embedded warehouse and its owner, the thread that started it.

export interface ThreadFiles {
  /** The DuckDB file. */
  readonly path: string;
  /** Days of retention (`Retention`). */
  readonly retentionDays: number | null | "as it is";
  /** The directory of the embedded log, which the owner has open. */
  readonly logDir: string;
}

export interface Partition {
  readonly topic: Topic;
  readonly partition: number;
}

/** Calls that the thread answers for its owner. */
export interface ThreadMethods {
  open(options: ThreadFiles): Promise<void>;
  store(range: LogRange): Promise<Stored>;
  position(partition: Partition): Promise<number>;
  takePast(all: readonly PastCalls[]): Promise<void>;
  query(
    given: { statement: Statement; limits: Omit<QueryOptions, "signal"> },
    signal: AbortSignal,
  ): Promise<QueryResult>;
  select(query: Omit<GuardedQuery, "signal">, signal: AbortSignal): Promise<QueryResult>;
  /** Loads a partition until the signal aborts. */
  load(partition: Partition, signal: AbortSignal): Promise<void>;
  close(given: null): Promise<void>;
}

/** A place in the log up to which all is stored. */
export interface LoadedPlace {
  readonly topic: Topic;
  readonly partition: number;
  readonly offset: number;
}

/** Calls that the owner answers for the thread: all that write to the log, so that they share commits with others. */
export interface OwnerMethods {
  publish(messages: readonly NewMessage[]): Promise<unknown>;
  commit(place: LoadedPlace): Promise<void>;
  /** The partition is read from there. */
  seek(place: LoadedPlace): void;
  loaded(batch: LoadedBatch): void;
  /** The loader failed and tries again. */
  loaderFailed(error: PlainError): void;
  /** Other work failed and is tried again. */
  failed(error: PlainError): void;
}
