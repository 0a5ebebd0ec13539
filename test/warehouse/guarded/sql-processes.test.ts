import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { GuardedWarehouse } from "../../../warehouse/guarded/guarded.ts";
import { createSnapshots } from "../../../warehouse/guarded/snapshot-duckdb.ts";
import { createSqlProcesses, sqlProcessesAtOnce } from "../../../warehouse/guarded/sql-processes.ts";
import { sql } from "../../../warehouse/statement.ts";
import { openDuckdbWarehouse } from "../../../warehouse/warehouse-duckdb.ts";
import { fillExample } from "../../assistant/example-data.ts";
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
const select = (text: string, options: object = {}) => warehouse.guarded.select({ orgId: "org_one", text, ...options });
const count = "SELECT count(*) AS n FROM calls";

/** Each alias stands for twice the one before it: as it is bound it becomes as long as 2 to the power of their number. */
const lateralAliases = `SELECT duration AS x0, ${Array.from({ length: 24 }, (_, at) => `x${at}+x${at} AS x${at + 1}`).join(", ")} FROM calls`;
const nestedStars = (levels: number): string =>
  levels === 0 ? "SELECT * FROM calls" : `SELECT *, * FROM (${nestedStars(levels - 1)})`;
const nestedComments = `SELECT 1 ${"/*".repeat(4900)}${"*/".repeat(4900)}`;
/** What it gathers the engine neither counts nor can put on disk. */
const gathering =
  "SELECT length(string_agg(concat(a, '/', b, '/', c), ',')) AS n FROM (SELECT unnest(range(1000)) AS a) AS a, (SELECT unnest(range(1000)) AS b) AS b, (SELECT unnest(range(1000)) AS c) AS c";

/** Processes on the example's rows, with limits of the test's own. */
function openProcesses(limits: { memoryBytes?: number } = {}, planWithinMs?: number) {
  const snapshots = createSnapshots({ path, writes: () => 0, whileStill: (work) => work().then(() => 0) });
  const processes = createSqlProcesses({
    takeSnapshot: snapshots.take,
    limits,
    ...(planWithinMs === undefined ? {} : { planWithinMs }),
  });
  onTestFinished(() => processes.close());
  return processes;
}

describe("SQL of analysts in processes of its own", () => {
  it.each([
    ["lateral aliases", lateralAliases],
    ["stars of stars", nestedStars(16)],
  ])("ends what plans for too long: %s; the next text runs", async (_name, text) => {
    await expect(select(text)).rejects.toMatchObject({ code: "query_refused" });
    expect((await select(count)).rows).toEqual([{ n: 240 }]);
  });

  it("kills what does not stop when its time is over, and so does not keep the caller", async () => {
    const processes = openProcesses({}, 60_000);
    const stop = new AbortController();
    const bound = processes.select(
      { orgId: "org_one", text: nestedStars(12).replace("calls", "calls AS c") },
      stop.signal,
    );
    stop.abort(new Error("its time is over"));
    await expect(bound).rejects.toThrow("its time is over");
    expect((await processes.select({ orgId: "org_one", text: count }, never)).rows).toEqual([{ n: 240 }]);
  });

  it("ends a text that gathers more memory than it may, which is none of this process's", async () => {
    const processes = openProcesses({ memoryBytes: 150 * megabyte });
    const before = process.memoryUsage.rss();
    await expect(processes.select({ orgId: "org_one", text: gathering }, never)).rejects.toMatchObject({
      code: "query_refused",
      message: expect.stringContaining("more memory than there is"),
    });
    expect((process.memoryUsage.rss() - before) / megabyte).toBeLessThan(100);
    expect((await processes.select({ orgId: "org_one", text: count }, never)).rows).toEqual([{ n: 240 }]);
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

  it("leaves a place for others while one organization's texts run on", async () => {
    const stop = new AbortController();
    const endless =
      "SELECT count(*) FROM calls AS a, calls AS b, calls AS c, calls AS d, calls AS e WHERE a.duration + b.duration + c.duration + d.duration + e.duration < 0";
    const busy = Array.from({ length: sqlProcessesAtOnce.atOnce + 2 }, () =>
      select(endless, { signal: stop.signal }).catch(({ code }) => code),
    );
    const quick = await warehouse.guarded.select({ orgId: "org_two", text: count });
    expect(quick.rows).toEqual([{ n: 60 }]);
    stop.abort();
    expect(await Promise.all(busy)).toEqual(busy.map(() => "query_cancelled"));
  });

  it("does not keep rows of ours waiting", async () => {
    const bombs = Promise.allSettled([lateralAliases, nestedStars(16), nestedComments].map((text) => select(text)));
    let ended = false;
    void bombs.then(() => {
      ended = true;
    });
    const { rows } = await warehouse.query(sql`SELECT count(*) AS n FROM calls`);
    expect([rows, ended]).toEqual([[{ n: 300 }], false]);
    await bombs;
  });

  it("is not to be had over a warehouse in memory, and says so", async () => {
    const inMemory = await openDuckdbWarehouse({ path: ":memory:" });
    await expect(inMemory.guarded.select({ orgId: "org_one", text: count })).rejects.toMatchObject({
      code: "unavailable",
    });
    await inMemory.close();
  });
});
