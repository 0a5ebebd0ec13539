// @module-tag slow
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { GuardedWarehouse } from "../../../warehouse/guarded/guarded.ts";
import { createSnapshots } from "../../../warehouse/guarded/snapshot-duckdb.ts";
import {
  createSqlProcesses,
  type SqlProcessesOptions,
  sqlProcessesAtOnce,
} from "../../../warehouse/guarded/sql-processes.ts";
import { openDuckdbWarehouse } from "../../../warehouse/warehouse-duckdb.ts";
import { fillExample } from "../../assistant/example-data.ts";
import { temporaryFolder } from "../../temporary.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../temporary-directory.ts";

let folder: TemporaryDirectory;
let path: string;
let warehouse: GuardedWarehouse;
beforeAll(async () => {
  folder = await makeTemporaryDirectory();
  path = join(folder.path, "warehouse.duckdb");
  warehouse = await openDuckdbWarehouse({ path });
  await fillExample(warehouse);
});
afterAll(async () => {
  await warehouse.close();
  await folder.remove();
});

const never = new AbortController().signal;
const megabyte = 1024 ** 2;
const select = (text: string, options: object = {}) =>
  warehouse.guarded.select({ orgId: "org_one", text, timeoutMs: 100_000, ...options });
const count = "SELECT count(*) AS n FROM calls";

/** What it gathers the engine neither counts nor can put on disk. */
const gathering =
  "SELECT length(string_agg(concat(a, '/', b, '/', c), ',')) AS n FROM (SELECT unnest(range(1000)) AS a) AS a, (SELECT unnest(range(1000)) AS b) AS b, (SELECT unnest(range(1000)) AS c) AS c";

const endless =
  "SELECT count(*) FROM calls AS a, calls AS b, calls AS c, calls AS d, calls AS e WHERE a.duration + b.duration + c.duration + d.duration + e.duration < 0";

/** Processes on the example's rows, with limits of the test's own. */
function openProcesses(options: Partial<SqlProcessesOptions>) {
  const snapshots = createSnapshots({ path, writes: () => 0, whileStill: (work) => work().then(() => 0) });
  const processes = createSqlProcesses({ takeSnapshot: snapshots.take, planWithinMs: 100_000, ...options });
  onTestFinished(() => processes.close());
  return {
    select: (text: string, stop = never) => processes.select({ orgId: "org_one", text }, stop),
  };
}

describe("SQL of analysts in processes of its own", () => {
  it("ends with its process when it plans for too long", async () => {
    await expect(openProcesses({ planWithinMs: 0 }).select(count)).rejects.toMatchObject({
      code: "query_refused",
      message: expect.stringContaining("too long to plan"),
    });
    // With more time the same text runs.
    expect((await openProcesses({}).select(count)).rows).toEqual([{ n: 240 }]);
  });

  it("leaves the process that was not ready in time for the next text", async () => {
    const kills: string[] = [];
    const stopping = new AbortController();
    const snapshots = createSnapshots({ path, writes: () => 0, whileStill: (work) => work().then(() => 0) });
    const takeSnapshot = async () => {
      const taken = await snapshots.take();
      // The process is started next.
      setImmediate(() => stopping.abort());
      return taken;
    };
    const processes = openProcesses({ takeSnapshot, onKill: (why) => void kills.push(why) });
    await expect(processes.select(count, stopping.signal)).rejects.toMatchObject({ name: "AbortError" });
    expect((await processes.select(count)).rows).toEqual([{ n: 240 }]);
    expect(kills).toEqual([]);
  });

  it("is killed when it does not stop once its time is over, and the next text runs in another process", async () => {
    const kills: string[] = [];
    const processes = openProcesses({ stopWithinMs: 0, onKill: (why) => void kills.push(why) });
    expect((await processes.select(count)).rows).toEqual([{ n: 240 }]);
    const running = processes.select(endless, AbortSignal.timeout(200));
    await expect(running).rejects.toMatchObject({ name: "TimeoutError" });
    expect(kills).toEqual(["did not stop"]);
    expect((await processes.select(count)).rows).toEqual([{ n: 240 }]);
  });

  it("ends a text that gathers more memory than it may, which is none of this process's", async () => {
    const processes = openProcesses({ limits: { memoryBytes: 150 * megabyte } });
    const before = process.memoryUsage.rss();
    await expect(processes.select(gathering)).rejects.toMatchObject({
      code: "query_refused",
      message: expect.stringContaining("more memory than there is"),
    });
    expect((process.memoryUsage.rss() - before) / megabyte).toBeLessThan(100);
    expect((await processes.select(count)).rows).toEqual([{ n: 240 }]);
  });

  it("sees what was stored before it was asked, and keeps one copy of the file", async () => {
    const { path: own, remove } = await makeTemporaryDirectory();
    const file = join(own, "warehouse.duckdb");
    const other = await openDuckdbWarehouse({ path: file });
    onTestFinished(async () => {
      await other.close();
      await remove();
    });
    const counted = async () => (await other.guarded.select({ orgId: "org_one", text: count })).rows;
    expect(await counted()).toEqual([{ n: 0 }]);
    await fillExample(other);
    expect(await counted()).toEqual([{ n: 240 }]);
    const copies = readdirSync(`${file}.snapshots`).filter((name) => name.endsWith(".duckdb"));
    expect(copies).toHaveLength(1);
    await other.close();
    expect(existsSync(`${file}.snapshots`)).toBe(false);
  });

  it("makes its copies anew where something else bears the name of their folder", async () => {
    const file = join(temporaryFolder(), "warehouse.duckdb");
    writeFileSync(`${file}.snapshots`, "damaged");
    const other = await openDuckdbWarehouse({ path: file });
    onTestFinished(() => other.close());
    expect((await other.guarded.select({ orgId: "org_one", text: count })).rows).toEqual([{ n: 0 }]);
  });

  it("leaves a place for others while one organization's texts run on", async () => {
    const stop = new AbortController();
    const busy = Array.from({ length: sqlProcessesAtOnce[0] + 2 }, () =>
      select(endless, { signal: stop.signal }).catch(({ code }) => code),
    );
    const quick = await warehouse.guarded.select({ orgId: "org_two", text: count, timeoutMs: 100_000 });
    expect(quick.rows).toEqual([{ n: 60 }]);
    stop.abort();
    expect(await Promise.all(busy)).toEqual(busy.map(() => "query_cancelled"));
  });

  it("is not to be had over a warehouse in memory, and says so", async () => {
    const inMemory = await openDuckdbWarehouse({ path: ":memory:" });
    await expect(inMemory.guarded.select({ orgId: "org_one", text: count })).rejects.toMatchObject({
      code: "unavailable",
    });
    await inMemory.close();
  });
});
