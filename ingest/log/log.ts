/** The topics of the log; the key of the call topics is the call id, so that one call's messages stay in order. */
export const topics = [
  "call-signals",
  "call-events",
  "call-traces",
  "webhook-deliveries",
  "rtb-requests",
  "audit-log",
  "dead-letters",
] as const;
export type Topic = (typeof topics)[number];

export interface NewMessage {
  readonly topic: Topic;
  readonly key: string;
  /** One JSON document. */
  readonly value: string;
  /** The span that it comes of, as W3C Trace Context writes it, in 55 characters (`tracing.ts`). */
  readonly traceparent?: string | undefined;
}

/** The position of a message: offsets of a partition rise by one, from 0. */
export interface Position {
  readonly topic: Topic;
  readonly partition: number;
  readonly offset: number;
}

export interface Message {
  readonly offset: number;
  readonly key: string;
  readonly value: string;
  /** The span that it comes of; undefined where it was published outside of any. */
  readonly traceparent?: string | undefined;
  /** The time of publishing, milliseconds since 1970. */
  readonly publishedAt: number;
}

export interface BatchLimits {
  readonly maxMessages: number;
  readonly maxBytes: number;
  /** Time to wait for a first message; then the batch is empty. */
  readonly waitMs: number;
  /** Until this time a batch that is not full gathers more messages: milliseconds since 1970. Later ones wait for none. */
  readonly gatherUntil?: number;
}

export interface Batch {
  readonly messages: readonly Message[];
  /** Nothing more had been published when this batch was read. */
  readonly caughtUp: boolean;
}

/** One partition, as long as it is assigned to this consumer. */
export interface PartitionReader {
  readonly topic: Topic;
  readonly partition: number;
  /** Aborts when the consumer stops or the partition moves to another one: finish or drop the work in hand and return. */
  readonly signal: AbortSignal;
  /** The next messages in order, at least one of them even if it alone exceeds `maxBytes`; empty after `waitMs` or on abort. */
  next(limits: BatchLimits): Promise<Batch>;
  /**
   * Makes durable that all before `offset` is done: the group goes on from there after a restart. Also for a second
   * topic of the same partition count, whose position belongs to the same work. Throws `LogError`: `partition_moved`
   * when another member has the partition or is about to get it, which goes on from the last commit.
   */
  commit(offset: number, topic?: Topic): Promise<void>;
  /** The group's committed offset in this partition of this or another topic; 0 when there is none. */
  committed(topic?: Topic): Promise<number>;
  /** Sets the offset at which `next` continues: `committed` at first. */
  seek(offset: number): void;
}

export interface ConsumeOptions {
  readonly group: string;
  readonly topic: Topic;
  /** Runs once for each assigned partition, until its signal aborts. Its rejection stops the consumer and rejects `finished`. */
  work(reader: PartitionReader): Promise<void>;
}

/** One partition as a follower reads it. */
export type PartitionFollower = Pick<PartitionReader, "topic" | "partition" | "signal" | "next">;

export interface FollowOptions {
  readonly topic: Topic;
  /** The offset to begin at in each partition; 0 where none is given. */
  readonly from: readonly number[];
  /** Runs once for each partition, until its signal aborts. Its rejection stops the follower and rejects `finished`. */
  work(reader: PartitionFollower): Promise<void>;
}

export interface Consumer {
  /** Aborts the readers and waits until their work has returned. */
  stop(): Promise<void>;
  /** Settles when all work has returned; rejects with the first error of the work. */
  readonly finished: Promise<void>;
}

/** Ordered, durable, at least once. Two adapters: embedded (LMDB) and Redpanda. */
export interface EventLog {
  /**
   * Resolves once the messages are durable (fsync, acks=all), in the order given within one partition. Throws
   * `LogError`: `message_too_large`, `log_full` (a consumer is too far behind), `log_closed`, `log_unavailable`; then none
   * of the messages counts as published.
   */
  publish(messages: readonly NewMessage[]): Promise<Position[]>;
  /** A partition is worked on once per group: a second consumer of the same group waits for partitions to come free. */
  consume(options: ConsumeOptions): Consumer;
  /**
   * Reads all partitions, whoever else reads them, and leaves no trace: nothing is committed, and retention does not
   * wait. A gap between two offsets is what retention removed meanwhile.
   */
  follow(options: FollowOptions): Consumer;
  /** The messages from `from` on that were there when the read began, in order. What retention removed is passed over. */
  read(at: Position): AsyncIterable<Message>;
  /** Returns, for each partition, the offset of its next message. */
  ends(topic: Topic): Promise<number[]>;
  close(): Promise<void>;
}

/** `log_unavailable`: the disk or the brokers refuse; `bad_position`: no such partition, or an offset beyond its end. */
export type LogErrorCode =
  | "partition_moved"
  | "message_too_large"
  | "log_full"
  | "log_closed"
  | "log_corrupt"
  | "log_unavailable"
  | "bad_position";

export class LogError extends Error {
  override readonly name = "LogError";
  readonly code: LogErrorCode;
  constructor(code: LogErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
