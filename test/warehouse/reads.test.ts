import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCalls, loadOlder, loadOrganizations } from "../../api/routing/figures/load-calls.ts";
import type { Topic } from "../../ingest/log/log.ts";
import { listAuditLogs } from "../../warehouse/audit-logs.ts";
import { readCallStory } from "../../warehouse/calls/call-story.ts";
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
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { connectChdb } from "../chdb.ts";
import {
  aCallTrace,
  anAuditRecord,
  anInboundPing,
  anIncomingRequest,
  anOutboundPing,
  anOutgoingRequest,
  orgOne,
  orgTwo,
  secondsIn,
  signalsOfCall,
} from "../make.ts";
import { aCallOf, eventsOf } from "./rtb/store.ts";

interface Engine {
  readonly warehouse: Warehouse;
  readonly report: ReportDialect;
  readonly rtb: RtbDialect;
}

const indexes = Array.from({ length: 60 }, (_, index) => index);
const oneOf = <T>(all: readonly T[], index: number): T => all[index % all.length] as T;
/** From seconds to months apart. */
const times = [0, 1, 61, 3_600, 86_399, 86_400, 9_000_000, -9_000_000].map(secondsIn);
const texts = ["plain", "Zoë", 'a "quoted" \\ line\nbreak', "100% (NET)", "", "tab\t'", null];
const routes = [
  { route_id: "r1", destination_type: "target", destination_id: "tgt-1", buyer_id: "buy-1", payout: 0.1, revenue: 20 },
  {
    route_id: "r2",
    destination_type: "rtb_formula",
    destination_id: "rtb-1",
    buyer_id: null,
    payout: 12.3457,
    revenue: 1,
  },
] as const;

const messages: Partial<Record<Topic, readonly object[]>> = {
  "call-events": [
    ...eventsOf(signalsOfCall(16, { tags: { lead_type: "hot", "a'b": "é\n" } })),
    ...indexes.map((index) =>
      aCallOf(`call-${index + 2}`, {
        ...{ org_id: oneOf([orgOne, orgOne, orgTwo], index), started_at: oneOf(times, index) },
        ...{ revenue: oneOf([12.5, null, 0.0001, 99_999.9999], index), converted: index % 3 === 0 },
        ...{ inbound_request_id: `ping-${index % 7}`, rtb_id: oneOf(["rtb-1", null], index) },
        ...{ campaign_name: oneOf(texts, index), tags: oneOf([{}, { a: "1" }, { a: "", b: "x" }], index) },
      }),
    ),
  ],
  "call-traces": [
    aCallTrace(),
    aCallTrace({ id: "trace-2", detail: { reason: 'closed } ] "', ids: [1, null, { a: [] }] } }),
  ],
  "webhook-deliveries": indexes.flatMap((index) => [
    anOutgoingRequest({
      ...{ id: `out-${index}`, org_id: oneOf([orgOne, orgOne, orgTwo], index), created_at: oneOf(times, index * 5) },
      ...{ body: oneOf(texts, index), outcome: oneOf(["delivered", "timeout", "refused"] as const, index) },
      ...{
        response_status_code: oneOf([200, 404, 503, null], index),
        delivery_id: oneOf([`d-${index % 9}`, null], index),
      },
    }),
    anIncomingRequest({
      ...{ id: `in-${index}`, created_at: oneOf(times, index), body: oneOf(texts, index) },
      ...{ transaction_id: oneOf(["t-1", null], index), headers: oneOf([{}, { "X-A": "b" }], index) },
    }),
  ]),
  "rtb-requests": indexes.flatMap((index) => [
    anInboundPing({
      ...{
        request_id: `ping-${index % 50}`,
        created_at: oneOf(times, index),
        outcome: oneOf(["routes", "cached", "no_routes"] as const, index),
      },
      ...{ eligible_routes: [...routes.slice(0, index % 3)], total_routes: index % 3, allocated_count: index % 2 },
      ...{
        processing_ms: index * 1.5,
        best_payout: oneOf([null, 10.25], index),
        params: oneOf([{}, { zip: "1" }], index),
      },
    }),
    anOutboundPing({
      ...{
        id: `bid-${index}`,
        created_at: oneOf(times, index),
        outcome: oneOf(["bid", "no_bid", "timeout", "skipped"] as const, index),
      },
      ...{
        bid: oneOf([10.5, null], index),
        call_id: oneOf([`call-${index}`, null], index),
        inbound_request_id: `ping-${index % 7}`,
      },
      ...{ won: index % 5 === 0, total_ms: index * 2.25, rtb_id: oneOf(["rtb-1", "rtb-2"], index) },
    }),
  ]),
  "audit-log": indexes.map((index) =>
    anAuditRecord({
      ...{ id: `audit-${index}`, created_at: oneOf(times, index), entity_type: oneOf(["campaign", "target"], index) },
      changes: oneOf([[{ field: "name", old: null, new: 'é \\ "' }], []], index),
    }),
  ),
};

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
      findStoredCall(warehouse, { orgId, caller: "+12125550123", since: 0, statuses: ["completed", "failed"] }),
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
    for await (const page of loadCalls(warehouse, span, 7)) calls.push(...page);
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

describe("what is read of the same messages", () => {
  let duckdb: Engine;
  let clickhouse: Engine;
  beforeAll(async () => {
    [duckdb, clickhouse] = await Promise.all([
      filled({
        warehouse: await openDuckdbWarehouse({ path: ":memory:" }),
        report: duckdbReportDialect,
        rtb: duckdbRtbDialect,
      }),
      filled({
        warehouse: openClickhouseWarehouse({ connection: await connectChdb() }),
        ...{ report: clickhouseReportDialect, rtb: clickhouseRtbDialect },
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
    expect(answer.columns).toEqual(expected.columns);
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
