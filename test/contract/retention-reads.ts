import { expect } from "vitest";
import { loadOlder, loadOrganizations } from "../../api/routing/call-stats/load-calls.ts";
import type { Dialect } from "../../assistant/compile/dialect.ts";
import { ownNamesStatement } from "../../assistant/names/names-statement.ts";
import { listAuditLogs } from "../../warehouse/audit-logs.ts";
import { findCall, listCalls, type ReportStore } from "../../warehouse/calls/call-log.ts";
import { summarizeCalls } from "../../warehouse/calls/call-summary.ts";
import { readCallStory } from "../../warehouse/calls/call-timeline.ts";
import { findStoredCall, readStoredCall } from "../../warehouse/calls/stored-call.ts";
import type { GuardedWarehouse } from "../../warehouse/guarded/guarded.ts";
import type { CountedTable } from "../../warehouse/history/dialect.ts";
import { exportRows } from "../../warehouse/history/export-rows.ts";
import {
  findOutgoingRequest,
  listIncomingRequests,
  listOutgoingRequests,
  wholeOutgoingRequests,
} from "../../warehouse/history/history.ts";
import { countRedeliverable } from "../../warehouse/history/redeliverable.ts";
import { publicColumns } from "../../warehouse/public-tables.ts";
import { listInboundRequests, listOutboundRequests } from "../../warehouse/rtb/requests.ts";
import { raw, sql } from "../../warehouse/statement.ts";
import { messageTables, storedMessages } from "../../warehouse/stored-messages.ts";
import { allTables } from "../../warehouse/tables.ts";
import { orgOne } from "../make.ts";

const timeOf: Readonly<Record<CountedTable, string>> = {
  calls: "started_at",
  outgoing_webhook_requests: "created_at",
  incoming_webhook_requests: "created_at",
};
const all = { from: new Date("2000-01-01T00:00:00Z"), to: new Date("2100-01-01T00:00:00Z") };
const firstPage = { limit: 50, direction: "asc", place: { kind: "offset", offset: 0 } } as const;
const plainPage = { limit: 50, offset: 0, direction: "asc" } as const;

type Store = ReportStore & { readonly warehouse: GuardedWarehouse; readonly assistant: Dialect };
const span = { orgId: orgOne, filter: { span: {} }, page: firstPage };
const named = (rows: readonly Record<string, unknown>[], column: string) => rows.map((row) => String(row[column]));

/** What the lists of the product show, by their names; of each the total is that of its rows. */
export async function namesByList(store: Store): Promise<Record<string, string[]>> {
  const { warehouse } = store;
  const about = { orgId: orgOne, filter: {}, page: firstPage };
  const whole = <R extends { rows: readonly Record<string, unknown>[]; total: number }>(found: R, column: string) => {
    expect(found.total).toBe(found.rows.length);
    return named(found.rows, column);
  };
  return {
    "call log": whole(await listCalls(store, span), "call_id"),
    "outgoing history": whole(await listOutgoingRequests(store, about), "id"),
    "incoming history": whole(await listIncomingRequests(store, about), "id"),
    pings: whole(await listInboundRequests(warehouse, { orgId: orgOne, filter: all, page: plainPage }), "request_id"),
    bids: whole(await listOutboundRequests(warehouse, { orgId: orgOne, filter: all, page: plainPage }), "id"),
    "audit log": whole(await listAuditLogs(warehouse, { orgId: orgOne, filter: all, page: plainPage }), "id"),
  };
}

