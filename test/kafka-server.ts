import { randomUUID } from "node:crypto";
import { Kafka, logLevel } from "kafkajs";

/** Brokers where tests may make topics, by commas; `npm run test:services` starts one. */
export const testBrokers = process.env["TEST_REDPANDA_BROKERS"] || undefined;

/** A prefix of their own for the topics of a test; `remove` deletes all that begin with it. */
export function createPrefix(): { prefix: string; remove(): Promise<void> } {
  const prefix = `test-${randomUUID()}.`;
  return { prefix, remove: () => removeTopics(prefix) };
}

async function removeTopics(prefix: string): Promise<void> {
  const admin = new Kafka({ brokers: brokersOf(), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  } finally {
    await admin.disconnect();
  }
}

export function brokersOf(): string[] {
  if (testBrokers === undefined) throw new Error("TEST_REDPANDA_BROKERS is not set");
  return testBrokers.split(",");
}
