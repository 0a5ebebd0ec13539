import { expect, onTestFinished } from "vitest";
import { systemClock } from "../../ingest/clock.ts";
import type { EventLog } from "../../ingest/log/log.ts";
import { type LoadedBatch, runLoader } from "../../warehouse/loader.ts";
import { sql } from "../../warehouse/statement.ts";
import { readAll } from "../contract/log-work.ts";
import { until } from "../ingest/log/kafka/rig.ts";
import { committedOf } from "../kafka-groups.ts";
import { anOutgoingRequest } from "../make.ts";
import type { LoaderStore } from "./loader-stores.ts";

const topic = "webhook-deliveries";
const partitions = [0, 1];

interface Given<S extends LoaderStore> {
  readonly brokers: readonly string[];
  /** Of the names of the log. */
  readonly prefix: string;
  /** A log of so many partitions as the rig has. */
  openLog(given: { partitions: number }): Promise<EventLog>;
  openStore(): Promise<S>;
}

/** A store with as many loaders as it takes at once, each with a log and a warehouse as a process of its own has. */
export async function openOutageRig<S extends LoaderStore>({ brokers, prefix, openLog, openStore }: Given<S>) {
  const store = await openStore();
  const batches: LoadedBatch[] = [];
  const acknowledged = new Set<string>();
  let [produced, troubles] = [0, 0];

  async function openLoader(): Promise<EventLog> {
    const [log, warehouse] = [await openLog({ partitions: partitions.length }), await store.open()];
    const loaders = runLoader({
      log,
      warehouse,
      clock: systemClock,
      pauseMs: 0,
      onBatch: (batch) => batches.push(batch),
      onTrouble() {
        troubles += 1;
      },
    });
    onTestFinished(async () => {
      for (const loader of loaders) await loader.stop();
      await log.close();
      await warehouse.close();
    });
    return log;
  }
  const log = await openLoader();
  for (let others = store.loadersAtOnce; others > 1; others -= 1) await openLoader();

  /** So many rows at once; whether they were acknowledged. */
  async function produce(count: number): Promise<boolean> {
    const ids = Array.from({ length: count }, () => `out-${produced++}`);
    const rows = ids.map((id) => ({ topic, key: id, value: JSON.stringify(anOutgoingRequest({ id })) }) as const);
    const isTaken = await log.publish(rows).then(
      () => true,
      () => false,
    );
    if (isTaken) for (const id of ids) acknowledged.add(id);
    return isTaken;
  }

  const committed = () => committedOf({ brokers, prefix }, { group: "loader", topic, partitions: partitions.length });
  const look = () =>
    store.read(async (warehouse) => {
      const { rows } = await warehouse.query(sql`SELECT id FROM outgoing_webhook_requests`, { maxRows: 1_000_000 });
      const counts = store.dialect.countsOf("outgoing_webhook_requests", "minute");
      const counted = await warehouse.query(sql`SELECT sum(requests) AS total FROM ${counts}`);
      const positions = await Promise.all(partitions.map((partition) => warehouse.position(topic, partition)));
      return { ids: rows.map(({ id }) => String(id)).sort(), counted: Number(counted.rows[0]?.["total"]), positions };
    });
  const sum = (name: "consumed" | "stored" | "duplicate" | "deadLettered") =>
    batches.reduce((total, batch) => total + batch[name], 0);

  /** produced = stored, each once, in the counts too, and all of it committed. */
  async function expectAllStored(): Promise<void> {
    const ends = await log.ends(topic);
    await until(async () => String(await committed()) === String(ends));
    const inLog = (await Promise.all(partitions.map((partition) => readAll(log, topic, partition)))).flat();
    const ids = inLog.map(({ key }) => key);
    // One that was not acknowledged may be there; one that was must be.
    for (const id of acknowledged) expect(ids).toContain(id);
    expect(await look()).toEqual({ ids: ids.sort(), counted: ids.length, positions: ends });
    expect((await log.ends("dead-letters")).every((end) => end === 0)).toBe(true);
    // Told once it is committed, or cannot be. What was stored though its answer was lost is a duplicate when it comes again.
    await until(() => sum("stored") + sum("duplicate") >= ids.length);
    expect([sum("stored") + sum("duplicate"), sum("deadLettered")]).toEqual([sum("consumed"), 0]);
  }

  return {
    store,
    produce,
    committed,
    expectAllStored,
    /** So many more attempts have failed. */
    async untilTroubled(times: number): Promise<void> {
      const enough = troubles + times;
      await until(() => troubles >= enough);
    },
  };
}
