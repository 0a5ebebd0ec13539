import { expect, it } from "vitest";
import type { Database } from "../../api/database/database.ts";
import {
  claimDue,
  claimOld,
  claimProbe,
  heldWebhooks,
  holdFor,
  waitingWebhooks,
} from "../../api/webhooks/deliver/claims.ts";
import {
  deletePending,
  type Endpoint,
  findPending,
  freePending,
  insertPending,
  type PendingRow,
  releasePending,
  settlePending,
} from "../../api/webhooks/deliver/pending-rows.ts";
import {
  advanceRedelivery,
  cancelRedelivery,
  claimRedelivery,
  countEnded,
  countRunning,
  countWaiting,
  findRedelivery,
  insertRedelivery,
  listRedeliveries,
} from "../../api/webhooks/redelivery-rows.ts";
import { countHeld } from "../../api/webhooks/waiting.ts";
import { orgOne, orgTwo, startOfTime } from "../make.ts";

const now = startOfTime;
const lease = { now, until: now + 60_000, most: 100 };

const aRow = (id: string, given: Partial<PendingRow> = {}): PendingRow => ({
  id,
  deliveryId: id,
  orgId: orgOne,
  webhookId: "hook",
  callId: `call of ${id}`,
  version: 1,
  endpoint: "https://a.example",
  manual: false,
  redeliveryId: null,
  event: '{"name":"Zoë \\u0000"}',
  attempt: 1,
  queuedAt: now,
  dueAt: now,
  leasedUntil: 0,
  held: false,
  ended: false,
  unpublished: null,
  ...given,
});
const allOf = () => 1000;
const idsOf = (rows: readonly PendingRow[]) => rows.map(({ id }) => id).sort();

/** What deliveries that wait do, on any config database. */
export function describeDeliveries(open: () => Promise<Database>): void {
  it("a delivery keeps the span that it is part of", async () => {
    const database = await open();
    const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
    await insertPending(database, [aRow("one", { traceparent }), aRow("two")]);
    const rows = await claimDue(database, lease, allOf);
    expect(new Map(rows.map((row) => [row.id, row.traceparent]))).toEqual(
      new Map([
        ["one", traceparent],
        ["two", undefined],
      ]),
    );
  });

  it("deliveries that wait for a paused webhook are counted, with the oldest of them, for their owner alone", async () => {
    const database = await open();
    const held = (id: string, given: Partial<PendingRow>) => aRow(id, { held: true, ...given });
    await insertPending(database, [
      held("a", { queuedAt: now + 2000 }),
      held("b", { queuedAt: now + 1000 }),
      aRow("c"),
      held("d", { webhookId: "other" }),
      held("e", { orgId: orgTwo }),
    ]);
    const counted = await countHeld(database, orgOne, ["hook", "none"]);
    expect([...counted]).toEqual([["hook", { count: 2, oldestAt: new Date(now + 1000).toISOString() }]]);
    expect((await countHeld(database, orgOne, [])).size).toBe(0);
  });

  it("redeliveries are listed newest first, of one webhook or of all, for their owner alone", async () => {
    const database = await open();
    const make = (id: string, webhook_id: string, given: object = {}) =>
      insertRedelivery(database, {
        id,
        orgId: orgOne,
        count: 1,
        createdAt: now,
        filter: JSON.stringify({ webhook_id, call_id: "x" }),
        ...given,
      });
    await make("1", "hook_a");
    await make("2", "hookxa", { createdAt: now + 1000 });
    await make("3", "hook_a", { createdAt: now + 2000 });
    await make("4", "hook_a", { orgId: orgTwo });
    const list = async (webhookId: string | null, given: object = {}) => {
      const { rows, total } = await listRedeliveries(database, orgOne, { webhookId, limit: 10, offset: 0, ...given });
      return [rows.map(({ id }) => id), total];
    };
    expect(await list(null)).toEqual([["3", "2", "1"], 3]);
    expect(await list("hook_a")).toEqual([["3", "1"], 2]);
    expect(await list("hook_a", { limit: 1, offset: 1 })).toEqual([["1"], 2]);
    expect(await list("%")).toEqual([[], 0]);
  });

  describePending(open);
  describeClaims(open);
  describeRedeliveries(open);
}

