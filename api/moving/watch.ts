import type { EventLog, Topic } from "../../ingest/log/log.ts";
import { type Place, watchProgress } from "../../ingest/log/progress.ts";

/** What a group reads. */
export interface Reading {
  readonly group: string;
  readonly topic: Topic;
}

/** A log that is watched: whether those who read it have done all that it has. */
export function createWatch(readings: readonly Reading[]) {
  let watched: ReturnType<typeof watchProgress> | undefined;

  const ends = async (topic: Topic): Promise<readonly number[]> => (await watched?.log.ends(topic)) ?? [];
  const placesOf = ({ group, topic }: Reading): readonly Place[] =>
    watched?.places().filter((place) => place.group === group && place.topic === topic) ?? [];

  async function isDone(reading: Reading): Promise<boolean> {
    const done = new Map(placesOf(reading).map((place) => [place.partition, place.done()]));
    return (await ends(reading.topic)).every((end, partition) => (done.get(partition) ?? -1) >= end);
  }

  return {
    through(log: EventLog): EventLog {
      watched = watchProgress(log);
      return watched.log;
    },

    /** Whether all that is to be read has been given to somebody here, and is not another process's. */
    async isReading(): Promise<boolean> {
      const all = await Promise.all(readings.map(({ topic }) => ends(topic)));
      return readings.every(
        (reading, index) => watched !== undefined && placesOf(reading).length === all[index]?.length,
      );
    },

    async isAtEnd(): Promise<boolean> {
      return watched !== undefined && (await Promise.all(readings.map(isDone))).every(Boolean);
    },
  };
}
