import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { partitionOf } from "../../ingest/log/key-partition.ts";
import type { EventLog } from "../../ingest/log/log.ts";
import { sql } from "../../warehouse/statement.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { createKafkaLogs } from "../ingest/log/kafka/rig.ts";
import { committedOf } from "../kafka-groups.ts";
import { brokersOf } from "../kafka-server.ts";
import { anOutgoingRequest } from "../make.ts";
import type { LoaderStore } from "./loader-stores.ts";

const script = fileURLToPath(new URL("./loading-process.ts", import.meta.url));
const topic = "webhook-deliveries";
export const crashPartitions = 2;
const rowsPerRound = 300;

/** When a loading process ends: by its own hand at a point of its work, at the end of the log, or not by itself. */
export type Dies = "before-insert" | "after-insert" | "when-done" | "never";

/** A log on brokers, a store, and processes that load from one into the other. */
export async function openCrashRig(openStore: () => Promise<LoaderStore>) {
  const { prefix, open } = createKafkaLogs({ partitions: crashPartitions });
  const [log, store] = [await open(), await openStore()];
  const produced = new Set<string>();
  const committed = () =>
    committedOf({ brokers: brokersOf(), prefix }, { group: "loader", topic, partitions: crashPartitions });
  let poisoned = 0;

  /** Rows, and among them in each partition one that no table takes. */
  async function publishRound(): Promise<void> {
    const ids = Array.from({ length: rowsPerRound }, (_, index) => `out-${produced.size + index}`);
    const rows = ids.map((id) => ({ topic, key: id, value: JSON.stringify(anOutgoingRequest({ id })) }) as const);
    const poison = keysOfPartitions().map((key) => ({ topic, key, value: "{broken" }) as const);
    await log.publish([...rows.slice(0, rowsPerRound / 2), ...poison, ...rows.slice(rowsPerRound / 2)]);
    for (const id of ids) produced.add(id);
    poisoned += poison.length;
  }

  function start(dies: Dies): ChildProcess {
    const args = ["--import", "tsx", script, prefix, store.address, dies, ...brokersOf()];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }

  async function loadBy(count: number): Promise<void> {
    const loaders = Array.from({ length: count }, () => endOf(start("when-done")));
    expect(await Promise.all(loaders)).toEqual(loaders.map(() => 0));
  }

  /** By as many at once as the store takes, an `other` among them; if more than one, all is left to a last one then. */
  async function loadAll(other?: ChildProcess): Promise<void> {
    await loadBy(store.loadersAtOnce - (other === undefined ? 0 : 1));
    if (store.loadersAtOnce === 1) return;
    other?.kill("SIGKILL");
    await expectCommittedKept();
    await publishRound();
    await loadBy(1);
  }

  /** What tells readers how many there are. */
  async function countKept(warehouse: Warehouse): Promise<number> {
    const counts = store.dialect.countsOf("outgoing_webhook_requests", "minute");
    const { rows } = await warehouse.query(sql`SELECT sum(requests) AS total FROM ${counts}`);
    return Number(rows[0]?.["total"]);
  }

  async function letters(): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for await (const { key } of messagesOf(log, "dead-letters", await log.ends("dead-letters"))) ids.add(key);
    return ids;
  }

  /** Nothing is committed past a failure: what was, is stored or among the dead letters, whatever goes on meanwhile. */
  async function expectCommittedKept(): Promise<void> {
    const ends = await committed();
    const { ids } = await store.read(look);
    const refused = await letters();
    const known = new Set(ids);
    for await (const { key, place } of messagesOf(log, topic, ends)) {
      if (!known.has(key)) expect(refused, key).toContain(place);
    }
  }

  /** produced = stored + dead-lettered, each once, in the counts too, and all of it committed. */
  async function expectAllStored(): Promise<void> {
    const { ids, positions } = await store.read(look);
    expect([ids.length, new Set(ids)]).toEqual([produced.size, produced]);
    expect(await store.read(countKept)).toBe(produced.size);
    expect((await letters()).size).toBe(poisoned);
    expect(positions).toEqual(await log.ends(topic));
    expect(await committed()).toEqual(positions);
  }

  return { log, store, start, loadAll, publishRound, expectCommittedKept, expectAllStored };
}

/** A new key for each partition. */
const keysOfPartitions = (): string[] =>
  Array.from({ length: crashPartitions }, (_, partition) => {
    let key = randomUUID();
    while (partitionOf(key, crashPartitions) !== partition) key = randomUUID();
    return key;
  });

/** Its exit code, or the signal that ended it. */
export async function endOf(child: ChildProcess): Promise<NodeJS.Signals | number | null> {
  child.stdout?.resume();
  const [code, signal] = await once(child, "exit");
  return signal ?? code;
}

async function* messagesOf(log: EventLog, of: "webhook-deliveries" | "dead-letters", ends: readonly number[]) {
  for (const [partition, end] of ends.entries()) {
    for await (const { offset, key } of log.read({ topic: of, partition, offset: 0 })) {
      if (offset < end) yield { key, place: `${of}:${partition}:${offset}` };
    }
  }
}

async function look(warehouse: Warehouse) {
  const { rows } = await warehouse.query(sql`SELECT id FROM outgoing_webhook_requests`, { maxRows: 1_000_000 });
  const partitions = Array.from({ length: crashPartitions }, (_, partition) => partition);
  const positions = await Promise.all(partitions.map((partition) => warehouse.position(topic, partition)));
  return { ids: rows.map(({ id }) => String(id)), positions };
}
