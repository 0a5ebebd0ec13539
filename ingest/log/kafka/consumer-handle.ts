import type { Cluster } from "kafkajs";
import type { Clock } from "../../clock.ts";
import type { GroupEvent } from "../group-event.ts";
import type { Consumer } from "../log.ts";
import { toConsumer } from "../to-consumer.ts";
import type { SessionTerms } from "./session.ts";
import type { NameTopic } from "./topics.ts";

export interface ConsumerParts {
  /** Connections for one consumer alone: a fetch that waits holds up all behind it. */
  connect(): Promise<Cluster>;
  readonly nameOf: NameTopic;
  /** Prefix of the group's name on the brokers. */
  readonly groupPrefix: string;
  readonly partitions: number;
  readonly session: SessionTerms;
  readonly clock: Clock;
  /** Throws `log_closed`. */
  requireOpen(): void;
  onTrouble(error: unknown): void;
  onGroupEvent(event: GroupEvent): void;
}

/** A consumer, and when its connections are closed: later than its work. */
export interface ConsumerHandle {
  readonly consumer: Consumer;
  readonly closed: Promise<void>;
}

/** `cleanUp` runs when all work has returned, and is not waited for by those who stop the consumer. */
export function toConsumerHandle(
  finished: Promise<void>,
  { stopping, cleanUp }: { stopping: AbortController; cleanUp: () => Promise<void> },
): ConsumerHandle {
  const { consumer, settled } = toConsumer(finished, stopping);
  return { consumer, closed: settled.then(cleanUp) };
}
