import type { Clock } from "../ingest/clock.ts";
import { toDeadLetter, toDeadLetterMessage } from "../ingest/dead-letter.ts";
import type { Consumer, EventLog, Message, PartitionReader } from "../ingest/log/log.ts";
import { type LoadedTopic, loadedTopics } from "./tables.ts";
import { type LogRange, type Warehouse, WarehouseError } from "./warehouse.ts";

/** About a third of a second of work for the embedded engine. */
const batchLimits = { maxMessages: 20_000, maxBytes: 32 * 1024 * 1024, waitMs: Number.MAX_SAFE_INTEGER };
const firstRetryMs = 250;
const longestRetryMs = 30_000;

/** Where the messages of one batch went: consumed = stored + duplicate + deadLettered. */
export interface LoadedBatch {
  readonly topic: LoadedTopic;
  readonly partition: number;
  readonly consumed: number;
  readonly stored: number;
  readonly duplicate: number;
  readonly deadLettered: number;
  /** From the publishing of the batch's first message to its being stored. */
  readonly oldestAgeMs: number;
}

export interface LoaderOptions {
  readonly log: EventLog;
  readonly warehouse: Warehouse;
  readonly clock: Clock;
  /** How long a message may wait for others, so that they share one insert. Default 250. */
  readonly lingerMs?: number;
  onBatch?(batch: LoadedBatch): void;
  /** Told of each failed attempt; the loader goes on trying and drops nothing. */
  onTrouble(error: unknown): void;
}

/**
 * Log to tables: consume, batch, insert, commit, each partition by itself. The store remembers its own place in the
 * log, so a range is stored once; a row that the engine refuses becomes a dead letter and costs nothing else.
 */
export function runLoader(options: LoaderOptions): Consumer[] {
  return loadedTopics.map((topic) =>
    options.log.consume({ group: "loader", topic, work: (reader) => loadPartition(options, topic, reader) }),
  );
}

async function loadPartition(options: LoaderOptions, topic: LoadedTopic, reader: PartitionReader): Promise<void> {
  const { clock, lingerMs = 250, onBatch } = options;
  await goToPosition(options, reader);
  while (!reader.signal.aborted) {
    const { messages } = await reader.next({ ...batchLimits, lingerMs });
    const first = messages[0];
    if (first === undefined) continue;
    const fate = await storeMessages(options, reader, messages);
    if (fate === null) return;
    onBatch?.({
      ...{ topic, partition: reader.partition, consumed: messages.length, ...fate },
      oldestAgeMs: Math.max(0, clock.now() - first.publishedAt),
    });
  }
}

async function goToPosition(
  { log, warehouse, clock, onTrouble }: LoaderOptions,
  reader: PartitionReader,
): Promise<void> {
  const stored = await untilDone({ clock, onTrouble }, reader, () =>
    warehouse.position(reader.topic, reader.partition),
  );
  if (stored === null) return;
  const end = (await log.ends(reader.topic))[reader.partition] ?? 0;
  if (stored > end) {
    throw new WarehouseError(
      "unavailable",
      `The warehouse has stored ${reader.topic}:${reader.partition} up to offset ${stored}, but the log ends at ${end}: it is another log. Start with the log that belongs to this warehouse, or with an empty warehouse.`,
    );
  }
  // What became a dead letter is committed, though it never was stored.
  reader.seek(Math.max(stored, await reader.committed()));
}

type Fate = Pick<LoadedBatch, "stored" | "duplicate" | "deadLettered">;

/** Stores the messages in order and commits behind each part; null when the reader was stopped first. */
async function storeMessages(
  options: LoaderOptions,
  reader: PartitionReader,
  messages: readonly Message[],
): Promise<Fate | null> {
  const last = messages.at(-1);
  if (last === undefined) return { stored: 0, duplicate: 0, deadLettered: 0 };
  const outcome = await untilDone(options, reader, () => storeOrRefuse(options.warehouse, toRange(reader, messages)));
  if (outcome === null) return null;
  if (outcome.kind === "stored") {
    await reader.commit(last.offset + 1);
    return { stored: outcome.stored, duplicate: outcome.duplicate, deadLettered: 0 };
  }
  if (messages.length > 1) {
    const middle = Math.ceil(messages.length / 2);
    const left = await storeMessages(options, reader, messages.slice(0, middle));
    const right = left && (await storeMessages(options, reader, messages.slice(middle)));
    return right && add(left, right);
  }
  const fault = { now: options.clock.now(), reason: "refused_by_store", error: outcome.error.message } as const;
  const letter = toDeadLetterMessage(toDeadLetter(reader, last, fault));
  const published = await untilDone(options, reader, () => options.log.publish([letter]));
  if (published === null) return null;
  await reader.commit(last.offset + 1);
  return { stored: 0, duplicate: 0, deadLettered: 1 };
}

async function storeOrRefuse(warehouse: Warehouse, range: LogRange) {
  try {
    return { kind: "stored", ...(await warehouse.store(range)) } as const;
  } catch (error) {
    if (error instanceof WarehouseError && error.code === "row_refused") return { kind: "refused", error } as const;
    throw error;
  }
}

/** Tries again, ever more slowly, until the work is done; null when the reader was stopped first. */
async function untilDone<T>(
  { clock, onTrouble }: Pick<LoaderOptions, "clock" | "onTrouble">,
  reader: PartitionReader,
  work: () => Promise<T>,
): Promise<T | null> {
  for (let waitMs = firstRetryMs; !reader.signal.aborted; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
    try {
      return await work();
    } catch (error) {
      onTrouble(error);
      await clock.sleep(waitMs, reader.signal);
    }
  }
  return null;
}

const toRange = ({ topic, partition }: PartitionReader, messages: readonly Message[]): LogRange => ({
  topic,
  partition,
  firstOffset: messages[0]?.offset ?? 0,
  nextOffset: (messages.at(-1)?.offset ?? -1) + 1,
  values: messages.map(({ value }) => value),
});

const add = (one: Fate, other: Fate): Fate => ({
  stored: one.stored + other.stored,
  duplicate: one.duplicate + other.duplicate,
  deadLettered: one.deadLettered + other.deadLettered,
});
