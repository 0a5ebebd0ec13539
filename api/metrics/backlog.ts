import type { EventLog, Topic } from "../../ingest/log/log.ts";
import type { Place } from "../../ingest/log/progress.ts";

/** The messages of one partition that a role has not processed yet. */
export interface Backlog {
  readonly consumer: "lifecycle" | "deliver" | "load";
  readonly topic: Topic;
  readonly messages: number;
  /** When the oldest of them was published; null if that is unknown or there is none. */
  readonly oldestAt: number | null;
}

/** Roles by their consumer groups. */
const consumers: Readonly<Record<string, Backlog["consumer"]>> = {
  lifecycle: "lifecycle",
  deliver: "deliver",
  loader: "load",
};

interface BacklogDeps {
  readonly log: Pick<EventLog, "ends" | "read">;
  /** The partitions that this process consumes. */
  places(): readonly Place[];
}

/** Measures the backlog of this process's consumers. */
export function createBacklog({ log, places }: BacklogDeps) {
  const ends = new Map<Topic, readonly number[]>();
  /** For partitions without messages in progress: the age of the oldest message up to the end, null if there was none. */
  const found = new WeakMap<Place, { readonly done: number; readonly end: number; readonly oldestAt: number | null }>();
  const endOf = ({ topic, partition }: Place): number => ends.get(topic)?.[partition] ?? 0;

  /** Reads the age of the next message from the log, for a partition without messages in progress. */
  async function look(place: Place): Promise<void> {
    const done = place.done() ?? (await place.committed());
    const { topic, partition } = place;
    const end = endOf(place);
    const known = found.get(place);
    const isKnown = known?.done === done && (known.oldestAt !== null || known.end === end);
    if (end <= done || place.oldestInHand() !== null || isKnown) return;
    let oldestAt: number | null = null;
    for await (const { publishedAt } of log.read({ topic, partition, offset: done })) {
      oldestAt = publishedAt;
      break;
    }
    found.set(place, { done, end, oldestAt });
  }

  function backlogOf(place: Place): Backlog[] {
    const consumer = consumers[place.group];
    const done = place.done();
    if (consumer === undefined || done === null) return [];
    const { topic } = place;
    const known = found.get(place);
    const next = known?.done === done ? known : undefined;
    // Positions up to there may hold nothing that is consumed, such as transaction markers.
    const nothingUpTo = next?.oldestAt === null ? next.end : done;
    const end = Math.max(endOf(place), place.handedOut() ?? 0);
    const messages = end <= nothingUpTo ? 0 : end - done;
    return [
      { consumer, topic, messages, oldestAt: messages === 0 ? null : (place.oldestInHand() ?? next?.oldestAt ?? null) },
    ];
  }

  return {
    /** Reads the ends of the log. If the log throws, the earlier ends are kept. */
    async refresh(): Promise<void> {
      for (const topic of new Set(places().map((place) => place.topic))) ends.set(topic, await log.ends(topic));
      for (const place of places()) await look(place);
    },
    /** Returns the backlog of each partition as of the last refresh. */
    current: (): Backlog[] => places().flatMap(backlogOf),
  };
}
