import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { IncomingRequest, OutgoingRequest } from "../../../ingest/delivery.ts";
import { duckdbReportDialect } from "../../../warehouse/calls/report-dialect-duckdb.ts";
import type { IncomingFilter, OutgoingFilter } from "../../../warehouse/history/filter.ts";
import {
  findIncomingRequest,
  findOutgoingRequest,
  listIncomingRequests,
  listOutgoingRequests,
} from "../../../warehouse/history/history.ts";
import type { HistoryStore } from "../../../warehouse/history/list.ts";
import type { HistoryPage, HistoryRows } from "../../../warehouse/history/page.ts";
import { render, toLiteral } from "../../../warehouse/statement.ts";
import { anIncomingRequest, anOutgoingRequest, orgOne, orgTwo, secondsIn } from "../../make.ts";
import { openEmptyWarehouse } from "../../migrated-files.ts";
import { storing } from "../storing.ts";

const pick = <T>(all: readonly [T, ...T[]], index: number): T => all[index % all.length] ?? all[0];
const bodies = ['{"caller":"Zoë"}', '{"note":"100% (new)"}', null, "a_b", "AXB"] as const;
const statuses = [200, 204, 404, 500, 503, null] as const;

/** Some times have several records, one day has more than a day is read at once, and other organizations have the same. */
function exchangeOf(index: number) {
  const created_at = secondsIn(index < 2400 ? (index % 800) * 20 : index * 300);
  const org_id = index % 13 === 0 ? orgTwo : orgOne;
  return {
    id: `id-${(index * 7919) % 10_007}`,
    org_id,
    created_at,
    updated_at: created_at,
    call_id: `call-${index % 4}`,
    body: pick(bodies, index),
    response_status_code: pick(statuses, index),
  };
}
const outgoing: readonly OutgoingRequest[] = Array.from({ length: 2600 }, (_, index) =>
  anOutgoingRequest({
    ...exchangeOf(index),
    outgoing_webhook_config_id: `hook-${index % 3}`,
    event_type_id: pick(["call.completed", "call.incoming"], index >> 1),
    outcome: pick(["delivered", "timeout", "refused"], index),
    url: `https://crm.example/${index % 100}`,
  }),
);
const incoming: readonly IncomingRequest[] = Array.from({ length: 700 }, (_, index) =>
  anIncomingRequest({
    ...exchangeOf(index * 3),
    call_log_id: index % 5 === 0 ? "call-log" : null,
    incoming_webhook_config_id: `hook-${index % 3}`,
    webhook_config_type: pick(["call_data", "update_tags"], index),
    transaction_id: `t-${index % 50}`,
  }),
);

let store: HistoryStore;
beforeAll(async () => {
  const warehouse = await openEmptyWarehouse();
  store = { warehouse, dialect: duckdbReportDialect };
  await storing(warehouse, "webhook-deliveries")([...outgoing, ...incoming]);
  return () => warehouse.close();
});

const holds = <T>(wanted: T | undefined, ...values: readonly (T | null)[]): boolean =>
  wanted === undefined || values.includes(wanted);
const has = (text: string | undefined, ...values: readonly (string | null)[]): boolean =>
  text === undefined || values.some((value) => value?.toLowerCase().includes(text.toLowerCase()));

/** What a filter leaves, as one would say it in words. */
function isCommon(record: OutgoingRequest | IncomingRequest, { callId, status, from, to }: OutgoingFilter): boolean {
  const { created_at, call_id, response_status_code: code } = record;
  const answered =
    status === undefined ||
    (status === "none" ? code === null : code !== null && code >= status.from && code < status.to);
  const at = new Date(created_at);
  const callIds = record.kind === "incoming" ? [call_id, record.call_log_id] : [call_id];
  return record.org_id === orgOne && answered && holds(callId, ...callIds) && !(from && at < from) && !(to && at >= to);
}
const textsOf = ({ path, body, response_body, call_id, webhook_config_name }: OutgoingRequest | IncomingRequest) => [
  path,
  body,
  response_body,
  call_id,
  webhook_config_name,
];
const isOutgoing = (filter: OutgoingFilter) => (record: OutgoingRequest) =>
  isCommon(record, filter) &&
  holds(filter.webhookId, record.outgoing_webhook_config_id) &&
  holds(filter.eventTypeId, record.event_type_id) &&
  holds(filter.outcome, record.outcome) &&
  has(filter.text, ...textsOf(record), record.url);
const isIncoming = (filter: IncomingFilter) => (record: IncomingRequest) =>
  isCommon(record, filter) &&
  holds(filter.webhookId, record.incoming_webhook_config_id) &&
  holds(filter.transactionId, record.transaction_id) &&
  holds(filter.type, record.webhook_config_type) &&
  has(filter.text, ...textsOf(record), record.query_string, record.call_log_id, record.transaction_id);

type Direction = HistoryPage["direction"];
const keyOf = ({ created_at, id }: { created_at: string; id: string }) => `${created_at} ${id}`;
function inOrder(records: readonly (OutgoingRequest | IncomingRequest)[], direction: Direction): string[] {
  const keys = records.map(keyOf).sort();
  return direction === "asc" ? keys : keys.reverse();
}

