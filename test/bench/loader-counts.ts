import { Kafka, logLevel } from "kafkajs";
import { v4 as uuidv4 } from "uuid";
import type { EventLog, Topic } from "../../ingest/log/log.ts";

interface OnBrokers {
  readonly brokers: string[];
  /** The topic's, on the brokers. */
  readonly name: string;
  readonly rows: number;
}

export async function countByKafkajs({ brokers, name, rows }: OnBrokers): Promise<void> {
  const consumer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).consumer({ groupId: uuidv4() });
  await consumer.connect();
  await consumer.subscribe({ topics: [name], fromBeginning: true });
  let counted = 0;
  await new Promise<void>((resolve, reject) => {
    consumer
      .run({
        async eachBatch({ batch }) {
          counted += batch.messages.length;
          if (counted >= rows) resolve();
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
}

interface InLog {
  readonly log: EventLog;
  readonly topic: Topic;
  readonly rows: number;
}

export async function countByLog({ log, topic, rows }: InLog): Promise<void> {
  let counted = 0;
  let done = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const consumer = log.consume({
    group: uuidv4(),
    topic,
    async work(reader) {
      while (!reader.signal.aborted) {
        const { messages } = await reader.next({ maxMessages: 20_000, maxBytes: 32 * 1024 * 1024, waitMs: 1000 });
        counted += messages.length;
        if (counted >= rows) done();
      }
    },
  });
  await all;
  await consumer.stop();
}
