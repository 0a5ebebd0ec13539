import { partitionOf } from "../key-partition.ts";
import { LogError, type NewMessage, type Position } from "../log.ts";
import { messageBytes, toRecord } from "../record.ts";
import { type Limits, makeRoom } from "./retention.ts";
import { putShardState, type Shard, type Store, shardAt, shardState } from "./store.ts";

/** One publish is one transaction: this bounds its memory and how long it blocks other work (about 100 ms). */
const maxPublishBytes = 64 * 1024 * 1024;

/** The messages that one publish adds to each partition. */
export interface Additions {
  readonly bytes: number;
  readonly byShard: ReadonlyMap<Shard, { readonly bytes: number; readonly records: readonly Buffer[] }>;
  /** The partition of each message, and its index among those added there. */
  readonly places: readonly { readonly shard: Shard; readonly index: number }[];
}

/** Throws `message_too_large`. */
export function toAdditions(
  store: Store,
  messages: readonly NewMessage[],
  rules: { now: number; maxMessageBytes: number },
): Additions {
  const byShard = new Map<Shard, { bytes: number; records: Buffer[] }>();
  let bytes = 0;
  const places = messages.map((message) => {
    const record = toRecord(message, rules.now);
    const size = messageBytes(record);
    if (size > rules.maxMessageBytes) throw tooLarge(message, size, rules.maxMessageBytes);
    bytes += size;
    if (bytes > maxPublishBytes) throw tooLargeTogether(messages.length);
    const shard = shardAt(store, message.topic, partitionOf(message.key, store.partitions));
    const added = byShard.get(shard) ?? { bytes: 0, records: [] };
    byShard.set(shard, added);
    added.bytes += size;
    return { shard, index: added.records.push(record) - 1 };
  });
  return { bytes, byShard, places };
}

/** Within a transaction: appends all the messages or none (`log_full`). */
export function append(
  store: Store,
  additions: Additions,
  rules: { limits: Limits; now: number },
): Position[] | LogError {
  for (const [shard, { bytes, records }] of additions.byShard) {
    const refused = makeRoom(store, shard, { ...rules, bytes, messages: records.length });
    if (refused) return refused;
  }
  const firsts = new Map<Shard, number>();
  for (const [shard, { bytes, records }] of additions.byShard) {
    const state = shardState(store, shard);
    for (const [index, record] of records.entries()) putRecord(shard, state.end + index, record);
    putShardState(store, shard, { end: state.end + records.length, bytes: state.bytes + bytes });
    firsts.set(shard, state.end);
  }
  return additions.places.map(({ shard, index }) => ({
    topic: shard.topic,
    partition: shard.partition,
    offset: (firsts.get(shard) ?? 0) + index,
  }));
}

function putRecord(shard: Shard, offset: number, record: Buffer): void {
  // `append` fills the pages of the tree, and fails if a record stands at or after this offset.
  // With `append` it can return false, which lmdb's types leave out.
  const isStored: unknown = shard.records.putSync(offset, record, { append: true });
  if (isStored === true) return;
  throw new LogError(
    "log_corrupt",
    `"${shard.topic}", partition ${shard.partition}, holds messages beyond its end, ${offset}. Restore the log's directory from a backup.`,
  );
}

const tooLarge = ({ topic }: NewMessage, bytes: number, most: number) =>
  new LogError(
    "message_too_large",
    `A message for "${topic}" has ${bytes} bytes, but the log takes at most ${most}. Shorten it, or raise the limit.`,
  );

const tooLargeTogether = (count: number) =>
  new LogError(
    "message_too_large",
    `${count} messages of more than ${maxPublishBytes} bytes together were published at once. Publish fewer at a time.`,
  );
