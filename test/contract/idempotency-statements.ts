import { describe, expect, it } from "vitest";
import type { Database } from "../../api/database/database.ts";
import { adjustmentRecords } from "../../api/reporting/payout-adjustments/adjuster.ts";
import { keepData, peekData, sweepData, takeData } from "../../api/webhooks/receive/caller-data.ts";
import { planNothing } from "../../api/webhooks/receive/plan.ts";
import { type Decision, webhookRecords } from "../../api/webhooks/receive/receiver.ts";
import type { CallId } from "../../ingest/primitives.ts";
import { refuseUnreadable } from "../../ingest/unreadable.ts";
import { anAdjusted, orgOne, orgTwo, startOfTime } from "../make.ts";

const { complete, deleteExpired, find, findAbandoned, insert, release, takeOver } = webhookRecords;
const now = startOfTime;
const day = 24 * 60 * 60 * 1000;
const leasedUntil = now + 30_000;
const answer = { data: [], meta: { requested: 1, succeeded: 1, failed: 0 } };
const one = { orgId: orgOne, id: "Zoë's 1" };
const answering = (body: string): Decision => ({
  plan: planNothing("call-1" as CallId, { success: true, "zebra ä": 1, a: null }),
  type: "call_data",
  status: 200,
  body,
});
const decided = answering('{"b" : 1,"a":"\\u00e4 🌊"}');

