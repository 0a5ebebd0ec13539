import { openDuckdbToRead } from "../sql/duckdb.ts";
import { toWarehouseError } from "./duckdb/errors.ts";
import { queryDuckdb } from "./duckdb/query.ts";
import { toDuckdbText } from "./duckdb/values.ts";
import { defaultMaxRows, type Warehouse } from "./warehouse.ts";

/** A warehouse of which nothing but the rows is used. */
export type WarehouseReader = Pick<Warehouse, "query" | "close">;

/** Opens a DuckDB file of the warehouse for reading alone; the file stays as it is. Queries take the time that they need. */
export async function openDuckdbReader(path: string): Promise<WarehouseReader> {
  const instance = await openDuckdbToRead(path, "warehouse");
  const never = new AbortController().signal;
  return {
    query: (statement, { maxRows = defaultMaxRows, signal: stop = never } = {}) =>
      queryDuckdb(instance, { ...toDuckdbText(statement), maxRows, stop }).catch((error: unknown) => {
        throw toWarehouseError(error);
      }),
    async close() {
      instance.closeSync();
    },
  };
}
