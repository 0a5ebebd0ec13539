// @module-tag clickhouse
import type { ClickHouseClient } from "@clickhouse/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClickhouse } from "../../../sql/clickhouse.ts";
import {
  type BiUser,
  changeableSettings,
  definerStatements,
  dropStatements,
  fixedSettings,
  loginStatements,
  policedTables,
  rotateStatement,
  viewStatements,
} from "../../../warehouse/bi-users/bi-user.ts";
import { openBiUsers, requireOwnRows } from "../../../warehouse/bi-users/bi-users.ts";
import { publicColumns } from "../../../warehouse/public-tables.ts";
import { biUsers, password } from "../../services/clickhouse-users.ts";
import { openPoliced } from "../guarded/policed.ts";

const { one, two, stray } = biUsers;
let warehouse: Awaited<ReturnType<typeof openPoliced>>["warehouse"];
let options: Awaited<ReturnType<typeof openPoliced>>["options"];
let owner: ClickHouseClient;

beforeAll(async () => {
  ({ warehouse, options } = await openPoliced());
  owner = createClickhouse(options);
  for (const user of [one, two, stray]) {
    await owner.command({ query: `DROP DATABASE IF EXISTS ${user.database} SYNC` });
    const [database = "", ...views] = viewStatements(user);
    // The stray one's are of the first organization, whose rows stand beside others in the same parts.
    const [, ...viewsOfOne] = viewStatements({ ...user, orgId: one.orgId });
    for (const query of [database, ...(user === stray ? viewsOfOne : views)]) await owner.command({ query });
  }
});
afterAll(async () => {
  await owner.close();
  await warehouse.close();
});

interface Answer {
  readonly code: string | null;
  readonly text: string;
}

/** As a BI tool asks: by HTTP, with the user's own name and password. */
async function ask(text: string, { user = one, settings = {} }: Asking = {}): Promise<Answer> {
  const url = new URL(options.url);
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, String(value));
  const headers = { "X-ClickHouse-User": user.username, "X-ClickHouse-Key": password };
  const response = await fetch(url, { method: "POST", body: text, headers });
  const answered = (await response.text()).trim();
  // An error after the first rows comes in the middle of the answer.
  const [, code = null] = /Code: (\d+)\. DB::Exception/.exec(answered) ?? [];
  return { code: response.headers.get("x-clickhouse-exception-code") ?? code, text: answered };
}
interface Asking {
  readonly user?: BiUser;
  readonly settings?: Readonly<Record<string, string | number>>;
}
const tables = Object.keys(publicColumns);

