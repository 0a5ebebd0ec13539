import { Kafka, logLevel } from "kafkajs";
import { decodeAssignment } from "../ingest/log/kafka/group.ts";
import type { Topic } from "../ingest/log/log.ts";

interface Place {
  readonly brokers: readonly string[];
  /** Of the names of a log's topics and groups. */
  readonly prefix: string;
}
interface OfGroup {
  readonly group: string;
  readonly topic: Topic;
}

/** The brokers' books of the groups of a log, as they show them to anybody. */
export async function openGroups({ brokers, prefix }: Place) {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  return {
    /** What a group has committed of each partition; 0 where it is nothing. */
    async committed({ group, topic, partitions }: OfGroup & { partitions: number }): Promise<number[]> {
      const [found] = await admin.fetchOffsets({ groupId: `${prefix}${group}`, topics: [`${prefix}${topic}`] });
      const offsets = new Map(found?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
      return Array.from({ length: partitions }, (_, partition) => Math.max(0, offsets.get(partition) ?? 0));
    },
    /** The partitions that each member of a group has, by the member's id. */
    async shares({ group, topic }: OfGroup): Promise<ReadonlyMap<string, readonly number[]>> {
      const { groups } = await admin.describeGroups([`${prefix}${group}`]);
      const members = groups.flatMap((described) => described.members);
      const name = `${prefix}${topic}`;
      return new Map(
        members.map(({ memberId, memberAssignment }) => [memberId, decodeAssignment(memberAssignment, name)]),
      );
    },
    close: () => admin.disconnect(),
  };
}
export type Groups = Awaited<ReturnType<typeof openGroups>>;

/** On a connection of its own: brokers may have been away since the last. */
export async function committedOf(place: Place, of: Parameters<Groups["committed"]>[0]): Promise<number[]> {
  const groups = await openGroups(place);
  return groups.committed(of).finally(groups.close);
}
