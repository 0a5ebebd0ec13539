import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openLmdbLog } from "../../ingest/log/log-lmdb.ts";
import { type LoadedBatch, runLoader } from "../../warehouse/loader.ts";
import { sql } from "../../warehouse/statement.ts";
import { type Warehouse, WarehouseError } from "../../warehouse/warehouse.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { anOutgoingRequest, startOfTime } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";
import { temporaryFolder } from "../temporary.ts";

async function openRig(change: (warehouse: Warehouse) => Warehouse = (warehouse) => warehouse) {
  const folder = temporaryFolder();
  const clock = createManualClock(startOfTime);
  const log = await openLmdbLog({ dir: join(folder, "log"), clock });
  const warehouse = await openDuckdbWarehouse({ path: join(folder, "warehouse.duckdb") });
  const batches: LoadedBatch[] = [];
  const troubles: unknown[] = [];
  const consumers: ReturnType<typeof runLoader> = [];
  const start = () => {
    const options = { log, clock, warehouse: change(warehouse), lingerMs: 0 };
    consumers.push(
      ...runLoader({ ...options, onBatch: (batch) => batches.push(batch), onTrouble: (error) => troubles.push(error) }),
    );
  };
  const stop = async () => {
    for (const consumer of consumers.splice(0)) await consumer.stop();
  };
  onTestFinished(async () => {
    await stop();
    await warehouse.close();
    await log.close();
  });
  const publish = (values: readonly string[]) =>
    log.publish(values.map((value) => ({ topic: "webhook-deliveries", key: "k", value })));
  const stored = async () =>
    (await warehouse.query(sql`SELECT id FROM outgoing_webhook_requests ORDER BY id`)).rows.map(({ id }) => id);
  const letters = async () => {
    const found: { position: number; reason: string; raw: string }[] = [];
    for await (const { value } of log.read({ topic: "dead-letters", partition: 0, offset: 0 }))
      found.push(JSON.parse(value));
    return found;
  };
  return { clock, log, warehouse, batches, troubles, start, stop, publish, stored, letters };
}

const records = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) =>
    JSON.stringify(anOutgoingRequest({ id: `out-${100 + from + index}` })),
  );

describe("the loader", () => {
  it("stores what was published before and after it began", async () => {
    const rig = await openRig();
    await rig.publish(records(0, 3));
    rig.start();
    await vi.waitFor(async () => expect(await rig.stored()).toHaveLength(3));
    await rig.publish(records(3, 5));
    await vi.waitFor(async () => expect(await rig.stored()).toHaveLength(5));
  });

  it("goes on after a restart where it was, and stores nothing twice", async () => {
    const rig = await openRig();
    rig.start();
    await rig.publish(records(0, 3));
    await vi.waitFor(async () => expect(await rig.stored()).toHaveLength(3));
    await rig.stop();
    await rig.publish(records(3, 5));
    rig.start();
    await vi.waitFor(async () => expect(await rig.stored()).toHaveLength(5));
    expect(rig.batches.every(({ duplicate }) => duplicate === 0)).toBe(true);
  });

  it("makes a dead letter of the one row at fault and stores all others", async () => {
    const rig = await openRig();
    const values = records(0, 20);
    values[7] = "{broken";
    values[13] = JSON.stringify({ ...anOutgoingRequest({ id: "poison" }), created_at: "never" });
    await rig.publish(values);
    rig.start();
    await vi.waitFor(async () => expect(await rig.stored()).toHaveLength(18));
    expect(await rig.letters()).toMatchObject([
      { position: 7, reason: "refused_by_store", raw: "{broken" },
      { position: 13, reason: "refused_by_store" },
    ]);
    const [batch] = rig.batches;
    expect(batch).toMatchObject({ consumed: 20, stored: 18, duplicate: 0, deadLettered: 2 });
  });

  it("adds up when the row at fault is the last, and does not read it again", async () => {
    const rig = await openRig();
    await rig.publish([...records(0, 2), "{broken"]);
    rig.start();
    await vi.waitFor(async () => expect(await rig.letters()).toHaveLength(1));
    await rig.stop();
    rig.start();
    await rig.publish(records(2, 3));
    await vi.waitFor(async () => expect(await rig.stored()).toHaveLength(3));
    expect(await rig.letters()).toHaveLength(1);
  });

  it("waits and tries again while the store is out of reach, and loses nothing", async () => {
    let failures = 3;
    const rig = await openRig((warehouse) => ({
      ...warehouse,
      async store(range) {
        if (failures-- > 0) throw new WarehouseError("unavailable", "no such disk");
        return warehouse.store(range);
      },
    }));
    rig.start();
    await rig.publish(records(0, 3));
    await vi.waitFor(() => {
      rig.clock.advance(30_000);
      expect(rig.batches).toHaveLength(1);
    });
    expect(await rig.stored()).toHaveLength(3);
    expect(rig.troubles).toHaveLength(3);
  });

  it("refuses to go on with another log than the warehouse was filled from", async () => {
    const rig = await openRig();
    const value = JSON.stringify(anOutgoingRequest());
    await rig.warehouse.store({
      topic: "webhook-deliveries",
      partition: 0,
      firstOffset: 0,
      nextOffset: 9,
      values: [value],
    });
    const consumers = runLoader({ log: rig.log, clock: rig.clock, warehouse: rig.warehouse, onTrouble() {} });
    const failures = await Promise.allSettled(consumers.slice(1, 2).map(({ finished }) => finished));
    expect(failures).toMatchObject([
      { status: "rejected", reason: { message: expect.stringContaining("another log") } },
    ]);
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  });
});