describe("the user of an organization's BI tools", () => {
  it.each(tables)("reads %s of its organization, the public columns, by the name alone", async (table) => {
    const columns = await ask(`SELECT name FROM system.columns WHERE table = '${table}' ORDER BY position`);
    expect(columns.text.split("\n")).toEqual(publicColumns[table as keyof typeof publicColumns]);
    const query = `SELECT org_id, count() FROM ${table} GROUP BY 1 ORDER BY 1`;
    const mine = await ask(query);
    const others = await ask(query, { user: two });
    const whole = await owner.query({ query, format: "TabSeparated" });
    const [first = "", second = ""] = (await whole.text()).trim().split("\n");
    expect([mine.text, others.text]).toEqual([first, second]);
  });

  it("reads no address of a recording", async () => {
    expect((await ask("SELECT DISTINCT recording_url FROM calls")).text).toMatch(/^(hidden|\\N|\n)*$/);
  });

  it("sees one database, and in it the views alone", async () => {
    expect((await ask("SHOW DATABASES")).text).toBe(one.database);
    expect((await ask("SELECT DISTINCT database FROM system.tables")).text).toBe(one.database);
    expect((await ask("SHOW TABLES")).text.split("\n").sort()).toEqual(tables.toSorted());
    expect((await ask("SELECT name FROM system.users")).code).toBe("497");
  });

  it.each([
    ...["calls", "stored_calls", "guard_keys", "retention", "schema_migrations"].map(
      (table) => `SELECT * FROM trunkline.${table}`,
    ),
    `SELECT * FROM ${two.database}.calls`,
    "SELECT * FROM trunkline_no_tables.calls",
    "SELECT * FROM merge('trunkline', '.*')",
    "SELECT * FROM merge(REGEXP('.*'), '^stored_calls$')",
    "SELECT * FROM view(SELECT * FROM trunkline.stored_calls)",
    "SELECT * FROM loop(trunkline.stored_calls)",
    "SELECT * FROM mergeTreeIndex('trunkline', 'stored_calls')",
    "SELECT * FROM mergeTreeProjection('trunkline', 'stored_calls', 'p')",
    "SELECT * FROM remote('127.0.0.1', 'trunkline', 'stored_calls')",
    "SELECT * FROM remoteSecure('127.0.0.1', 'trunkline', 'stored_calls')",
    "SELECT * FROM cluster('default', 'trunkline', 'stored_calls')",
    "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')",
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "SELECT * FROM s3('http://127.0.0.1:1/a', 'CSV')",
    "SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
    "SELECT * FROM executable('a', 'CSV', 'a String')",
    "SELECT * FROM dictionary('trunkline.stored_calls')",
    "SELECT dictGet('trunkline.stored_calls', 'caller_id', 1)",
    "SELECT joinGet('trunkline.stored_calls', 'caller_id', 'a')",
    "SELECT hasColumnInTable('trunkline', 'stored_calls', 'terms')",
    "SELECT * FROM system.query_log",
    "SELECT * FROM system.processes",
    "SELECT * FROM system.parts",
    "SELECT * FROM system.users",
    "SELECT * FROM system.grants",
    "SELECT * FROM system.row_policies",
    "SELECT * FROM system.server_settings",
    "SELECT * FROM system.zookeeper",
    "SHOW PROCESSLIST",
    "SHOW CREATE TABLE trunkline.calls",
    "DESCRIBE TABLE trunkline.stored_calls",
    "EXISTS TABLE trunkline.stored_calls",
    "EXPLAIN SELECT * FROM trunkline.stored_calls",
    "CREATE TABLE mine (a Int8) ENGINE = Memory",
    "CREATE TEMPORARY TABLE mine (a Int8)",
    "CREATE VIEW mine AS SELECT * FROM calls",
    `CREATE VIEW mine DEFINER = ${one.definer} SQL SECURITY DEFINER AS SELECT * FROM trunkline.calls`,
    "CREATE OR REPLACE VIEW calls AS SELECT * FROM trunkline.calls",
    "CREATE DICTIONARY mine (a Int8) PRIMARY KEY a SOURCE(NULL()) LAYOUT(FLAT()) LIFETIME(0)",
    "CREATE FUNCTION mine AS (a) -> a",
    "CREATE USER mine",
    "CREATE DATABASE mine",
    "INSERT INTO calls (org_id) VALUES ('a')",
    "ALTER TABLE calls ADD COLUMN a Int8",
    "DROP VIEW calls",
    "GRANT SELECT ON *.* TO CURRENT_USER",
    "SET max_execution_time = 0",
    "EXECUTE AS trunkline",
    `EXECUTE AS ${two.username} SELECT * FROM calls`,
    "KILL QUERY WHERE 1",
    "SYSTEM FLUSH LOGS",
    "BACKUP DATABASE trunkline TO Null",
    "SELECT * FROM calls INTO OUTFILE '/tmp/out'",
  ])("gets nothing by %s", async (text) => {
    const { code, text: answered } = await ask(text);
    expect(code, answered).not.toBeNull();
    expect(answered).not.toContain("org_two");
  });
});

