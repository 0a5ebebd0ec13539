// @module-tag clickhouse
import type { ClickHouseClient } from "@clickhouse/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClickhouse } from "../../../sql/clickhouse.ts";
import type { GuardedWarehouse } from "../../../warehouse/guarded/guarded.ts";
import { keyTable, toPolicies, toStatements } from "../../../warehouse/guarded/row-policies-clickhouse.ts";
import { type Keys, setUpRowPolicies } from "../../../warehouse/guarded/set-up-row-policies-clickhouse.ts";
import { raw } from "../../../warehouse/statement.ts";
import type { Row } from "../../../warehouse/warehouse.ts";
import { guard, keySetting, password, policedDatabase, policedTables, stray } from "../../services/clickhouse-users.ts";
import { fruitless } from "./fruitless.ts";
import { openPoliced } from "./policed.ts";

interface Reader {
  readonly client: ClickHouseClient;
  readonly keys: Keys;
}

let warehouse: GuardedWarehouse;
let owner: ClickHouseClient;
let readers: Readonly<Record<typeof guard | typeof stray, Reader>>;
const told: { message: string; cause: string }[] = [];
const onTrouble = (error: unknown): void => {
  if (error instanceof Error) told.push({ message: error.message, cause: String(error.cause) });
};

beforeAll(async () => {
  const policed = await openPoliced(onTrouble);
  const { options } = policed;
  const { database } = options;
  warehouse = policed.warehouse;
  owner = createClickhouse(options);
  const open = async (user: string): Promise<Reader> => {
    const client = createClickhouse({ ...options, username: user, password });
    return {
      client,
      keys: await setUpRowPolicies({ owner, reader: client, user, database, setting: keySetting, onTrouble }),
    };
  };
  readers = { [guard]: await open(guard), [stray]: await open(stray) };
});
afterAll(async () => {
  for (const { client } of Object.values(readers)) await client.close();
  await owner.close();
  await warehouse.close();
});

interface Answer {
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly code?: string;
  readonly message?: string;
}

/** Past the check and with no name injected: each name in the text is that of the database. */
async function askAs(user: typeof guard | typeof stray, text: string, orgId?: string): Promise<Answer> {
  const { client, keys } = readers[user];
  const key = orgId === undefined ? { [keySetting]: "" } : await keys(orgId);
  try {
    const found = await client.query({
      query: text,
      format: "JSONEachRow",
      clickhouse_settings: { ...key, output_format_json_quote_64bit_integers: 0 },
    });
    return { rows: await found.json() };
  } catch (error) {
    const { code, message } = error as Answer;
    return { code: code ?? "", message: message ?? String(error) };
  }
}
const bare = (text: string, orgId?: string) => askAs(guard, text, orgId);
const asOwner = async (text: string): Promise<readonly Row[]> => (await warehouse.query(raw(text))).rows;

const stored = [
  "calls",
  "call_events",
  "outgoing_webhook_requests",
  "incoming_webhook_requests",
  "inbound_rtb_requests",
  "outbound_rtb_requests",
].flatMap((table) => [`${policedDatabase}.${table}`, `${policedDatabase}.stored_${table}`]);

