import type { Clock } from "../ingest/clock.ts";
import { toDeadLetter } from "../ingest/dead-letter.ts";
import type { Consumer, EventLog, Message, PartitionReader } from "../ingest/log/log.ts";
import { type Retry, untilDone } from "../ingest/log/until-done.ts";
import { causesOf, type SpanOptions } from "../ingest/tracing.ts";
import { type LoadedTopic, loadedTopics } from "./tables.ts";
import { type LogRange, type Warehouse, WarehouseError } from "./warehouse.ts";

/** About a third of a second of work for the embedded engine. */
const batchLimits = { maxMessages: 20_000, maxBytes: 32 * 1024 * 1024, waitMs: Number.MAX_SAFE_INTEGER };

/** The outcome of the messages of one batch: consumed = stored + duplicate + deadLettered. */
export interface LoadedBatch {
  readonly topic: LoadedTopic;
  readonly partition: number;
  readonly consumed: number;
  readonly stored: number;
  readonly duplicate: number;
  readonly deadLettered: number;
  /** Milliseconds from the publishing of the batch's first message to its storage. */
  readonly oldestAgeMs: number;
  /** The attributes of its span; missing where none of the messages is part of a trace. */
  readonly traced?: LoadTrace;
}

export interface LoadTrace {
  readonly causes: Pick<SpanOptions, "parent" | "links">;
  /** When storing began and ended, milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface LoaderOptions {
  readonly log: EventLog;
  readonly warehouse: Warehouse;
  readonly clock: Clock;
  /** Pause between two inserts, in which messages gather for the next one. Default 250; ClickHouse is given more. */
  readonly pauseMs?: number;
  onBatch?(batch: LoadedBatch): void;
  /** Receives the error of each failed attempt; the loader keeps trying and drops nothing. */
  onTrouble(error: unknown): void;
}

/**
 * Log to tables: consume, batch, insert, commit, each partition by itself. The store alone knows its place in the log,
 * so a range is stored once, and a store that was lost or restored is filled again; what is committed only tells the log
 * what it need not keep. A row that the engine refuses becomes a dead letter and costs nothing else.
 */
export function runLoader(options: LoaderOptions): Consumer[] {
  const { log, clock, onTrouble } = options;
  return loadedTopics.map((topic) =>
    log.consume({
      group: "loader",
      topic,
      work: (reader) =>
        loadPartition({ ...options, reader, retry: { clock, onTrouble, signal: reader.signal } }, topic),
    }),
  );
}

interface PartitionWork extends LoaderOptions {
  readonly reader: PartitionReader;
  readonly retry: Retry;
}

async function loadPartition(work: PartitionWork, topic: LoadedTopic): Promise<void> {
  const { reader, clock, pauseMs = 250, onBatch, onTrouble } = work;
  const { partition } = reader;
  let place = await placeInLog(work);
  if (place === null) return;
  reader.seek(place);
  let gatherUntil = 0;
  while (!reader.signal.aborted) {
    const { messages } = await reader.next({ ...batchLimits, gatherUntil });
    const [first] = messages;
    if (first === undefined) continue;
    if (first.offset > place) onTrouble(removedMessages(reader, place, first.offset));
    const startedAt = clock.now();
    const { isDone, ...fate } = await storeMessages(work, messages);
    const endedAt = clock.now();
    const consumed = fate.stored + fate.duplicate + fate.deadLettered;
    const oldestAgeMs = Math.max(0, endedAt - first.publishedAt);
    const causes = causesOf(messages);
    const traced = causes === null ? {} : { traced: { causes, startedAt, endedAt } };
    if (consumed > 0) onBatch?.({ topic, partition, consumed, ...fate, oldestAgeMs, ...traced });
    if (!isDone) return;
    gatherUntil = clock.now() + pauseMs;
    place = toRange(reader, messages).nextOffset;
  }
}

/** Returns the offset at which storing continues; null if the reader was stopped first. */
async function placeInLog({ log, warehouse, retry, reader }: PartitionWork): Promise<number | null> {
  const { topic, partition } = reader;
  const stored = await untilDone(retry, () => warehouse.position(topic, partition));
  const ends = await untilDone(retry, () => log.ends(topic));
  if (stored === null || ends === null) return null;
  const end = ends[partition] ?? 0;
  if (stored <= end) return stored;
  throw new WarehouseError(
    "unavailable",
    `The warehouse has stored ${topic}:${partition} up to offset ${stored}, but the log ends at ${end}: it is another log. Start with the log that belongs to this warehouse, or with an empty warehouse.`,
  );
}

const removedMessages = ({ topic, partition }: PartitionReader, from: number, to: number) =>
  new WarehouseError(
    "unavailable",
    `The warehouse has stored ${topic}:${partition} up to offset ${from}, but the log has kept nothing before ${to}: ${to - from} messages are missing in the warehouse. Restore a newer backup of it if there is one; loading goes on at ${to}.`,
  );

interface Fate extends Pick<LoadedBatch, "stored" | "duplicate" | "deadLettered"> {
  /** False when the reader was stopped first: what was stored until then is stored, committed or not. */
  readonly isDone: boolean;
}
const nothing = { stored: 0, duplicate: 0, deadLettered: 0 };

/** Stores the messages in order and commits behind each part. */
async function storeMessages(work: PartitionWork, messages: readonly Message[]): Promise<Fate> {
  const { warehouse, retry, reader } = work;
  const range = toRange(reader, messages);
  const outcome = await untilDone(retry, () => storeOrRefuse(warehouse, range));
  if (outcome === null) return { ...nothing, isDone: false };
  if (outcome.kind === "stored") {
    const committed = await untilDone(retry, () => reader.commit(range.nextOffset));
    const { stored, duplicate } = outcome;
    return { stored, duplicate, deadLettered: 0, isDone: committed !== null };
  }
  const [only] = messages;
  if (only !== undefined && messages.length === 1) return refuse(work, only, outcome.error);
  const middle = Math.ceil(messages.length / 2);
  const left = await storeMessages(work, messages.slice(0, middle));
  return left.isDone ? add(left, await storeMessages(work, messages.slice(middle))) : left;
}

/** Puts the message among the dead letters, and moves the store's place in the log behind it. */
async function refuse(
  { log, warehouse, clock, retry, reader }: PartitionWork,
  message: Message,
  { message: error }: WarehouseError,
): Promise<Fate> {
  const { offset: position, key } = message;
  const place = { source: reader.topic, partition: reader.partition, position, key };
  const letter = toDeadLetter(place, message.value, { now: clock.now(), reason: "refused_by_store", error });
  const passed = { ...toRange(reader, [message]), values: [] };
  const published = await untilDone(retry, () => log.publish([letter]));
  const moved = published && (await untilDone(retry, () => warehouse.store(passed)));
  if (moved === null) return { ...nothing, isDone: false };
  const committed = await untilDone(retry, () => reader.commit(passed.nextOffset));
  return { ...nothing, deadLettered: 1, isDone: committed !== null };
}

async function storeOrRefuse(warehouse: Warehouse, range: LogRange) {
  try {
    return { kind: "stored", ...(await warehouse.store(range)) } as const;
  } catch (error) {
    if (error instanceof WarehouseError && error.code === "row_refused") return { kind: "refused", error } as const;
    throw error;
  }
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
  isDone: one.isDone && other.isDone,
});
