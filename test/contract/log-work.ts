import {
  type EventLog,
  LogError,
  type Message,
  type NewMessage,
  type PartitionReader,
  type Topic,
} from "../../ingest/log/log.ts";

export interface At {
  readonly group: string;
  readonly topic: Topic;
  readonly partition: number;
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Consumes one partition for as long as `act` takes, and returns what it returned. */
export async function onPartition<T>(log: EventLog, at: At, act: (reader: PartitionReader) => Promise<T>): Promise<T> {
  let settle = { resolve: (_: T) => {}, reject: (_: unknown) => {} };
  const outcome = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  const consumer = log.consume({
    group: at.group,
    topic: at.topic,
    async work(reader) {
      if (reader.partition === at.partition) await act(reader).then(settle.resolve, settle.reject);
      await aborted(reader.signal);
    },
  });
  consumer.finished.catch(settle.reject);
  try {
    return await outcome;
  } finally {
    await consumer.stop();
  }
}

/** Reads on until it has `count` messages. */
export async function take(reader: PartitionReader, count: number): Promise<Message[]> {
  const messages: Message[] = [];
  while (messages.length < count && !reader.signal.aborted) {
    const limits = { maxMessages: count - messages.length, maxBytes: 1_000_000, waitMs: 5_000 };
    messages.push(...(await reader.next(limits)).messages);
  }
  return messages;
}

export async function readAll(log: EventLog, topic: Topic, partition = 0): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const message of log.read({ topic, partition, offset: 0 })) messages.push(message);
  return messages;
}

export const values = (messages: readonly Message[]): string[] => messages.map((message) => message.value);

/** Messages of one key, so that they share a partition. */
export const someMessages = (
  count: number,
  { topic = "call-events" as Topic, key = "call-1", from = 0 } = {},
): NewMessage[] =>
  Array.from({ length: count }, (_, index) => ({ topic, key, value: JSON.stringify({ n: from + index }) }));

export async function codeOf(attempt: () => Promise<unknown>): Promise<string> {
  try {
    await attempt();
    return "no error";
  } catch (error) {
    return error instanceof LogError ? error.code : `not a LogError: ${String(error)}`;
  }
}
