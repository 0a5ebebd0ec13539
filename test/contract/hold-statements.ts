import fc from "fast-check";
import { expect, it } from "vitest";
import type { Database, Queryable } from "../../api/database/database.ts";
import { openHeldCalls } from "../../api/routing/call-stats/held-calls.ts";
import {
  type Hold,
  type Reservation,
  release,
  releaseForgotten,
  reserve,
} from "../../api/routing/call-stats/reservations.ts";
import { openTotalResets, resetTotals } from "../../api/routing/call-stats/total-resets.ts";
import type { HolderKind } from "../../api/routing/call-stats.ts";
import { createOpenCallStore } from "../../api/telephony/open-calls.ts";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import { anOpenCall } from "../api/telephony/make-open-call.ts";
import { orgOne, orgTwo, startOfTime } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";

const hour = 60 * 60 * 1000;
const hold = (kind: HolderKind, id: string, limit: number | null = null): Hold => ({ kind, id, limit });
const target = (id: string, limit: number | null = null) => hold("target", id, limit);

interface Given {
  readonly org?: OrgId;
  readonly now?: number;
}
const take = (db: Queryable, callId: string, holds: readonly Hold[], { org = orgOne, now = startOfTime }: Given = {}) =>
  reserve(db, { orgId: org, callId, now }, holds);
const reserveAlone = (database: Database, callId: string, holds: readonly Hold[], given: Given = {}) =>
  database.transaction((db) => take(db, callId, holds, given));

async function heldIn(db: Queryable): Promise<string[]> {
  const rows = await db.query("SELECT call_id, kind, id FROM call_holds ORDER BY call_id, kind, id");
  return rows.map(({ call_id, kind, id }) => `${call_id}: ${kind} ${id}`);
}
const isPlaced = ({ ok }: Reservation) => ok;
const calls = (count: number) => Array.from({ length: count }, (_, index) => `call-${index}`);

/** The statements by which calls hold places, each run on the engine. */
export function describeHolds(open: () => Promise<Database>): void {
  describePlaces(open);
  describeCrowds(open);
  describeEnds(open);
  describeInMemory(open);
}

