import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClickhouse } from "../../../sql/clickhouse.ts";
import { toPolicies, toStatements } from "../../../warehouse/guarded/policies-clickhouse.ts";
import { connectChdb } from "../../chdb.ts";
import { fruitless } from "./fruitless.ts";
import { policedTables } from "./policed-engine.ts";
import type { Asked } from "./policed-process.ts";

interface Answer {
  readonly id: number;
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly code?: string;
  readonly message?: string;
}

const script = fileURLToPath(new URL("./policed-process.ts", import.meta.url));
const child = fork(script, { execArgv: ["--import", "tsx"] });
const waiting = new Map<number, (answer: Answer) => void>();
child.on("message", (answer: Answer) => waiting.get(answer.id)?.(answer));

function ask(asked: Omit<Asked, "id">): Promise<Answer> {
  const id = waiting.size + 1;
  const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
  child.send({ id, ...asked });
  return answered;
}

let told: Answer["rows"];
beforeAll(async () => {
  told = await new Promise<Answer["rows"]>((resolve, reject) => {
    waiting.set(0, ({ rows }) => resolve(rows));
    child.once("exit", () => reject(new Error("The engine's process has ended.")));
  });
});
afterAll(async () => {
  child.removeAllListeners("exit");
  child.disconnect();
  await once(child, "exit");
});

/** Past the check and with no name injected: what the text names is there. */
const bare = (text: string, orgId?: string) => ask({ as: "guard", text, ...(orgId === undefined ? {} : { orgId }) });
const owner = async (text: string) => (await ask({ as: "owner", text })).rows;

const stored = [
  ...["calls", "call_events", "outgoing_webhook_requests", "incoming_webhook_requests"],
  ...["inbound_rtb_requests", "outbound_rtb_requests"],
].flatMap((table) => [`policed.${table}`, `policed.stored_${table}`]);