function describePending(open: () => Promise<Database>): void {
  it("keeps a delivery that waits as it was written, and takes its id once", async () => {
    const database = await open();
    const row = aRow("d", { manual: true, redeliveryId: "r", unpublished: '{"a":1}', attempt: 3, version: 7 });
    await insertPending(database, [row, aRow("other", { dueAt: now + 1 })]);
    await insertPending(database, [aRow("d", { attempt: 9 })]);
    expect(await claimDue(database, lease, allOf)).toEqual([{ ...row, leasedUntil: lease.until }]);
    expect(await findPending(database, ["d", "nobody's"])).toEqual(new Set(["d"]));
  });

  it("writes how attempts ended, several in one statement, and lets go on or forgets what the log knows", async () => {
    const database = await open();
    await insertPending(database, [aRow("again"), aRow("done", { redeliveryId: "r" })]);
    await claimDue(database, lease, allOf);
    const next = { held: false, redeliveryId: null, unpublished: "{}" };
    await settlePending(database, [
      { ...next, id: "again", attempt: 2, dueAt: now + 5000, ended: false },
      { ...next, id: "done", attempt: 1, dueAt: now, ended: true },
    ]);
    const later = { ...lease, now: now + 60_000, until: now + 120_000 };
    expect(await claimDue(database, later, allOf)).toMatchObject([
      { id: "done", ended: true, unpublished: "{}" },
      { id: "again", attempt: 2, unpublished: "{}", ended: false },
    ]);
    await freePending(database, ["again"]);
    expect(await deletePending(database, ["done", "nobody's"])).toEqual([{ id: "done", redeliveryId: "r" }]);
    expect(await claimDue(database, later, allOf)).toMatchObject([{ id: "again", unpublished: null }]);
  });
}

function describeClaims(open: () => Promise<Database>): void {
  it("claims what is due once, until its lease ends or it is released", async () => {
    const database = await open();
    await insertPending(database, [aRow("due"), aRow("later", { dueAt: now + 1 }), aRow("held", { held: true })]);
    const claims = await Promise.all([1, 2, 3].map(() => claimDue(database, lease, allOf)));
    expect(claims.flat().map(({ id }) => id)).toEqual(["due"]);
    const after = (ms: number) => ({ ...lease, now: now + ms, until: now + ms + 60_000 });
    expect(idsOf(await claimDue(database, after(59_999), allOf))).toEqual(["later"]);
    expect(idsOf(await claimDue(database, after(60_000), allOf))).toEqual(["due"]);
    await releasePending(database, ["due"]);
    expect(idsOf(await claimDue(database, after(60_000), allOf))).toEqual(["due"]);
  });

  it("shares one claim out over organizations and endpoints, and leaves out those that are full", async () => {
    const database = await open();
    const rows = Array.from({ length: 30 }, (_, index) => aRow(`a${index}`, { queuedAt: now - 1, dueAt: now - 1 }));
    await insertPending(database, [
      ...rows,
      aRow("b", { endpoint: "https://b.example" }),
      aRow("two", { orgId: orgTwo }),
    ]);
    const three = await claimDue(database, { ...lease, most: 3 }, allOf);
    expect(three.map(({ orgId, endpoint }) => `${orgId} ${endpoint}`).sort()).toEqual([
      "org_one https://a.example",
      "org_one https://b.example",
      "org_two https://a.example",
    ]);
    const isFull = ({ endpoint }: Endpoint) => (endpoint === "https://a.example" ? 0 : 100);
    expect(await claimDue(database, lease, isFull)).toEqual([]);
    expect(await claimDue(database, { ...lease, most: 10 }, allOf)).toHaveLength(10);
    expect(await claimDue(database, lease, () => 7)).toHaveLength(7);
  });

  it("gives of a call's first attempts at one webhook the earliest alone, and its retries beside them", async () => {
    const database = await open();
    const first = { callId: "call", attempt: 0 };
    await insertPending(database, [
      aRow("third", { ...first, version: 3 }),
      aRow("second", { ...first, version: 2 }),
      aRow("retried", { callId: "call", version: 1 }),
      aRow("another's", { ...first, webhookId: "another" }),
      aRow("asked for", { ...first, manual: true }),
    ]);
    expect(idsOf(await claimDue(database, lease, allOf))).toEqual(["another's", "asked for", "retried", "second"]);
    expect(await claimDue(database, lease, allOf)).toEqual([]);
    await deletePending(database, ["second"]);
    expect(idsOf(await claimDue(database, lease, allOf))).toEqual(["third"]);
    expect(await waitingWebhooks(database)).toEqual(new Set(["hook", "another"]));
  });

  it("holds what waits for a webhook, probes it by what has waited longest, and lets it go", async () => {
    const database = await open();
    await insertPending(database, [
      aRow("one", { queuedAt: now - 2 }),
      aRow("two"),
      aRow("other", { webhookId: "other" }),
    ]);
    await holdFor(database, "hook", true);
    expect(await heldWebhooks(database)).toEqual([{ orgId: orgOne, id: "hook" }]);
    expect(idsOf(await claimDue(database, lease, allOf))).toEqual(["other"]);
    expect(idsOf(await claimProbe(database, lease, "hook"))).toEqual(["one"]);
    await holdFor(database, "hook", false);
    expect([await heldWebhooks(database), idsOf(await claimDue(database, lease, allOf))]).toEqual([[], ["two"]]);
  });

  it("finds what has waited for too long, held or not", async () => {
    const database = await open();
    await insertPending(database, [aRow("old", { queuedAt: now - 1, held: true }), aRow("young", { queuedAt: now })]);
    expect(idsOf(await claimOld(database, lease, now))).toEqual(["old"]);
  });
}