/** Conditions that fail if the engine looks at another organization's row, whose call id is in THEIRS. */
const throwing = [
  "throwIf(call_id = 'THEIRS') = 0",
  "NOT ignore(throwIf(call_id = 'THEIRS'))",
  "intDiv(1, call_id != 'THEIRS') >= 0",
  "toUInt8(if(call_id = 'THEIRS', 'x', '1')) = 1",
  "call_id IN (SELECT call_id FROM calls WHERE throwIf(call_id = 'THEIRS') = 0)",
  "NOT throwIf(org_id != 'org_one')",
];
/** Each may change in which order the engine filters. */
const plans = [
  "enable_analyzer = 0",
  "query_plan_enable_optimizations = 0",
  "optimize_move_to_prewhere = 0",
  "optimize_move_to_prewhere_if_final = 1",
  "apply_row_policy_after_final = 0",
  "apply_prewhere_after_final = 1",
  "query_plan_merge_filters = 0",
  "do_not_merge_across_partitions_select_final = 1",
  "final = 1",
  "short_circuit_function_evaluation = 'disable'",
  "additional_table_filters = {'trunkline.stored_calls': '1'}",
];

describe("the views", () => {
  let theirs = "";
  beforeAll(async () => {
    const found = await owner.query({
      query: "SELECT min(call_id) FROM trunkline.stored_calls WHERE org_id = 'org_two'",
      format: "TabSeparated",
    });
    theirs = (await found.text()).trim();
    expect(theirs).not.toBe("");
  });
  const filled = (condition: string) => condition.replaceAll("THEIRS", theirs);

  it.each(throwing)("look at no row of another organization for %s", async (condition) => {
    for (const from of ["calls", "call_events", "(SELECT a.* FROM calls AS a JOIN call_events AS b USING (call_id))"]) {
      const { code, text } = await ask(`SELECT count() > 0 FROM ${from} WHERE ${filled(condition)}`);
      expect({ code, text }, from).toEqual({ code: null, text: "1" });
    }
  });

  it("are kept by row policies also where the engine filters in another order: without, errors tell of others' rows", async () => {
    const isSeen = (user: BiUser) =>
      owner.query({
        query: `SELECT count() > 0 AS is_read FROM ${user.database}.calls WHERE ${filled("throwIf(call_id = 'THEIRS') = 0")}
          SETTINGS optimize_move_to_prewhere_if_final = 1`,
        format: "JSONEachRow",
      });
    expect(await (await isSeen(one)).json()).toEqual([{ is_read: 1 }]);
    // Its views run with the rights of a user without policies.
    const seen = isSeen(stray).then((found) => found.json());
    await expect(seen).rejects.toThrow(/throwIf/);
  });

  it.each(plans)("are not turned by SETTINGS %s", async (setting) => {
    const condition = filled("throwIf(call_id = 'THEIRS') = 0");
    const { code } = await ask(`SELECT count() FROM calls WHERE ${condition} SETTINGS ${setting}`);
    expect(["164", "452"]).toContain(code);
    // Nor would they be if it could be set.
    const byOwner = await owner.query({
      query: `SELECT count() > 0 AS is_read FROM ${one.database}.calls WHERE ${condition} SETTINGS ${setting}`,
      format: "JSONEachRow",
    });
    expect(await byOwner.json()).toEqual([{ is_read: 1 }]);
  });

  it("are refused where the engine shows their user another organization's rows", async () => {
    await requireOwnRows(owner, one);
    await expect(requireOwnRows(owner, stray)).rejects.toThrow(
      /shows .*_rows other organizations' rows in .*stored_calls/,
    );
    // The views have no such rows all the same, and nothing is left of the check.
    expect((await ask("SELECT DISTINCT org_id FROM calls", { user: stray })).text).toBe("org_one");
    const left = await owner.query({
      query: `SHOW TABLES FROM ${stray.database} LIKE '%others%'`,
      format: "TabSeparated",
    });
    expect(await left.text()).toBe("");
  });
});

