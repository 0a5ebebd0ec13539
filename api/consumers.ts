import type { Logger } from "pino";
import { type LifecycleBatch, runLifecycle } from "../ingest/lifecycle/run.ts";
import type { Consumer } from "../ingest/log/log.ts";
import { type LoadedBatch, runLoader } from "../warehouse/loader.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { Base } from "./process/base.ts";

/** Each insert leaves parts to be merged: few large ones are what the engine is made for. */
const clickhouseLingerMs = 1000;

export interface ConsumerOptions {
  onLoaded?(batch: LoadedBatch): void;
}

/** Starts what this process's roles read from the log, but for deliveries. */
export function runConsumers(
  { settings, log, clock, closers, metrics, logger, onTrouble }: Base,
  { warehouse, onLoaded }: ConsumerOptions & { readonly warehouse: Warehouse | undefined },
): Consumer[] {
  const does = new Set(settings.ROLES);
  const consumers: Consumer[] = [];
  const keep = (name: string, started: readonly Consumer[]): void => {
    for (const consumer of started) closers.add(name, { close: consumer.stop });
    consumers.push(...started);
  };
  if (does.has("lifecycle"))
    keep("lifecycle", [
      runLifecycle({ log, clock, onTrouble: onTrouble("lifecycle"), onBatch: heardBy(metrics, logger) }),
    ]);
  if (does.has("load") && settings.ANALYTICS && warehouse !== undefined)
    keep(
      "loader",
      runLoader({
        log,
        warehouse,
        clock,
        onTrouble: onTrouble("loader"),
        ...loadedBy(metrics, onLoaded),
        ...(settings.CLICKHOUSE_URL === undefined ? {} : { lingerMs: clickhouseLingerMs }),
      }),
    );
  return consumers;
}

/** Counts every batch, and warns once of a producer that puts calls in other partitions. */
function heardBy({ heard }: Metrics, logger: Logger) {
  let isTold = false;
  return (batch: LifecycleBatch): void => {
    heard(batch);
    if (batch.rekeyed === 0 || isTold) return;
    isTold = true;
    logger.warn(
      { part: "lifecycle", signals: batch.rekeyed },
      "signals came in other partitions than their calls' and are published again, some seconds late: have their producer send the call_id as key and spread keys by murmur2, the default of Kafka's clients (librdkafka: partitioner=murmur2_random)",
    );
  };
}

const loadedBy = ({ loaded }: Metrics, onLoaded?: ConsumerOptions["onLoaded"]) => ({
  onBatch(batch: LoadedBatch): void {
    loaded(batch);
    onLoaded?.(batch);
  },
});

/** Resolves with the error of the first that cannot go on; never while all do. */
export const firstFailure = (parts: readonly { readonly finished: Promise<unknown> }[]): Promise<unknown> =>
  Promise.race(
    parts.map(({ finished }) =>
      finished.then(
        () => new Promise(() => {}),
        (error) => error,
      ),
    ),
  );