function describeRedeliveries(open: () => Promise<Database>): void {
  const about = { orgId: orgOne, filter: "{}", count: 3, createdAt: now };

  it("takes a redelivery of many on page by page, counts what has ended, and finds it its owner's alone", async () => {
    const database = await open();
    await insertRedelivery(database, { ...about, id: "r" });
    expect(await countRunning(database, orgOne)).toBe(1);
    const claimed = await claimRedelivery(database, lease);
    expect(claimed).toMatchObject({ id: "r", state: "running", place: null, count: 3, queued: 0 });
    expect(await claimRedelivery(database, lease)).toBeNull();
    const step = { queued: 2, failed: 1, isLast: false };
    expect(await advanceRedelivery(database, { id: "r" }, { ...step, place: "b" })).toBe(true);
    expect(await advanceRedelivery(database, { id: "r" }, { ...step, place: null, queued: 0, failed: 0 })).toBe(true);
    expect(await claimRedelivery(database, lease)).toMatchObject({ place: "b", queued: 2, failed: 1 });
    await advanceRedelivery(database, { id: "r" }, { place: "c", queued: 1, failed: 0, isLast: true });
    const removed = [1, 2].map((each) => ({ id: String(each), redeliveryId: "r" }));
    await countEnded(database, [...removed, { id: "3", redeliveryId: null }], { delivered: new Set(["1"]), now });
    expect(await findRedelivery(database, orgOne, "r")).toMatchObject({ state: "queued", delivered: 1, failed: 2 });
    expect(await findRedelivery(database, orgTwo, "r")).toBeNull();
    expect(await claimRedelivery(database, { ...lease, now: now + 120_000 })).toBeNull();
  });

  it("cancels one with what waits of it, but for what is under way, and queues no more of it", async () => {
    const database = await open();
    await insertRedelivery(database, { ...about, id: "r" });
    const of = { redeliveryId: "r", manual: true };
    const under = aRow("under way", { ...of, leasedUntil: now + 1000 });
    await insertPending(database, [aRow("waiting", of), under, aRow("another's")]);
    expect(await countWaiting(database, "r")).toBe(2);
    expect(await cancelRedelivery(database, orgTwo, "r", now)).toBe(false);
    expect(await cancelRedelivery(database, orgOne, "r", now)).toBe(true);
    expect(await cancelRedelivery(database, orgOne, "r", now)).toBe(false);
    expect(await countWaiting(database, "r")).toBe(1);
    const step = { place: "c", queued: 1, failed: 0, isLast: true };
    expect(await advanceRedelivery(database, { id: "r" }, step)).toBe(false);
    expect(await findRedelivery(database, orgOne, "r")).toMatchObject({ state: "cancelled", queued: 0 });
  });
}
