import type { EventLog, Message, Topic } from "../ingest/log/log.ts";

/** What a topic has, one partition after the other: a log on brokers has several. */
export async function* wholeTopic(log: EventLog, topic: Topic): AsyncGenerator<Message> {
  for (const partition of (await log.ends(topic)).keys()) yield* log.read({ topic, partition, offset: 0 });
}