describe("the limits", () => {
  it.each(Object.entries(fixedSettings))("keep %s at %s, by SETTINGS and by the address alike", async (name, value) => {
    const other = typeof value === "number" ? value + 1 : "break";
    const written = typeof other === "number" ? other : `'${other}'`;
    expect(["164", "452"]).toContain((await ask(`SELECT 1 SETTINGS ${name} = ${written}`)).code);
    expect(["164", "452"]).toContain((await ask("SELECT 1", { settings: { [name]: other } })).code);
    expect((await ask(`SELECT getSetting('${name}')`)).text).toBe(String(value));
  });

  it.each([
    ["158", "SELECT count() FROM numbers(2000000000) WHERE number % 7 = 0"],
    ["396", "SELECT number FROM numbers(2000000)"],
    ["241", "SELECT length(groupArray(toString(number))) FROM numbers(900000000)"],
  ])("end with error %s what is too large: %s", async (code, text) => {
    expect((await ask(text, { settings: { http_wait_end_of_query: 1 } })).code).toBe(code);
  });

  it("leave drivers the settings that they send", async () => {
    const values: Readonly<Record<(typeof changeableSettings)[number], string>> = {
      enable_http_compression: "1",
      http_zlib_compression_level: "1",
      http_wait_end_of_query: "1",
      session_timezone: "America/New_York",
      date_time_input_format: "best_effort",
      date_time_output_format: "iso",
      output_format_json_quote_64bit_integers: "1",
      result_overflow_mode: "throw",
      async_insert: "0",
      log_comment: "a dashboard",
    };
    for (const name of changeableSettings) {
      const { code, text } = await ask("SELECT count() FROM calls", { settings: { [name]: values[name] } });
      expect(code, `${name}: ${text}`).toBeNull();
    }
  });
});

describe("the statements that make a user", () => {
  const names = { ...one, orgId: "o'r`g\\", source: "d`b\\", database: "v`w\\", username: "us`er", definer: "de`f\\" };
  const hash = { hash: "ab".repeat(32), salt: "cd".repeat(16) };
  const statements = (user: BiUser, by = "own`er") => [
    ...definerStatements(user, by, hash),
    ...viewStatements(user),
    ...loginStatements(user, hash),
    rotateStatement(user, hash),
    ...dropStatements(user),
  ];

  it("are read by the engine, whatever names there are", async () => {
    for (const asked of statements(names)) {
      const query = "SELECT formatQuerySingleLine({asked:String}) AS written";
      const found = await owner.query({ query, query_params: { asked }, format: "JSONEachRow" });
      const [{ written } = { written: "" }] = await found.json<{ written: string }>();
      expect(written).toMatch(/^(CREATE|ALTER|GRANT|DROP) /);
    }
  });

  it("have a policy for each table before the grants, and the sign-in after all else", () => {
    const made = [...definerStatements(one, "trunkline", hash), ...viewStatements(one), ...loginStatements(one, hash)];
    const places = (pattern: RegExp) => made.flatMap((text, index) => (pattern.test(text) ? [index] : []));
    const policies = places(/^CREATE ROW POLICY OR REPLACE `organization_for_/);
    expect(policies).toHaveLength(policedTables.length);
    expect(Math.max(...policies)).toBeLessThan(Math.min(...places(/^GRANT/)));
    expect(Math.max(...places(/VIEW/))).toBeLessThan(Math.min(...places(/^CREATE USER `[^`]*[^s]` IDENTIFIED/)));
  });

  it("fail as a whole on a server that keeps no users that SQL makes, say so, and leave nothing", async () => {
    const users = openBiUsers(options);
    try {
      await expect(users.create("org_three")).rejects.toThrow(/has no place for users that SQL makes.*local_directory/);
      const left = await owner.query({ query: "SELECT name FROM system.databases", format: "TabSeparated" });
      expect((await left.text()).split("\n").filter((name) => name.startsWith("trunkline_bi_"))).toHaveLength(3);
      await expect(users.create("org_one")).rejects.toThrow(/has a user for BI tools already/);
      await expect(users.rotate("org_three")).rejects.toThrow(/org_three has no user/);
      expect((await users.list()).map(({ org_id }) => org_id)).toEqual(["org_one", "org_stray", "org_two"]);
    } finally {
      await users.close();
    }
  });
});