/** What every other read of the product finds of these names, by its name for it. */
export async function namesByRead(store: Store, known: readonly string[]): Promise<Record<string, string[]>> {
  const { warehouse } = store;
  const found: Record<string, string[]> = {};
  const exported: string[] = [];
  const list = wholeOutgoingRequests(store, { orgId: orgOne, filter: {} });
  for await (const rows of exportRows(store, list, { after: null, limit: null })) exported.push(...named(rows, "id"));
  found["export of a history"] = exported;
  for (const table of Object.keys(publicColumns)) {
    const { id, at } = keyOf(table);
    const text = `SELECT ${id} AS name FROM ${table} GROUP BY ${id} ORDER BY min(${at})`;
    found[`SQL of an analyst's over ${table}`] = named(
      (await warehouse.guarded.select({ orgId: orgOne, text, timeoutMs: 100_000 })).rows,
      "name",
    );
  }
  const each = async (read: (name: string) => Promise<unknown>) => {
    const shown: string[] = [];
    for (const name of known) if ((await read(name)) !== null) shown.push(name);
    return shown;
  };
  found["single calls"] = await each((name) => findCall(store, orgOne, name));
  found["stories of calls"] = await each((name) => readCallStory(warehouse, orgOne, name));
  found["stored calls"] = await each((name) => readStoredCall(warehouse, orgOne, name));
  found["single attempts"] = await each((name) => findOutgoingRequest(store, orgOne, name));
  for (const table of messageTables) {
    const seen = new Set<string>();
    for await (const { values } of storedMessages(warehouse, table, null)) {
      for (const value of values) seen.add(JSON.parse(value)[keyOf(table.spec.table).id]);
    }
    found[`what is moved of ${table.spec.table}`] = [...seen];
  }
  Object.assign(found, await namesInQuestions(store, known));
  const summary = await summarizeCalls(store, {
    ...span,
    groups: [{ kind: "column", by: "campaign" }],
    timezone: "UTC",
  });
  const { length } = exported;
  expect(summary.totals.incoming).toBe(length);
  const asked = { orgId: orgOne, filter: {}, all: true, until: all.to };
  expect(await countRedeliverable(store, asked)).toBe(length);
  const sought = { orgId: orgOne, caller: "+12125550123", since: 0, statuses: ["completed"] as const, campaigns: null };
  expect(await findStoredCall(warehouse, sought)).toBe(exported.at(-1) ?? null);
  return found;
}

/** The names that questions may use, of each kind that has any of these. */
async function namesInQuestions({ warehouse, assistant }: Store, known: readonly string[]) {
  const found: Record<string, string[]> = {};
  for (const { field, value } of (await warehouse.query(ownNamesStatement(orgOne, assistant, "all"))).rows) {
    const name = String(value);
    if (known.includes(name))
      found[`names of ${field} in questions`] = [...(found[`names of ${field} in questions`] ?? []), name];
  }
  const kinds = [
    "campaign",
    "publisher",
    "entity",
    "rtb",
    "outgoing_webhook_requests/webhook",
    "incoming_webhook_requests/webhook",
  ].map((kind) => `names of ${kind} in questions`);
  expect(Object.keys(found)).toEqual(expect.arrayContaining(kinds));
  return found;
}

/** All calls of the campaign, as routing begins with them. */
export async function totalOf(warehouse: GuardedWarehouse) {
  const older = { orgId: orgOne, hoursFrom: Date.now() - 58 * 86_400_000, callsFrom: Number.POSITIVE_INFINITY };
  const sums = await loadOlder(warehouse, older);
  expect(await loadOrganizations(warehouse)).toEqual([orgOne]);
  const total = { calls: 0, connected: 0, revenue: 0, payout: 0 };
  for (const { holder, counts } of sums) {
    if (holder.kind !== "campaign") continue;
    total.calls += counts.calls;
    total.connected += counts.connected;
    total.revenue += counts.revenue;
    total.payout += counts.payout;
  }
  return total;
}

function keyOf(table: string): { id: string; at: string } {
  const spec = allTables.find((each) => each.table === table);
  if (table === "call_events" || table === "call_traces") return { id: "call_id", at: "occurred_at" };
  return { id: spec?.key ?? "", at: spec?.time ?? "" };
}

/** Holds the kept counts against the rows. */
export async function expectCounts({ warehouse, dialect }: ReportStore): Promise<void> {
  for (const [table, time] of Object.entries(timeOf) as [CountedTable, string][]) {
    for (const unit of ["day", "minute"] as const) {
      const kept = sql`SELECT org_id, slot, requests FROM ${dialect.countsOf(table, unit)} ORDER BY org_id, slot`;
      const counted = sql`SELECT org_id, ${dialect.slotOf(raw(time), unit)} AS slot, count(*) AS requests
        FROM ${raw(table)} GROUP BY org_id, slot ORDER BY org_id, slot`;
      const [is, should] = [await warehouse.query(kept), await warehouse.query(counted)];
      expect(is.rows, `${table} by ${unit}`).toEqual(should.rows);
    }
  }
}
