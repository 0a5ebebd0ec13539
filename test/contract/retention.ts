import { afterEach, describe, expect, it } from "vitest";
import type { Call } from "../../ingest/call.ts";
import { applySignal } from "../../ingest/lifecycle/fold.ts";
import type { CallId } from "../../ingest/primitives.ts";
import { listAuditLogs } from "../../warehouse/audit-logs.ts";
import { findCall, listCalls, type ReportStore } from "../../warehouse/calls/call-log.ts";
import { readCallStory } from "../../warehouse/calls/call-story.ts";
import { summarizeCalls } from "../../warehouse/calls/call-summary.ts";
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
import { slotMs } from "../../warehouse/history/stretch.ts";
import { publicColumns } from "../../warehouse/public-tables.ts";
import { cutoffOf, graceDays } from "../../warehouse/retention.ts";
import { listInboundRequests, listOutboundRequests } from "../../warehouse/rtb/requests.ts";
import { raw, sql } from "../../warehouse/statement.ts";
import { messageTables, storedMessages } from "../../warehouse/stored-messages.ts";
import { allTables } from "../../warehouse/tables.ts";
import {
  aCallTrace,
  anAuditRecord,
  anInboundPing,
  anIncomingRequest,
  anOutboundPing,
  anOutgoingRequest,
  orgOne,
  signalsOfCall,
} from "../make.ts";
import { createManualClock, type ManualClock } from "../manual-clock.ts";
import { storing } from "../warehouse/storing.ts";

export interface RetentionGiven {
  /** The same rows each time, with what is set now. */
  open(days: number | null, clock: ManualClock): Promise<GuardedWarehouse>;
  readonly dialect: ReportStore["dialect"];
  /** Resolves when the engine has deleted what may be. */
  untilDeleted(warehouse: GuardedWarehouse, clock: ManualClock): Promise<void>;
}

const days = 60;
const dayMs = slotMs.day;
const iso = (ms: number): string => new Date(ms).toISOString();
const timeOf: Readonly<Record<CountedTable, string>> = {
  calls: "started_at",
  outgoing_webhook_requests: "created_at",
  incoming_webhook_requests: "created_at",
};
const all = { from: new Date("2000-01-01T00:00:00Z"), to: new Date("2100-01-01T00:00:00Z") };
const firstPage = { limit: 50, direction: "asc", place: { kind: "offset", offset: 0 } } as const;
const plainPage = { limit: 50, offset: 0, direction: "asc" } as const;

/** The messages of a call that came in at a time, and one of everything else at the same time, all named alike. */
function messagesOf(name: string, at: number) {
  const time = iso(at);
  let call: Call | undefined;
  const events = signalsOfCall(16, { call_id: name as CallId }).flatMap((signal, position) => {
    const applied = applySignal(call, { ...signal, at: time }, position);
    if (applied.kind !== "applied") return [];
    call = applied.call;
    return applied.events;
  });
  return {
    "call-events": events,
    "call-traces": [aCallTrace({ id: name, call_id: name as CallId, occurred_at: time })],
    "webhook-deliveries": [
      anOutgoingRequest({ id: name, call_id: name, created_at: time, outcome: "timeout" }),
      anIncomingRequest({ id: name, created_at: time }),
    ],
    "rtb-requests": [
      anInboundPing({ request_id: name, created_at: time }),
      anOutboundPing({ id: name, created_at: time }),
    ],
    "audit-log": [anAuditRecord({ id: name, created_at: time })],
  } as const;
}

