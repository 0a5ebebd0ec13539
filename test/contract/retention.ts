import { afterEach, describe, expect, it } from "vitest";
import type { Dialect } from "../../assistant/compile/dialect.ts";
import type { Call } from "../../ingest/call.ts";
import { applySignal } from "../../ingest/lifecycle/fold.ts";
import type { CallId } from "../../ingest/primitives.ts";
import type { Signal } from "../../ingest/signal.ts";
import type { ReportStore } from "../../warehouse/calls/call-log.ts";
import { describedTables } from "../../warehouse/column-texts.ts";
import type { GuardedWarehouse } from "../../warehouse/guarded/guarded.ts";
import { slotMs } from "../../warehouse/history/slot-range.ts";
import type { PastCalls } from "../../warehouse/past-calls.ts";
import { cutoffOf, graceDays } from "../../warehouse/retention.ts";
import { type Statement, sql } from "../../warehouse/statement.ts";
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
import { expectCounts, namesByList, namesByRead, totalOf } from "./retention-reads.ts";

export interface RetentionGiven {
  /** The same rows each time, with what is set now. */
  open(days: number | null, clock: ManualClock): Promise<GuardedWarehouse>;
  readonly dialect: ReportStore["dialect"];
  readonly assistant: Dialect;
  /** Reads the name and the comment of each view (`calls`) and each column of one (`calls.revenue`). */
  readonly comments: Statement;
  /** Resolves when the engine has deleted what may be. */
  untilDeleted(warehouse: GuardedWarehouse, clock: ManualClock): Promise<void>;
}

