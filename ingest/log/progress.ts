import { onAbort } from "../on-abort.ts";
import type { ConsumeOptions, EventLog, Message, PartitionReader, Topic } from "./log.ts";

/** The progress of a consumer in one partition. */
export interface Place {
  readonly group: string;
  readonly topic: Topic;
  readonly partition: number;
  /** All before this offset is worked through; null until that is known. */
  done(): number | null;
  /** The offset behind all that was handed out; null where nothing was. */
  handedOut(): number | null;
  /** The publishing time of the oldest message in progress; null if there is none. */
  oldestInHand(): number | null;
  /** Returns the offset at which a restart continues. Asks the log, and throws its errors. */
  committed(): Promise<number>;
}

/**
 * Returns true for groups whose messages are done when they are committed. Other consumers have processed all earlier
 * messages when they ask for more, but a deliverer has many deliveries in progress at once, and the lifecycle commits
 * no signal of a call without a published event, however often it asks.
 */
const endsByCommit = (group: string): boolean => group === "deliver";

/** A log that notes how far those who consume it are, in each partition that they work on. */
export function watchProgress(log: EventLog): { readonly log: EventLog; places(): readonly Place[] } {
  const places = new Set<Place>();
  const watched = ({ group, work }: ConsumeOptions): ConsumeOptions["work"] =>
    async function workWatched(reader) {
      const { place, noting } = note(reader, group);
      places.add(place);
      // Another member has it from then on, though work in hand may go on here.
      const forget = onAbort(reader.signal, () => places.delete(place));
      try {
        await work(noting);
      } finally {
        forget();
        places.delete(place);
      }
    };
  return {
    log: { ...log, consume: (options) => log.consume({ ...options, work: watched(options) }) },
    places: () => [...places],
  };
}

type InHand = Pick<Message, "offset" | "publishedAt">;

function note(reader: PartitionReader, group: string): { readonly place: Place; readonly noting: PartitionReader } {
  let done: number | null = null;
  let handedOut: number | null = null;
  // A batch that ends as a whole is represented by its first message.
  let inHand: InHand[] = [];

  function moveTo(offset: number): void {
    done = offset;
    const rest = inHand.findIndex((message) => message.offset >= offset);
    inHand = rest === -1 ? [] : inHand.slice(rest);
  }
  const committed = async (): Promise<number> => {
    const offset = await reader.committed();
    done ??= offset;
    return offset;
  };
  function take(messages: readonly Message[]): void {
    const [first] = messages;
    const last = messages.at(-1);
    if (first === undefined || last === undefined) return;
    done ??= first.offset;
    handedOut = last.offset + 1;
    const kept = endsByCommit(group) ? messages : [first];
    for (const { offset, publishedAt } of kept) inHand.push({ offset, publishedAt });
  }

  const noting: PartitionReader = {
    ...reader,
    async next(limits) {
      if (!endsByCommit(group) && handedOut !== null) moveTo(handedOut);
      const batch = await reader.next(limits);
      take(batch.messages);
      return batch;
    },
    async commit(offset, topic = reader.topic) {
      await reader.commit(offset, topic);
      if (endsByCommit(group) && topic === reader.topic) moveTo(offset);
    },
    seek(offset) {
      reader.seek(offset);
      handedOut = offset;
      moveTo(offset);
    },
  };
  // Known before the first message; if the log cannot be reached, the next caller gets the error.
  committed().catch(() => undefined);
  const { topic, partition } = reader;
  const oldestInHand = () => inHand[0]?.publishedAt ?? null;
  return {
    place: { group, topic, partition, done: () => done, handedOut: () => handedOut, oldestInHand, committed },
    noting,
  };
}
