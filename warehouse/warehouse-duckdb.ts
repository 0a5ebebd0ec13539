import { createQueue, type DuckdbOptions, openDuckdb } from "../sql/duckdb.ts";
import { toWarehouseError } from "./duckdb-errors.ts";
import { toDuckdbValue } from "./duckdb-values.ts";
import type { GuardedWarehouse } from "./guarded.ts";
import { openDuckdbGuard } from "./guarded-duckdb.ts";
import { queryDuckdb } from "./query-duckdb.ts";
import { render, type SqlValue, type Statement } from "./statement.ts";
import { createDuckdbStore } from "./store-duckdb.ts";
import { createTurns } from "./turns.ts";
import { type QueryOptions, WarehouseError } from "./warehouse.ts";
import { withinTime } from "./within-time.ts";

const defaultMaxRows = 10_000;

/** More at once would only share the same cores, and hold the memory of each. */
const maxQueriesAtOnce = 8;

export interface DuckdbWarehouseOptions extends Pick<DuckdbOptions, "memoryLimitBytes"> {
  readonly path: string;
}

/** The embedded warehouse: one DuckDB file, or `:memory:`. One connection writes, each query has one of its own. */
export async function openDuckdbWarehouse({ path, ...options }: DuckdbWarehouseOptions): Promise<GuardedWarehouse> {
  const instance = await openDuckdb(path, "warehouse", options);
  const writer = await instance.connect();
  const store = await createDuckdbStore(writer);
  const inTurn = createQueue();
  const turns = createTurns(maxQueriesAtOnce);
  const guard = await openDuckdbGuard(instance);
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
          turns(stop, () => queryDuckdb(instance, { ...toText(statement), stop, ...toLimits(options) })),
        ),
      ),
    guarded: { select: (query) => track(() => withinTime(query, (stop) => guard.select(query, stop))) },
    async close() {
      if (closed) return;
      closed = true;
      await Promise.all(running);
      guard.close();
      writer.closeSync();
      instance.closeSync();
    },
  };
}

const toLimits = ({ maxRows = defaultMaxRows }: QueryOptions = {}) => ({ maxRows });

function toText(statement: Statement) {
  const values: SqlValue[] = [];
  const text = render(statement, (value) => `$${values.push(value)}`);
  return { text, values: values.map(toDuckdbValue) };
}