const days = 60;
const dayMs = slotMs.day;
const iso = (ms: number): string => new Date(ms).toISOString();
const campaignOf = ({ kind }: Signal, name: string) => (kind === "incoming" ? { campaign: { id: "cmp-1", name } } : {});
/** The messages of a call that came in at a time, and one of everything else at the same time, all named alike. */
function messagesOf(name: string, at: number) {
  const time = iso(at);
  let call: Call | undefined;
  const events = signalsOfCall(16, { call_id: name as CallId }).flatMap((signal, position) => {
    const applied = applySignal(call, { ...signal, ...campaignOf(signal, name), at: time }, position);
    if (applied.kind !== "applied") return [];
    call = applied.call;
    return applied.events;
  });
  return {
    "call-events": events,
    "call-traces": [aCallTrace({ id: name, call_id: name as CallId, occurred_at: time })],
    "webhook-deliveries": [
      anOutgoingRequest({ id: name, call_id: name, created_at: time, outcome: "timeout", webhook_config_name: name }),
      anIncomingRequest({ id: name, created_at: time, webhook_config_name: name }),
    ],
    "rtb-requests": [
      anInboundPing({ request_id: name, created_at: time, publisher_name: name }),
      anOutboundPing({ id: name, created_at: time, rtb_name: name }),
    ],
    "audit-log": [anAuditRecord({ id: name, created_at: time, entity_name: name })],
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
      const read = () => ({ warehouse, dialect: given.dialect, assistant: given.assistant });
      const forwarding = { store: (range: Parameters<typeof warehouse.store>[0]) => warehouse.store(range) };
      const stores = Object.fromEntries(
        Object.keys(messagesOf("any", 0)).map((topic) => [topic, storing(forwarding, topic as "call-events")]),
      );
      return {
        clock,
        cutoff,
        read,
        async set(retention: number | null) {
          await warehouse.close();
          warehouse = await given.open(retention, clock);
        },
        /** What has these names and times, a topic at once: to store is what costs most here. */
        async store(times: Readonly<Record<string, number>>) {
          const sums = { given: 0, stored: 0, duplicate: 0 };
          const named = Object.entries(times).map(([name, at]) => messagesOf(name, at));
          for (const [topic, storeAll] of Object.entries(stores)) {
            const records = named.flatMap((messages): readonly object[] => messages[topic as "call-events"]);
            const { stored = 0, duplicate = 0 } = await storeAll(records);
            sums.given += records.length;
            sums.stored += stored;
            sums.duplicate += duplicate;
          }
          expect(sums.stored + sums.duplicate).toBe(sums.given);
          return sums;
        },
        comments: async () =>
          new Map((await warehouse.query(given.comments)).rows.map((row) => [row["name"], row["comment"]])),
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
      await store({ before: cutoff - 1, behind: cutoff });
      expect(await shown()).toEqual(["before", "behind"]);
      await set(days);
      expect(await shown()).toEqual(["behind"]);
      await expectEverywhere(["behind"], ["before"]);
    });

    it("are in tables that say what they and their columns mean, before and after they are made anew", async () => {
      const { set, comments } = await createRig();
      const meanings = describedTables.flatMap(({ table, row, columns }) => [
        [table, row] as const,
        ...columns.map(({ name, meaning }) => [`${table}.${name}`, meaning] as const),
      ]);
      expect(meanings.every(([, meaning]) => meaning.length > 3)).toBe(true);
      for (const retention of [null, days]) {
        await set(retention);
        const written = await comments();
        expect(meanings.filter(([name, meaning]) => written.get(name) !== meaning)).toEqual([]);
      }
    });

    it("are gone when their day of UTC is, without a restart, and stay gone when the clock is set back", async () => {
      const { store, set, shown, cutoff, clock } = await createRig();
      await set(days);
      await store({ first: cutoff, last: cutoff + dayMs - 1, next: cutoff + dayMs });
      clock.advance(dayMs / 2 - 1);
      expect(await shown()).toEqual(["first", "last", "next"]);
      clock.advance(1);
      expect(await shown()).toEqual(["next"]);
      clock.advance(-1);
      expect(await shown()).toEqual(["next"]);
    });

    it("come back when more is kept, as long as they cannot have been deleted", async () => {
      const { store, set, shown, cutoff } = await createRig();
      await store({ older: cutoff - 3 * dayMs, old: cutoff - 1, new: cutoff });
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
      await store({ "long gone": isGone, hidden: cutoff - 1, new: cutoff });
      await set(days);
      await untilDeleted();
      expect(await shown()).toEqual(["new"]);
      await expectEverywhere(["new"], ["hidden", "long gone"]);
      await set(null);
      expect(await shown()).toEqual(["hidden", "new"]);
      // Told again, it is a new row for the engine, and older than what is shown.
      expect(await store({ "long gone": isGone })).toMatchObject({ duplicate: 0 });
      await store({ late: isGone });
      expect(await shown()).toEqual(["hidden", "new"]);
      await set(days);
      expect(await shown()).toEqual(["new"]);
    });

    it("go on to count for caps that count since ever, each once, whatever is set and deleted", async () => {
      const { store, set, cutoff, clock, read, untilDeleted } = await createRig();
      const total = () => totalOf(read().warehouse);
      await store({
        "long gone": cutoff - (graceDays + 40) * dayMs,
        old: cutoff - 1,
        next: cutoff,
        new: cutoff + 5 * dayMs,
      });
      const all = await total();
      expect(all).toMatchObject({ calls: 4, connected: 4 });
      for (const retention of [days, days + 2, days - 1, null, days]) {
        await set(retention);
        expect(await total()).toEqual(all);
      }
      await untilDeleted();
      expect(await total()).toEqual(all);
      clock.advance(dayMs);
      expect(await total()).toEqual(all);
      await set(days + 2);
      expect(await total()).toEqual(all);
      await store({ newer: cutoff + 6 * dayMs });
      expect(await total()).toMatchObject({ calls: 5 });
    });

    it("count for no caps where the calls were refused to the switch", async () => {
      const { store, set, cutoff, read } = await createRig();
      const total = () => totalOf(read().warehouse);
      const refused = { refused: cutoff - 1, "refused alone": cutoff - 5 * dayMs };
      await store({ ...refused, old: cutoff - 1 });
      for (const [index, [name, at]] of Object.entries(refused).entries()) {
        const [event] = messagesOf(name, at)["call-events"].slice(-1);
        const updated = { ...event, id: `${name}:updated`, version: 99, failure_reason: "platform_unavailable" };
        await read().warehouse.store({
          topic: "call-events",
          partition: 1,
          firstOffset: index,
          nextOffset: index + 1,
          values: [JSON.stringify({ ...updated, event: "call.updated" })],
        });
      }
      const all = await total();
      expect(all).toMatchObject({ calls: 1 });
      for (const retention of [days, null, days]) {
        await set(retention);
        expect(await total()).toEqual(all);
      }
    });

    it("of another installation count as what they add up to, each once, and are shown by nothing", async () => {
      const { store, set, shown, cutoff, read } = await createRig();
      const total = () => totalOf(read().warehouse);
      const sum: PastCalls = {
        org_id: orgOne,
        started_at: iso(cutoff - 9 * dayMs),
        campaign_id: "cmp-1",
        publisher_id: "pub-1",
        target_id: "tgt-1",
        rtb_id: null,
        buyer_id: null,
        calls: 5,
        connected: 4,
        converted: 3,
        receivable: 2,
        revenue: 90.1234,
        payout: null,
      };
      const later = { ...sum, started_at: iso(cutoff - 8 * dayMs), target_id: null };
      for (const taken of [[sum], [sum, later], [], [sum]]) await read().warehouse.takePast(taken);
      const { rows } = await read().warehouse.query(sql`SELECT * FROM past_calls ORDER BY started_at`);
      expect(rows).toEqual([sum, later]);
      await store({ "too old": cutoff - 7 * dayMs - 1, old: cutoff - 7 * dayMs, new: cutoff });
      expect(await shown()).toEqual(["old", "new"]);
      const all = await total();
      expect(all).toMatchObject({ calls: 12, connected: 10 });
      for (const retention of [days, null, days + 8, days]) {
        await set(retention);
        expect(await total()).toEqual(all);
      }
      expect(await shown()).toEqual(["new"]);
    });

    it("are taken from the log late or again as any others, and shown by nothing", async () => {
      const { store, set, shown, cutoff } = await createRig();
      await set(days);
      expect(await store({ late: cutoff - 1 })).toMatchObject({ duplicate: 0 });
      expect(await store({ late: cutoff - 1 })).toMatchObject({ stored: 0 });
      await store({ new: cutoff });
      expect(await shown()).toEqual(["new"]);
    });

    it("take a call's later events with them, which an export would have without their call", async () => {
      const { store, set, shown, cutoff, read } = await createRig();
      await store({ new: cutoff, old: cutoff - 1 });
      const [event] = messagesOf("old", cutoff - 1)["call-events"].slice(-1);
      const updated = { ...event, id: "old:updated", event: "call.updated", version: 99, occurred_at: iso(cutoff + 1) };
      await read().warehouse.store({
        topic: "call-events",
        partition: 1,
        firstOffset: 0,
        nextOffset: 1,
        values: [JSON.stringify(updated)],
      });
      await set(days);
      expect(await shown()).toEqual(["new"]);
      const { rows } = await read().warehouse.query(sql`SELECT DISTINCT call_id FROM call_events`);
      expect(rows).toEqual([{ call_id: "new" }]);
    });
  });
}
