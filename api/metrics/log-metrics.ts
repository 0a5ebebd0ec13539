import { Gauge } from "prom-client";
import type { LifecycleBatch } from "../../ingest/lifecycle/run.ts";
import type { NewMessage } from "../../ingest/log/log.ts";
import type { LoadedBatch } from "../../warehouse/loader.ts";
import type { Backlog } from "./backlog.ts";
import type { Instruments } from "./instruments.ts";

/** Seconds from publishing to storage: usually less than one, hours after an outage. */
const ageBuckets = [0.25, 0.5, 1, 2, 5, 15, 60, 300, 1800, 7200, 86_400];

/** Metrics of the event log and of its consumers. */
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
    signalsProcessed(batch: LifecycleBatch): void {
      signals.inc({ fate: "dead_lettered" }, batch.deadLettered);
      signals.inc({ fate: "taken" }, batch.taken);
      signals.inc({ fate: "rekeyed" }, batch.rekeyed);
      signals.inc({ fate: "held" }, batch.held);
    },
    /** Sets where the gauges of the backlog read it. */
    backlogFrom: createBacklogGauges(instruments),
    loaded({ topic, oldestAgeMs, ...batch }: LoadedBatch): void {
      consumed.inc({ topic }, batch.consumed);
      fates.inc({ topic, fate: "stored" }, batch.stored);
      fates.inc({ topic, fate: "duplicate" }, batch.duplicate);
      fates.inc({ topic, fate: "dead_lettered" }, batch.deadLettered);
      ageAtStorage.observe({ topic }, oldestAgeMs / 1000);
    },
  };
}

/** Gauges of the backlog, read at each scrape: the age grows while nothing is processed. */
function createBacklogGauges({ now, registry }: Instruments): (read: () => readonly Backlog[]) => void {
  let current: () => readonly Backlog[] = () => [];
  const gauge = (name: string, help: string, of: (sum: Pick<Backlog, "messages" | "oldestAt">) => number | null) =>
    new Gauge({
      name: `trunkline_${name}`,
      help,
      labelNames: ["consumer", "topic"],
      registers: [registry],
      collect() {
        this.reset();
        for (const { consumer, topic, ...sum } of sumUp(current())) {
          const value = of(sum);
          if (value !== null) this.set({ consumer, topic }, value);
        }
      },
    });
  gauge(
    "backlog_messages",
    "Messages of the log that a role has yet to work through, in the partitions that this process works on.",
    ({ messages }) => messages,
  );
  gauge(
    "backlog_oldest_seconds",
    "Age of the oldest of them; 0 when there is none, missing while it is not known.",
    ({ messages, oldestAt }) =>
      oldestAt === null ? (messages === 0 ? 0 : null) : Math.max(0, now() - oldestAt) / 1000,
  );
  return (from) => {
    current = from;
  };
}

/** Sums backlogs by role and topic. */
function sumUp(backlogs: readonly Backlog[]): readonly Backlog[] {
  const sums = new Map<string, Backlog>();
  for (const { consumer, topic, messages, oldestAt } of backlogs) {
    const key = `${consumer} ${topic}`;
    const known = sums.get(key);
    const times = [known?.oldestAt ?? null, oldestAt].filter((at) => at !== null);
    const oldest = times.length === 0 ? null : Math.min(...times);
    sums.set(key, { consumer, topic, messages: (known?.messages ?? 0) + messages, oldestAt: oldest });
  }
  return [...sums.values()];
}
