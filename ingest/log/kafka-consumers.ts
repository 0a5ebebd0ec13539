import type { Cluster } from "kafkajs";
import type { Clock } from "../clock.ts";
import { startConsumer } from "./kafka-consumer.ts";
import { startFollower } from "./kafka-follower.ts";
import type { SessionTerms } from "./kafka-group.ts";
import type { NameTopic } from "./kafka-topics.ts";
import type { ConsumeOptions, Consumer, FollowOptions } from "./log.ts";

export interface ConsumerParts {
  /** Connections for one consumer alone: a fetch that waits holds up all behind it. */
  connect(): Promise<Cluster>;
  readonly nameOf: NameTopic;
  /** What stands before a group's name on the brokers. */
  readonly groupPrefix: string;
  readonly partitions: number;
  readonly session: SessionTerms;
  readonly clock: Clock;
  /** Throws `log_closed`. */
  requireOpen(): void;
  onTrouble(error: unknown): void;
}

/** A consumer, and when its connections are closed: later than its work. */
export interface Started {
  readonly consumer: Consumer;
  readonly closed: Promise<void>;
}

export interface Consumers {
  consume(options: ConsumeOptions): Consumer;
  follow(options: FollowOptions): Consumer;
  /** Stops them all, and resolves when all work has returned and all connections are closed. */
  stop(): Promise<void>;
}

export function createConsumers(parts: ConsumerParts): Consumers {
  const running = new Map<Consumer, Promise<void>>();
  const add = ({ consumer, closed }: Started): Consumer => {
    running.set(consumer, closed);
    void closed.then(() => running.delete(consumer));
    return consumer;
  };
  return {
    consume: (options) => add(startConsumer(parts, options)),
    follow: (options) => add(startFollower(parts, options)),
    async stop() {
      const all = [...running].flatMap(([consumer, closed]) => [consumer.stop(), closed]);
      await Promise.all(all);
    },
  };
}
