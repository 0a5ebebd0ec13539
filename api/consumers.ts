import type { Logger } from "pino";
import { type LifecycleBatch, runLifecycle } from "../ingest/lifecycle/run.ts";
import type { Consumer } from "../ingest/log/log.ts";
import { type LoadedBatch, runLoader } from "../warehouse/loader.ts";
import type { WarehouseThread } from "../warehouse/thread/warehouse-thread.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { ProcessContext } from "./process/context.ts";
import { loadTracer } from "./tracing/trace-loads.ts";

/** Each insert creates parts that the engine must merge later: few large ones cost it less. */
const clickhousePauseMs = 1000;

export interface ConsumerOptions {
  onLoaded?(batch: LoadedBatch): void;
}

interface GivenWarehouse {
  readonly warehouse: Warehouse | undefined;
  /** The loader of a warehouse that has one of its own. */
  readonly runLoader?: WarehouseThread["runLoader"] | undefined;
}

/** Starts the log consumers of this process's roles, except deliveries. */
export function runConsumers(
  { settings, log, clock, shutdown, metrics, tracing, logger, onTrouble }: ProcessContext,
  { warehouse, onLoaded, ...given }: ConsumerOptions & GivenWarehouse,
): Consumer[] {
  const roles = new Set(settings.ROLES);
  const consumers: Consumer[] = [];
  const add = (name: string, started: readonly Consumer[]): void => {
    for (const consumer of started) shutdown.add(name, { close: consumer.stop });
    consumers.push(...started);
  };
  if (roles.has("lifecycle"))
    add("lifecycle", [
      runLifecycle({
        log,
        clock,
        tracing,
        onTrouble: onTrouble("lifecycle"),
        onBatch: recordLifecycle(metrics, logger),
      }),
    ]);
  if (roles.has("load") && settings.ANALYTICS && warehouse !== undefined) {
    const traceLoad = tracing === null ? null : loadTracer(tracing, settings.CLICKHOUSE_URL === undefined);
    const loading = { log, onTrouble: onTrouble("loader"), ...recordLoads(metrics, traceLoad, onLoaded) };
    const pausing = settings.CLICKHOUSE_URL === undefined ? {} : { pauseMs: clickhousePauseMs };
    add("loader", given.runLoader?.(loading) ?? runLoader({ ...loading, ...pausing, warehouse, clock }));
  }
  return consumers;
}

/** Counts every batch, and warns once if a producer publishes signals to partitions other than their calls'. */
function recordLifecycle({ signalsProcessed }: Metrics, logger: Logger) {
  let hasWarned = false;
  return (batch: LifecycleBatch): void => {
    signalsProcessed(batch);
    if (batch.rekeyed === 0 || hasWarned) return;
    hasWarned = true;
    logger.warn(
      { part: "lifecycle", signals: batch.rekeyed },
      "signals arrived in partitions other than their calls' and are published again, some seconds late: configure their producer to send the call_id as key and to partition keys by murmur2, the default of Kafka's clients (librdkafka: partitioner=murmur2_random)",
    );
  };
}

const recordLoads = (
  { loaded }: Metrics,
  traceLoad: ((batch: LoadedBatch) => void) | null,
  onLoaded?: ConsumerOptions["onLoaded"],
) => ({
  onBatch(batch: LoadedBatch): void {
    loaded(batch);
    traceLoad?.(batch);
    onLoaded?.(batch);
  },
});

/** Resolves with the error of the first part that fails; never while all are running. */
export const firstFailure = (parts: readonly { readonly finished: Promise<unknown> }[]): Promise<unknown> =>
  Promise.race(
    parts.map(({ finished }) =>
      finished.then(
        () => new Promise(() => {}),
        (error) => error,
      ),
    ),
  );
