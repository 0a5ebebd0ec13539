import { setImmediate as giveWay } from "node:timers/promises";
import type { Consumer, EventLog, Message, PartitionFollower } from "../../../ingest/log/log.ts";
import { placeOf, readOr } from "../../../ingest/unreadable.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";
import { type CallFields, readCallFields } from "./call-record.ts";

const topic = "call-events";
/** Some 5 ms of work, after which others have their turn. */
const limits = { maxMessages: 200, maxBytes: 4 * 1024 * 1024, waitMs: Number.MAX_SAFE_INTEGER };

export interface FollowCallsOptions {
  readonly log: EventLog;
  /** First offset of each partition; the oldest that the log still has where none is given. */
  readonly from: readonly number[];
  /** Stops it, whatever of the first part is still to be read. */
  readonly signal?: AbortSignal | undefined;
  apply(call: CallFields): void;
  onTrouble(error: unknown): void;
}

/**
 * Up to where the warehouse has stored each partition, to be asked before its rows are: what it stores meanwhile is then
 * read twice, which changes nothing, and nothing is missed.
 */
export async function storedPositions(log: EventLog, warehouse: Warehouse): Promise<number[]> {
  const ends = await log.ends(topic);
  const stored = await Promise.all(ends.map((_, partition) => warehouse.position(topic, partition)));
  return ends.map((end, partition) => Math.min(end, stored[partition] ?? 0));
}

/** Hands on every call event from there on; resolves when those that were in the log by now have been. */
export async function followCalls(options: FollowCallsOptions): Promise<Consumer> {
  const { log, from, signal } = options;
  const ends = await log.ends(topic);
  const behind = new Set(ends.flatMap((end, partition) => ((from[partition] ?? 0) < end ? [partition] : [])));
  let caughtUp = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    caughtUp = resolve;
    if (behind.size === 0) resolve();
  });
  const follower = log.follow({
    topic,
    from,
    work: (reader) =>
      followPartition(options, reader, (next) => {
        if (next >= (ends[reader.partition] ?? 0)) behind.delete(reader.partition);
        if (behind.size === 0) caughtUp();
      }),
  });
  const stop = () => void follower.stop();
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  // Whoever waits for the first must hear of a failure; later ones are told by `finished`.
  await Promise.race([first, follower.finished]);
  return follower;
}

async function followPartition(
  options: FollowCallsOptions,
  reader: PartitionFollower,
  onRead: (next: number) => void,
): Promise<void> {
  let next = options.from[reader.partition];
  while (!reader.signal.aborted) {
    const { messages } = await reader.next(limits);
    const [first] = messages;
    if (first === undefined) continue;
    if (next !== undefined && first.offset > next) options.onTrouble(removedMessages(reader, next, first.offset));
    for (const message of messages) applyMessage(options, reader, message);
    next = (messages.at(-1) ?? first).offset + 1;
    onRead(next);
    await giveWay();
  }
}

function applyMessage({ apply, onTrouble }: FollowCallsOptions, reader: PartitionFollower, message: Message): void {
  const place = placeOf(reader, message);
  const call = readOr(() => readCallFields(message.value, place), onTrouble, null);
  if (call !== null) apply(call);
}

const removedMessages = ({ partition }: PartitionFollower, from: number, to: number) =>
  new Error(
    `Routing has read ${topic}:${partition} up to offset ${from}, but the log has kept nothing before ${to}: caps and duplicates miss ${to - from} messages. Restart this process once the warehouse has loaded them.`,
  );
