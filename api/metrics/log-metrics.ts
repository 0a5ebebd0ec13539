import { Gauge } from "prom-client";
import type { LifecycleBatch } from "../../ingest/lifecycle/run.ts";
import type { NewMessage } from "../../ingest/log/log.ts";
import type { LoadedBatch, Waiting } from "../../warehouse/loader.ts";
import type { Instruments } from "./instruments.ts";

/** Seconds from a message's publishing to its being stored: usually below one, hours after an outage. */
const ageBuckets = [0.25, 0.5, 1, 2, 5, 15, 60, 300, 1800, 7200, 86_400];

/** What goes through the log, and what becomes of it. */
export function logMetrics(instruments: Instruments) {
  const { counter, seconds } = instruments;
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
  const ageAtStorage = seconds("loader_age_at_storage_seconds", "Age of a batch's oldest message when it was stored.", {
    labelNames: ["topic"],
    buckets: ageBuckets,
  });

  return {
    published(messages: readonly NewMessage[]): void {
      for (const { topic } of messages) published.inc({ topic });
    },
    heard(batch: LifecycleBatch): void {
      signals.inc({ fate: "dead_lettered" }, batch.deadLettered);
      signals.inc({ fate: "taken" }, batch.taken);
      signals.inc({ fate: "rekeyed" }, batch.rekeyed);
      signals.inc({ fate: "held" }, batch.held);
    },
    waiting: trackOldest(instruments),
    loaded({ topic, oldestAgeMs, ...batch }: LoadedBatch): void {
      consumed.inc({ topic }, batch.consumed);
      fates.inc({ topic, fate: "stored" }, batch.stored);
      fates.inc({ topic, fate: "duplicate" }, batch.duplicate);
      fates.inc({ topic, fate: "dead_lettered" }, batch.deadLettered);
      ageAtStorage.observe({ topic }, oldestAgeMs / 1000);
    },
  };
}

/** The age of the oldest message taken and not stored yet, as it is when it is asked for: it grows while nothing is stored. */
function trackOldest({ now, registry }: Instruments): (each: Waiting) => void {
  const waiting = new Map<string, Waiting>();
  new Gauge({
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
  return (each) => void waiting.set(`${each.topic}:${each.partition}`, each);
}