describe("the fifth layer, row policies of the engine's own", () => {
  it.each(stored)("alone keeps %s to the organization that the key is for", async (table) => {
    const text = `SELECT DISTINCT org_id FROM ${table} ORDER BY org_id`;
    expect((await bare(text, "org_one")).rows).toEqual([{ org_id: "org_one" }]);
    expect((await bare(text, "org_two")).rows).toEqual([{ org_id: "org_two" }]);
    // The rows are there, and without policies a user with the same grants reads them.
    const both = [{ org_id: "org_one" }, { org_id: "org_two" }];
    expect(await asOwner(text)).toEqual(both);
    expect((await askAs(stray, text, "org_one")).rows).toEqual(both);
  });

  it.each([
    "SELECT org_id FROM trunkline.calls WHERE org_id = 'org_two' OR 1 = 1",
    "SELECT org_id FROM trunkline.stored_calls FINAL",
    "SELECT a.org_id AS org_id, b.org_id AS other FROM trunkline.calls AS a CROSS JOIN trunkline.stored_call_events AS b",
    "SELECT org_id FROM trunkline.calls UNION ALL SELECT org_id FROM trunkline.stored_calls",
    "WITH a AS (SELECT * FROM trunkline.calls) SELECT org_id FROM a",
    "SELECT (SELECT max(org_id) FROM trunkline.stored_calls) AS org_id",
    "SELECT org_id FROM trunkline.calls WHERE call_id NOT IN (SELECT call_id FROM trunkline.calls WHERE org_id = 'org_one')",
    "SELECT max(org_id) AS a, min(org_id) AS b, count() AS n FROM trunkline.stored_calls",
    "SELECT org_id FROM trunkline.calls SETTINGS additional_table_filters = {'trunkline.stored_calls': '1'}",
    "SELECT org_id FROM trunkline.calls SETTINGS optimize_use_projections = 0, use_skip_indexes = 0",
    "SELECT org_id FROM merge('trunkline', '^stored_calls$')",
    "SELECT org_id FROM merge(REGEXP('trunkline'), 'calls$')",
    "SELECT org_id FROM view(SELECT org_id FROM trunkline.calls)",
  ])("alone stops %s", async (text) => {
    const { rows, message } = await bare(text, "org_one");
    expect(message).toBeUndefined();
    expect(JSON.stringify(rows)).not.toContain("org_two");
    // Without the policies it would bring them.
    expect(JSON.stringify((await askAs(stray, text, "org_one")).rows)).toContain("org_two");
  });

  it("is the next query's again after one by merge(…), which changes what it finds in a policy", async () => {
    const count = "SELECT org_id, count() AS n FROM trunkline.stored_calls GROUP BY 1";
    for (const org of ["org_one", "org_two", "org_one"]) {
      await bare("SELECT count() FROM merge('trunkline', '^stored_calls$')", org);
      expect((await bare(count, "org_two")).rows).toEqual([{ org_id: "org_two", n: 60 }]);
      expect((await bare(count, "org_one")).rows).toEqual([{ org_id: "org_one", n: 240 }]);
    }
  });

  it.each(stored)("reads nothing of %s without a key, and fails rather than that it is empty", async (table) => {
    expect(await bare(`SELECT org_id FROM ${table} LIMIT 1`)).toMatchObject({ code: "395" });
  });

  it("takes no key for more than one organization, no old one, and nobody's hash", async () => {
    const text = "SELECT count() AS n FROM trunkline.calls";
    const withKey = (key: string) => bare(`${text} SETTINGS log_comment = '${key}'`);
    const register = (key: string, org: string, age = 0) =>
      owner.command({ query: `INSERT INTO ${keyTable} SELECT hex(SHA256('${key}')), '${org}', now() - ${age}` });
    await register("one", "org_one");
    await register("two", "org_one");
    await register("two", "org_two");
    await register("old", "org_one", 3600);
    const [{ hash } = { hash: "" }] = (await asOwner("SELECT hex(SHA256('one')) AS hash")) ?? [];
    expect((await withKey("one")).rows).toEqual([{ n: 240 }]);
    for (const key of ["two", "old", String(hash), "org_one", ""]) {
      expect(await withKey(key), key).toMatchObject({ code: "395" });
    }
  });

  it("shows of the keys the query's own, as a hash", async () => {
    await bare("SELECT 1 FROM trunkline.calls", "org_two");
    const { rows } = await bare("SELECT org_id, length(key_hash) AS size FROM trunkline.guard_keys", "org_one");
    expect(rows).toEqual([{ org_id: "org_one", size: 64 }]);
    expect(Number((await asOwner("SELECT uniqExact(key_hash) AS n FROM guard_keys"))?.[0]?.["n"])).toBeGreaterThan(1);
  });

  it.each([
    ...["schema_migrations", "loader_positions", "loader_counts", "call_traces"].map((table) => `trunkline.${table}`),
    "remote('127.0.0.1', 'trunkline', 'stored_calls')",
    "loop(trunkline.calls)",
  ])("goes with grants that leave out %s", async (source) => {
    expect(await bare(`SELECT * FROM ${source}`, "org_one")).toMatchObject({ code: "497" });
  });

  it("covers every table with an organization in it", async () => {
    const rows = await asOwner(
      `SELECT DISTINCT table FROM system.columns WHERE database = 'trunkline' AND name = 'org_id'
       AND table IN (SELECT name FROM system.tables WHERE database = 'trunkline' AND engine LIKE '%MergeTree') ORDER BY 1`,
    );
    expect(rows?.map(({ table }) => table)).toEqual(policedTables.toSorted());
  });
});

