import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from "@duckdb/node-api";
import type { QueryResult, Row, Value } from "../warehouse.ts";
import { fromDuckdbValue, toColumnType } from "./values.ts";

const interruptEveryMs = 20;

export interface DuckdbQuery {
  readonly text: string;
  readonly values: readonly DuckDBValue[];
  readonly maxRows: number;
  /** Bytes of all values of the rows, approximately as JSON. */
  readonly maxBytes?: number;
  readonly stop: AbortSignal;
  /** Statements that the connection is prepared with. */
  readonly before?: readonly string[];
}

/** Runs one SELECT on a connection of its own and reads no more of its result than is wanted. */
export async function queryDuckdb(instance: DuckDBInstance, query: DuckdbQuery): Promise<QueryResult> {
  const connection = await instance.connect();
  const endInterrupts = interruptOn(query.stop, connection);
  try {
    for (const statement of query.before ?? []) await connection.run(statement);
    query.stop.throwIfAborted();
    return await read(connection, query);
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

/** Reads chunk by chunk, and a chunk value by value: unread values are not converted. */
async function read(connection: DuckDBConnection, query: DuckdbQuery): Promise<QueryResult> {
  const { text, values, maxRows, maxBytes = Number.POSITIVE_INFINITY } = query;
  const result = await connection.stream(text, [...values]);
  const names = result.deduplicatedColumnNames();
  const columns = result.columnTypes().map((type, index) => ({ name: names[index] ?? "", type: toColumnType(type) }));
  const rows: Row[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return { columns, rows, truncated: false };
    const vectors = columns.map((_, at) => chunk.getColumnVector(at));
    for (let index = 0; index < chunk.rowCount; index++) {
      // One row more than wanted shows that there were more.
      if (rows.length === maxRows) return { columns, rows, truncated: true };
      const row: Row = {};
      for (const [at, { name, type }] of columns.entries()) {
        const value = fromDuckdbValue(vectors[at]?.getItem(index) ?? null, type);
        bytes += sizeOf(value);
        if (bytes > maxBytes) return { columns, rows, truncated: true };
        row[name] = value;
      }
      rows.push(row);
    }
  }
}

/** Returns the approximate size; only text and containers of text matter. */
function sizeOf(value: Value): number {
  if (typeof value === "string") return value.length;
  return typeof value === "object" && value !== null ? JSON.stringify(value).length : 8;
}
