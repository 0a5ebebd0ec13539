import type { ConsumeOptions, Consumer, FollowOptions } from "../log.ts";
import { startConsumer } from "./consumer.ts";
import { startFollower } from "./follower.ts";
import type { ConsumerParts, Started } from "./started.ts";

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