describe("all layers together", () => {
  it("answer with the organization's rows, and bring nothing of another one", async () => {
    for (const text of [
      "SELECT count(*) AS n FROM calls",
      "WITH a AS (SELECT * FROM calls) SELECT count(*) AS n FROM a",
    ]) {
      expect((await warehouse.guarded.select({ orgId: "org_one", text })).rows).toEqual([{ n: 240 }]);
      expect((await warehouse.guarded.select({ orgId: "org_two", text })).rows).toEqual([{ n: 60 }]);
    }
    for (const text of fruitless) {
      const { rows } = await warehouse.guarded.select({ orgId: "org_one", text });
      expect(JSON.stringify(rows), text).not.toContain("org_two");
    }
  });

  it("tell when the engine has no policies and can make none, with what there is to grant", () => {
    expect(told.length).toBeGreaterThan(0);
    const [{ message, cause } = { message: "", cause: "" }] = told.filter(({ message: each }) =>
      each.includes(`shows ${stray}`),
    );
    expect(message).toMatch(
      /shows trunkline_stray the rows of every organization in calls, stored_calls.*Grant .* CREATE ROW POLICY/,
    );
    // The engine has read the statement, and would have carried it out, had it a place to keep policies.
    expect(cause).toMatch(/Could not insert row policy `all_for_trunkline ON trunkline/);
  });
});

describe("the statements that make policies", () => {
  it("are read by the engine, whatever names there are", async () => {
    const names = { database: "d`b\\", owner: "own`er", reader: "re\\ad'er" };
    const policies = toPolicies({ ...names, tables: ["stored_calls", "guard_keys"] });
    for (const asked of toStatements(policies, names)) {
      const query = "SELECT formatQuerySingleLine({asked:String}) AS written";
      const found = await owner.query({ query, query_params: { asked }, format: "JSONEachRow" });
      const [{ written } = { written: "" }] = await found.json<{ written: string }>();
      expect(written).toMatch(
        /^CREATE ROW POLICY OR REPLACE `(all|organization)_for_\S+` ON `d\\`b\\\\`\.\S+ .* TO \S+$/,
      );
    }
  });

  it("let the owner read on, and are of the reader that they name", () => {
    const [policy] = toPolicies({ database: "d", tables: ["t"] });
    const statements = toStatements(policy === undefined ? [] : [policy], { database: "d", owner: "o", reader: "r" });
    expect(statements.map((text) => text.replace(policy?.filter ?? "", "…"))).toEqual([
      "CREATE ROW POLICY OR REPLACE `all_for_o` ON `d`.`t` USING 1 TO `o`",
      "CREATE ROW POLICY OR REPLACE `organization_for_r` ON `d`.`t` USING … TO `r`",
    ]);
    expect(policy?.filter).toContain("getSetting('SQL_trunkline_key')");
  });
});
