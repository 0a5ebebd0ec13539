import { createQueue, type DuckdbOptions, openDuckdb } from "../sql/duckdb.ts";
import { toWarehouseError } from "./duckdb/errors.ts";
import { queryDuckdb } from "./duckdb/query.ts";
import { openRetention } from "./duckdb/retention.ts";
import { createDuckdbStore } from "./duckdb/store.ts";
import { toDuckdbValue } from "./duckdb/values.ts";
import type { GuardedWarehouse } from "./guarded/guarded.ts";
import { openDuckdbGuard } from "./guarded/run-duckdb.ts";
import { createTurns } from "./guarded/turns.ts";
import { keepAll, type Retention } from "./retention.ts";
import { render, type SqlValue, type Statement } from "./statement.ts";
import { createTracker } from "./tracker.ts";
import { defaultMaxRows, type QueryOptions } from "./warehouse.ts";
import { withinTime } from "./within-time.ts";

/** More at once would only share the same cores, and hold the memory of each. */
const maxQueriesAtOnce = 8;

export interface DuckdbWarehouseOptions extends Pick<DuckdbOptions, "memoryLimitBytes"> {
  readonly path: string;
  /** Default: every row is kept. */
  readonly retention?: Retention;
}

/** The embedded warehouse: one DuckDB file, or `:memory:`. One connection writes, each query has one of its own. */
export async function openDuckdbWarehouse({
  path,
  retention = keepAll,
  ...options
}: DuckdbWarehouseOptions): Promise<GuardedWarehouse> {
  const instance = await openDuckdb(path, "warehouse", options);
  const writer = await instance.connect();
  const store = await createDuckdbStore(writer);
  const inTurn = createQueue();
  const kept = await openRetention({ writer, inTurn }, retention);
  const turns = createTurns(maxQueriesAtOnce);
  const guard = await openDuckdbGuard(instance);
  const { track, close } = createTracker(toWarehouseError);

  return {
    store: (range) => track(() => inTurn(() => store.store(range))),
    position: (topic, partition) => track(() => inTurn(() => store.position(topic, partition))),
    query: (statement, options) =>
      track(() =>
        withinTime(options, async (stop) => {
          await kept.follow();
          return turns(stop, () => queryDuckdb(instance, { ...toText(statement), stop, ...toLimits(options) }));
        }),
      ),
    guarded: {
      engine: "DuckDB",
      select: (query) =>
        track(() =>
          withinTime(query, async (stop) => {
            await kept.follow();
            return guard.select(query, stop);
          }),
        ),
    },
    close: () =>
      close(async () => {
        await kept.close();
        guard.close();
        writer.closeSync();
        instance.closeSync();
      }),
  };
}

const toLimits = ({ maxRows = defaultMaxRows }: QueryOptions = {}) => ({ maxRows });

function toText(statement: Statement) {
  const values: SqlValue[] = [];
  const text = render(statement, (value) => `$${values.push(value)}`);
  return { text, values: values.map(toDuckdbValue) };
}
