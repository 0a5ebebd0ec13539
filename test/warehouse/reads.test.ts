import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCalls, loadOlder, loadOrganizations } from "../../api/routing/call-stats/load-calls.ts";
import type { Topic } from "../../ingest/log/log.ts";
import { listAuditLogs } from "../../warehouse/audit-logs.ts";
import { readCallStory } from "../../warehouse/calls/call-timeline.ts";
import type { ReportDialect } from "../../warehouse/calls/report-dialect.ts";
import { clickhouseReportDialect } from "../../warehouse/calls/report-dialect-clickhouse.ts";
import { duckdbReportDialect } from "../../warehouse/calls/report-dialect-duckdb.ts";
import { findStoredCall, readStoredCall } from "../../warehouse/calls/stored-call.ts";
import {
  findIncomingRequest,
  findOutgoingRequest,
  listIncomingRequests,
  listOutgoingRequests,
} from "../../warehouse/history/history.ts";
import { countRedeliverable, pageOfRedeliverable } from "../../warehouse/history/redeliverable.ts";
import { incomingWebhookStats, outgoingWebhookStats } from "../../warehouse/history/webhook-stats.ts";
import { callsOfRequests } from "../../warehouse/rtb/calls.ts";
import type { RtbDialect } from "../../warehouse/rtb/dialect.ts";
import { clickhouseRtbDialect } from "../../warehouse/rtb/dialect-clickhouse.ts";
import { duckdbRtbDialect } from "../../warehouse/rtb/dialect-duckdb.ts";
import { inboundGroups, inboundStats } from "../../warehouse/rtb/inbound-rtb-stats.ts";
import { outboundGroups, outboundStats } from "../../warehouse/rtb/outbound-rtb-stats.ts";
import {
  findInboundRequest,
  findOutboundRequest,
  listInboundRequests,
  listOutboundRequests,
  pingsOfRequest,
} from "../../warehouse/rtb/requests.ts";
import { sql } from "../../warehouse/statement.ts";
import { derivedColumns } from "../../warehouse/tables.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { clickhouseDatabase } from "../clickhouse-server.ts";
import { orgOne, orgTwo } from "../make.ts";
import { openEmptyWarehouse } from "../migrated-files.ts";
import { messages } from "./messages.ts";

interface Engine {
  readonly warehouse: Warehouse;
  readonly report: ReportDialect;
  readonly rtb: RtbDialect;
}

async function filled(engine: Engine): Promise<Engine> {
  for (const [topic, records] of Object.entries(messages)) {
    const values = records.map((record) => JSON.stringify(record));
    await engine.warehouse.store({
      topic: topic as Topic,
      partition: 0,
      firstOffset: 0,
      nextOffset: values.length,
      values,
    });
  }
  return engine;
}

const orgId = orgOne;
const all = { from: new Date("1900-01-01T00:00:00Z"), to: new Date("2100-01-01T00:00:00Z") };
const pages = (["asc", "desc"] as const).flatMap((direction) =>
  [0, 7, 30].map((offset) => ({ limit: 10, offset, direction })),
);
const historyPages = pages.map(({ offset, ...page }) => ({ ...page, place: { kind: "offset", offset } as const }));
const about = { orgId, period: all };

