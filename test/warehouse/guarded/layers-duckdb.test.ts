import { join } from "node:path";
import type { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDuckdb } from "../../../sql/duckdb.ts";
import { queryDuckdb } from "../../../warehouse/duckdb/query.ts";
import { fenced } from "../../../warehouse/guarded/guarded.ts";
import { openDuckdbGuard, openReadOnly } from "../../../warehouse/guarded/run-duckdb.ts";
import { publicColumns } from "../../../warehouse/public-tables.ts";
import type { Row } from "../../../warehouse/warehouse.ts";
import { withCpuTime } from "../../cpu-time.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../temporary-directory.ts";
import { attacks } from "./attacks.ts";
import { backtracking, growing } from "./function-growth-duckdb.ts";

/** Kept for whoever opens one record or one call; nothing that analysts are shown. */
const hidden = [
  "calls.terms",
  "calls.updates",
  "outbound_rtb_requests.steps",
  "inbound_rtb_requests.eligible_routes",
  "inbound_rtb_requests.ineligible_routes",
  "inbound_rtb_requests.allocations",
  "inbound_rtb_requests.life_log",
  "call_events.cause",
];

let instance: DuckDBInstance;
let folder: TemporaryDirectory;
let guard: Awaited<ReturnType<typeof openDuckdbGuard>>;
beforeAll(async () => {
  folder = await makeTemporaryDirectory();
  const path = join(folder.path, "rows.duckdb");
  const filling = await openDuckdb(path, "warehouse");
  const connection = await filling.connect();
  for (const statement of fill) await connection.run(statement);
  connection.closeSync();
  filling.closeSync();
  const limits = { memoryBytes: 1e9, diskBytes: 1e9 };
  instance = await openReadOnly({ path, temporaryFolder: join(folder.path, "tmp"), limits });
  guard = await openDuckdbGuard(instance);
});
afterAll(async () => {
  guard.close();
  instance.closeSync();
  await folder.remove();
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
];

const never = new AbortController().signal;
/** On a connection as any other, with nothing between the text and the tables. */
async function ours(text: string): Promise<readonly Row[]> {
  return (await queryDuckdb(instance, { text, before: ["USE warehouse"], values: [], maxRows: 100, stop: never })).rows;
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

describe("what a text becomes as it is bound", () => {
  const nested = (levels: number, wrap: (inner: string) => string): string =>
    levels === 0 ? "SELECT * FROM calls" : wrap(nested(levels - 1, wrap));
  const doubled = (aliases: number) =>
    `SELECT duration AS x0, ${Array.from({ length: aliases }, (_, at) => `x${at} + x${at} AS x${at + 1}`).join(", ")} FROM calls`;
  const stars = (levels: number) => nested(levels, (inner) => `SELECT *, * FROM (${inner})`);
  const rows = (levels: number) => nested(levels, (inner) => `SELECT t AS a, t AS b FROM (${inner}) AS t`);
  const structs = (levels: number) => nested(levels, (inner) => `SELECT row(a, a) AS a FROM (${inner}) AS t(a)`);
  const names = (levels: number) =>
    `WITH ${Array.from({ length: levels }, (_, at) => `q${at} AS (SELECT *, * FROM ${at === 0 ? "calls" : `q${at - 1}`})`).join(", ")} SELECT * FROM q${levels - 1}`;

  it.each([
    ["aliases of aliases", doubled],
    ["stars of stars", stars],
    ["values of whole rows", rows],
    ["rows of rows", structs],
    ["stars of names of WITH", names],
  ])("is bounded before it is: %s", async (_name, make) => {
    await expect(guard.check(make(16))).rejects.toMatchObject({
      code: "query_refused",
      message: expect.stringContaining("too large as it is planned"),
    });
    // A few of them are nothing.
    await guard.check(make(2));
    await guard.plan(make(2));
  });

  it("is bounded in conditions, orders and subqueries, too", async () => {
    const aliases = doubled(9).replace(" FROM calls", "");
    const times = (name: string) => Array(40).fill(name).join(" + ");
    for (const text of [
      `${aliases} FROM calls ORDER BY ${times("x9")}`,
      `${aliases} FROM calls WHERE ${times("x9")} > 0`,
      `SELECT (${doubled(16)} LIMIT 1)`,
      `SELECT 1 WHERE EXISTS (${stars(16)})`,
    ]) {
      await expect(guard.check(text), text).rejects.toMatchObject({ code: "query_refused" });
    }
  });

  it("has a hundred comments at most", async () => {
    await guard.check(`SELECT 1 ${"/* c */ ".repeat(99)}`);
    const nestedComments = `SELECT 1 ${"/*".repeat(4900)}${"*/".repeat(4900)}`;
    await expect(guard.check(nestedComments)).rejects.toMatchObject({ code: "query_refused" });
  });
});

describe("the second layer, an instance that holds no table", () => {
  it.each([
    "SELECT * FROM warehouse.main.outbound_rtb_requests",
    "SELECT * FROM warehouse.outbound_rtb_requests",
    "SELECT * FROM warehouse.loader.positions",
    "SELECT * FROM warehouse.main.call_traces",
    "SELECT * FROM query('SELECT * FROM warehouse.main.outbound_rtb_requests')",
    "SELECT * FROM query_table('warehouse.main.outbound_rtb_requests')",
    "SELECT (SELECT max(org_id) FROM warehouse.main.call_traces) AS org_id",
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
    const open = fenced(text, (table) => `warehouse.main."${table}"`);
    expect(await ours(open)).toEqual([{ org_id: "org_one" }, { org_id: "org_two" }]);
  });

  it("only reads, and would write on a connection as any other", async () => {
    await ours("CREATE SEQUENCE memory.main.counter");
    const text = "SELECT nextval('memory.main.counter') AS n";
    await expect(run(text)).rejects.toThrow(/read-only/);
    expect(await ours(text)).toEqual([{ n: 1 }]);
  });

  it("gives a public name to every column but those that are hidden", async () => {
    const tables = Object.keys(publicColumns).map((table) => `'${table}'`);
    const rows = await queryDuckdb(instance, {
      text: `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_catalog = 'warehouse' AND table_schema = 'main' AND table_name IN (${tables})`,
      values: [],
      maxRows: 1000,
      stop: never,
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
});
