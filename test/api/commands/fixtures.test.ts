import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../../api/adapters.ts";
import { createConfigStore } from "../../../api/config/store.ts";
import { type FixtureReader, fixtureFile, openFixtureFile } from "../../../api/fixtures/fixture-file.ts";
import { readSettings } from "../../../api/settings/settings.ts";
import { systemClock } from "../../../ingest/clock.ts";
import { openDuckdb } from "../../../sql/duckdb.ts";
import { publicColumns } from "../../../warehouse/public-tables.ts";
import { raw } from "../../../warehouse/statement.ts";
import { temporaryFolder } from "../../temporary.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../temporary-directory.ts";
import { guideQueries } from "../fixtures/guide-queries.ts";
import { type CommandResult, runCommandOf } from "./run-command.ts";

const fixtures = (...args: string[]) => runCommandOf("fixtures", args, { DEMO_CALLS: "300" });

async function columnOf({ warehouse }: FixtureReader, query: string) {
  const { rows } = await warehouse.query(raw(query), { maxRows: 1_000_000 });
  return rows.flatMap((row) => Object.values(row));
}

let shared: TemporaryDirectory;
let made: CommandResult;
beforeAll(async () => {
  shared = await makeTemporaryDirectory();
  made = await fixtures("--out", shared.path, "--now", "2026-11-01T00:00:00Z", "--json");
});
afterAll(() => shared.remove());

describe("the guide to fixtures", () => {
  it("has ten queries", () => expect(guideQueries).toHaveLength(10));

  it.each(guideQueries)("answers: $about", async ({ query }) => {
    const { warehouse } = await openFixtureFile(shared.path);
    const { rows } = await warehouse.query(raw(query));
    expect(rows.length).toBeGreaterThan(1);
    await warehouse.close();
  });
});

