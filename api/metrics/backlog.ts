import type { EventLog, Topic } from "../../ingest/log/log.ts";
import type { Place } from "../../ingest/log/progress.ts";

/** What one role has yet to work through in one partition. */
export interface Backlog {
  readonly consumer: "lifecycle" | "deliver" | "load";
  readonly topic: Topic;
  readonly messages: number;
  /** When the log took the oldest of them; null when that is not known, or there is none. */
  readonly oldestAt: number | null;
}

/** Roles by the groups that they consume as. */
const consumers: Readonly<Record<string, Backlog["consumer"]>> = {
  lifecycle: "lifecycle",
  deliver: "deliver",
  loader: "load",
};

interface BacklogDeps {
  readonly log: Pick<EventLog, "ends" | "read">;
  /** Partitions that are worked on here. */
  places(): readonly Place[];
}

/** What the consumers of this process have yet to work through. */
export function createBacklog({ log, places }: BacklogDeps) {
  const ends = new Map<Topic, readonly number[]>();
  /** Of places where nothing is in hand: the oldest message from there to the end, null where there was none. */
  const found = new WeakMap<Place, { readonly done: number; readonly end: number; readonly oldestAt: number | null }>();
  const endOf = ({ topic, partition }: Place): number => ends.get(topic)?.[partition] ?? 0;

  /** Where nothing is in hand, the log tells how old the next message is, or that what is left is none. */
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
    // Up to there may be what nobody is handed, such as the marks of transactions.
    const nothingUpTo = next?.oldestAt === null ? next.end : done;
    const end = Math.max(endOf(place), place.handedOut() ?? 0);
    const messages = end <= nothingUpTo ? 0 : end - done;
    return [
      { consumer, topic, messages, oldestAt: messages === 0 ? null : (place.oldestInHand() ?? next?.oldestAt ?? null) },
    ];
  }

  return {
    /** Asks the log where it ends by now. Throws what the log throws; what was known before stays. */
    async refresh(): Promise<void> {
      for (const topic of new Set(places().map((place) => place.topic))) ends.set(topic, await log.ends(topic));
      for (const place of places()) await look(place);
    },
    /** By partition, as it was known last. */
    current: (): Backlog[] => places().flatMap(backlogOf),
  };
}
