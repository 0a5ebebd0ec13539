import {
  CompressionTypes,
  type Kafka,
  type Message as OutgoingMessage,
  type Producer,
  type RecordMetadata,
} from "kafkajs";
import type { Clock } from "../../clock.ts";
import { LogError, type Position } from "../log.ts";
import { toOffset } from "./fetch-response.ts";
import type { Outgoing } from "./produce-rounds.ts";
import type { NameTopic } from "./topics.ts";

export interface SenderOptions {
  readonly kafka: Kafka;
  readonly nameOf: NameTopic;
  readonly clock: Clock;
}

/** Together 6 s, and as much for the steps between: in which a partition whose broker has gone gets another leader. */
const retry = { retries: 7, initialRetryTime: 100, maxRetryTime: 1500 };

/**
 * Hands the brokers one round at a time, and tells where its messages stand. A batch that is sent again, and that they
 * have stored already, they know by its number.
 */
export function createSender({ kafka, nameOf, clock }: SenderOptions) {
  let producer: Promise<Producer> | null = null;

  const open = async (): Promise<Producer> => {
    const opened = kafka.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      retry,
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
    });
    await opened.connect();
    return opened;
  };

  /**
   * After a failure the numbers of batches are as they were before it, though a broker may have stored the batch: the
   * next one would be taken for that, acknowledged and dropped. So a producer that has failed is never used again.
   */
  const discard = (): void => {
    const old = producer;
    producer = null;
    old?.then((opened) => opened.disconnect()).catch(() => undefined);
  };

  return {
    async send(outgoing: readonly Outgoing[]): Promise<Position[]> {
      producer ??= open();
      try {
        const stored = await (await producer).sendBatch({
          acks: -1,
          compression: CompressionTypes.GZIP,
          topicMessages: toTopicMessages(outgoing, { nameOf, now: clock.now() }),
        });
        return toPositions(outgoing, stored, nameOf);
      } catch (error) {
        discard();
        throw error;
      }
    },
    async close() {
      const opened = await producer?.catch(() => null);
      await opened?.disconnect();
    },
  };
}

function toTopicMessages(outgoing: readonly Outgoing[], { nameOf, now }: { nameOf: NameTopic; now: number }) {
  const byTopic = new Map<string, OutgoingMessage[]>();
  for (const { message, partition } of outgoing) {
    const { key, value, traceparent } = message;
    const topic = nameOf(message.topic);
    const messages = byTopic.get(topic) ?? [];
    byTopic.set(topic, messages);
    const sent = { key, value, partition, timestamp: String(now) };
    messages.push(traceparent === undefined ? sent : { ...sent, headers: { traceparent } });
  }
  return [...byTopic].map(([topic, messages]) => ({ topic, messages }));
}

/** A batch stands in its partition in one piece, from its base on. */
function toPositions(outgoing: readonly Outgoing[], stored: readonly RecordMetadata[], nameOf: NameTopic): Position[] {
  const next = new Map(
    stored.map((each) => [`${each.topicName}:${each.partition}`, toOffset(each.baseOffset ?? "-1")]),
  );
  return outgoing.map(({ message: { topic }, partition }) => {
    const place = `${nameOf(topic)}:${partition}`;
    const offset = next.get(place) ?? -1;
    if (offset < 0) throw new LogError("log_unavailable", `The brokers do not tell where ${place} has its messages.`);
    next.set(place, offset + 1);
    return { topic, partition, offset };
  });
}
