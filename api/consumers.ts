import { runLifecycle } from "../ingest/lifecycle/run.ts";
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
  { settings, log, clock, closers, metrics, onTrouble }: Base,
  { warehouse, onLoaded }: ConsumerOptions & { readonly warehouse: Warehouse | undefined },
): Consumer[] {
  const does = new Set(settings.ROLES);
  const consumers: Consumer[] = [];
  if (does.has("lifecycle"))
    consumers.push(runLifecycle({ log, clock, onTrouble: onTrouble("lifecycle"), onBatch: metrics.heard }));
  if (does.has("load") && settings.ANALYTICS && warehouse !== undefined)
    consumers.push(
      ...runLoader({
        ...{ log, warehouse, clock, onTrouble: onTrouble("loader"), ...loadedBy(metrics, onLoaded) },
        ...(settings.CLICKHOUSE_URL === undefined ? {} : { lingerMs: clickhouseLingerMs }),
      }),
    );
  for (const consumer of consumers) closers.add({ close: () => consumer.stop() });
  return consumers;
}

const loadedBy = ({ loaded, waiting }: Metrics, onLoaded?: ConsumerOptions["onLoaded"]) => ({
  onBatch(batch: LoadedBatch): void {
    loaded(batch);
    onLoaded?.(batch);
  },
  onWaiting: waiting,
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
