import type { Tracing } from "../../ingest/tracing.ts";
import type { LoadedBatch } from "../../warehouse/loader.ts";

/**
 * Returns a function that makes the span of a batch that was loaded, with its times. The loader of an embedded warehouse
 * runs in a thread of its own, so spans are made where batches are counted.
 */
export const loadTracer =
  (tracing: Tracing, isEmbedded: boolean) =>
  ({ topic, partition, traced, ...batch }: LoadedBatch): void => {
    if (traced === undefined) return;
    const span = tracing.start(`insert ${topic}`, {
      kind: "consumer",
      ...traced.causes,
      startedAt: traced.startedAt,
      attributes: {
        "db.system.name": isEmbedded ? "duckdb" : "clickhouse",
        "db.operation.name": "INSERT",
        "messaging.destination.name": topic,
        "messaging.destination.partition.id": String(partition),
        "messaging.operation.name": "insert",
        "messaging.operation.type": "process",
        "messaging.consumer.group.name": "loader",
        "messaging.batch.message_count": batch.consumed,
        "trunkline.stored": batch.stored,
        "trunkline.duplicate": batch.duplicate,
        "trunkline.dead_lettered": batch.deadLettered,
      },
    });
    span.end(traced.endedAt);
  };