/** The idempotency records of incoming webhooks, and the data of callers who have not called. */
export function describeIdempotencyRecords(open: () => Promise<Database>): void {
  describe("idempotency records of incoming webhooks", () => {
    it("are kept as they were decided, each organization's own", async () => {
      const database = await open();
      expect(await find(database, one, now)).toBeNull();
      expect(await insert(database, one, { decision: decided, now, leasedUntil })).toBe(true);
      expect(await find(database, one, now)).toEqual({ decision: decided, leasedUntil });
      expect(await find(database, { ...one, orgId: orgTwo }, now)).toBeNull();
      await complete(database, one, decided);
      const done = { ...decided, plan: planNothing("call-1" as CallId, {}) };
      expect(await find(database, one, now)).toEqual({ decision: done, leasedUntil: null });
    });

    it("are whose of twenty at once was first, and the others' decisions come to nothing", async () => {
      const database = await open();
      const all = Array.from({ length: 20 }, (_, index) => answering(String(index)));
      const accepted = await Promise.all(
        all.map((each) => insert(database, one, { decision: each, now, leasedUntil })),
      );
      expect(accepted.filter(Boolean)).toHaveLength(1);
      expect((await find(database, one, now))?.decision.body).toBe(String(accepted.indexOf(true)));
    });

    it("of adjustments of calls stand in a table of their own", async () => {
      const database = await open();
      await insert(database, one, { decision: decided, now, leasedUntil });
      expect(await adjustmentRecords.find(database, one, now)).toBeNull();
      const adjusted = { signals: [anAdjusted({ reason: "ä 🌊" })], answer };
      expect(await adjustmentRecords.insert(database, one, { decision: adjusted, now, leasedUntil })).toBe(true);
      expect((await adjustmentRecords.find(database, one, now))?.decision).toEqual(adjusted);
      await adjustmentRecords.complete(database, one, adjusted);
      const done = { decision: { signals: [], answer }, leasedUntil: null };
      expect(await adjustmentRecords.find(database, one, now)).toEqual(done);
      expect((await find(database, one, now))?.leasedUntil).toBe(leasedUntil);
    });

    it("are taken up by one of many once their lease has ended, and never when they are done", async () => {
      const database = await open();
      await insert(database, one, { decision: decided, now, leasedUntil });
      const resume = (at: number) => takeOver(database, one, { now: at, leasedUntil: at + 30_000 });
      expect([await resume(leasedUntil - 1), await findAbandoned(database, leasedUntil - 1)]).toEqual([null, []]);
      expect(await findAbandoned(database, leasedUntil)).toEqual([one]);
      const taken = await Promise.all(Array.from({ length: 10 }, () => resume(leasedUntil)));
      expect(taken.filter((each) => each !== null)).toEqual([decided]);
      await release(database, one, leasedUntil + 1);
      expect(await resume(leasedUntil + 1)).toEqual(decided);
      await complete(database, one, decided);
      await release(database, one, now);
      expect([await resume(now + day), await findAbandoned(database, now + day)]).toEqual([null, []]);
    });

    it("are forgotten after a day, whether or not they have been swept", async () => {
      const database = await open();
      await insert(database, one, { decision: decided, now, leasedUntil });
      await complete(database, one, decided);
      const again = (at: number) => insert(database, one, { decision: answering("new"), now: at, leasedUntil });
      expect([(await find(database, one, now + day - 1)) !== null, await again(now + day - 1)]).toEqual([true, false]);
      expect([await find(database, one, now + day), await again(now + day)]).toEqual([null, true]);
      await complete(database, one, answering("new"));
      await deleteExpired(database, now + 2 * day - 1);
      expect((await find(database, one, now + day))?.decision.body).toBe("new");
      await deleteExpired(database, now + 2 * day);
      expect(await find(database, one, now + day)).toBeNull();
    });
  });

  describe("data of callers who have not called", () => {
    const caller = "+12125550123";
    const times = { received_at: new Date(now).toISOString(), expires_at: new Date(now + 1000).toISOString() };
    const kept = { id: "k1", caller, tags: { "ä b": 'x"y', a: "1" }, campaign_ids: null, ...times };
    const take = (database: Database, callId: string, at = now, campaignId: string | null = "c1") =>
      takeData(database, { orgId: orgOne, caller, callId, campaignId }, { now: at, onUnreadable: refuseUnreadable });

    it("are all taken by one of many calls at once, in the order in which they came", async () => {
      const database = await open();
      await keepData(database, orgOne, { ...kept, id: "k2", tags: { a: "2" } });
      for (let round = 0; round < 2; round += 1) await keepData(database, orgOne, kept);
      await keepData(database, orgTwo, { ...kept, id: "k3", tags: { a: "3" } });
      const taken = await Promise.all(Array.from({ length: 10 }, (_, index) => take(database, `call-${index}`)));
      const full = taken.filter((tags) => Object.keys(tags).length > 0);
      expect(full).toEqual([{ "ä b": 'x"y', a: "2" }]);
      const callId = `call-${taken.findIndex((tags) => "a" in tags)}`;
      expect(await take(database, callId, now + day)).toEqual(full[0]);
    });

    it("are looked at as a call would take them, and stay for the call", async () => {
      const database = await open();
      await keepData(database, orgOne, { ...kept, id: "k2", tags: { a: "2" }, campaign_ids: ["c1"] });
      await keepData(database, orgOne, { ...kept, id: "k3", tags: { b: "3" }, campaign_ids: ["c2"] });
      await keepData(database, orgOne, kept);
      await keepData(database, orgTwo, { ...kept, id: "k4", tags: { c: "4" } });
      const peek = (at: number) =>
        peekData(database, { orgId: orgOne, caller, campaignId: "c1" }, { now: at, onUnreadable: refuseUnreadable });
      const seen = [await peek(now), await peek(now)];
      const taken = await take(database, "call");
      expect(seen).toEqual([taken, taken]);
      expect(taken).toEqual({ "ä b": 'x"y', a: "2" });
      expect([await peek(now), await peek(now + 1000)]).toEqual([{}, {}]);
    });

    it("are taken without those that cannot be read, which are told of", async () => {
      const database = await open();
      await keepData(database, orgOne, { ...kept, id: "odd" });
      await database.query("UPDATE caller_data SET tags = '[]'");
      await keepData(database, orgOne, kept);
      const told: string[] = [];
      const taking = { now, onUnreadable: (error: unknown) => void told.push(String(error)) };
      const calling = { orgId: orgOne, caller, callId: "call", campaignId: null };
      expect(await takeData(database, calling, taking)).toEqual(kept.tags);
      expect(told).toEqual([expect.stringMatching(/^UnreadableError: caller_data odd cannot be read/)]);
    });

    it("are taken by calls of the campaigns that they are for", async () => {
      const database = await open();
      await keepData(database, orgOne, { ...kept, tags: { a: "1" } });
      await keepData(database, orgOne, { ...kept, id: "k2", tags: { b: "2" }, campaign_ids: ["c2", "c%"] });
      expect(await take(database, "of none", now, null)).toEqual({ a: "1" });
      expect(await take(database, "of another", now, "c1")).toEqual({});
      expect(await take(database, "of it", now, "c2")).toEqual({ b: "2" });
    });

    it("expire, and are swept a day later", async () => {
      const database = await open();
      await keepData(database, orgOne, kept);
      expect(await take(database, "late", now + 1000)).toEqual({});
      await sweepData(database, now + 1000 + day);
      expect(await take(database, "call", now)).toEqual(kept.tags);
      await sweepData(database, now + 1001 + day);
      expect(await take(database, "call", now)).toEqual({});
    });
  });
}
