import { type Admin, Kafka, logLevel } from "kafkajs";
import { decodeAssignment } from "../ingest/log/kafka/assignment.ts";
import type { Topic } from "../ingest/log/log.ts";

interface Place {
  readonly brokers: readonly string[];
  /** Of the names of a log's topics and groups. */
  readonly prefix: string;
  readonly group: string;
  readonly topic: Topic;
}

/** What a group has committed of each partition, as the brokers tell anybody; 0 where it is nothing. */
export const committedOf = ({ partitions, ...place }: Place & { partitions: number }): Promise<number[]> =>
  asking(place, async (admin, { groupId, topic }) => {
    const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
    const offsets = new Map(found?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    return Array.from({ length: partitions }, (_, partition) => Math.max(0, offsets.get(partition) ?? 0));
  });

/** The partitions that each member of a group has, by the member's id. */
export const sharesOf = (place: Place): Promise<ReadonlyMap<string, readonly number[]>> =>
  asking(place, async (admin, { groupId, topic }) => {
    const { groups } = await admin.describeGroups([groupId]);
    const members = groups.flatMap((group) => group.members);
    return new Map(members.map((member) => [member.memberId, decodeAssignment(member.memberAssignment, topic)]));
  });

async function asking<T>(
  { brokers, prefix, group, topic }: Place,
  ask: (admin: Admin, names: { groupId: string; topic: string }) => Promise<T>,
): Promise<T> {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    return await ask(admin, { groupId: `${prefix}${group}`, topic: `${prefix}${topic}` });
  } finally {
    await admin.disconnect();
  }
}