function describePlaces(open: () => Promise<Database>): void {
  it("gives a call its places, and names the first that is full in the order given", async () => {
    const database = await open();
    const holds = [hold("campaign", "c", 5), target("t", 1), hold("buyer", "b", 1)];
    expect(await reserveAlone(database, "one", holds)).toEqual({ ok: true });
    expect(await reserveAlone(database, "two", holds)).toEqual({ ok: false, full: { kind: "target", id: "t" } });
    expect(await heldIn(database)).toEqual(["one: buyer b", "one: campaign c", "one: target t"]);
  });

  it.each([null, 0])("holds places without a limit (%s) for as many as come", async (limit) => {
    const database = await open();
    const placed = await Promise.all(calls(5).map((id) => reserveAlone(database, id, [target("t", limit)])));
    expect([placed.every(isPlaced), (await heldIn(database)).length]).toEqual([true, 5]);
  });

  it("counts what was held without a limit once there is one", async () => {
    const database = await open();
    await reserveAlone(database, "one", [target("t")]);
    expect(await reserveAlone(database, "two", [target("t", 1)])).toMatchObject({ ok: false });
    expect(await reserveAlone(database, "two", [target("t", 2)])).toEqual({ ok: true });
  });

  it("keeps organizations and kinds of holders apart", async () => {
    const database = await open();
    for (const org of [orgOne, orgTwo]) {
      expect(await reserveAlone(database, `call of ${org}`, [target("same", 1)], { org })).toEqual({ ok: true });
    }
    expect(await reserveAlone(database, "other kind", [hold("buyer", "same", 1)])).toEqual({ ok: true });
  });

  it("takes a holder that is named twice once, with its lower limit", async () => {
    const database = await open();
    await reserveAlone(database, "one", [target("t", 1), target("t", 5)]);
    expect(await heldIn(database)).toEqual(["one: target t"]);
    expect(await reserveAlone(database, "two", [target("t", 5), target("t", 1)])).toMatchObject({ ok: false });
  });

  it("moves a call from one target to the next and back, in one transaction too, and keeps what both need", async () => {
    const database = await open();
    const campaign = hold("campaign", "c", 1);
    await reserveAlone(database, "one", [campaign, target("first", 1)]);
    await database.transaction(async (db) => {
      expect(await take(db, "one", [campaign, target("second", 1)])).toEqual({ ok: true });
      expect(await take(db, "one", [campaign, target("first", 1)])).toEqual({ ok: true });
      expect(await take(db, "one", [campaign, target("second", 1)])).toEqual({ ok: true });
    });
    expect(await heldIn(database)).toEqual(["one: campaign c", "one: target second"]);
    expect(await reserveAlone(database, "two", [target("first", 1)])).toEqual({ ok: true });
  });

  it("leaves a call what it held when the next target is full", async () => {
    const database = await open();
    await reserveAlone(database, "one", [target("full", 1)]);
    await reserveAlone(database, "two", [hold("buyer", "b", 1), target("first", 1)]);
    const moved = await reserveAlone(database, "two", [hold("buyer", "other", 1), target("full", 1)]);
    expect(moved).toEqual({ ok: false, full: { kind: "target", id: "full" } });
    expect(await heldIn(database)).toEqual(["one: target full", "two: buyer b", "two: target first"]);
  });

  it("does not ask a call for a place again that it has, though the limit has been lowered since", async () => {
    const database = await open();
    for (const id of ["one", "two"]) await reserveAlone(database, id, [hold("campaign", "c", 2)]);
    expect(await reserveAlone(database, "one", [hold("campaign", "c", 1), target("t", 1)])).toEqual({ ok: true });
    expect(await reserveAlone(database, "three", [hold("campaign", "c", 1)])).toMatchObject({ ok: false });
  });

  it("holds nothing when the transaction of the call's step is not kept", async () => {
    const database = await open();
    const step = database.transaction(async (db) => {
      await take(db, "one", [target("t", 1)]);
      throw new Error("the process dies");
    });
    await expect(step).rejects.toThrow("dies");
    expect(await heldIn(database)).toEqual([]);
    expect(await reserveAlone(database, "two", [target("t", 1)])).toEqual({ ok: true });
  });
}

function describeCrowds(open: () => Promise<Database>): void {
  it("places exactly one of 50 calls at once where one may be, and the next when that has gone", async () => {
    const database = await open();
    const placed = await Promise.all(calls(50).map((id) => reserveAlone(database, id, [target("t", 1)])));
    expect(placed.filter(isPlaced)).toHaveLength(1);
    await release(database, String(calls(50)[placed.findIndex(isPlaced)]));
    expect(await reserveAlone(database, "next", [target("t", 1)])).toEqual({ ok: true });
  });

  it("fills every place and none twice when 50 calls try several targets, each in an order of its own", async () => {
    const database = await open();
    const targets = ["a", "b", "c", "d"];
    const place = (callId: string, index: number) =>
      database.transaction(async (db) => {
        for (let step = 0; step < targets.length; step += 1) {
          const id = String(targets[(index + step * (index % 2 === 0 ? 1 : 3)) % targets.length]);
          const result = await take(db, callId, [hold("campaign", "c", 10), target(id, 3)]);
          if (result.ok || result.full.kind === "campaign") return result;
        }
        return { ok: false };
      });
    const placed = await Promise.all(calls(50).map(place));
    expect(placed.filter(({ ok }) => ok)).toHaveLength(10);
    const rows = await database.query("SELECT kind, id, count(*) AS n FROM call_holds GROUP BY kind, id");
    for (const { kind, n } of rows) expect(n).toBeLessThanOrEqual(kind === "campaign" ? 10 : 3);
  });

  it("agrees with a plain count, whatever is reserved and released", async () => {
    const database = await open();
    const step = fc.record({
      call: fc.constantFrom(...calls(4)),
      holds: fc.option(
        fc.uniqueArray(
          fc.record({
            kind: fc.constantFrom<HolderKind>("target", "buyer"),
            id: fc.constantFrom("x", "y"),
            limit: fc.option(fc.integer({ min: 0, max: 2 })),
          }),
          { selector: ({ kind, id }) => kind + id, minLength: 1 },
        ),
      ),
    });
    const walk = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await database.query("DELETE FROM call_holds");
      const held = new Map<string, readonly Hold[]>();
      const same = (one: Hold) => (other: Hold) => one.kind === other.kind && one.id === other.id;
      for (const { call, holds } of steps) {
        if (holds === null) {
          await release(database, call);
          held.delete(call);
          continue;
        }
        const others = [...held].filter(([id]) => id !== call).flatMap(([, each]) => each);
        const isFull = (each: Hold) =>
          !(held.get(call) ?? []).some(same(each)) &&
          Boolean(each.limit) &&
          others.filter(same(each)).length >= (each.limit ?? 0);
        const full = holds.find(isFull);
        if (full === undefined) held.set(call, holds);
        expect(await reserveAlone(database, call, holds)).toEqual(
          full === undefined ? { ok: true } : { ok: false, full: { kind: full.kind, id: full.id } },
        );
      }
      const expected = [...held].flatMap(([call, holds]) => holds.map(({ kind, id }) => `${call}: ${kind} ${id}`));
      expect(await heldIn(database)).toEqual(expected.sort());
    });
    await fc.assert(walk, { numRuns: 15 });
  });
}

