import { beforeAll, describe, expect, it } from "vitest";
import { aCall } from "../../assistant/example-data.ts";
import { type Member, usePlatform } from "../use-platform.ts";

const { rig, join } = usePlatform();

let [one, two]: Member[] = [];
beforeAll(async () => {
  [one, two] = [await join(), await join()];
  const calls = [one, two].flatMap(({ id }, count) => Array.from({ length: 3 + count }, (_, at) => aCall(at, id)));
  const values = calls.map((call) => JSON.stringify(call));
  const range = { topic: "call-events", partition: 99, firstOffset: 0, nextOffset: values.length } as const;
  await rig().platform.warehouse.store({ ...range, values });
});

const run = (member: Member | undefined, sql: unknown) =>
  member?.send("POST", "/reporting_ai/sql", { headers: { Authorization: `Bearer ${member.token}` }, body: { sql } });

describe("SQL of one's own", () => {
  it("brings columns, rows and a chart, of the organization's rows alone", { tags: ["slow"] }, async () => {
    const sql = "SELECT status, count(*) AS n FROM calls GROUP BY status ORDER BY n DESC";
    const answer = await run(one, sql);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer?.body).toMatchObject({
      sql,
      columns: [
        { name: "status", type: "text", unit: null },
        { name: "n", type: "integer", unit: "count" },
      ],
      rows: [
        { status: "completed", n: 2 },
        { status: "failed", n: 1 },
      ],
      row_count: 2,
      truncated: false,
      chart_suggestion: { type: "bar", x_axis: "status", y_axis: "n" },
    });
    expect((await run(two, "SELECT count(*) AS n FROM calls"))?.body.rows).toEqual([{ n: 4 }]);
    expect((await run(one, `SELECT count(*) AS n FROM calls WHERE org_id = '${two?.id}'`))?.body.rows).toEqual([
      { n: 0 },
    ]);
  });

  it.each([
    ["SELECT * FROM call_traces", /There is no table "call_traces"\. There are calls, /],
    ["SELECT * FROM main.calls", /Name tables by themselves/],
    ["DELETE FROM calls", /Only one SELECT/],
    ["SELEC 1", /cannot be read: syntax error/],
    ["SELECT nope FROM calls", /"nope" not found/],
    ["SELECT CAST(status AS INTEGER) FROM calls", /Could not convert|Cannot parse string 'failed' as Int32/],
  ])("says what is wrong with %s", { tags: ["slow"] }, async (sql, words) => {
    const answer = await run(one, sql);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "sql"], type: "sql_refused" }] } });
    expect(answer?.body.detail[0].msg).toMatch(words);
  });

  it("takes neither nothing nor more than a text of twenty thousand characters", async () => {
    for (const sql of ["", "  ", undefined, 7, `SELECT 1 -- ${"x".repeat(20_000)}`])
      expect(await run(one, sql)).toMatchObject({ status: 422 });
  });

  it("is for whoever is signed in", async () => {
    expect(await one?.send("POST", "/reporting_ai/sql", { body: { sql: "SELECT 1" } })).toMatchObject({ status: 401 });
  });
});
