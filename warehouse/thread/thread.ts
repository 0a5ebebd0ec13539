import { parentPort } from "node:worker_threads";
import { systemClock } from "../../ingest/clock.ts";
import { openSharedReader, type SharedReader } from "../../ingest/log/lmdb/shared-reader.ts";
import type { ConsumeOptions, Consumer, EventLog, PartitionReader, Topic } from "../../ingest/log/log.ts";
import type { GuardedWarehouse } from "../guarded/guarded.ts";
import { runLoader } from "../loader.ts";
import { openDuckdbWarehouse } from "../warehouse-duckdb.ts";
import type { OwnerMethods, Partition, ThreadMethods } from "./methods.ts";
import { connect, type Port, toPlainError } from "./remote-calls.ts";

// The thread of the embedded warehouse (`warehouse-thread.ts`).

interface Opened {
  readonly warehouse: GuardedWarehouse;
  readonly reader: SharedReader;
  /** The loader's work, by topic. */
  readonly works: ReadonlyMap<Topic, ConsumeOptions["work"]>;
}

let isOpen: Opened | undefined;
const opened = (): Opened => {
  if (isOpen === undefined) throw new Error("The warehouse is not open.");
  return isOpen;
};

const { call, tell } = connect<OwnerMethods>(parentPort as unknown as Port, {
  async open({ path, retentionDays, logDir }) {
    const onTrouble = (error: unknown) => tell("failed", toPlainError(error));
    const reader = openSharedReader({ dir: logDir, clock: systemClock });
    const warehouse = await openDuckdbWarehouse({
      path,
      retention: { days: retentionDays, clock: systemClock, onTrouble },
    });
    isOpen = { warehouse, reader, works: prepareLoader(warehouse, reader) };
  },
  store: (range) => opened().warehouse.store(range),
  position: ({ topic, partition }) => opened().warehouse.position(topic, partition),
  takePast: (all) => opened().warehouse.takePast(all),
  query: ({ statement, limits }, signal) => opened().warehouse.query(statement, { ...limits, signal }),
  select: (query, signal) => opened().warehouse.guarded.select({ ...query, signal }),
  async load({ topic, partition }, signal) {
    const { reader, works } = opened();
    await works.get(topic)?.(toReader(reader, { topic, partition, signal }));
  },
  async close() {
    const { warehouse, reader } = opened();
    await warehouse.close();
    await reader.close();
  },
} satisfies ThreadMethods);

// Node's default prints warnings as text among the JSON of the owner's log.
process.removeAllListeners("warning");
process.on("warning", (warning) => tell("failed", toPlainError(warning)));

/** Returns the loader's work for each topic; the partitions come from the thread that has the log. */
function prepareLoader(warehouse: GuardedWarehouse, reader: SharedReader): Opened["works"] {
  const works = new Map<Topic, ConsumeOptions["work"]>();
  const log: Pick<EventLog, "publish" | "ends" | "consume"> = {
    publish: async (messages) => {
      await call("publish", messages);
      return [];
    },
    ends: reader.ends,
    consume({ topic, work }): Consumer {
      works.set(topic, work);
      return { stop: async () => undefined, finished: Promise.resolve() };
    },
  };
  runLoader({
    log: log as EventLog,
    warehouse,
    clock: systemClock,
    onBatch: (batch) => tell("loaded", batch),
    onTrouble: (error) => tell("loaderFailed", toPlainError(error)),
  });
  return works;
}

/** A partition, read here and committed by the thread that has the log. */
function toReader(reader: SharedReader, at: Partition & { readonly signal: AbortSignal }): PartitionReader {
  const { topic, partition } = at;
  const cursor = reader.read(at);
  return {
    ...at,
    next: cursor.next,
    async commit(offset) {
      await call("commit", { topic, partition, offset });
    },
    // The store knows the place where it goes on.
    committed: async () => 0,
    seek(offset) {
      cursor.seek(offset);
      tell("seek", { topic, partition, offset });
    },
  };
}