type Read = (page: HistoryPage) => Promise<HistoryRows>;
const keysOf = ({ rows }: HistoryRows): string[] =>
  rows.map(({ created_at, id }) => keyOf({ created_at: String(created_at), id: String(id) }));
const rowKey = (row: HistoryRows["rows"][number] | undefined) => ({
  at: new Date(String(row?.created_at)),
  id: String(row?.id),
});

/** Holds pages by offset and by cursor, there and back, against the whole list. */
async function expectPages(read: Read, wanted: readonly string[], { limit, direction }: Omit<HistoryPage, "place">) {
  const first = await read({ limit, direction, place: { kind: "offset", offset: 0 } });
  let [page, offset] = [first, 0];
  while (true) {
    expect([page.total, page.offset]).toEqual([wanted.length, offset]);
    expect(keysOf(page)).toEqual(wanted.slice(offset, offset + limit));
    expect(await read({ limit, direction, place: { kind: "offset", offset } })).toEqual(page);
    if (offset + limit >= wanted.length) break;
    offset += limit;
    page = await read({ limit, direction, place: { kind: "after", key: rowKey(page.rows.at(-1)) } });
  }
  while (offset > 0) {
    page = await read({ limit, direction, place: { kind: "before", key: rowKey(page.rows[0]) } });
    offset -= limit;
    expect([page.total, page.offset]).toEqual([wanted.length, offset]);
    expect(keysOf(page)).toEqual(wanted.slice(offset, offset + limit));
  }
}

const maybe = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const time = fc.integer({ min: -1000, max: 20_000 }).map((seconds) => new Date(secondsIn(seconds)));
const common = {
  webhookId: maybe("hook-0", "hook-2", "hook-9"),
  callId: maybe("call-1", "call-log"),
  status: maybe<OutgoingFilter["status"]>(
    { from: 404, to: 405 },
    { from: 500, to: 600 },
    { from: 200, to: 300 },
    "none",
  ),
  from: fc.option(time, { nil: undefined, freq: 2 }),
  to: fc.option(time, { nil: undefined, freq: 2 }),
  text: maybe("ZOË", "0% (N", "a_b", ".*", "crm.example/4", "\\", "ok", "CALL-1", "all-log", "t-4"),
};
const asked = { direction: fc.constantFrom("asc" as const, "desc" as const), parts: fc.integer({ min: 1, max: 5 }) };
const inParts = (count: number, parts: number): number => Math.max(1, Math.ceil(count / parts));

describe("pages of a history, joined together by offset and by cursor, in both directions", () => {
  it("are the whole list of outgoing requests, unnarrowed", { tags: ["slow"] }, async () => {
    const wanted = inOrder(outgoing.filter(isOutgoing({})), "desc");
    expect(wanted.length).toBeGreaterThan(2000);
    const read: Read = (page) => listOutgoingRequests(store, { orgId: orgOne, filter: {}, page });
    for (const limit of [300, 1001]) {
      await expectPages(read, wanted, { limit, direction: "desc" });
      await expectPages(read, wanted.toReversed(), { limit, direction: "asc" });
    }
  });

  it("are all outgoing requests that a filter leaves", async () => {
    const filters = fc.record({
      ...common,
      eventTypeId: maybe("call.completed", "call.incoming"),
      outcome: maybe("delivered", "timeout", "gone"),
    });
    await fc.assert(
      fc.asyncProperty(filters, fc.record(asked), async (filter, { direction, parts }) => {
        const wanted = inOrder(outgoing.filter(isOutgoing(filter)), direction);
        const read: Read = (page) => listOutgoingRequests(store, { orgId: orgOne, filter, page });
        await expectPages(read, wanted, { direction, limit: inParts(wanted.length, parts) });
      }),
      { numRuns: 25 },
    );
  });

  it("are all incoming requests that a filter leaves", async () => {
    const filters = fc.record({
      ...common,
      transactionId: maybe("t-1", "t-2"),
      type: maybe("call_data", "update_tags"),
    });
    await fc.assert(
      fc.asyncProperty(filters, fc.record(asked), async (filter, { direction, parts }) => {
        const wanted = inOrder(incoming.filter(isIncoming(filter)), direction);
        const read: Read = (page) => listIncomingRequests(store, { orgId: orgOne, filter, page });
        await expectPages(read, wanted, { direction, limit: inParts(wanted.length, parts) });
      }),
      { numRuns: 20 },
    );
  });
});

/** Statements that a page is read by, as a person would run them. */
async function statementsOf(place: HistoryPage["place"], filter: OutgoingFilter = {}): Promise<string[]> {
  const statements: string[] = [];
  const query: HistoryStore["warehouse"]["query"] = (statement, options) => {
    statements.push(render(statement, toLiteral));
    return store.warehouse.query(statement, options);
  };
  const page = { limit: 50, direction: "desc", place } as const;
  await listOutgoingRequests({ ...store, warehouse: { query } }, { orgId: orgOne, filter, page });
  return statements;
}
/** Those that read the requests themselves, and not from one minute to the next. */
const readsMuch = (statement: string): boolean =>
  /FROM outgoing_webhook_requests\s/.test(statement) && longestMs(statement) > 10 * 60_000;