/** What a warehouse that forgets does, whatever engine it runs on. */
export function describeRetention(engine: string, createGiven: () => Promise<RetentionGiven>): void {
  describe(`rows that are too old on ${engine}`, () => {
    let close: (() => Promise<void>) | undefined;
    afterEach(async () => {
      await close?.();
      close = undefined;
    });

    /** Noon: so that no clock but ours is in another day. */
    async function createRig() {
      const given = await createGiven();
      const clock = createManualClock(cutoffOf(0, Date.now()).getTime() + dayMs / 2);
      const cutoff = cutoffOf(days, clock.now()).getTime();
      let warehouse = await given.open(null, clock);
      close = () => warehouse.close();
      const read = () => ({ warehouse, dialect: given.dialect });
      const forwarding = { store: (range: Parameters<typeof warehouse.store>[0]) => warehouse.store(range) };
      const stores = Object.fromEntries(
        Object.keys(messagesOf("any", 0)).map((topic) => [topic, storing(forwarding, topic as "call-events")]),
      );
      return {
        ...{ clock, cutoff, read },
        async set(retention: number | null) {
          await warehouse.close();
          warehouse = await given.open(retention, clock);
        },
        async store(name: string, at: number) {
          const sums = { given: 0, stored: 0, duplicate: 0 };
          for (const [topic, records] of Object.entries(messagesOf(name, at))) {
            const { stored = 0, duplicate = 0 } = (await stores[topic]?.(records)) ?? {};
            sums.given += records.length;
            sums.stored += stored;
            sums.duplicate += duplicate;
          }
          expect(sums.stored + sums.duplicate).toBe(sums.given);
          return sums;
        },
        untilDeleted: () => given.untilDeleted(warehouse, clock),
        /** Names of what lists show; they agree, and counts are those of the rows. */
        async shown(): Promise<string[]> {
          const names = await namesByList(read());
          const [first = []] = Object.values(names);
          for (const [what, found] of Object.entries(names)) expect(found, what).toEqual(first);
          await expectCounts(read());
          return first;
        },
        /** Holds every other read against that. */
        async expectEverywhere(shown: readonly string[], hidden: readonly string[]): Promise<void> {
          for (const [what, found] of Object.entries(await namesByRead(read(), [...shown, ...hidden]))) {
            expect(found, what).toEqual(shown);
          }
        },
      };
    }

    it("are shown by no read, those right before the cutoff, and those right behind it are", async () => {
      const { store, set, shown, expectEverywhere, cutoff } = await createRig();
      await store("before", cutoff - 1);
      await store("behind", cutoff);
      expect(await shown()).toEqual(["before", "behind"]);
      await set(days);
      expect(await shown()).toEqual(["behind"]);
      await expectEverywhere(["behind"], ["before"]);
    });

    it("are gone when their day of UTC is, without a restart, and stay gone when the clock is set back", async () => {
      const { store, set, shown, cutoff, clock } = await createRig();
      await set(days);
      await store("first", cutoff);
      await store("last", cutoff + dayMs - 1);
      await store("next", cutoff + dayMs);
      clock.advance(dayMs / 2 - 1);
      expect(await shown()).toEqual(["first", "last", "next"]);
      clock.advance(1);
      expect(await shown()).toEqual(["next"]);
      clock.advance(-1);
      expect(await shown()).toEqual(["next"]);
    });

    it("come back when more is kept, as long as they cannot have been deleted", async () => {
      const { store, set, shown, cutoff } = await createRig();
      await store("older", cutoff - 3 * dayMs);
      await store("old", cutoff - 1);
      await store("new", cutoff);
      await set(days);
      expect(await shown()).toEqual(["new"]);
      await set(days + 1);
      expect(await shown()).toEqual(["old", "new"]);
      await set(days - 1);
      expect(await shown()).toEqual([]);
      await set(null);
      expect(await shown()).toEqual(["older", "old", "new"]);
    });

    it("are deleted with their counts, and what may have been is not shown again, whatever is set", async () => {
      const { store, set, shown, expectEverywhere, cutoff, untilDeleted } = await createRig();
      const isGone = cutoff - (graceDays + 40) * dayMs;
      await store("long gone", isGone);
      await store("hidden", cutoff - 1);
      await store("new", cutoff);
      await set(days);
      await untilDeleted();
      expect(await shown()).toEqual(["new"]);
      await expectEverywhere(["new"], ["hidden", "long gone"]);
      await set(null);
      expect(await shown()).toEqual(["hidden", "new"]);
      // Told again, it is a new row for the engine, and older than what is shown.
      expect(await store("long gone", isGone)).toMatchObject({ duplicate: 0 });
      await store("late", isGone);
      expect(await shown()).toEqual(["hidden", "new"]);
      await set(days);
      expect(await shown()).toEqual(["new"]);
    });

    it("are taken from the log late or again as any others, and shown by nothing", async () => {
      const { store, set, shown, cutoff } = await createRig();
      await set(days);
      expect(await store("late", cutoff - 1)).toMatchObject({ duplicate: 0 });
      expect(await store("late", cutoff - 1)).toMatchObject({ stored: 0 });
      await store("new", cutoff);
      expect(await shown()).toEqual(["new"]);
    });

    it("take a call's later events with them, which an export would have without their call", async () => {
      const { store, set, shown, cutoff, read } = await createRig();
      await store("new", cutoff);
      await store("old", cutoff - 1);
      const [event] = messagesOf("old", cutoff - 1)["call-events"].slice(-1);
      const updated = { ...event, id: "old:updated", event: "call.updated", version: 99, occurred_at: iso(cutoff + 1) };
      await read().warehouse.store({
        ...{ topic: "call-events", partition: 1, firstOffset: 0, nextOffset: 1, values: [JSON.stringify(updated)] },
      });
      await set(days);
      expect(await shown()).toEqual(["new"]);
      const { rows } = await read().warehouse.query(sql`SELECT DISTINCT call_id FROM call_events`);
      expect(rows).toEqual([{ call_id: "new" }]);
    });
  });
}

type Store = ReportStore & { readonly warehouse: GuardedWarehouse };
const span = { orgId: orgOne, filter: { span: {} }, page: firstPage };
const named = (rows: readonly Record<string, unknown>[], column: string) => rows.map((row) => String(row[column]));

async function namesByList(store: Store): Promise<Record<string, string[]>> {
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
async function namesByRead(store: Store, known: readonly string[]): Promise<Record<string, string[]>> {
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
      (await warehouse.guarded.select({ orgId: orgOne, text })).rows,
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
  const summary = await summarizeCalls(store, {
    ...span,
    groups: [{ kind: "column", by: "campaign" }],
    timezone: "UTC",
  });
  const { length } = exported;
  expect(summary.totals.incoming).toBe(length);
  const asked = { orgId: orgOne, filter: {}, all: true, until: all.to };
  expect(await countRedeliverable(store, asked)).toBe(length);
  const sought = { orgId: orgOne, caller: "+12125550123", since: 0, statuses: ["completed"] as const };
  expect(await findStoredCall(warehouse, sought)).toBe(exported.at(-1) ?? null);
  return found;
}

function keyOf(table: string): { id: string; at: string } {
  const spec = allTables.find((each) => each.table === table);
  if (table === "call_events" || table === "call_traces") return { id: "call_id", at: "occurred_at" };
  return { id: spec?.key ?? "", at: spec?.time ?? "" };
}

async function expectCounts({ warehouse, dialect }: ReportStore): Promise<void> {
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
