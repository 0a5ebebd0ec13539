import { parseTraceparent } from "../../tracing.ts";
import { LogError, type Message } from "../log.ts";

/** One partition of a fetch response, as kafkajs decodes it. */
export interface FetchedPartition {
  readonly partition: number;
  readonly highWatermark: string;
  readonly lastStableOffset?: string;
  /** In the order of their first offsets. */
  readonly abortedTransactions?: readonly { readonly producerId: string; readonly firstOffset: string }[];
  readonly messages: readonly FetchedRecord[];
}

export interface FetchedRecord {
  readonly offset: string;
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>;
  readonly isControlRecord?: boolean;
  readonly batchContext?: {
    readonly firstOffset: string;
    readonly lastOffsetDelta: number;
    readonly producerId: string;
    readonly inTransaction: boolean;
  };
}

export interface SizedMessage {
  readonly message: Message;
  /** Key and value, in UTF-8. */
  readonly bytes: number;
}

export interface Answer {
  readonly messages: readonly SizedMessage[];
  /** The offset at which fetching continues: after everything the response covers, delivered or not. */
  readonly next: number;
  /** Behind the last message that may be read: no open transaction is before it. */
  readonly end: number;
}

/**
 * Reads the response to a fetch from `from` on. Compaction and transactions leave gaps between offsets; a broker sends
 * whole batches, so also messages before `from`; and the reader must skip aborted transactions.
 */
export function toAnswer(fetched: FetchedPartition, from: number): Answer {
  const isTakenBack = createTakenBack(fetched.abortedTransactions ?? []);
  const messages: SizedMessage[] = [];
  let next = from;
  for (const record of fetched.messages) {
    const offset = toOffset(record.offset);
    next = Math.max(next, offset + 1, endOfBatch(record));
    const isTold = !isTakenBack(record, offset) && record.isControlRecord !== true;
    if (offset >= from && isTold) messages.push(toMessage(record, offset));
  }
  const stable = toOffset(fetched.lastStableOffset ?? "-1");
  return { messages, next, end: stable >= 0 ? stable : toOffset(fetched.highWatermark) };
}

/** A batch may end with messages that compaction has removed: the next one begins behind them. */
function endOfBatch({ batchContext }: FetchedRecord): number {
  return batchContext === undefined ? 0 : toOffset(batchContext.firstOffset) + batchContext.lastOffsetDelta + 1;
}

/** The key of the record that ends a transaction which was taken back: version 0, type 0. */
const abortKey = Buffer.alloc(4);

function createTakenBack(aborted: NonNullable<FetchedPartition["abortedTransactions"]>) {
  const ahead = [...aborted];
  const open = new Set<string>();
  return ({ batchContext, isControlRecord, key }: FetchedRecord, offset: number): boolean => {
    while (ahead[0] !== undefined && offset >= toOffset(ahead[0].firstOffset))
      open.add(ahead.shift()?.producerId ?? "");
    if (batchContext === undefined) return false;
    if (isControlRecord === true && key?.equals(abortKey)) open.delete(batchContext.producerId);
    return batchContext.inTransaction && open.has(batchContext.producerId);
  };
}

function toMessage({ key, value, timestamp, headers }: FetchedRecord, offset: number): SizedMessage {
  const message = {
    offset,
    key: key?.toString() ?? "",
    value: value?.toString() ?? "",
    publishedAt: Number(timestamp),
  };
  const traceparent = parseTraceparent(headers?.["traceparent"]?.toString());
  return {
    message: traceparent === undefined ? message : { ...message, traceparent },
    bytes: (key?.length ?? 0) + (value?.length ?? 0),
  };
}

/** The protocol's offsets have 64 bits. Throws `log_corrupt` for one that a number cannot hold. */
export function toOffset(text: string): number {
  const offset = Number(text);
  if (Number.isSafeInteger(offset)) return offset;
  throw new LogError("log_corrupt", `"${text}" is no offset that this platform can count with.`);
}
