import { type Database, open, type RootDatabase } from "lmdb";
import { LogError, type Topic, topics } from "../log.ts";

/** One partition of a topic: its messages and its offsets. */
export interface Shard {
  readonly topic: Topic;
  readonly partition: number;
  /** Offset → record. */
  readonly records: Database<Buffer, number>;
}

export interface ShardState {
  /** The offset that the next message gets. Stored, because retention may have removed every message. */
  readonly end: number;
  /** Keys and values still stored. */
  readonly bytes: number;
}

export interface Store {
  readonly dir: string;
  readonly root: RootDatabase<unknown, string>;
  readonly state: Database<unknown, (string | number)[]>;
  readonly shards: ReadonlyMap<Topic, readonly Shard[]>;
  readonly partitions: number;
  /** Throws `log_closed`. */
  requireOpen(): void;
  close(): Promise<void>;
}

const partitionsKey = ["partitions"];
const endKey = (shard: Shard) => ["end", shard.topic, shard.partition];
const groupKey = (shard: Shard, group: string) => ["group", shard.topic, shard.partition, group];

/**
 * Opens the store, or makes it. Throws `log_unavailable`.
 *
 * What durability rests on: `overlappingSync` is off (lmdb's default is on), so that committing a transaction writes its
 * pages, waits for fdatasync, and only then writes the root page, through a descriptor opened with O_DSYNC; the promise
 * of the transaction resolves after that. So what is acknowledged survives a loss of power, and no reader, in this or
 * another process, sees a message before it is durable. With overlapping sync a reader could store rows for offsets that
 * a loss of power takes back and gives to other messages. `eventTurnBatching` is off because with it a commit that the
 * disk refuses also rejects a promise of lmdb's own that nobody can handle, which would end the process.
 *
 * No compression: LZ4 saves a third of a message of 1.6 KB, and a transaction's callback compresses on the main thread,
 * where it made publishing four times slower.
 */
export function openStore(dir: string, partitions: number): Store {
  try {
    const root = open<unknown, string>({
      path: dir,
      noSubdir: false,
      overlappingSync: false,
      eventTurnBatching: false,
      maxDbs: 1 + topics.length * maxPartitions,
    });
    // One transaction: of two processes that open a new directory at once, one decides.
    return root.transactionSync(() => openDatabases(dir, root, partitions));
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new LogError(
      "log_unavailable",
      `The log in ${dir} cannot be opened: ${text}. Check that the directory exists or can be made, and that it may be written to.`,
      { cause },
    );
  }
}

export const maxPartitions = 64;

function openDatabases(dir: string, root: RootDatabase<unknown, string>, partitions: number): Store {
  const state: Store["state"] = root.openDB("state", { encoding: "json" });
  if (typeof state.get(partitionsKey) !== "number") state.putSync(partitionsKey, partitions);
  return toStore(dir, root);
}

/**
 * Opens a store that another thread of this process has open, to read it: lmdb shares one environment between the threads
 * of a process.
 */
export const openSharedStore = (dir: string): Store =>
  toStore(dir, open({ path: dir, noSubdir: false, readOnly: true, maxDbs: 1 + topics.length * maxPartitions }));

function toStore(dir: string, root: RootDatabase<unknown, string>): Store {
  const state: Store["state"] = root.openDB("state", { encoding: "json" });
  const count = Number(state.get(partitionsKey));
  const shards = topics.map((topic): [Topic, Shard[]] => [
    topic,
    Array.from({ length: count }, (_, partition) => ({
      topic,
      partition,
      records: root.openDB(`${topic}/${partition}`, { encoding: "binary" }),
    })),
  ]);
  let isOpen = true;
  return {
    dir,
    root,
    state,
    shards: new Map(shards),
    partitions: count,
    requireOpen() {
      if (!isOpen) throw logClosed();
    },
    async close() {
      isOpen = false;
      await root.close();
    },
  };
}

export const logClosed = () => new LogError("log_closed", "The log is closed. Open it again to use it.");

/** Throws `bad_position`. */
export function shardAt(store: Store, topic: Topic, partition: number): Shard {
  const shard = store.shards.get(topic)?.[partition];
  if (shard) return shard;
  throw new LogError(
    "bad_position",
    `There is no partition ${partition} of "${topic}"; the log has the partitions 0 to ${store.partitions - 1}.`,
  );
}

export const shardsOf = (store: Store, topic: Topic): readonly Shard[] => store.shards.get(topic) ?? [];

/** Throws `log_closed`. */
export function shardState(store: Store, shard: Shard): ShardState {
  store.requireOpen();
  return (store.state.get(endKey(shard)) as ShardState | undefined) ?? { end: 0, bytes: 0 };
}

/** Within a transaction. */
export function putShardState(store: Store, shard: Shard, state: ShardState): void {
  store.state.putSync(endKey(shard), state);
}

/** Undefined when the group has never consumed this topic. */
export function committedOffset(store: Store, shard: Shard, group: string): number | undefined {
  store.requireOpen();
  return store.state.get(groupKey(shard, group)) as number | undefined;
}

/** Within a transaction. */
export function putCommittedOffset(store: Store, shard: Shard, group: string, offset: number): void {
  store.state.putSync(groupKey(shard, group), offset);
}

/** The group that is furthest behind; undefined when no group has ever consumed this topic. */
export function slowestGroup(store: Store, shard: Shard): { group: string; offset: number } | undefined {
  let slowest: { group: string; offset: number } | undefined;
  const range = { start: ["group", shard.topic, shard.partition], end: ["group", shard.topic, shard.partition + 1] };
  for (const { key, value } of store.state.getRange(range)) {
    const offset = Number(value);
    if (!slowest || offset < slowest.offset) slowest = { group: String(key[3]), offset };
  }
  return slowest;
}
