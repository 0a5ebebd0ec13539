import type { EventLog, PartitionReader, Topic } from "../../ingest/log/log.ts";

/** What a group reads. */
export interface Reading {
  readonly group: string;
  readonly topic: Topic;
}

/** How far one of them is in one partition. */
interface Place {
  next: number;
  committed: number;
  isWaiting: boolean;
}

/** A log that is watched: whether those who read it have done all that it has. */
export function createWatch(readings: readonly Reading[]) {
  const places = new Map<Reading, Map<number, Place>>();
  let ends: EventLog["ends"] | undefined;

  async function isDone(reading: Reading): Promise<boolean> {
    if (ends === undefined) return false;
    const known = places.get(reading);
    return (await ends(reading.topic)).every((end, partition) => isPlaceDone(reading, known?.get(partition), end));
  }

  return {
    through(log: EventLog): EventLog {
      ends = log.ends;
      return {
        ...log,
        consume(options) {
          const reading = readings.find(({ group, topic }) => group === options.group && topic === options.topic);
          if (reading === undefined) return log.consume(options);
          return log.consume({
            ...options,
            async work(reader) {
              const committed = await reader.committed();
              const place: Place = { next: committed, committed, isWaiting: false };
              places.set(reading, (places.get(reading) ?? new Map()).set(reader.partition, place));
              await options.work(noting(reader, place));
            },
          });
        },
      };
    },

    /** Whether all that is to be read has been given to somebody here, and is not another process's. */
    async isReading(): Promise<boolean> {
      const all = ends === undefined ? [] : await Promise.all(readings.map(({ topic }) => ends?.(topic)));
      return readings.every((reading, index) => (places.get(reading)?.size ?? 0) === all[index]?.length);
    },

    async isAtEnd(): Promise<boolean> {
      return (await Promise.all(readings.map(isDone))).every(Boolean);
    },
  };
}

/**
 * Who asks for more has done all before, but for whoever delivers: many deliveries are under way at once, and only what
 * is committed has ended. The lifecycle commits no signal of a call that no event tells of yet, however often it asks.
 */
function isPlaceDone({ group }: Reading, place: Place | undefined, end: number): boolean {
  if (place === undefined) return false;
  return group === "deliver" ? place.committed >= end : place.isWaiting && place.next >= end;
}

/** The reader, as it notes how far it is. */
function noting(reader: PartitionReader, place: Place): PartitionReader {
  return {
    ...reader,
    async next(limits) {
      place.isWaiting = true;
      const batch = await reader.next(limits);
      const last = batch.messages.at(-1);
      if (last !== undefined) {
        place.isWaiting = false;
        place.next = last.offset + 1;
      }
      return batch;
    },
    async commit(offset, topic = reader.topic) {
      await reader.commit(offset, topic);
      if (topic === reader.topic) place.committed = offset;
    },
    seek(offset) {
      reader.seek(offset);
      place.next = offset;
    },
  };
}
