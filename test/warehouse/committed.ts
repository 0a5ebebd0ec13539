import { Kafka, logLevel } from "kafkajs";
import type { Topic } from "../../ingest/log/log.ts";

export interface OfLoaders {
  /** Of the names of their log. */
  readonly prefix: string;
  readonly topic: Topic;
  readonly partitions: number;
}

/** What loaders have committed of each partition, as the brokers tell anybody. */
export async function committedOf(
  brokers: readonly string[],
  { prefix, topic, partitions }: OfLoaders,
): Promise<number[]> {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const [found] = await admin.fetchOffsets({ groupId: `${prefix}loader`, topics: [`${prefix}${topic}`] });
    const offsets = new Map(found?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    return Array.from({ length: partitions }, (_, partition) => Math.max(0, offsets.get(partition) ?? 0));
  } finally {
    await admin.disconnect();
  }
}
