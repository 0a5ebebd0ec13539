import type { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openDuckdb } from "../../../sql/duckdb.ts";
import { queryDuckdb } from "../../../warehouse/duckdb/query.ts";
import { fenced } from "../../../warehouse/guarded/guarded.ts";
import { openDuckdbGuard } from "../../../warehouse/guarded/run-duckdb.ts";
import { publicColumns } from "../../../warehouse/public-tables.ts";
import type { Row } from "../../../warehouse/warehouse.ts";
import { withCpuTime } from "../../cpu-time.ts";
import { attacks } from "./attacks.ts";
import { backtracking, growing } from "./growing-duckdb.ts";

/** Kept for whoever opens one record or one call; nothing that analysts are shown. */
const hidden = [
  ...["calls.terms", "calls.updates", "outbound_rtb_requests.steps", "inbound_rtb_requests.eligible_routes"],
  ...["inbound_rtb_requests.ineligible_routes", "inbound_rtb_requests.allocations", "inbound_rtb_requests.life_log"],
  "call_events.cause",
];

let instance: DuckDBInstance;
let guard: Awaited<ReturnType<typeof openDuckdbGuard>>;
beforeAll(async () => {
  instance = await openDuckdb(":memory:", "warehouse");
  guard = await openDuckdbGuard(instance);
  for (const statement of fill) await ours(statement);
});
afterAll(() => {
  guard.close();
  instance.closeSync();
});

const fill = [
  ...["one", "two"].map(
    (
      org,
    ) => `INSERT INTO stored_outbound_rtb_requests (org_id, created_at, id, rtb_id, outcome, won, total_ms, steps_count, steps)
      VALUES ('org_${org}', TIMESTAMP '2026-10-01', 'bid', 'rtb', 'bid', false, 1, 1, '[]')`,
  ),
  "INSERT INTO stored_call_traces VALUES ('org_two', TIMESTAMP '2026-10-01', 't', 'c', 'e', '{}')",
  "INSERT INTO loader.positions VALUES ('call-events', 0, 7)",
  "CREATE SEQUENCE counter",
];

const never = new AbortController().signal;
/** On a connection as any other, with nothing between the text and the tables. */
async function ours(text: string): Promise<readonly Row[]> {
  return (await queryDuckdb(instance, { text, values: [], maxRows: 100, stop: never })).rows;
}
/** The third layer alone. */
const run = async (text: string): Promise<readonly Row[]> => (await guard.run({ orgId: "org_one", text }, never)).rows;

