import type { Clock } from "../ingest/clock.ts";
import type { EventLog } from "../ingest/log/log.ts";
import { type LoadedTopic, loadedTopics, tablesByTopic } from "./tables.ts";
import type { Warehouse } from "./warehouse.ts";

/** Tells of a table, or of all, since when what came in is not stored: milliseconds since 1970; null: all is. Never rejects. */
export type LoadingLag = (table?: string) => Promise<number | null>;

/** Loading in time takes a second or two: less than this is no lag. */
const usualMs = 5000;
/** The place in the log is looked up again after this. */
const freshMs = 2000;
/** The longest wait for the store's place: a store too busy to tell it keeps others waiting, too. */
const mostMs = 500;

interface Parts {
  readonly log: Pick<EventLog, "ends" | "read">;
  readonly warehouse: Pick<Warehouse, "position">;
  readonly clock: Clock;
}

/** Holds the store's place against the ends of the log, whichever process loads. */
export function createLoadingLag({ log, warehouse, clock }: Parts): LoadingLag {
  const known = new Map<LoadedTopic, { readonly at: number; readonly oldest: Promise<number | null> }>();

  /** When the first message that is not stored was published; positions without a message, such as markers, are none. */
  async function oldestIn(topic: LoadedTopic, partition: number, end: number): Promise<number | null> {
    const offset = await warehouse.position(topic, partition);
    if (offset >= end) return null;
    for await (const { publishedAt } of log.read({ topic, partition, offset })) return publishedAt;
    return null;
  }

  async function look(topic: LoadedTopic): Promise<number | null> {
    const ends = await log.ends(topic);
    return earliest(await Promise.all(ends.map((end, partition) => oldestIn(topic, partition, end))));
  }

  function oldestOf(topic: LoadedTopic): Promise<number | null> {
    const found = known.get(topic);
    if (found !== undefined && clock.now() - found.at < freshMs) return found.oldest;
    // A store that cannot be read has its own error where it is read.
    const oldest = look(topic).catch(() => null);
    known.set(topic, { at: clock.now(), oldest });
    return oldest;
  }

  return async (table) => {
    const topics = loadedTopics.filter(
      (topic) => table === undefined || tablesByTopic[topic].some((each) => each.table === table),
    );
    const inTime = new AbortController();
    const late = clock.sleep(mostMs, inTime.signal).then(() => null);
    const oldest = await Promise.race([Promise.all(topics.map(oldestOf)).then(earliest), late]);
    inTime.abort();
    return oldest === null || clock.now() - oldest < usualMs ? null : oldest;
  };
}

const earliest = (times: readonly (number | null)[]): number | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);
