import type { Admin, Kafka } from "kafkajs";
import { systemClock } from "../../clock.ts";
import { LogError, type Topic, topics } from "../log.ts";
import { toLogError } from "./errors.ts";

export interface TopicTerms {
  /** Partitions of topics that are created; existing topics keep their number, since keys would change partitions. */
  readonly partitions: number;
  /** null: the cluster's own default. */
  readonly replicationFactor: number | null;
  readonly maxAgeMs: number;
  /** null: no limit but the age. */
  readonly maxBytesPerTopic: number | null;
  readonly maxMessageBytes: number;
}

/** A topic's name among others of the cluster. */
export type NameTopic = (topic: Topic) => string;

/** Together 10 s. */
const readyAttempts = 100;
const readyPauseMs = 100;

/** Makes the topics that are missing, and returns how many partitions each has. Throws `log_unavailable`. */
export async function ensureTopics(kafka: Kafka, nameOf: NameTopic, terms: TopicTerms): Promise<number> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await ensureOn(admin, topics.map(nameOf), terms);
  } catch (error) {
    throw toLogError(error);
  } finally {
    await admin.disconnect();
  }
}

async function ensureOn(admin: Admin, names: readonly string[], terms: TopicTerms): Promise<number> {
  const existing = new Set(await admin.listTopics());
  const known = await countPartitions(
    admin,
    names.filter((name) => existing.has(name)),
  );
  const missing = names.filter((name) => !existing.has(name));
  const partitions = onlyCount(known) ?? terms.partitions;
  // Another process may make them in the same moment: that counts as success.
  if (missing.length > 0) {
    const configs = missing.map((topic) => toTopicConfig(topic, { ...terms, partitions }));
    // Waiting for leaders would fail at a broker that does not know the topics yet.
    await admin.createTopics({ topics: configs, waitForLeaders: false });
  }
  return waitForLeaders(admin, names);
}

/** Brokers hear of new topics one by one, and each partition's leader a moment later that it is that. */
async function waitForLeaders(admin: Admin, names: readonly string[]): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const made = onlyCount(await countPartitions(admin, names));
      for (const name of names) await admin.fetchTopicOffsets(name);
      if (made !== undefined) return made;
    } catch (error) {
      if (attempt === readyAttempts || error instanceof LogError) throw error;
    }
    await systemClock.sleep(readyPauseMs);
  }
}

const toTopicConfig = (topic: string, terms: TopicTerms) => ({
  topic,
  numPartitions: terms.partitions,
  replicationFactor: terms.replicationFactor ?? -1,
  configEntries: [
    { name: "cleanup.policy", value: "delete" },
    { name: "retention.ms", value: String(terms.maxAgeMs) },
    { name: "retention.bytes", value: String(bytesPerPartition(terms)) },
    // Messages travel and are kept in batches, which may hold one of the largest beside others.
    { name: "max.message.bytes", value: String(2 * terms.maxMessageBytes) },
  ],
});

const bytesPerPartition = ({ maxBytesPerTopic, partitions }: TopicTerms): number =>
  maxBytesPerTopic === null ? -1 : Math.ceil(maxBytesPerTopic / partitions);

type Counts = readonly { readonly name: string; readonly partitions: number }[];

async function countPartitions(admin: Admin, names: readonly string[]): Promise<Counts> {
  // Without names it would tell of all topics there are.
  if (names.length === 0) return [];
  const { topics: found } = await admin.fetchTopicMetadata({ topics: [...names] });
  return found.map(({ name, partitions }) => ({ name, partitions: partitions.length }));
}

/**
 * Returns the common number of partitions: a call's messages are in the same partition of every topic, and restoring a
 * call relies on that.
 */
function onlyCount(counts: Counts): number | undefined {
  const [first] = counts;
  const other = counts.find(({ partitions }) => partitions !== first?.partitions);
  if (first === undefined || other === undefined) return first?.partitions;
  throw new LogError(
    "log_unavailable",
    `The topics "${first.name}" and "${other.name}" have ${first.partitions} and ${other.partitions} partitions, but all must have as many. Make those anew that hold nothing yet, or choose another REDPANDA_TOPIC_PREFIX.`,
  );
}
