import { describe, expect, it, vi } from "vitest";
import { callEventSchema } from "../../../../ingest/event.ts";
import type { CallId } from "../../../../ingest/primitives.ts";
import type { Signal } from "../../../../ingest/signal.ts";
import { aDialing, anAnswered, anIncoming, signalsOfCall } from "../../../make.ts";
import { wholeTopic } from "../../../whole-topic.ts";
import { done, type Member, usePlatform } from "../../use-platform.ts";

const { join, rig } = usePlatform();
const path = "/api/v1/reports/payout-adjustments";
const why = { reason: "agreed with the publisher" };

const idOf = (member: Member, index: number) => `${member.id}-${index}` as CallId;
const callOf = (member: Member, index: number): Signal[] =>
  signalsOfCall(16, { call_id: idOf(member, index), org_id: member.id });

/** Publishes calls as a switch tells them, and waits until they are stored as they stand after the last signal. */
async function take(member: Member, signals: readonly Signal[]): Promise<void> {
  const messages = signals.map((value) => ({
    topic: "call-signals" as const,
    key: value.call_id,
    value: JSON.stringify(value),
  }));
  await rig().platform.log.publish(messages);
  const countOf = (all: readonly Signal[]): number => new Set(all.map(({ call_id }) => call_id)).size;
  const calls = `/api/v1/reports/calls?updated_since=2000-01-01&limit=1`;
  const total = async (filter = "") => (await done(member.get(calls + filter))).meta.total;
  const ended = signals.filter(({ kind }) => kind === "hung_up");
  await vi.waitFor(async () => {
    expect([await total(), await total("&status=completed")]).toEqual([countOf(signals), countOf(ended)]);
  }, 60_000);
}

/** Each version of a call as the log has it, beside the name of its event. */
async function eventsOf(callIds: ReadonlySet<string>) {
  const events = new Map<string, string[]>();
  for await (const { key, value } of wholeTopic(rig().platform.log, "call-events")) {
    const event = callEventSchema.parse(JSON.parse(value));
    if (callIds.has(key)) events.set(key, [...(events.get(key) ?? []), event.event]);
  }
  return events;
}

const adjusted = async (member: Member, id: string) => {
  const { data } = await done(member.get(`/api/v1/reports/calls/${id}/timeline`));
  return data.filter(({ event }: { event: string }) => event === "payout.adjusted");
};
const stored = (member: Member, id: string) => done(member.get(`/api/v1/reports/calls/${id}`));

describe("500 adjustments in one request", () => {
  it("are applied once under 20 repeats at the same moment, and each timeline says who and why", {
    tags: ["slow"],
  }, async () => {
    const member = await join();
    const indices = Array.from({ length: 500 }, (_, index) => index);
    await take(
      member,
      indices.flatMap((index) => callOf(member, index)),
    );
    const body = {
      transaction_id: "t-1",
      adjustments: indices.map((index) => ({ call_id: idOf(member, index), payout_delta: 1.5, revenue: 40, ...why })),
    };
    const answers = await Promise.all(Array.from({ length: 20 }, () => done(member.post(path, body))));
    const [first] = answers;
    expect(first.meta).toEqual({ requested: 500, succeeded: 500, failed: 0 });
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(body.adjustments.map(({ call_id }) => call_id));
    expect(first.data[499]).toMatchObject({
      before: { revenue: 30, payout: 20, profit: 10, payable: true, converted: true },
      after: { revenue: 40, payout: 21.5, profit: 18.5, payable: true, converted: true },
    });
    for (const answer of answers) expect(answer).toEqual(first);
    // Another body of the same transaction is answered what the first one was.
    const other = { ...body, adjustments: [{ call_id: idOf(member, 0), payout: 0, ...why }] };
    expect(await done(member.post(path, other))).toEqual(first);

    const ids = new Set<string>(body.adjustments.map(({ call_id }) => call_id));
    await vi.waitFor(async () => {
      const { totals } = await done(member.get("/api/v1/reports/summary?start_date=2026-11-01&end_date=2026-11-30"));
      expect([totals.payout, totals.revenue, totals.profit]).toEqual([10_750, 20_000, 9250]);
    }, 60_000);
    const events = await eventsOf(ids);
    expect(events.size).toBe(500);
    for (const names of events.values()) expect(names.filter((name) => name === "call.updated")).toHaveLength(1);
    for (const index of [0, 250, 499]) {
      expect(await adjusted(member, idOf(member, index))).toMatchObject([
        {
          source: "call",
          detail: {
            revenue: { before: 30, after: 40 },
            payout: { before: 20, after: 21.5 },
            by: `api_key:${member.keyId}`,
            reason: why.reason,
          },
        },
      ]);
    }
  });
});