function longestMs(statement: string): number {
  const [, from, to] = /created_at >= TIMESTAMP '(.+?)' AND created_at < TIMESTAMP '(.+?)'/.exec(statement) ?? [];
  return from === undefined || to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to) - Date.parse(from);
}

describe("a page of the whole list", () => {
  const key = { at: new Date(secondsIn(8000)), id: "id-1" };
  it.each<[string, HistoryPage["place"]]>([
    ["at the middle", { kind: "offset", offset: 1200 }],
    ["of the oldest", { kind: "offset", offset: 2150 }],
    ["after a cursor", { kind: "after", key }],
    ["before a cursor", { kind: "before", key }],
  ])("%s is read of a few minutes", async (_what, place) => {
    const statements = await statementsOf(place);
    expect(statements.length).toBeGreaterThan(2);
    expect(statements.filter(readsMuch)).toEqual([]);
  });

  it("is told by this very check from one of a narrowed list", async () => {
    const statements = await statementsOf({ kind: "offset", offset: 0 }, { outcome: "delivered" });
    expect(statements.filter(readsMuch)).not.toEqual([]);
  });
});

describe("a page of a history", () => {
  const list = (place: HistoryPage["place"], filter: OutgoingFilter = {}) =>
    listOutgoingRequests(store, { orgId: orgOne, filter, page: { limit: 10, direction: "asc", place } });
  const first = { kind: "before", key: { at: new Date(secondsIn(-1)), id: "id" } } as const;

  it("is empty behind the end of the list, before its begin and beside a place without neighbours", async () => {
    const total = outgoing.filter(isOutgoing({})).length;
    expect(await list({ kind: "offset", offset: 1_000_000 })).toEqual({ rows: [], total, offset: 1_000_000 });
    expect(await list(first)).toEqual({ rows: [], total, offset: 0 });
    const last = { at: new Date("9999-12-31T00:00:00.000Z"), id: "id" };
    expect(await list({ kind: "after", key: last })).toEqual({ rows: [], total, offset: total });
    const nothing = await list({ kind: "offset", offset: 0 }, { webhookId: "none" });
    expect(nothing).toEqual({ rows: [], total: 0, offset: 0 });
  });

  it("is short where it ends with the row before which it was asked for", async () => {
    const whole = await list({ kind: "offset", offset: 0 });
    const { rows, offset } = await list({ kind: "before", key: rowKey(whole.rows[3]) });
    expect([rows, offset]).toEqual([whole.rows.slice(0, 3), 0]);
  });

  it("reads on from a place that is of no row of the list", async () => {
    const [, , third] = (await list({ kind: "offset", offset: 0 }, { webhookId: "hook-1" })).rows;
    const key = rowKey(third);
    const { rows } = await list({ kind: "after", key }, { webhookId: "hook-2" });
    const later = outgoing
      .filter(isOutgoing({ webhookId: "hook-2" }))
      .filter((each) => keyOf(each) > keyOf({ created_at: key.at.toISOString(), id: key.id }));
    expect(keysOf({ rows, total: 0, offset: 0 })).toEqual(inOrder(later, "asc").slice(0, 10));
  });
});

describe("a record alone", () => {
  const [ofOne, ofTwo] = [outgoing[1], outgoing[0]];

  it("has what the list shows and what is known beside it", async () => {
    const { url, attempt, outcome, event_id, call_id, error, next_attempt_at, ...sent } = ofOne ?? anOutgoingRequest();
    const { delivery_id, trigger, error_class, remote_address, dns_ms, connect_ms, first_byte_ms } = sent;
    const delivered = { delivery_id, trigger, error_class, remote_address, dns_ms, connect_ms, first_byte_ms };
    const found = await findOutgoingRequest(store, orgOne, String(ofOne?.id));
    const [listed] = (
      await listOutgoingRequests(store, {
        orgId: orgOne,
        filter: { to: new Date(secondsIn(21)), from: new Date(secondsIn(20)) },
        page: { limit: 10, direction: "asc", place: { kind: "offset", offset: 0 } },
      })
    ).rows.filter(({ id }) => id === ofOne?.id);
    expect(found).toEqual({
      ...listed,
      url,
      attempt,
      outcome,
      event_id,
      call_id,
      error,
      next_attempt_at,
      ...delivered,
    });
  });

  it("is found by its organization and in its own history alone", async () => {
    expect(await findOutgoingRequest(store, orgTwo, String(ofTwo?.id))).toMatchObject({ id: ofTwo?.id });
    expect(await findOutgoingRequest(store, orgOne, String(ofTwo?.id))).toBeNull();
    expect(await findIncomingRequest(store, orgOne, String(incoming[1]?.id))).toMatchObject({ transaction_id: "t-1" });
    expect(await findIncomingRequest(store, orgOne, "none")).toBeNull();
  });
});
