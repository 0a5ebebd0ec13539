import type { Clock } from "../../clock.ts";
import { LogError, topics } from "../log.ts";
import { messageBytes, publishedAt } from "../record.ts";
import { putShardState, type Shard, type ShardState, type Store, shardState, slowestGroup } from "./store.ts";
import type { Writer } from "./writer.ts";

/** Limits of one partition. What a group has yet to commit is kept whatever they say, up to `maxBacklogBytes`. */
export interface Limits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly maxBacklogBytes: number;
}

/** Removing a message takes about 3 µs, so that one step holds up other work for a few milliseconds. */
const maxRemovalsPerStep = 1_000;
/** Messages removed at once when the partition is full: about 30 ms, the most that one publish waits. */
const maxRemovalsWhenFull = 10_000;
const sweepEveryMs = 60_000;

interface Removal {
  readonly offset: number;
  readonly bytes: number;
}

/** The oldest messages that may go: consumed by every known group, and too old or beyond the size. */
function removable(store: Store, shard: Shard, rules: { limits: Limits; now: number; most: number }): Removal[] {
  const { end, bytes } = shardState(store, shard);
  const floor = slowestGroup(store, shard)?.offset ?? end;
  const oldest = rules.now - rules.limits.maxAgeMs;
  let left = bytes;
  const found: Removal[] = [];
  for (const { key, value } of shard.records.getRange({ end: Math.min(floor, end), limit: rules.most })) {
    if (left <= rules.limits.maxBytes && publishedAt(value) >= oldest) break;
    const size = messageBytes(value);
    found.push({ offset: key, bytes: size });
    left -= size;
  }
  return found;
}

/** Within a transaction. */
function trim(store: Store, shard: Shard, rules: { limits: Limits; now: number; most: number }): ShardState {
  const state = shardState(store, shard);
  const found = removable(store, shard, rules);
  if (found.length === 0) return state;
  let left = state.bytes;
  for (const { offset, bytes } of found) {
    shard.records.removeSync(offset);
    left -= bytes;
  }
  const trimmed = { end: state.end, bytes: left };
  putShardState(store, shard, trimmed);
  return trimmed;
}

/**
 * Within a transaction, before `bytes` in `messages` are added: removes slightly more than is added to keep the
 * partition within its size, or returns `log_full` if unconsumed messages leave no room.
 */
export function makeRoom(
  store: Store,
  shard: Shard,
  need: { bytes: number; messages: number; limits: Limits; now: number },
): LogError | undefined {
  const { limits, now } = need;
  const before = shardState(store, shard);
  if (before.bytes + need.bytes <= limits.maxBytes) return undefined;
  const isFull = before.bytes + need.bytes > limits.maxBacklogBytes;
  const most = isFull ? maxRemovalsWhenFull : Math.min(2 * need.messages + 16, maxRemovalsPerStep);
  const after = trim(store, shard, { limits, now, most });
  if (after.bytes + need.bytes <= limits.maxBacklogBytes || after.bytes === 0) return undefined;
  const slowest = slowestGroup(store, shard);
  const behind = slowest ? `group "${slowest.group}" is ${after.end - slowest.offset} messages behind` : "it is full";
  return new LogError(
    "log_full",
    `The log takes no more "${shard.topic}": ${behind} and ${after.bytes} of ${limits.maxBacklogBytes} bytes are stored. Start or repair that consumer, or allow a larger backlog.`,
  );
}

/** Removes what has grown too old, in small transactions, until `signal` aborts. */
export async function sweep(
  store: Store,
  writer: Writer,
  rules: { limits: Limits; clock: Clock; signal: AbortSignal },
): Promise<void> {
  const { limits, clock, signal } = rules;
  for (;;) {
    await clock.sleep(sweepEveryMs, signal);
    for (const shard of topics.flatMap((topic) => store.shards.get(topic) ?? [])) {
      while (!signal.aborted && removable(store, shard, { limits, now: clock.now(), most: 1 }).length > 0) {
        const step = { limits, now: clock.now(), most: maxRemovalsPerStep };
        const isDone = await writer
          .write(0, () => trim(store, shard, step))
          .then(
            () => true,
            // A disk that refuses this refuses the next publish too, and its caller hears of it; the next sweep tries again.
            () => false,
          );
        if (!isDone) break;
      }
    }
    if (signal.aborted) return;
  }
}