/** Every read of the product but the assistant's and those of reports on calls, which have suites of their own. */
const reads: Readonly<Record<string, (engine: Engine) => Promise<unknown>>> = {
  "outgoing requests": ({ warehouse, report: dialect }) =>
    Promise.all(
      historyPages.flatMap((page) =>
        [
          {},
          { text: "ZOË" },
          { text: "0% (N" },
          { text: "\\" },
          { status: "none" as const },
          { outcome: "timeout" },
        ].map((filter) => listOutgoingRequests({ warehouse, dialect }, { orgId, filter, page })),
      ),
    ),
  "incoming requests": ({ warehouse, report: dialect }) =>
    Promise.all(
      historyPages.map((page) =>
        listIncomingRequests({ warehouse, dialect }, { orgId, filter: { transactionId: "t-1" }, page }),
      ),
    ),
  "single requests": ({ warehouse, report: dialect }) =>
    Promise.all([
      findOutgoingRequest({ warehouse, dialect }, orgId, "out-1"),
      findOutgoingRequest({ warehouse, dialect }, orgId, "out-2"),
      findIncomingRequest({ warehouse, dialect }, orgId, "in-3"),
    ]),
  "what can be delivered again": ({ warehouse, report: dialect }) =>
    Promise.all(
      [true, false].flatMap((whole) => {
        const asked = { orgId, filter: {}, all: whole, until: all.to };
        return [
          countRedeliverable({ warehouse, dialect }, asked),
          pageOfRedeliverable({ warehouse, dialect }, asked, { place: "d-2", most: 20 }),
        ];
      }),
    ),
  "figures of webhooks": async ({ warehouse, rtb: dialect }) => {
    const asked = { ...about, webhookIds: ["hook-1", "hook-2", "receiver-1", "receiver-2"] };
    const [sent, received] = [
      await outgoingWebhookStats({ warehouse, dialect }, asked),
      await incomingWebhookStats({ warehouse, dialect }, asked),
    ];
    return [...sent, ...received].sort(([one], [other]) => one.localeCompare(other));
  },
  "audit logs": ({ warehouse }) =>
    Promise.all(
      pages.map((page) => listAuditLogs(warehouse, { orgId, filter: { ...all, entityType: "campaign" }, page })),
    ),
  "stories of calls": ({ warehouse }) =>
    Promise.all(["call-1", "call-3", "none"].map((callId) => readCallStory(warehouse, orgId, callId))),
  "stored calls": ({ warehouse }) =>
    Promise.all([
      readStoredCall(warehouse, orgId, "call-1"),
      readStoredCall(warehouse, orgTwo, "call-1"),
      findStoredCall(warehouse, {
        orgId,
        caller: "+12125550123",
        since: 0,
        statuses: ["completed", "failed"],
        campaigns: new Set(["campaign-1"]),
      }),
    ]),
  "RTB requests": ({ warehouse }) =>
    Promise.all([
      ...pages.map((page) =>
        listInboundRequests(warehouse, { orgId, filter: { ...all, inboundRtbIds: ["inbound_1"] }, page }),
      ),
      ...pages.map((page) => listOutboundRequests(warehouse, { orgId, filter: { ...all, callId: "call-4" }, page })),
      listInboundRequests(warehouse, {
        orgId,
        filter: { ...all, inboundRtbIds: [] },
        page: { limit: 1, offset: 0, direction: "asc" },
      }),
      findInboundRequest(warehouse, orgId, "ping-1"),
      findOutboundRequest(warehouse, orgId, "bid-1"),
      pingsOfRequest(warehouse, orgId, "ping-3"),
      callsOfRequests(warehouse, {
        orgId,
        inboundRequestIds: ["ping-1", "ping-2"],
        callIds: ["call-9"],
        since: all.from,
      }),
    ]),
  "figures of pings": ({ warehouse, rtb: dialect }) =>
    Promise.all(
      inboundGroups.flatMap((groupBy) =>
        ["UTC", "America/New_York", "Asia/Kathmandu"].map((timezone) =>
          inboundStats({ warehouse, dialect }, { ...about, groupBy, timezone }),
        ),
      ),
    ),
  "figures of bids": ({ warehouse, rtb: dialect }) =>
    Promise.all(
      outboundGroups.flatMap((groupBy) =>
        ["UTC", "America/New_York"].map((timezone) =>
          outboundStats({ warehouse, dialect }, { ...about, groupBy, timezone }),
        ),
      ),
    ),
  "what routing begins with": async ({ warehouse }) => {
    const span = { orgId, from: all.from.getTime(), to: Number.POSITIVE_INFINITY };
    const calls = [];
    for await (const page of loadCalls(warehouse, span, { pageRows: 7 })) calls.push(...page);
    const [allHours, allDays] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const sums = await Promise.all(
      [allHours, allDays].map((hoursFrom) => loadOlder(warehouse, { orgId, hoursFrom, callsFrom: span.to })),
    );
    return [
      await loadOrganizations(warehouse),
      calls,
      sums.map((each) => each.map((sum) => JSON.stringify(sum)).sort()),
    ];
  },
};

describe("what is read of the same messages", { tags: ["clickhouse"] }, () => {
  let duckdb: Engine;
  let clickhouse: Engine;
  beforeAll(async () => {
    [duckdb, clickhouse] = await Promise.all([
      filled({
        warehouse: await openEmptyWarehouse(),
        report: duckdbReportDialect,
        rtb: duckdbRtbDialect,
      }),
      filled({
        warehouse: openClickhouseWarehouse(await clickhouseDatabase()),
        report: clickhouseReportDialect,
        rtb: clickhouseRtbDialect,
      }),
    ]);
  });
  afterAll(() => Promise.all([duckdb.warehouse.close(), clickhouse.warehouse.close()]));

  it.each(Object.entries(reads))("is the same on ClickHouse as on DuckDB: %s", async (_what, read) => {
    const expected = await read(duckdb);
    expect(JSON.stringify(expected).length, "there is something to read").toBeGreaterThan(200);
    expect(await read(clickhouse)).toEqual(expected);
  });

  it.each([
    "calls",
    "call_events",
    "call_traces",
    "outgoing_webhook_requests",
    "incoming_webhook_requests",
    "inbound_rtb_requests",
    "outbound_rtb_requests",
    "audit_logs",
  ])("has the same columns of the same kinds, with the same values: %s", async (table) => {
    const whole = { parts: [`SELECT * FROM ${table}`] };
    const [expected, answer] = await Promise.all([duckdb.warehouse.query(whole), clickhouse.warehouse.query(whole)]);
    // What one of them makes of other columns is in no message.
    const isOfMessages = ({ name }: { readonly name: string }) => !derivedColumns.includes(name);
    expect(answer.columns).toEqual(expected.columns.filter(isOfMessages));
    for (const row of expected.rows) for (const name of derivedColumns) delete row[name];
    const inOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(inOrder(answer.rows)).toEqual(inOrder(expected.rows));
    expect(expected.rows.length).toBeGreaterThan(1);
  });

  it("is right before the engine has merged what came again, and after", async () => {
    const events = messages["call-events"] ?? [];
    const values = events.toReversed().map((event) => JSON.stringify(event));
    const { warehouse } = clickhouse;
    const before = await warehouse.query(sql`SELECT * FROM calls ORDER BY org_id, started_at, call_id`);
    const range = { topic: "call-events", partition: 0, firstOffset: events.length } as const;
    await warehouse.store({ ...range, nextOffset: 2 * events.length, values });
    expect(await warehouse.query(sql`SELECT * FROM calls ORDER BY org_id, started_at, call_id`)).toEqual(before);
  });
});