describe("the fifth layer, row policies of the engine's own", () => {
  it.each(stored)("alone keeps %s to the organization that the key is for", async (table) => {
    const text = `SELECT DISTINCT org_id FROM ${table} ORDER BY org_id`;
    expect((await bare(text, "org_one")).rows).toEqual([{ org_id: "org_one" }]);
    expect((await bare(text, "org_two")).rows).toEqual([{ org_id: "org_two" }]);
    // The rows are there, and without policies a user with the same grants reads them.
    const both = [{ org_id: "org_one" }, { org_id: "org_two" }];
    expect(await owner(text)).toEqual(both);
    expect((await ask({ as: "stray", text, orgId: "org_one" })).rows).toEqual(both);
  });

  it.each([
    "SELECT org_id FROM policed.calls WHERE org_id = 'org_two' OR 1 = 1",
    "SELECT org_id FROM policed.stored_calls FINAL",
    "SELECT a.org_id AS org_id, b.org_id AS other FROM policed.calls AS a CROSS JOIN policed.stored_call_events AS b",
    "SELECT org_id FROM policed.calls UNION ALL SELECT org_id FROM policed.stored_calls",
    "WITH a AS (SELECT * FROM policed.calls) SELECT org_id FROM a",
    "SELECT (SELECT max(org_id) FROM policed.stored_calls) AS org_id",
    "SELECT org_id FROM policed.calls WHERE call_id NOT IN (SELECT call_id FROM policed.calls WHERE org_id = 'org_one')",
    "SELECT max(org_id) AS a, min(org_id) AS b, count() AS n FROM policed.stored_calls",
    "SELECT org_id FROM policed.calls SETTINGS additional_table_filters = {'policed.stored_calls': '1'}",
    "SELECT org_id FROM policed.calls SETTINGS optimize_use_projections = 0, use_skip_indexes = 0",
    "SELECT org_id FROM merge('policed', '^stored_calls$')",
    "SELECT org_id FROM merge(REGEXP('policed'), 'calls$')",
    "SELECT org_id FROM view(SELECT org_id FROM policed.calls)",
  ])("alone stops %s", async (text) => {
    const { rows, message } = await bare(text, "org_one");
    expect(message).toBeUndefined();
    expect(JSON.stringify(rows)).not.toContain("org_two");
    // Without the policies it would bring them.
    expect(JSON.stringify((await ask({ as: "stray", text, orgId: "org_one" })).rows)).toContain("org_two");
  });

  it("is the next query's again after one by merge(…), which changes what it finds in a policy", async () => {
    const count = "SELECT org_id, count() AS n FROM policed.stored_calls GROUP BY 1";
    for (const org of ["org_one", "org_two", "org_one"]) {
      await bare("SELECT count() FROM merge('policed', '^stored_calls$')", org);
      expect((await bare(count, "org_two")).rows).toEqual([{ org_id: "org_two", n: 60 }]);
      expect((await bare(count, "org_one")).rows).toEqual([{ org_id: "org_one", n: 240 }]);
    }
  });

  it.each(stored)("reads nothing of %s without a key, and fails rather than that it is empty", async (table) => {
    expect(await bare(`SELECT org_id FROM ${table} LIMIT 1`)).toMatchObject({ code: "395" });
  });

  it("takes no key for more than one organization, no old one, and nobody's hash", async () => {
    const text = "SELECT count() AS n FROM policed.calls";
    const withKey = (key: string) => bare(`${text} SETTINGS log_comment = '${key}'`);
    const register = (key: string, org: string, age = 0) =>
      ask({ as: "insert", text: `SELECT hex(SHA256('${key}')), '${org}', now() - ${age}` });
    await register("one", "org_one");
    await register("two", "org_one");
    await register("two", "org_two");
    await register("old", "org_one", 3600);
    const [{ hash } = { hash: "" }] = (await owner("SELECT hex(SHA256('one')) AS hash")) ?? [];
    expect((await withKey("one")).rows).toEqual([{ n: 240 }]);
    for (const key of ["two", "old", String(hash), "org_one", ""]) {
      expect(await withKey(key), key).toMatchObject({ code: "395" });
    }
  });

  it("shows of the keys the query's own, as a hash", async () => {
    await bare("SELECT 1 FROM policed.calls", "org_two");
    const { rows } = await bare("SELECT org_id, length(key_hash) AS size FROM policed.guard_keys", "org_one");
    expect(rows).toEqual([{ org_id: "org_one", size: 64 }]);
    expect(Number((await owner("SELECT uniqExact(key_hash) AS n FROM guard_keys"))?.[0]?.["n"])).toBeGreaterThan(1);
  });

  it.each([
    ...["schema_migrations", "loader_positions", "loader_counts", "call_traces"].map((table) => `policed.${table}`),
    ...["remote('127.0.0.1', 'policed', 'stored_calls')", "loop(policed.calls)"],
  ])("goes with grants that leave out %s", async (source) => {
    expect(await bare(`SELECT * FROM ${source}`, "org_one")).toMatchObject({ code: "497" });
  });

  it("covers every table with an organization in it", async () => {
    const rows = await owner(
      `SELECT DISTINCT table FROM system.columns WHERE database = 'policed' AND name = 'org_id'
       AND table IN (SELECT name FROM system.tables WHERE database = 'policed' AND engine LIKE '%MergeTree') ORDER BY 1`,
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
      expect((await ask({ as: "select", orgId: "org_one", text })).rows).toEqual([{ n: 240 }]);
      expect((await ask({ as: "select", orgId: "org_two", text })).rows).toEqual([{ n: 60 }]);
    }
    for (const text of fruitless) {
      const { rows, message } = await ask({ as: "select", orgId: "org_one", text });
      expect(message, text).toBeUndefined();
      expect(JSON.stringify(rows), text).not.toContain("org_two");
    }
  });

  it("tell when the engine has no policies and can make none, with what there is to grant", () => {
    expect(told).toHaveLength(1);
    const [{ message, cause } = { message: "", cause: "" }] = told ?? [];
    expect(message).toMatch(
      /shows stray the rows of every organization in calls, stored_calls.*Grant .* CREATE ROW POLICY/,
    );
    // The engine has read the statement, and would have carried it out, had it a place to keep policies.
    expect(cause).toMatch(/Could not insert row policy `all_for_default ON policed/);
  });
});

describe("the statements that make policies", () => {
  it("are read by the engine, whatever names there are", async () => {
    const names = { database: "d`b\\", owner: "own`er", reader: "re\\ad'er" };
    const policies = toPolicies({ ...names, tables: ["stored_calls", "guard_keys"] });
    const client = createClickhouse({ connection: await connectChdb() });
    for (const asked of toStatements(policies, names)) {
      const query = "SELECT formatQuerySingleLine({asked:String}) AS written";
      const found = await client.query({ query, query_params: { asked }, format: "JSONEachRow" });
      const [{ written } = { written: "" }] = await found.json<{ written: string }>();
      expect(written).toMatch(
        /^CREATE ROW POLICY OR REPLACE `(all|organization)_for_\S+` ON `d\\`b\\\\`\.\S+ .* TO \S+$/,
      );
    }
    await client.close();
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
