import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it, vi } from "vitest";
import { columnsOf } from "../../../api/exports/columns.ts";
import { createExports } from "../../../api/exports/export.ts";
import { callRow, toCallRow } from "../../../api/reporting/call-row.ts";
import { toCallList } from "../../../warehouse/calls/call-log.ts";
import { duckdbReportDialect } from "../../../warehouse/calls/report-dialect-duckdb.ts";
import { anIncomingRequest, anOutgoingRequest, orgOne, orgTwo, secondsIn } from "../../make.ts";
import { temporaryFolder } from "../../temporary.ts";
import { aCallOf, openRtbStore } from "../../warehouse/rtb/store.ts";
import { openReports } from "../reporting/report-server.ts";

const calls = "/reports/calls/export";
const period = `start_date=2020-01-01&end_date=2030-01-01`;

/** Calls that lie close and far, so that some are read by minutes and others by days. */
const many = Array.from({ length: 4500 }, (_, index) =>
  aCallOf(`call-${String(index).padStart(5, "0")}`, {
    started_at: secondsIn(index < 4300 ? Math.floor(index / 30) : index * 5000),
  }),
);
const idsOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).call_id);

describe("an export of calls", () => {
  it("has every call of any period once, oldest first, as its list shows it", { tags: ["slow"] }, async () => {
    const { calls: publish, file, get, rows } = await openReports();
    await publish(many);
    const answer = await file(`${calls}?format=ndjson&${period}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="calls.ndjson"');
    const text = await answer.text();
    expect(idsOf(text)).toEqual(many.map(({ call_id }) => call_id));
    const [shown] = await rows(`/reports/calls?start_date=2026-11-02&end_date=2026-11-03&sort_direction=asc&limit=1`);
    expect(JSON.parse(text.slice(0, text.indexOf("\n")))).toEqual(shown);

    // It goes on behind any row, so that no call is missing and none comes twice.
    const ids = many.map(({ call_id }) => call_id);
    for (const had of [29, 1999, 2000, 4299]) {
      const text = await (await file(`${calls}?format=ndjson&${period}&after=${ids[had]}`)).text();
      expect(idsOf(text)).toEqual(ids.slice(had + 1));
    }
    const part = await (await file(`${calls}?format=ndjson&${period}&after=${ids[9]}&limit=2100`)).text();
    expect(idsOf(part)).toEqual(ids.slice(10, 2110));
    expect((await get(`${calls}?after=nobody`)).body.detail[0]).toMatchObject({ loc: ["query", "after"] });
    expect((await get(`${calls}?after=${ids[0]}`, orgTwo)).status).toBe(422);
  });

  it("is narrowed as the list is, and is of nobody else's calls", async () => {
    const { calls: publish, file } = await openReports();
    await publish([
      aCallOf("a", { tags: { k: "v" } }),
      aCallOf("b"),
      aCallOf("old", { started_at: secondsIn(-90_000) }),
    ]);
    const found = async (query: string, org?: typeof orgTwo) =>
      idsOf(await (await file(`${calls}?format=ndjson&${query}`, org ? { org } : {})).text());
    expect(await found("")).toEqual(["a", "b"]);
    expect(await found("tag.k=v")).toEqual(["a"]);
    expect(await found("updated_since=2020-01-01")).toEqual(["old", "a", "b"]);
    expect(await found(period, orgTwo)).toEqual([]);
  });

  it("as CSV is quoted where it must be, and runs no formula", async () => {
    const { calls: publish, file } = await openReports();
    const campaign_name = '=HYPERLINK("http://x"),\n"ü"';
    await publish([aCallOf("-1+cmd", { campaign_name, publisher_name: "@sum", tags: { a: "=1" } })]);
    const answer = await file(`${calls}?${period}`);
    expect(answer.headers.get("content-type")).toMatch(/^text\/csv; charset=utf-8/);
    const [head, ...rest] = (await answer.text()).split("\r\n");
    expect(head).toMatch(/^call_id,call_sid,org_id,campaign_id,.*,tags,created_at,updated_at$/);
    const body = rest.join("\r\n");
    expect(body).toMatch(/^'-1\+cmd,,org_one,cmp-1,"'=HYPERLINK\(""http:\/\/x""\),\n""ü""",pub-1,'@sum,/);
    expect(body).toContain(",+12125550123,");
    expect(body).toContain(`,"{""a"":""=1""}",`);
  });

  it("has the columns that were asked for, in their order, and refuses those that are not there", async () => {
    const { calls: publish, file, get } = await openReports();
    await publish([aCallOf("a", { caller_id: "+12125550123" })]);
    const columnsOf = async (query: string) => (await file(`${calls}?${period}&${query}`)).text();
    expect(await columnsOf("columns=caller_id,call_id")).toBe("caller_id,call_id\r\n+12125550123,a\r\n");
    expect(await columnsOf("format=ndjson&columns=call_id, caller_id")).toBe(
      '{"call_id":"a","caller_id":"+12125550123"}\n',
    );
    for (const wrong of ["columns=call_id,secret", "columns=call_id,call_id", "columns=call_id,", "columns="]) {
      const { status, body } = await get(`${calls}?${wrong}`);
      expect([wrong, status, body.detail[0].loc]).toEqual([wrong, 422, ["query", "columns"]]);
    }
  });

  it("as Parquet is read by another engine, with its types", async () => {
    const { calls: publish, file } = await openReports();
    await publish(many);
    await publish([aCallOf("last", { started_at: secondsIn(90_000_000), tags: { k: "v" }, revenue: 12.3456 })]);
    const answer = await file(`${calls}?format=parquet&${period}`, { headers: { "Accept-Encoding": "gzip" } });
    expect(answer.headers.get("content-encoding")).toBeNull();
    const path = join(temporaryFolder(), "calls.parquet");
    writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const read = async (what: string) =>
      (await connection.runAndReadAll(`SELECT ${what} FROM read_parquet('${path}')`)).getRowObjectsJson();
    expect(
      await read("count(*)::INT AS n, count(DISTINCT call_id)::INT AS ids, sum(duration)::INT AS seconds"),
    ).toEqual([{ n: 4501, ids: 4501, seconds: 4501 * 16 }]);
    const rows = await read(`revenue, typeof(revenue) AS money, typeof(started_at) AS time, typeof(attempts) AS whole,
      converted, tags::JSON->>'k' AS tag, epoch_ms(started_at)::VARCHAR AS at, recording_url`);
    expect(rows.at(-1)).toEqual({
      revenue: 12.3456,
      money: "DOUBLE",
      time: "TIMESTAMP WITH TIME ZONE",
      whole: "INTEGER",
      converted: true,
      tag: "v",
      at: String(Date.parse(secondsIn(90_000_000))),
      recording_url: null,
    });
    connection.closeSync();
    instance.closeSync();
  });

  it("is compressed for who asks for it", async () => {
    const { calls: publish, file } = await openReports();
    await publish(many.slice(0, 50));
    const zipped = await file(`${calls}?${period}`, { headers: { "Accept-Encoding": "gzip" } });
    expect([zipped.headers.get("content-encoding"), zipped.headers.get("vary")]).toEqual(["gzip", "Accept-Encoding"]);
    const plain = await file(`${calls}?${period}`, { headers: { "Accept-Encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await zipped.text()).toBe(await plain.text());
  });

  it("stops being made when the client goes away, and gives its place to the next", { tags: ["slow"] }, async () => {
    const { calls: publish, file } = await openReports();
    await publish(many);
    for (let round = 0; round < 8; round += 1) {
      const gone = new AbortController();
      const answer = await file(`${calls}?format=ndjson&${period}`, { signal: gone.signal });
      const reader = answer.body?.getReader();
      await reader?.read();
      gone.abort();
      await reader?.read().catch(() => undefined);
    }
    const text = await vi.waitFor(async () => {
      const answer = await file(`${calls}?format=ndjson&${period}`);
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      return text;
    });
    expect(idsOf(text)).toHaveLength(many.length);
  });
});

describe("exports that run at once", () => {
  it("are four of an organization, counted by each platform for itself", async () => {
    const store = await openRtbStore();
    await store.calls([aCallOf("a")]);
    const reports = { warehouse: store.warehouse, dialect: duckdbReportDialect };
    const exporting = (orgId = orgOne) => ({
      store: reports,
      list: toCallList(reports, { orgId, filter: { span: {} } }),
      columns: columnsOf(callRow),
      toRow: toCallRow,
      name: "calls",
    });
    const [one, other] = [createExports(), createExports()];
    const begin = async ({ toExport }: typeof one, orgId = orgOne) => {
      const body = (await toExport(exporting(orgId), { format: "csv" })).body[Symbol.asyncIterator]();
      await body.next();
      return body;
    };
    const [first] = await Promise.all([begin(one), begin(one), begin(one), begin(one)]);
    await expect(begin(one)).rejects.toMatchObject({ status: 429, code: "too_many_exports" });
    await Promise.all([begin(one, orgTwo), begin(other)]);
    await first.return?.();
    await begin(one);
  });
});

describe("exports of the webhook histories", () => {
  it("have each record with all that is known of it, and of its own organization", async () => {
    const { store, file } = await openReports();
    const at = (seconds: number) => ({ created_at: secondsIn(seconds) });
    await store("webhook-deliveries", [
      anOutgoingRequest({ id: "o1", ...at(1) }),
      anOutgoingRequest({ id: "o2", ...at(2), outcome: "refused", response_body: "=1+1" }),
      anOutgoingRequest({ id: "o3", ...at(3), org_id: orgTwo }),
      anIncomingRequest({ id: "i1", ...at(1) }),
      anIncomingRequest({ id: "i2", ...at(-9_000_000) }),
    ]);
    const lines = async (path: string) =>
      (await (await file(path)).text())
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    const outgoing = "/webhooks/outgoing-requests/export?format=ndjson";
    expect(await lines(outgoing)).toMatchObject([
      { id: "o1", url: "https://crm.example/calls?x=1", attempt: 1, event_type: { internal_name: "call.completed" } },
      { id: "o2" },
    ]);
    expect(await lines(`${outgoing}&outcome=refused`)).toMatchObject([{ id: "o2" }]);
    expect(await lines(`${outgoing}&after=o1`)).toMatchObject([{ id: "o2" }]);
    expect(await lines("/webhooks/incoming-requests/export?format=ndjson")).toMatchObject([{ id: "i2" }, { id: "i1" }]);
    const csv = await (await file("/webhooks/outgoing-requests/export")).text();
    expect(csv).toContain(",'=1+1,");
    expect(csv).toContain('"{""content-type"":""application/json""}"');
  });
});
