import type { Message } from "../log.ts";
import { messageBytes, parseRecord } from "../record.ts";
import { type Shard, type Store, shardState } from "./store.ts";

export interface ChunkLimits {
  readonly maxMessages: number;
  readonly maxBytes: number;
  /** Take one message even if it alone exceeds `maxBytes`. */
  readonly atLeastOne: boolean;
}

export interface Chunk {
  readonly messages: Message[];
  readonly bytes: number;
  /** The offset at which reading continues. */
  readonly next: number;
  /** The end of the partition when the chunk was read. */
  readonly end: number;
  /** The next message does not fit into the limits. */
  readonly full: boolean;
}

/** A chunk is read without giving way to other work, about 1 ms for this much. */
const chunkBytes = 1024 * 1024;

/** The messages from `from` on, as far as one step of work goes; holds no transaction afterwards. */
export function readChunk(store: Store, shard: Shard, from: number, limits: ChunkLimits): Chunk {
  const { end } = shardState(store, shard);
  const messages: Message[] = [];
  let bytes = 0;
  let next = Math.max(from, end);
  let full = false;
  for (const { key, value } of shard.records.getRange({ start: from, end })) {
    const size = messageBytes(value);
    const fits = bytes + size <= limits.maxBytes || (limits.atLeastOne && messages.length === 0);
    full = !fits || messages.length >= limits.maxMessages;
    if (full || bytes >= chunkBytes) {
      next = key;
      break;
    }
    messages.push(parseRecord(key, value));
    bytes += size;
  }
  return { messages, bytes, next, end, full: full || messages.length >= limits.maxMessages };
}