describe("an adjustment", () => {
  it("that says a call has not converted makes it worth nothing, also beside changes of zero", async () => {
    const member = await join();
    await take(member, callOf(member, 0));
    const zeros = { converted: false, payout_delta: 0, revenue_delta: 0 };
    const { data } = await done(member.post(path, { adjustments: [{ call_id: idOf(member, 0), ...zeros, ...why }] }));
    const nothing = { revenue: 0, payout: 0, payable: false, receivable: false, converted: false };
    expect(data[0]).toMatchObject({ before: { revenue: 30, payout: 20, payable: true }, after: nothing });
    await vi.waitFor(async () => expect(await stored(member, idOf(member, 0))).toMatchObject(nothing));
  });

  it("leaves the duplicate decisions of later calls as they were", async () => {
    const member = await join();
    const [earlier, later] = [idOf(member, 1), idOf(member, 2)];
    const about = { org_id: member.id, call_id: later };
    const repeat = callOf(member, 2).map((signal) =>
      signal.kind === "incoming"
        ? anIncoming({ ...about, is_duplicate: true, duplicate_of: earlier })
        : signal.kind === "dialing"
          ? aDialing({ ...about, duplicate_of: earlier, payable: false })
          : signal,
    );
    await take(member, [...callOf(member, 1), ...repeat]);
    const before = await stored(member, later);
    expect(before).toMatchObject({ is_duplicate: true, duplicate_of: earlier, payable: false, payout: 0 });
    const body = { adjustments: [{ call_id: earlier, payout: 0, revenue: 0, converted: false, ...why }] };
    expect((await done(member.post(path, body))).data[0].after).toMatchObject({ payable: false, converted: false });
    await vi.waitFor(async () =>
      expect(await stored(member, earlier)).toMatchObject({ converted: false, revenue_overridden: true }),
    );
    expect(await stored(member, later)).toEqual(before);
  });

  it("of a row that cannot be done keeps none of the others back", async () => {
    const [member, other] = [await join(), await join()];
    await take(other, callOf(other, 1));
    const live = { org_id: member.id, call_id: idOf(member, 2) };
    await take(member, [...callOf(member, 1), anIncoming(live), aDialing(live), anAnswered(live)]);
    const { data, meta } = await done(
      member.post(path, {
        adjustments: [
          { call_id: "nobody", payout: 1, ...why },
          { call_id: idOf(other, 1), payout: 1, ...why },
          { call_id: idOf(member, 2), payout_delta: 1, ...why },
          { call_id: idOf(member, 1), payout_delta: -20.01, ...why },
        ],
      }),
    );
    expect(data.map(({ error }: { error: { code: string } }) => error.code)).toEqual([
      "not_found",
      "not_found",
      "not_settled",
      "amount_below_zero",
    ]);
    expect(meta).toEqual({ requested: 4, succeeded: 0, failed: 4 });
    const done1 = await done(
      member.post(path, { adjustments: [{ call_id: idOf(member, 1), payout_delta: -20, ...why }] }),
    );
    expect(done1.data[0].after).toMatchObject({ payout: 0, payable: false, converted: true });
    expect((await stored(other, idOf(other, 1))).revenue_overridden).toBe(false);
  });

  it("is in the audit log, with who, what it was and what it is", async () => {
    const member = await join();
    await take(member, callOf(member, 1));
    await done(member.post(path, { adjustments: [{ call_id: idOf(member, 1), revenue: 31, ...why }] }));
    await vi.waitFor(async () => {
      const { data } = await done(member.get("/api/v1/audit-logs?action=adjust"));
      expect(data).toMatchObject([
        {
          entity_type: "call",
          entity_id: idOf(member, 1),
          actor: { type: "api_key", id: member.keyId },
          changes: [
            { field: "revenue", old: 30, new: 31 },
            { field: "profit", old: 10, new: 11 },
          ],
        },
      ]);
    });
  });
});

describe("a user who adjusts calls", () => {
  it("must be an admin, and stands in the timeline and the audit log; others are not offered it", async () => {
    const member = await join();
    await take(member, callOf(member, 0));
    const { issueToken } = rig().platform;
    const as = async (role: "admin" | "analyst") => {
      const token = (await issueToken?.({ userId: `the ${role}`, orgId: member.id, role }, 600)) ?? "";
      return { headers: { Authorization: `Bearer ${token}` } };
    };
    const body = { adjustments: [{ call_id: idOf(member, 0), payout: 3, ...why }] };
    const adjust = async (role: "admin" | "analyst") =>
      member.send("POST", "/v1/reports/payout-adjustments", { ...(await as(role)), body });
    const details = `/v1/reports/calls/${idOf(member, 0)}/details`;
    const offered = async (role: "admin" | "analyst") =>
      (await done(member.send("GET", details, await as(role)))).may_adjust;
    expect([await offered("analyst"), await offered("admin")]).toEqual([false, true]);
    const refused = await adjust("analyst");
    expect([refused.status, refused.body.detail.code]).toEqual([403, "forbidden"]);
    expect((await done(adjust("admin"))).meta.succeeded).toBe(1);
    await vi.waitFor(async () => {
      expect(await adjusted(member, idOf(member, 0))).toMatchObject([
        { detail: { by: "user:the admin", reason: why.reason, payout: { before: 20, after: 3 } } },
      ]);
    });
    await vi.waitFor(async () => {
      const { data } = await done(member.get(`/api/v1/audit-logs?entity_id=${idOf(member, 0)}`));
      expect(data).toMatchObject([{ action: "adjust", actor: { type: "user", id: "the admin" } }]);
    });
  });
});
