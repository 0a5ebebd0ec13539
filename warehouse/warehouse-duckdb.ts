import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { createQueue, type DuckdbOptions, openDuckdb } from "../sql/duckdb.ts";
import { toWarehouseError } from "./duckdb-errors.ts";
import { fromDuckdbValue, toColumnType, toDuckdbValue } from "./duckdb-values.ts";
import { render, type SqlValue, type Statement } from "./statement.ts";
import { createDuckdbStore } from "./store-duckdb.ts";
import { createTurns } from "./turns.ts";
import { type QueryOptions, type QueryResult, type Row, type Warehouse, WarehouseError } from "./warehouse.ts";

const defaultTimeoutMs = 10_000;
const defaultMaxRows = 10_000;
const interruptEveryMs = 20;

/** More at once would only share the same cores, and hold the memory of each. */
const maxQueriesAtOnce = 8;

export interface DuckdbWarehouseOptions extends Pick<DuckdbOptions, "memoryLimitBytes"> {
  readonly path: string;
}

/** The embedded warehouse: one DuckDB file, or `:memory:`. One connection writes, each query has one of its own. */
export async function openDuckdbWarehouse({ path, ...options }: DuckdbWarehouseOptions): Promise<Warehouse> {
  const instance = await openDuckdb(path, "warehouse", options);
  const writer = await instance.connect();
  const store = await createDuckdbStore(writer);
  const inTurn = createQueue();
  const turns = createTurns(maxQueriesAtOnce);
  const running = new Set<Promise<unknown>>();
  let closed = false;

  async function track<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw new WarehouseError("unavailable", "The warehouse is closed.");
    const result = work().catch((error: unknown) => {
      throw toWarehouseError(error);
    });
    const settled = result.catch(() => undefined).finally(() => running.delete(settled));
    running.add(settled);
    return result;
  }

  return {
    store: (range) => track(() => inTurn(() => store.store(range))),
    position: (topic, partition) => track(() => inTurn(() => store.position(topic, partition))),
    query: (statement, options) =>
      track(() =>
        withinTime(options, (stop) =>
          turns(stop, () => query(instance, statement, { stop, maxRows: options?.maxRows })),
        ),
      ),
    async close() {
      if (closed) return;
      closed = true;
      await Promise.all(running);
      writer.closeSync();
      instance.closeSync();
    },
  };
}

/** The time counts from the question, so waiting for a turn is part of it. */
async function withinTime<T>(
  { timeoutMs = defaultTimeoutMs, signal }: QueryOptions = {},
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (signal?.aborted) throw new WarehouseError("query_cancelled", "The query was cancelled.", { cause: error });
    if (!timeout.aborted) throw error;
    const message = `The query took longer than ${timeoutMs / 1000} s: ask for a shorter period.`;
    throw new WarehouseError("query_timeout", message, { cause: error });
  }
}

async function query(
  instance: DuckDBInstance,
  statement: Statement,
  { stop, maxRows = defaultMaxRows }: { readonly stop: AbortSignal; readonly maxRows: number | undefined },
): Promise<QueryResult> {
  const connection = await instance.connect();
  const endInterrupts = interruptOn(stop, connection);
  try {
    stop.throwIfAborted();
    return await read(connection, statement, maxRows);
  } finally {
    endInterrupts();
    connection.closeSync();
  }
}

/** An interrupt that comes before the engine has begun is lost, so once stopped it is said again until the query ends. */
function interruptOn(stop: AbortSignal, connection: DuckDBConnection): () => void {
  let again: NodeJS.Timeout | undefined;
  const onAbort = () => {
    again = setInterval(() => connection.interrupt(), interruptEveryMs);
  };
  stop.addEventListener("abort", onAbort, { once: true });
  return () => {
    stop.removeEventListener("abort", onAbort);
    clearInterval(again);
  };
}

async function read(connection: DuckDBConnection, statement: Statement, maxRows: number): Promise<QueryResult> {
  const values: SqlValue[] = [];
  const text = render(statement, (value) => `$${values.push(value)}`);
  // One row more than wanted tells whether there were more; what nobody reads the engine does not make.
  const reader = await connection.streamAndReadUntil(text, maxRows + 1, values.map(toDuckdbValue));
  const names = reader.deduplicatedColumnNames();
  const columns = reader.columnTypes().map((type, index) => ({ name: names[index] ?? "", type: toColumnType(type) }));
  const found = reader.getRows();
  const rows = found.slice(0, maxRows).map((values) => {
    const row: Row = {};
    columns.forEach((column, index) => {
      row[column.name] = fromDuckdbValue(values[index] ?? null, column.type);
    });
    return row;
  });
  return { columns, rows, truncated: found.length > maxRows };
}
