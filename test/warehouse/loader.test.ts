import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { EventLog } from "../../ingest/log/log.ts";
import { openLmdbLog } from "../../ingest/log/log-lmdb.ts";
import { type LoadedBatch, runLoader } from "../../warehouse/loader.ts";
import { sql } from "../../warehouse/statement.ts";
import { type Warehouse, WarehouseError } from "../../warehouse/warehouse.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { type Faults, withFaults } from "../ingest/log/faulty-log.ts";
import { anOutgoingRequest, startOfTime } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";
import { openEmptyWarehouse } from "../migrated-files.ts";
import { temporaryFolder } from "../temporary.ts";

/** Ample, for a machine that does other work meanwhile. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000 });

interface Given {
  readonly change?: (warehouse: Warehouse) => Warehouse;
  readonly faults?: Faults;
  readonly retention?: { maxAgeMs: number };
  readonly pauseMs?: number;
}

async function openRig({ change = (warehouse) => warehouse, faults = {}, pauseMs = 0, ...options }: Given = {}) {
  const folder = temporaryFolder();
  const clock = createManualClock(startOfTime);
  const log = await openLmdbLog({ dir: join(folder, "log"), clock, ...options });
  let warehouse = await openDuckdbWarehouse({ path: join(folder, "warehouse.duckdb") });
  const faulty = withFaults(log, faults);
  const batches: LoadedBatch[] = [];
  const troubles: unknown[] = [];
  const consumers: ReturnType<typeof runLoader> = [];
  const start = () => {
    const options = { log: faulty, clock, warehouse: change(warehouse), pauseMs };
    consumers.push(
      ...runLoader({
        ...options,
        onBatch: (batch) => batches.push(batch),
        onTrouble: (error) => troubles.push(error),
      }),
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
  /** The warehouse is gone, as when its file was lost; an empty one takes its place. */
  const loseWarehouse = async () => {
    await stop();
    await warehouse.close();
    warehouse = await openEmptyWarehouse();
  };
  const position = () => warehouse.position("webhook-deliveries", 0);
  return {
    clock,
    log,
    warehouse,
    batches,
    troubles,
    start,
    stop,
    publish,
    stored,
    letters,
    loseWarehouse,
    position,
  };
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
    await eventually(async () => expect(await rig.stored()).toHaveLength(3));
    await rig.publish(records(3, 5));
    await eventually(async () => expect(await rig.stored()).toHaveLength(5));
  });

  it("stores at once what comes after a pause, and what comes within it together", async () => {
    const rig = await openRig({ pauseMs: 60_000 });
    const stored = () => rig.batches.map((batch) => batch.stored);
    await rig.publish(records(0, 3));
    rig.start();
    await eventually(async () => expect(stored()).toEqual([3]));
    await rig.publish(records(3, 4));
    await rig.publish(records(4, 5));
    await eventually(async () => {
      rig.clock.advance(60_000);
      expect(stored()).toEqual([3, 2]);
    });
    rig.clock.advance(60_000);
    await rig.publish(records(5, 6));
    await eventually(async () => expect(stored()).toEqual([3, 2, 1]));
    expect(await rig.stored()).toHaveLength(6);
  });

  it("goes on after a restart where it was, and stores nothing twice", async () => {
    const rig = await openRig();
    rig.start();
    await rig.publish(records(0, 3));
    await eventually(async () => expect(await rig.stored()).toHaveLength(3));
    await rig.stop();
    await rig.publish(records(3, 5));
    rig.start();
    await eventually(async () => expect(await rig.stored()).toHaveLength(5));
    expect(rig.batches.every(({ duplicate }) => duplicate === 0)).toBe(true);
  });

  it("makes a dead letter of the one row at fault and stores all others", async () => {
    const rig = await openRig();
    const values = records(0, 20);
    values[7] = "{broken";
    values[13] = JSON.stringify({ ...anOutgoingRequest({ id: "poison" }), created_at: "never" });
    await rig.publish(values);
    rig.start();
    await eventually(() => expect(rig.batches).toHaveLength(1));
    expect(await rig.stored()).toHaveLength(18);
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
    await eventually(async () => expect(await rig.letters()).toHaveLength(1));
    await rig.stop();
    rig.start();
    await rig.publish(records(2, 3));
    await eventually(async () => expect(await rig.stored()).toHaveLength(3));
    expect(await rig.letters()).toHaveLength(1);
  });

  it("moves the warehouse's place in the log behind a dead letter, even the last message", async () => {
    const rig = await openRig();
    await rig.publish([...records(0, 1), "{broken"]);
    rig.start();
    await eventually(async () => expect(await rig.position()).toBe(2));
  });

  it("waits and tries again while the store is out of reach, and loses nothing", async () => {
    let failures = 3;
    const rig = await openRig({
      change: (warehouse) => ({
        ...warehouse,
        async store(range) {
          if (failures-- > 0) throw new WarehouseError("unavailable", "no such disk");
          return warehouse.store(range);
        },
      }),
    });
    rig.start();
    await rig.publish(records(0, 3));
    await eventually(() => {
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

  it("fills a warehouse again that was lost", async () => {
    const rig = await openRig();
    await rig.publish([...records(0, 3), "{broken", ...records(3, 5)]);
    rig.start();
    await eventually(async () => expect(await rig.position()).toBe(6));
    await rig.loseWarehouse();
    rig.start();
    await eventually(async () => expect(await rig.position()).toBe(6));
    expect(await rig.stored()).toHaveLength(5);
    expect(rig.troubles).toEqual([]);
  });

  it("tells once what the log no longer has for a warehouse that was lost, and loads the rest", async () => {
    const rig = await openRig({ retention: { maxAgeMs: 1000 } });
    await rig.publish(records(0, 3));
    rig.start();
    await eventually(async () => expect(await rig.position()).toBe(3));
    await rig.loseWarehouse();
    await eventually(async () => {
      rig.clock.advance(60_000);
      expect(await firstOffset(rig.log)).toBe(3);
    });
    await rig.publish(records(3, 5));
    rig.start();
    await eventually(async () => expect(await rig.stored()).toHaveLength(2));
    await rig.publish(records(5, 6));
    await eventually(async () => expect(await rig.stored()).toHaveLength(3));
    expect(rig.troubles.map(String)).toEqual([expect.stringContaining("3 messages are missing")]);
  });
});

async function firstOffset(log: EventLog): Promise<number> {
  for await (const { offset } of log.read({ topic: "webhook-deliveries", partition: 0, offset: 0 })) return offset;
  return (await log.ends("webhook-deliveries"))[0] ?? 0;
}

describe("the loader on a log with faults", () => {
  it("stores all once when its commits were lost", async () => {
    const rig = await openRig({ faults: { losesCommits: true } });
    await rig.publish([...records(0, 3), "{broken"]);
    rig.start();
    await eventually(async () => expect(await rig.position()).toBe(4));
    await rig.stop();
    rig.start();
    await rig.publish(records(3, 4));
    await eventually(async () => expect(await rig.stored()).toHaveLength(4));
    expect(rig.batches.every(({ duplicate }) => duplicate === 0)).toBe(true);
    expect(await rig.letters()).toHaveLength(1);
  });

  it("goes on when the log refuses to commit or to answer for a time", async () => {
    const rig = await openRig({ faults: { refusedCommits: 2, refusedQuestions: 2 } });
    rig.start();
    await rig.publish(records(0, 3));
    await eventually(() => {
      rig.clock.advance(1000);
      expect(rig.batches).toHaveLength(1);
    });
    expect(rig.troubles).toHaveLength(4);
    expect(await rig.stored()).toHaveLength(3);
  });

  it("counts what it has stored, though it was stopped before that could be committed", async () => {
    const rig = await openRig({ faults: { refusedCommits: Number.POSITIVE_INFINITY } });
    rig.start();
    await rig.publish(records(0, 3));
    await eventually(async () => expect(await rig.stored()).toHaveLength(3));
    await rig.stop();
    expect(rig.batches).toMatchObject([{ consumed: 3, stored: 3, duplicate: 0, deadLettered: 0 }]);
  });

  it("makes one dead letter when the log takes none for a time", async () => {
    const rig = await openRig();
    let refused = 2;
    const publish = rig.log.publish;
    vi.spyOn(rig.log, "publish").mockImplementation((messages) =>
      messages.some(({ topic }) => topic === "dead-letters") && refused-- > 0
        ? Promise.reject(new Error("no space left"))
        : publish(messages),
    );
    await rig.publish(["{broken", ...records(0, 1)]);
    rig.start();
    await eventually(async () => {
      rig.clock.advance(1000);
      expect(await rig.position()).toBe(2);
    });
    expect(await rig.letters()).toHaveLength(1);
    expect(await rig.stored()).toHaveLength(1);
  });
});
