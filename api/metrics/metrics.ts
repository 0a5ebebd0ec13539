import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Clock } from "../../ingest/clock.ts";
import type { LifecycleBatch } from "../../ingest/lifecycle/run.ts";
import type { NewMessage } from "../../ingest/log/log.ts";
import type { LoadedBatch, Waiting } from "../../warehouse/loader.ts";

/** Seconds from a message's publishing to its being stored: usually below one, hours after an outage. */
const ageBuckets = [0.25, 0.5, 1, 2, 5, 15, 60, 300, 1800, 7200, 86_400];
const answerBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * What one process has done, for Prometheus. Labels come from closed lists in code, none from customers: neither what
 * they are called nor how many they are can be read from it.
 */
export function createMetrics(clock: Pick<Clock, "now">) {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `trunkline_${name}`, help, labelNames, registers });
  const histogram = <L extends string>(
    name: string,
    help: string,
    { labelNames, buckets }: { labelNames: readonly L[]; buckets: number[] },
  ) => new Histogram({ name: `trunkline_${name}`, help, labelNames, buckets, registers });

  const published = counter("log_published_messages_total", "Messages that this process made durable in the log.", [
    "topic",
  ]);
  const signals = counter("lifecycle_signals_total", "Signals read, whether or not they changed a call.", ["fate"]);
  const consumed = counter("loader_consumed_messages_total", "Messages that the loader took and is done with.", [
    "topic",
  ]);
  const fates = counter(
    "loader_messages_total",
    "What became of them; the fates of a topic add up to what was taken.",
    ["topic", "fate"],
  );
  const ageAtStorage = histogram(
    "loader_age_at_storage_seconds",
    "Age of a batch's oldest message when it was stored.",
    {
      ...{ labelNames: ["topic"], buckets: ageBuckets },
    },
  );
  const deliveries = counter("deliveries_total", "Attempts at outgoing webhooks.", ["outcome"]);
  const deliverySeconds = histogram("delivery_seconds", "How long receivers took.", {
    ...{ labelNames: [], buckets: answerBuckets },
  });
  const pings = counter("pings_total", "Publishers' pings, by what they were answered.", ["outcome"]);
  const bids = counter("bid_requests_total", "Requests to buyers, by how they went.", ["result"]);
  const bidSeconds = histogram("bid_request_seconds", "How long buyers took.", {
    ...{ labelNames: [], buckets: answerBuckets },
  });
  const http = histogram("http_request_seconds", "Answers, by operation and class of status.", {
    ...{ labelNames: ["operation", "status"], buckets: answerBuckets },
  });
  const oldest = trackOldest(clock, registry);
  const exchanged = trackExchange(clock, registry);

  return {
    registry,
    published(messages: readonly NewMessage[]): void {
      for (const { topic } of messages) published.inc({ topic });
    },
    heard(batch: LifecycleBatch): void {
      signals.inc({ fate: "dead_lettered" }, batch.deadLettered);
      signals.inc({ fate: "taken" }, batch.signals - batch.deadLettered);
    },
    waiting: oldest.note,
    loaded({ topic, oldestAgeMs, ...batch }: LoadedBatch): void {
      consumed.inc({ topic }, batch.consumed);
      fates.inc({ topic, fate: "stored" }, batch.stored);
      fates.inc({ topic, fate: "duplicate" }, batch.duplicate);
      fates.inc({ topic, fate: "dead_lettered" }, batch.deadLettered);
      ageAtStorage.observe({ topic }, oldestAgeMs / 1000);
    },
    delivered(outcome: string, elapsedMs: number): void {
      deliveries.inc({ outcome });
      deliverySeconds.observe(elapsedMs / 1000);
    },
    pinged: (outcome: string): void => pings.inc({ outcome }),
    exchanged,
    bid(result: string, elapsedMs: number): void {
      bids.inc({ result });
      bidSeconds.observe(elapsedMs / 1000);
    },
    answered(operation: string, status: number, elapsedMs: number): void {
      http.observe({ operation, status: `${Math.floor(status / 100)}xx` }, elapsedMs / 1000);
    },
  };
}
export type Metrics = ReturnType<typeof createMetrics>;

/** The age of the oldest message taken and not stored yet, as it is when it is asked for: it grows while nothing is stored. */
function trackOldest({ now }: Pick<Clock, "now">, registry: Registry) {
  const waiting = new Map<string, Waiting>();
  const gauge = new Gauge({
    name: "trunkline_loader_oldest_unstored_seconds",
    help: "Age of the oldest message that the loader has taken and not stored yet; 0 when there is none.",
    labelNames: ["topic"],
    registers: [registry],
    collect() {
      this.reset();
      const since = new Map<string, number>();
      for (const { topic, publishedAt } of waiting.values()) {
        const known = since.get(topic) ?? Number.POSITIVE_INFINITY;
        since.set(topic, Math.min(known, publishedAt ?? Number.POSITIVE_INFINITY));
      }
      for (const [topic, at] of since) this.set({ topic }, Number.isFinite(at) ? Math.max(0, now() - at) / 1000 : 0);
    },
  });
  return {
    gauge,
    note: (each: Waiting): void => void waiting.set(`${each.topic}:${each.partition}`, each),
  };
}

/** How long ago the last exchange was, as it is when it is asked for; nothing where there never was one. */
function trackExchange({ now }: Pick<Clock, "now">, registry: Registry): () => void {
  let exchangedAt: number | null = null;
  new Gauge({
    name: "trunkline_notices_age_seconds",
    help: "Since this process last told the others of pings and heard of theirs; none where it shares with nobody.",
    registers: [registry],
    collect() {
      // Without labels it would stand at 0 from the start.
      this.remove();
      if (exchangedAt !== null) this.set(Math.max(0, now() - exchangedAt) / 1000);
    },
  });
  return () => {
    exchangedAt = now();
  };
}
