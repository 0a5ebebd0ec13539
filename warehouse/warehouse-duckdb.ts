import { createSemaphore } from "../ingest/concurrency/fair-queue.ts";
import { toWarehouseError } from "./duckdb/errors.ts";
import { queryDuckdb } from "./duckdb/query.ts";
import { toDuckdbText } from "./duckdb/values.ts";
import { type DuckdbFile, openEngineKeeper } from "./engine-duckdb.ts";
import type { GuardedWarehouse } from "./guarded/guarded.ts";
import { createSqlProcesses } from "./guarded/sql-processes.ts";
import { createTracker } from "./tracker.ts";
import { defaultMaxRows, type QueryOptions } from "./warehouse.ts";
import { withinTime } from "./within-time.ts";

/** Node's threads for work that blocks: engines, files, names of hosts (api/commands/thread-pool.cjs). */
const threads = Number(process.env["UV_THREADPOOL_SIZE"]) || 4;
/**
 * More at once would only share the same cores, and hold the memory of each. Each keeps one of Node's threads, and others must
 * be left for whatever a call waits for.
 */
const maxQueriesAtOnce = Math.min(8, Math.ceil(threads / 2));

/** The embedded warehouse: one DuckDB file, or `:memory:`. */
export async function openDuckdbWarehouse(file: DuckdbFile): Promise<GuardedWarehouse> {
  const keeper = await openEngineKeeper(file);
  const semaphore = createSemaphore(maxQueriesAtOnce);
  const { track, close } = createTracker(toWarehouseError);
  const sql = createSqlProcesses({
    takeSnapshot: () =>
      keeper.use(async ({ kept, snapshots }) => {
        await kept.follow();
        return snapshots.take();
      }),
  });

  return {
    store: (range) => track(() => keeper.use(({ inTurn, store }) => inTurn(() => store.store(range)))),
    position: (topic, partition) =>
      track(() => keeper.use(({ inTurn, store }) => inTurn(() => store.position(topic, partition)))),
    takePast: (all) => track(() => keeper.use(({ kept }) => kept.takePast(all))),
    query: (statement, options) =>
      track(() =>
        withinTime(options, (stop) =>
          keeper.use(async ({ instance, kept }) => {
            await kept.follow();
            return semaphore(
              () => queryDuckdb(instance, { ...toDuckdbText(statement), stop, ...toLimits(options) }),
              stop,
            );
          }),
        ),
      ),
    guarded: {
      engine: "DuckDB",
      select: (query) => track(() => withinTime(query, (stop) => sql.select(query, stop))),
    },
    close: () =>
      close(async () => {
        sql.close();
        await keeper.close();
      }),
  };
}

const toLimits = ({ maxRows = defaultMaxRows }: QueryOptions = {}) => ({ maxRows });