function describeEnds(open: () => Promise<Database>): void {
  it("frees all places of a call at its end, and once more changes nothing", async () => {
    const database = await open();
    await reserveAlone(database, "one", [hold("campaign", "c", 1), target("t", 1)]);
    await reserveAlone(database, "two", [target("other", 1)]);
    for (let round = 0; round < 2; round += 1) await release(database, "one");
    expect(await heldIn(database)).toEqual(["two: target other"]);
  });

  it("sweeps the places of calls that have ended or were forgotten, and those of no others", async () => {
    const database = await open();
    const clock = createManualClock(startOfTime);
    const store = createOpenCallStore({ database, clock, publish: async () => undefined, onTrouble: throwOn });
    const openCall = (id: string, state: "dialing" | "connected" | "ended") =>
      store.open({ callId: id, orgId: orgOne }, async () => ({
        call: anOpenCall({ call_id: id as CallId, state }),
        messages: [],
      }));
    await openCall("forgotten", "connected");
    clock.advance(2 * hour);
    await openCall("speaking", "connected");
    await openCall("rings no more", "dialing");
    clock.advance(3 * hour);
    await openCall("live", "dialing");
    await openCall("ended", "ended");
    const ids = ["ended", "forgotten", "live", "rings no more", "speaking", "unknown"];
    for (const id of ids) await reserveAlone(database, id, [target(id)], { now: clock.now() });
    await releaseForgotten(database, clock.now());
    expect(await heldIn(database)).toHaveLength(6);
    clock.advance(2 * 60 * 1000);
    await releaseForgotten(database, clock.now());
    expect(await heldIn(database)).toEqual(["live: target live", "speaking: target speaking"]);
  });
}

function describeInMemory(open: () => Promise<Database>): void {
  it("tells in memory what calls hold, when it is opened and later", async () => {
    const database = await open();
    const clock = createManualClock(startOfTime);
    await reserveAlone(database, "one", [target("t"), hold("publisher", "p", 3)]);
    const held = await openHeldCalls({ database, clock, onTrouble: throwOn });
    expect([held.inUse(orgOne, target("t")), held.inUse(orgOne, hold("publisher", "p"))]).toEqual([1, 1]);
    await release(database, "one");
    await held.refresh();
    expect(held.inUse(orgOne, target("t"))).toBe(0);
    await held.close();
  });

  it("tells in memory when totals were last set back, at once where they are", async () => {
    const database = await open();
    const [t, b] = [target("t"), hold("buyer", "t")];
    await database.transaction((db) => resetTotals(db, { orgId: orgOne, holder: t, now: startOfTime }));
    const resets = await openTotalResets(database, throwOn);
    expect([resets.since(orgOne, t), resets.since(orgOne, b), resets.since(orgTwo, t)]).toEqual([startOfTime, 0, 0]);
    await database.transaction((db) => resetTotals(db, { orgId: orgOne, holder: t, now: startOfTime + hour }));
    await resets.settled();
    expect(resets.since(orgOne, t)).toBe(startOfTime + hour);
    await resets.close();
  });
}

const throwOn = (error: unknown): never => {
  throw error;
};
