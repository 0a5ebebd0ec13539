import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Call } from "../../ingest/call.ts";
import { applySignal } from "../../ingest/lifecycle/fold.ts";
import type { Topic } from "../../ingest/log/log.ts";
import { readCallStory } from "../../warehouse/calls/call-timeline.ts";
import { boolean, integer, number, type Statement, sql, text, time } from "../../warehouse/statement.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import {
  aCallTrace,
  anAuditRecord,
  anInboundPing,
  anIncomingRequest,
  anOutboundPing,
  anOutgoingRequest,
  orgOne,
  secondsIn,
  signalsOfCall,
} from "../make.ts";

export interface WarehouseGiven {
  open(): Promise<Warehouse>;
  /** A query that no machine answers in time. */
  readonly endless: Statement;
}

/** What every warehouse does, whatever engine it runs on. */
export function describeWarehouse(engine: string, { open, endless }: WarehouseGiven): void {
  describe(`the warehouse on ${engine}`, () => {
    let warehouse: Warehouse;
    beforeEach(async () => {
      warehouse = await open();
    });
    afterEach(() => warehouse.close());

    const store = (topic: Topic, firstOffset: number, records: readonly unknown[]) =>
      warehouse.store({
        topic,
        partition: 0,
        firstOffset,
        nextOffset: firstOffset + records.length,
        values: records.map((record) => JSON.stringify(record)),
      });
    const count = async (table: "calls" | "call_events" | "outgoing_webhook_requests") => {
      const statements = {
        calls: sql`SELECT count(*) AS n FROM calls`,
        call_events: sql`SELECT count(*) AS n FROM call_events`,
        outgoing_webhook_requests: sql`SELECT count(*) AS n FROM outgoing_webhook_requests`,
      };
      return (await warehouse.query(statements[table])).rows[0]?.n;
    };

    it("keeps each event and of each call its latest version", async () => {
      const events = eventsOfCall(16);
      expect(await store("call-events", 0, events)).toEqual({ stored: 7, duplicate: 0 });
      const { rows } = await warehouse.query(
        sql`SELECT call_id, version, status, revenue, tags, started_at FROM calls`,
      );
      expect(rows).toEqual([
        {
          call_id: "call-1",
          version: 7,
          status: "completed",
          revenue: 30,
          tags: { lead_type: "hot" },
          started_at: secondsIn(0),
        },
      ]);
      expect(await count("call_events")).toBe(7);
    });

    it("stores a range once, however often it is given", async () => {
      const events = eventsOfCall(16);
      await store("call-events", 0, events);
      expect(await store("call-events", 0, events)).toEqual({ stored: 0, duplicate: 7 });
      expect(await store("call-events", 4, events.slice(4))).toEqual({ stored: 0, duplicate: 3 });
      expect(await count("call_events")).toBe(7);
    });

    it("stores the new part of a range that it knows in part", async () => {
      const events = eventsOfCall(16);
      await store("call-events", 0, events.slice(0, 4));
      expect(await store("call-events", 2, events.slice(2))).toEqual({ stored: 3, duplicate: 2 });
      expect(await warehouse.position("call-events", 0)).toBe(7);
    });

    it("takes a fact that is published again under a new offset as a duplicate", async () => {
      const events = eventsOfCall(16);
      await store("call-events", 0, events);
      expect(await store("call-events", 7, events)).toEqual({ stored: 0, duplicate: 7 });
      expect(await count("calls")).toBe(1);
    });

    it("does not let an older version of a call replace a newer one", async () => {
      const events = eventsOfCall(16);
      await store("call-events", 0, events.slice(4));
      await store("call-events", 3, events.slice(0, 4));
      const { rows } = await warehouse.query(sql`SELECT version FROM calls`);
      expect(rows).toEqual([{ version: 7 }]);
    });

    it("does not let one organization's message touch another's call of the same id", async () => {
      const [own] = eventsOfCall(16).slice(-1);
      await store("call-events", 0, [own]);
      await store("call-events", 1, [{ ...own, org_id: "org_two", version: 99, campaign_name: "stolen" }]);
      const { rows } = await warehouse.query(sql`SELECT campaign_name FROM calls WHERE org_id = ${text(orgOne)}`);
      expect(rows).toEqual([{ campaign_name: "Solar East" }]);
    });

    it("stores every kind of record in the table that it belongs in", async () => {
      await store("webhook-deliveries", 0, [anOutgoingRequest(), anIncomingRequest()]);
      await store("rtb-requests", 0, [anInboundPing(), anOutboundPing()]);
      await store("audit-log", 0, [anAuditRecord()]);
      const { rows } = await warehouse.query(sql`
        SELECT (SELECT count(*) FROM outgoing_webhook_requests) AS outgoing, (SELECT count(*) FROM incoming_webhook_requests) AS incoming,
               (SELECT count(*) FROM inbound_rtb_requests) AS pings, (SELECT count(*) FROM outbound_rtb_requests) AS bids,
               (SELECT count(*) FROM audit_logs) AS audits`);
      expect(rows).toEqual([{ outgoing: 1, incoming: 1, pings: 1, bids: 1, audits: 1 }]);
    });

    it("stores a trace of a call once, with its detail as it came", async () => {
      const trace = aCallTrace({ detail: { reason: "closed", ids: ["a"], payout: 12.5 } });
      await store("call-traces", 0, [trace, trace]);
      await store("call-traces", 2, [trace]);
      const { rows } = await warehouse.query(sql`SELECT id, call_id, event, occurred_at, detail FROM call_traces`);
      const { org_id: _org, v: _v, ...stored } = trace;
      expect(rows).toEqual([stored]);
    });

    it("keeps who outside has caused an update of a call, and why", async () => {
      const cause = { source: "api_key:k", reason: "it's agreed" };
      const [event] = eventsOfCall(16);
      await store("call-events", 0, [event, { ...event, id: "call-1:updated", version: 2, cause }]);
      const story = await readCallStory(warehouse, orgOne, "call-1");
      expect(story?.events.map((each) => each.cause)).toEqual([null, cause]);
    });

    it("takes records that are older than what is kept of RTB requests and calls now", async () => {
      const { eligible_routes: _e, ineligible_routes: _i, allocations: _a, life_log: _l, ...ping } = anInboundPing();
      const { steps: _steps, ...execution } = anOutboundPing();
      await store("rtb-requests", 0, [ping, execution]);
      await store("call-events", 0, [{ ...another, terms: undefined }]);
      const { rows } = await warehouse.query(sql`
        SELECT eligible_routes, ineligible_routes, allocations, life_log, (SELECT steps FROM outbound_rtb_requests) AS steps,
               (SELECT terms FROM calls) AS terms
        FROM inbound_rtb_requests`);
      const empty = { eligible_routes: null, ineligible_routes: null, allocations: null, life_log: null };
      expect(rows).toEqual([{ ...empty, steps: null, terms: null }]);
    });

    it("keeps a ping and its repeats, which bear the same id at other times", async () => {
      const repeat = anInboundPing({ outcome: "cached", created_at: secondsIn(4) });
      await store("rtb-requests", 0, [anInboundPing(), repeat]);
      await store("rtb-requests", 2, [repeat, anInboundPing()]);
      const { rows } = await warehouse.query(sql`SELECT outcome FROM inbound_rtb_requests ORDER BY created_at`);
      expect(rows).toEqual([{ outcome: "routes" }, { outcome: "cached" }]);
    });

    const another = { ...eventsOfCall(1)[0], id: "call-2:call.incoming", call_id: "call-2" };
    it.each([
      ["no JSON", "{broken"],
      ["a missing key", JSON.stringify({ ...another, call_id: undefined })],
      ["a missing time", JSON.stringify({ ...another, started_at: null })],
      ["a time that is none", JSON.stringify({ ...another, started_at: "yesterday" })],
      ["a time that may be missing, but is none", JSON.stringify({ ...another, ended_at: "soon" })],
      ["a number that is none", JSON.stringify({ ...another, duration: "long" })],
      ["a number that is too large", JSON.stringify({ ...another, duration: 2 ** 40 })],
      ["an amount that is none", JSON.stringify({ ...another, revenue: { dollars: 1 } })],
      ["an amount that is too large", JSON.stringify({ ...another, revenue: 1e20 })],
      ["a truth that is none", JSON.stringify({ ...another, converted: "perhaps" })],
      ["tags that are none", JSON.stringify({ ...another, tags: ["hot"] })],
    ])("refuses %s with all that came in its range, and moves no place in the log", async (_what, value) => {
      const good = JSON.stringify(eventsOfCall(16)[0]);
      const range = {
        topic: "call-events",
        partition: 0,
        firstOffset: 0,
        nextOffset: 2,
        values: [good, value],
      } as const;
      await expect(warehouse.store(range)).rejects.toMatchObject({ code: "row_refused" });
      expect(await count("call_events")).toBe(0);
      expect(await warehouse.position("call-events", 0)).toBe(0);
    });

    it("leaves the columns empty that a message has no fields for", async () => {
      const { failure_reason: _reason, duration: _duration, revenue: _revenue, tags: _tags, ...older } = another;
      await store("call-events", 0, [{ ...older, ended_at: null }]);
      const { rows } = await warehouse.query(sql`SELECT failure_reason, duration, revenue, ended_at, tags FROM calls`);
      expect(rows).toEqual([{ failure_reason: null, duration: null, revenue: null, ended_at: null, tags: null }]);
    });

    it("moves its place in the log behind a range that is only passed over, and never back", async () => {
      const pass = (firstOffset: number, nextOffset: number) =>
        warehouse.store({ topic: "call-events", partition: 0, firstOffset, nextOffset, values: [] });
      expect(await pass(0, 3)).toEqual({ stored: 0, duplicate: 0 });
      expect(await warehouse.position("call-events", 0)).toBe(3);
      await pass(0, 2);
      expect(await warehouse.position("call-events", 0)).toBe(3);
      expect(await store("call-events", 2, eventsOfCall(16))).toMatchObject({ stored: 6, duplicate: 1 });
    });

    it("refuses a record of a kind that it has no table for", async () => {
      const range = store("webhook-deliveries", 0, [{ ...anOutgoingRequest(), kind: "sideways" }]);
      await expect(range).rejects.toMatchObject({ code: "row_refused" });
    });

    it("binds values of every kind and never reads them as SQL", async () => {
      const nasty = `'; DROP TABLE calls; -- \\ " \u0000`.replace("\u0000", "");
      const { rows } = await warehouse.query(sql`
        SELECT ${text(nasty)} AS a, ${integer(7)} AS b, ${number(1.5)} AS c, ${boolean(true)} AS d, ${time(new Date(secondsIn(1)))} AS e`);
      expect(rows).toEqual([{ a: nasty, b: 7, c: 1.5, d: true, e: secondsIn(1) }]);
    });

    it("says that a result was cut", async () => {
      await store("call-events", 0, eventsOfCall(16));
      const all = sql`SELECT event FROM call_events ORDER BY version LIMIT ${integer(5)}`;
      expect(await warehouse.query(all, { maxRows: 3 })).toMatchObject({ truncated: true, rows: { length: 3 } });
      expect(await warehouse.query(all, { maxRows: 5 })).toMatchObject({ truncated: false, rows: { length: 5 } });
    });

    it("interrupts a query that takes too long, and one that nobody waits for", async () => {
      await expect(warehouse.query(endless, { timeoutMs: 50 })).rejects.toMatchObject({ code: "query_timeout" });
      const gone = new AbortController();
      const asked = warehouse.query(endless, { signal: gone.signal, timeoutMs: 1000 });
      gone.abort();
      await expect(asked).rejects.toMatchObject({ code: "query_cancelled" });
    });

    it("refuses work once it is closed, and closes twice safely", async () => {
      await warehouse.close();
      await warehouse.close();
      await expect(warehouse.query(sql`SELECT 1`)).rejects.toMatchObject({ code: "unavailable" });
    });
  });
}

function eventsOfCall(seconds: number) {
  let call: Call | undefined;
  return signalsOfCall(seconds, { tags: { lead_type: "hot" } }).flatMap((signal, position) => {
    const applied = applySignal(call, signal, position);
    if (applied.kind !== "applied") return [];
    call = applied.call;
    return applied.events;
  });
}
