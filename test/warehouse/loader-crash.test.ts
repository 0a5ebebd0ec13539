import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EventLog } from "../../ingest/log/log.ts";
import { sql } from "../../warehouse/statement.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { aborted } from "../contract/log-work.ts";
import { createKafkaLogs, until } from "../ingest/log/kafka-rig.ts";
import { brokersOf, testBrokers } from "../kafka-server.ts";
import { anOutgoingRequest } from "../make.ts";
import { temporaryFolder } from "../temporary.ts";

const script = fileURLToPath(new URL("./loading-process.ts", import.meta.url));
const topic = "webhook-deliveries";
const partitions = 2;
const perRound = 300;

async function openRig() {
  const { prefix, open } = createKafkaLogs({ partitions });
  const log = await open();
  const path = join(temporaryFolder(), "warehouse.duckdb");
  let produced = 0;
  let poisoned = 0;

  /** Rows, and among them one that no table takes. */
  async function publishRound(): Promise<void> {
    const rows = Array.from({ length: perRound }, () => {
      const id = `out-${produced++}`;
      return { topic, key: id, value: JSON.stringify(anOutgoingRequest({ id })) } as const;
    });
    poisoned += 1;
    const poison = { topic, key: `poison-${poisoned}`, value: "{broken" } as const;
    await log.publish([...rows.slice(0, perRound / 2), poison, ...rows.slice(perRound / 2)]);
  }

  function start(dies: string): ChildProcess {
    const args = ["--import", "tsx", script, prefix, path, dies, ...brokersOf()];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }

  async function run(dies: string): Promise<NodeJS.Signals | number | null> {
    const child = start(dies);
    child.stdout?.resume();
    const [code, signal] = await once(child, "exit");
    return signal ?? code;
  }

  /** What the store has, and for each partition whether no more is committed than is stored. */
  async function look() {
    const warehouse = await openDuckdbWarehouse({ path });
    try {
      const { rows } = await warehouse.query(sql`SELECT id FROM outgoing_webhook_requests`, { maxRows: 1_000_000 });
      const committed = await committedOf(log);
      const positions = await Promise.all(committed.map((_, partition) => warehouse.position(topic, partition)));
      const ids = new Set(rows.map(({ id }) => id));
      return { rows: rows.length, distinct: ids.size, committed, positions };
    } finally {
      await warehouse.close();
    }
  }

  async function letters(): Promise<number> {
    const ids = new Set<string>();
    for (const partition of (await log.ends("dead-letters")).keys())
      for await (const { key } of log.read({ topic: "dead-letters", partition, offset: 0 })) ids.add(key);
    return ids.size;
  }

  /** produced = stored + dead-lettered, each once, and all of it committed. */
  async function expectAllStored(): Promise<void> {
    const { rows, distinct, committed, positions } = await look();
    expect([rows, distinct]).toEqual([produced, produced]);
    expect(await letters()).toBe(poisoned);
    expect(committed).toEqual(await log.ends(topic));
    expect(positions).toEqual(committed);
  }

  return { log, start, run, look, publishRound, expectAllStored };
}

/** By joining the group for a moment. */
async function committedOf(log: EventLog): Promise<number[]> {
  const committed = new Map<number, number>();
  const consumer = log.consume({
    ...{ group: "loader", topic },
    async work(reader) {
      committed.set(reader.partition, await reader.committed());
      await aborted(reader.signal);
    },
  });
  await until(() => committed.size === partitions);
  await consumer.stop();
  return Array.from({ length: partitions }, (_, partition) => committed.get(partition) ?? -1);
}

describe.skipIf(testBrokers === undefined)("a loader that is killed (TEST_REDPANDA_BROKERS)", () => {
  it.each(["before-insert", "after-insert"])(
    "%s stores all once when it comes again, and had committed no more than was stored",
    async (dies) => {
      const rig = await openRig();
      await rig.publishRound();
      expect(await rig.run(dies)).toBe("SIGKILL");
      const { committed, positions } = await rig.look();
      for (const [partition, offset] of committed.entries())
        expect(offset).toBeLessThanOrEqual(positions[partition] ?? 0);
      await rig.publishRound();
      expect(await rig.run("when-done")).toBe(0);
      await rig.expectAllStored();
    },
    240_000,
  );

  it("while partitions are shared out anew leaves them to others, and stores all once when it comes again", async () => {
    const rig = await openRig();
    await rig.publishRound();
    const loader = rig.start("never");
    const lines = createInterface({ input: loader.stdout ?? process.stdin })[Symbol.asyncIterator]();
    await lines.next();
    const heir = { partitions: new Set<number>() };
    const other = rig.log.consume({
      ...{ group: "loader", topic },
      async work(reader) {
        if (heir.partitions.size === 0) loader.kill("SIGKILL");
        heir.partitions.add(reader.partition);
        await aborted(reader.signal);
      },
    });
    await rig.publishRound();
    await until(() => heir.partitions.size === partitions);
    await other.stop();
    expect(await rig.run("when-done")).toBe(0);
    await rig.expectAllStored();
  }, 240_000);
});