describe("npm run fixtures", () => {
  it("fills every table, in the DuckDB file and as Parquet alike, up to a time that is given", async () => {
    const out = shared.path;
    expect(made.code).toBe(0);
    const told = JSON.parse(made.out);
    expect(told).toMatchObject({ file: fixtureFile(out), until: "2026-11-01T00:00:00.000Z" });
    const { warehouse, organizations, until } = await openFixtureFile(out);
    expect(organizations.map(({ name }) => name)).toEqual(["Copper Mesa Calls", "Harborline Performance Media"]);
    expect(new Date(until).toISOString()).toBe("2026-11-01T00:00:00.000Z");
    const instance = await openDuckdb(":memory:", "warehouse", { allowFiles: true });
    const connection = await instance.connect();
    for (const table of [...Object.keys(publicColumns), "call_traces", "organizations", "fixture"]) {
      const count = raw(`SELECT count(*) AS n FROM ${table}`);
      const rows = Number((await warehouse.query(count)).rows[0]?.["n"]);
      const file = join(out, `${table}.parquet`);
      expect(told.tables).toContainEqual({ table, rows, file });
      const read = await connection.runAndReadAll(`SELECT count(*) FROM '${file}'`);
      expect([table, rows]).toEqual([table, Number(read.getRows()[0]?.[0])]);
      expect(rows, table).toBeGreaterThan(0);
    }
    connection.closeSync();
    instance.closeSync();
    await warehouse.close();
  });

  it("tells in the file what each table and column means", async () => {
    const demo = await openFixtureFile(shared.path);
    const tables = [...Object.keys(publicColumns), "call_traces", "organizations", "fixture"];
    const list = tables.map((table) => `'${table}'`).join(", ");
    const named = await demo.warehouse.query(
      raw(`SELECT view_name AS name, comment FROM duckdb_views() WHERE view_name IN (${list})
           UNION ALL SELECT table_name, comment FROM duckdb_tables() WHERE table_name IN (${list})`),
    );
    expect(named.rows.map(({ name }) => name).toSorted()).toEqual(tables.toSorted());
    expect(named.rows.filter(({ comment }) => comment === null)).toEqual([]);
    const { rows } = await demo.warehouse.query(
      raw("SELECT table_name || '.' || column_name AS name, comment FROM duckdb_columns() WHERE comment IS NOT NULL"),
    );
    const commented = new Map(rows.map(({ name, comment }) => [name, comment]));
    const wanted = Object.entries(publicColumns).flatMap(([table, columns]) =>
      columns.map((name) => `${table}.${name}`),
    );
    expect(wanted.filter((name) => !commented.has(name))).toEqual([]);
    expect(commented.get("calls.revenue")).toBe("Dollars that the buyer owes.");
    expect(commented.get("call_traces.event")).toContain("route.skipped");
    await demo.warehouse.close();
  });

  it("copies an installation's own data of a period, without a trace of who called", async () => {
    const [DATA_DIR, made, out] = [temporaryFolder(), shared.path, temporaryFolder()];
    const demo = await openFixtureFile(made);
    const callers = await columnOf(demo, "SELECT DISTINCT caller_id FROM calls WHERE caller_id LIKE '+%'");
    const orgIds = Object.fromEntries(demo.organizations.map(({ name, id }) => [name, id]));
    const own = `org_id = '${orgIds["Harborline Performance Media"]}' AND started_at >= TIMESTAMP '2026-09-15'`;
    const repeats = `SELECT count(*) FROM calls WHERE ${own} GROUP BY caller_id ORDER BY 1`;
    const before = await columnOf(demo, repeats);
    await demo.warehouse.close();
    copyFileSync(fixtureFile(made), join(DATA_DIR, "warehouse.duckdb"));
    const database = await openDatabase(readSettings({ DATA_DIR }), { clock: systemClock });
    for (const each of demo.organizations) await createConfigStore(database, systemClock).saveOrganization(each);
    await database.close();

    // A caller of whom data came in, and who has not called.
    const instance = await openDuckdb(join(DATA_DIR, "warehouse.duckdb"), "warehouse");
    const connection = await instance.connect();
    await connection.run(
      `INSERT INTO stored_incoming_webhook_requests BY NAME SELECT * REPLACE ('lead' AS id, '{"phone": "(none)", "caller_id": "2065559876"}' AS body)
       FROM stored_incoming_webhook_requests WHERE ${own.replace("started_at", "created_at")} LIMIT 1`,
    );
    connection.closeSync();
    instance.closeSync();

    const wanted = ["--organization", "Harborline Performance Media", "--since", "2026-09-15T00:00:00Z"];
    const run = await fixtures("--out", out, "--from", DATA_DIR, ...wanted, "--until", "2026-11-01T00:00:00Z");
    expect(run).toMatchObject({ code: 0, err: expect.not.stringContaining("rror") });
    const copy = await openFixtureFile(out);
    expect(copy.organizations.map(({ name }) => name)).toEqual(["Harborline Performance Media"]);
    // The same callers call as often as they did.
    expect(await columnOf(copy, repeats)).toEqual(before);
    expect(await columnOf(copy, "SELECT count(*) FROM calls")).toEqual([
      before.reduce((sum, n) => Number(sum) + Number(n), 0),
    ]);
    const texts: unknown[] = [];
    for (const table of [...Object.keys(publicColumns), "call_traces"]) {
      const rows = await columnOf(copy, `SELECT to_json(t)::VARCHAR FROM ${table} AS t`);
      expect(rows.length, table).toBeGreaterThan(0);
      texts.push(...rows);
    }
    const all = texts.join("\n");
    callers.push("+12065559876");
    const left = callers.filter(
      (caller) => all.includes(String(caller).slice(1)) || all.includes(String(caller).slice(2)),
    );
    expect([callers.length > 100, left]).toEqual([true, []]);
    // What a webhook told of a call is the call's.
    const told = await columnOf(
      copy,
      `SELECT count(*) FROM outgoing_webhook_requests AS w JOIN calls AS c USING (call_id)
       WHERE w.body LIKE '%"caller":"' || c.caller_id || '"%'`,
    );
    expect(Number(told[0])).toBeGreaterThan(10);
    await copy.warehouse.close();
  });

  it("says what is wrong with the command line, and writes nothing", async () => {
    const out = join(temporaryFolder(), "out");
    expect(await fixtures()).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^--out is missing/) });
    const noTime = await fixtures("--out", out, "--now", "soon");
    expect(noTime).toMatchObject({ code: 2, err: expect.stringContaining("--now soon is not a time") });
    const noFrom = await fixtures("--out", out, "--since", "2026-11-01");
    expect(noFrom).toMatchObject({ code: 2, err: "--since needs --from DATA_DIR. See --help.\n" });
    expect(await fixtures("--out", out, "--from", temporaryFolder())).toMatchObject({ code: 1 });
    expect(existsSync(fixtureFile(out))).toBe(false);
  });
});