describe("the first layer, the lists that the tree is held against", () => {
  it.each([
    "SELECT current_user",
    "SELECT current_setting('memory_limit')",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_tables",
    "SELECT repeat('x', 20)",
    "SELECT * FROM range(200000)",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r",
    "SELECT * FROM (SUMMARIZE SELECT 1)",
    "SELECT list_aggregate(['a'], 'string_agg')",
  ])("alone stops %s", async (text) => {
    await expect(guard.check(text)).rejects.toMatchObject({ code: "query_refused" });
    // Without it the text would run.
    await guard.plan(text);
    expect((await run(text)).length).toBeGreaterThan(0);
  });

  it("stops nearly every attack by itself; the rest are names of columns, which need a plan", async () => {
    const passed: string[] = [];
    for (const text of Object.values(attacks).flat())
      await guard.check(text).then(
        () => passed.push(text),
        () => undefined,
      );
    expect(
      passed.filter((text) => !/terms|updates|steps|life_log|eligible_routes|call_id (NOT )?IN|\{org/.test(text)),
    ).toEqual([]);
    expect(passed.length).toBeLessThan(12);
  });

  it("bounds what the engine has to plan", async () => {
    const sum = (terms: number) => `SELECT ${Array(terms).fill("1").join(" + ")}`;
    const tables = (count: number) =>
      `SELECT 1 FROM ${Array.from({ length: count }, (_, at) => `calls AS c${at}`).join(", ")}`;
    for (const text of [sum(99), tables(20), `SELECT 1 -- ${"x".repeat(19_000)}`]) await guard.check(text);
    for (const text of [sum(102), tables(21), `SELECT 1 -- ${"x".repeat(20_000)}`])
      await expect(guard.check(text)).rejects.toMatchObject({ code: "query_refused" });
    const joins = Array.from({ length: 19 }, (_, at) => `c${at}.call_id = c${at + 1}.call_id`).join(" AND ");
    const { cpuMs } = await withCpuTime(async () => {
      await guard.plan(sum(99));
      await guard.plan(`${tables(20)} WHERE ${joins}`);
    });
    // A sum of 900 terms takes it 30 s.
    expect(cpuMs).toBeLessThan(5000);
  });
});

describe("the second layer, an instance that holds no table", () => {
  it.each([
    "SELECT * FROM memory.main.outbound_rtb_requests",
    "SELECT * FROM memory.outbound_rtb_requests",
    "SELECT * FROM memory.loader.positions",
    "SELECT * FROM memory.main.call_traces",
    "SELECT * FROM query('SELECT * FROM memory.main.outbound_rtb_requests')",
    "SELECT * FROM query_table('memory.main.outbound_rtb_requests')",
    "SELECT (SELECT max(org_id) FROM memory.main.call_traces) AS org_id",
  ])("alone stops %s", async (text) => {
    await expect(guard.plan(text)).rejects.toMatchObject({ code: "query_refused" });
    // Without it, and past the first, the text would reach what is behind the fence.
    expect(JSON.stringify(await run(text))).toMatch(/org_two|next_offset/);
  });

  it("tells nothing but what analysts may name", async () => {
    const said = guard.plan("SELECT step FROM outbound_rtb_requests");
    await expect(said).rejects.toThrow(/"step" not found.*Candidate bindings/);
    await expect(said).rejects.not.toThrow(/"steps"/);
  });
});

describe("the third layer, names for the organization's own rows over a database that holds nothing", () => {
  it.each([
    "SELECT * FROM call_traces",
    "SELECT * FROM main.call_traces",
    "SELECT * FROM loader.positions",
    "SELECT * FROM main.outbound_rtb_requests",
    "SELECT * FROM query('SELECT * FROM call_traces')",
    "SELECT steps FROM outbound_rtb_requests",
  ])("alone stops %s", async (text) => {
    await expect(run(text)).rejects.toThrow(/does not exist|not found/);
    // On any other connection the text runs.
    expect((await ours(text)).length).toBeGreaterThan(0);
  });

  it("shows the organization's own rows, and would show all without its fence", async () => {
    const text = "SELECT org_id FROM outbound_rtb_requests ORDER BY org_id";
    expect(await run(text)).toEqual([{ org_id: "org_one" }]);
    const open = fenced(text, (table) => `memory.main."${table}"`);
    expect(await ours(open)).toEqual([{ org_id: "org_one" }, { org_id: "org_two" }]);
  });

  it("only reads, and would write on a connection as any other", async () => {
    const text = "SELECT nextval('memory.main.counter') AS n";
    await expect(run(text)).rejects.toThrow(/read-only/);
    expect(await ours(text)).toEqual([{ n: 1 }]);
  });

  it("gives a public name to every column but those that are hidden", async () => {
    const tables = Object.keys(publicColumns).map((table) => `'${table}'`);
    const rows = await queryDuckdb(instance, {
      text: `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'main' AND table_name IN (${tables})`,
      ...{ values: [], maxRows: 1000, stop: never },
    });
    const named = Object.entries(publicColumns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`));
    expect(rows.rows.map(({ name }) => name).toSorted()).toEqual([...named, ...hidden].toSorted());
  });
});

describe("the fourth layer, limits", () => {
  it("refuses numbers that there are not", async () => {
    for (const text of ["SELECT 1e400", "SELECT -1e999 AS a"])
      await expect(guard.check(text)).rejects.toMatchObject({ code: "query_refused" });
  });

  it.each([...growing, ...backtracking])("refuses before it runs %s", async (text) => {
    await expect(guard.check(text)).rejects.toMatchObject({ code: "query_refused" });
  });

  const megabyte = 1024 ** 2;
  const gathering =
    "SELECT length(string_agg(concat(a, '/', b, '/', c), ',')) AS n FROM (SELECT unnest(range(1000)) AS a) AS a, (SELECT unnest(range(1000)) AS b) AS b, (SELECT unnest(range(1000)) AS c) AS c";
  /** What this process comes to hold beyond what it does now. */
  const growth = () => {
    const before = process.memoryUsage.rss();
    return () => (process.memoryUsage.rss() - before) / megabyte;
  };

  async function openBounded(maxHeldBytes: number) {
    const own = await openDuckdb(":memory:", "warehouse");
    const bounded = await openDuckdbGuard(own, { maxHeldBytes });
    onTestFinished(() => {
      bounded.close();
      own.closeSync();
    });
    return bounded;
  }

  it("ends a text that gathers more memory than it may", async () => {
    const narrow = await openBounded(100 * megabyte);
    const grown = growth();
    await expect(narrow.select({ orgId: "org_one", text: gathering }, never)).rejects.toMatchObject({
      ...{ code: "query_refused", message: expect.stringContaining("more memory than there is") },
    });
    expect(grown()).toBeLessThan(600);
    // What bounds it is that limit: without it the same text goes past.
    const wide = await openBounded(Number.POSITIVE_INFINITY);
    const [stop, past] = [new AbortController(), growth()];
    const running = wide.select({ orgId: "org_one", text: gathering }, stop.signal).catch(() => "stopped");
    await vi.waitUntil(() => past() > 600, { timeout: 30_000, interval: 5 });
    stop.abort();
    expect(await running).toBe("stopped");
  });

  it("lets an ordinary text be, however little it may hold", async () => {
    const narrow = await openBounded(100 * megabyte);
    const { rows } = await narrow.select({ orgId: "org_one", text: "SELECT count(*) AS n FROM calls" }, never);
    expect(rows).toEqual([{ n: 0 }]);
  });

  it("lets four texts run at once, and the others wait", async () => {
    const stop = new AbortController();
    const endless =
      "SELECT count(*) FROM (SELECT unnest(range(100000)) AS a) AS a, (SELECT unnest(range(100000)) AS b) AS b, (SELECT unnest(range(100000)) AS c) AS c WHERE a + b + c < 0";
    const busy = Array.from({ length: 4 }, () =>
      guard.select({ orgId: "org_one", text: endless }, stop.signal).catch(String),
    );
    const quick = guard.select({ orgId: "org_one", text: "SELECT 1 AS a" }, never);
    const first = await Promise.race([
      quick.then(() => "quick"),
      new Promise((resolve) => setImmediate(() => resolve("waits"))),
    ]);
    expect(first).toBe("waits");
    stop.abort();
    expect((await quick).rows).toEqual([{ a: 1 }]);
    expect(await Promise.all(busy)).toHaveLength(4);
  });
});
