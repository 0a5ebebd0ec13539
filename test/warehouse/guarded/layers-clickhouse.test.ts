// @module-tag clickhouse
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fenced, type GuardedWarehouse } from "../../../warehouse/guarded/guarded.ts";
import { openClickhouseGuard } from "../../../warehouse/guarded/run-clickhouse.ts";
import { raw } from "../../../warehouse/statement.ts";
import type { Row } from "../../../warehouse/warehouse.ts";
import { openClickhouseWarehouse } from "../../../warehouse/warehouse-clickhouse.ts";
import { fillExample } from "../../assistant/example-data.ts";
import { clickhouseDatabase, newDatabaseName } from "../../clickhouse-server.ts";
import { attacks } from "./attacks.ts";

const database = newDatabaseName();
let warehouse: GuardedWarehouse;
let guard: Awaited<ReturnType<typeof openClickhouseGuard>>;
beforeAll(async () => {
  const options = await clickhouseDatabase(database);
  warehouse = openClickhouseWarehouse(options);
  await fillExample(warehouse);
  guard = await openClickhouseGuard({ options, database, dialect: {} });
});
afterAll(async () => {
  await guard.close();
  await warehouse.close();
});

const never = new AbortController().signal;
/** As any query of ours, with nothing between the text and the tables. */
const ours = async (text: string): Promise<readonly Row[]> => (await warehouse.query(raw(text))).rows;
/** The second layer alone. */
const run = async (text: string): Promise<readonly Row[]> => (await guard.run({ orgId: "org_one", text }, never)).rows;

describe("the first layer, the lists that the engine's tree is held against", () => {
  it.each([
    "SELECT currentDatabase() AS a",
    "SELECT hostName() AS a",
    "SELECT current_user AS a",
    "SELECT number FROM numbers(3)",
    "SELECT name FROM system.databases",
    `SELECT count() AS n FROM ${database}.stored_calls WHERE org_id = 'org_two'`,
    `SELECT count() AS n FROM merge('${database}', '^stored_calls$')`,
    "SELECT 1 AS a SETTINGS max_threads = 1",
    "SELECT repeat('x', 3) AS a",
  ])("alone stops %s", async (text) => {
    await expect(guard.check(text)).rejects.toMatchObject({ code: "query_refused" });
    // Without it the text would run.
    expect((await run(text)).length).toBeGreaterThan(0);
  });

  it("stops nearly every attack by itself; the rest are names that mean nothing where a text runs, and series past a limit", async () => {
    const passed: string[] = [];
    for (const text of Object.values(attacks).flat()) {
      await guard.check(text).then(
        () => passed.push(text),
        () => undefined,
      );
    }
    const isName =
      /call_traces|positions|migrations|sqlite_|pg_|duckdb_|'\/etc|parquet|terms|updates|steps|life_log|eligible_routes|call_id IN|calls|\$1|range\(/i;
    expect(passed.filter((text) => !isName.test(text))).toEqual([]);
    for (const text of passed) await expect(run(text), text).rejects.toThrow();
  });

  it("parses what it judges as a value, so that a second statement is never run", async () => {
    for (const text of ["SELECT 1; DROP TABLE stored_calls", "SELECT 1); DROP TABLE stored_calls; SELECT (1"])
      await expect(guard.check(text)).rejects.toThrow();
    expect(await ours("SELECT count() > 0 AS there FROM stored_calls")).toEqual([{ there: 1 }]);
  });

  it("bounds what the engine has to plan", async () => {
    const tables = (count: number) =>
      `SELECT 1 FROM ${Array.from({ length: count }, (_, at) => `calls AS c${at}`).join(", ")}`;
    const nested = (depth: number) => `SELECT ${"(1 + ".repeat(depth)}1${")".repeat(depth)}`;
    for (const text of [tables(20), nested(50)]) await guard.check(text);
    for (const text of [tables(21), nested(90)])
      await expect(guard.check(text)).rejects.toMatchObject({ code: "query_refused" });
  });
});

describe("the second layer, names for the organization's own rows over a database that holds nothing", () => {
  it.each([
    "SELECT count() AS n FROM call_traces",
    "SELECT count() AS n FROM stored_calls",
    "SELECT count() AS n FROM schema_migrations",
    "SELECT terms FROM calls",
  ])("alone stops %s", async (text) => {
    await expect(run(text)).rejects.toThrow(/Unknown/);
    // As a query of ours the text runs.
    expect((await ours(text)).length).toBeGreaterThan(0);
  });

  it("shows the organization's own rows, and would show all without its fence", async () => {
    const text = "SELECT DISTINCT org_id FROM calls ORDER BY org_id";
    expect(await run(text)).toEqual([{ org_id: "org_one" }]);
    const open = fenced(text, (table) => `${database}.${table}`);
    expect(await ours(open)).toEqual([{ org_id: "org_one" }, { org_id: "org_two" }]);
  });
});
