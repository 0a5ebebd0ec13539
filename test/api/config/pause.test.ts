import { describe, expect, it } from "vitest";
import { startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
import { type Company, foundCompany, phonesOf } from "../company.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";

const clock = createManualClock(startOfTime);
const { join } = usePlatform({ clock });

const minute = 60_000;
const hour = 60 * minute;
const inFuture = (ms: number): string => new Date(clock.now() + ms).toISOString();

async function openRig() {
  const member = await join();
  const ids = await foundCompany(member);
  return { member, ids, ...pausables(member, ids) };
}

/** What can be paused: where it is read, where it is paused, and how it shows that. */
function pausables(member: Member, ids: Company) {
  const whole = (path: string, id: string) => ({
    id,
    at: `/api/v1/${path}/${id}`,
    pauseAt: `/api/v1/${path}/${id}/pause`,
    read: async () => pauseOf(await done(member.get(`/api/v1/${path}/${id}`))),
  });
  const campaign = `/api/v1/campaigns/${ids.campaign}`;
  return {
    target: whole("targets", ids.target),
    rtb: whole("rtbs", ids.rtb_formula),
    buyer: whole("buyers", ids.buyer),
    publisher: whole("publishers", ids.publisher),
    campaign_number: {
      id: ids.row,
      at: campaign,
      pauseAt: `${campaign}/numbers/${ids.row}/pause`,
      read: async () => pauseOf((await done(member.get(campaign))).number_group_items[0]),
    },
  };
}
const kinds = ["target", "rtb", "buyer", "publisher", "campaign_number"] as const;
const pauseOf = ({ is_paused, paused_at, paused_until, paused_by }: Record<string, unknown>) => ({
  is_paused,
  paused_at,
  paused_until,
  paused_by,
});
const notPaused = { is_paused: false, paused_at: null, paused_until: null, paused_by: null };

describe("a pause", () => {
  /** What is asked, and when the pause ends from now; null: when it is resumed. */
  const vectors: [body: () => object, endsInMs: number | null][] = [
    [() => ({}), null],
    [() => ({ unlimited: false }), null],
    [() => ({ unlimited: true }), null],
    [() => ({ duration_minutes: 5 }), 5 * minute],
    [() => ({ duration_minutes: 1 }), minute],
    [() => ({ duration_minutes: 43_200 }), 43_200 * minute],
    [() => ({ paused_until: inFuture(1) }), 1],
    [() => ({ duration_minutes: 5, paused_until: inFuture(hour) }), hour],
    [() => ({ unlimited: true, duration_minutes: 5 }), null],
    [() => ({ unlimited: true, duration_minutes: 5, paused_until: inFuture(hour) }), null],
    [() => ({ unlimited: false, duration_minutes: 5 }), 5 * minute],
    [() => ({ unlimited: false, paused_until: inFuture(hour) }), hour],
    [() => ({ paused_until: inFuture(hour).replace("Z", "+00:00") }), hour],
    [() => ({ paused_until: inFuture(hour).replace("Z", "") }), hour],
    [() => ({ duration_minutes: 5, paused_until: null, unlimited: null, reason: null }), 5 * minute],
    [() => ({ unlimited: true, duration_minutes: null, paused_until: null }), null],
    [() => ({ reason: "holiday", is_paused: false, paused_by: "somebody" }), null],
  ];

  it("lasts as its request says: unlimited before a time, a time before minutes", async () => {
    const { member, target } = await openRig();
    for (const [body, endsInMs] of vectors) {
      const what = JSON.stringify(body());
      const paused = pauseOf(await done(member.post(target.pauseAt, body())));
      const paused_until = endsInMs === null ? null : inFuture(endsInMs);
      const expected = { is_paused: true, paused_at: inFuture(0), paused_until, paused_by: `api_key:${member.keyId}` };
      expect(paused, what).toEqual(expected);
      expect(await target.read(), what).toEqual(expected);
      clock.advance(1000);
    }
  });

  it.each<[string, () => object, (string | number)[]]>([
    ["no minutes", () => ({ duration_minutes: 0 }), ["duration_minutes"]],
    ["more than 30 days", () => ({ duration_minutes: 43_201 }), ["duration_minutes"]],
    ["a fraction of minutes", () => ({ duration_minutes: 1.5 }), ["duration_minutes"]],
    ["minutes as text", () => ({ duration_minutes: "5" }), ["duration_minutes"]],
    [
      "wrong minutes that unlimited would outweigh",
      () => ({ unlimited: true, duration_minutes: 0 }),
      ["duration_minutes"],
    ],
    ["this very instant", () => ({ paused_until: inFuture(0) }), ["paused_until"]],
    ["the past", () => ({ paused_until: inFuture(-1) }), ["paused_until"]],
    ["no time at all", () => ({ paused_until: "tomorrow" }), ["paused_until"]],
    ["a wrong time that unlimited would outweigh", () => ({ unlimited: true, paused_until: "x" }), ["paused_until"]],
    ["no yes or no", () => ({ unlimited: "yes" }), ["unlimited"]],
    ["null minutes", () => ({ duration_minutes: null }), ["duration_minutes"]],
    ["no time beside a null", () => ({ paused_until: null, unlimited: false, reason: "x" }), ["paused_until"]],
    ["no document", () => [], []],
  ])("for %s is refused, and nothing is paused", async (_what, body, loc) => {
    const { member, target } = await openRig();
    const { status, body: answer } = await member.post(target.pauseAt, body());
    expect([status, answer.detail[0].loc]).toEqual([422, ["body", ...loc]]);
    expect(await target.read()).toEqual(notPaused);
  });

  it("without a body lasts until it is resumed", async () => {
    const { member, target } = await openRig();
    expect(await done(member.post(target.pauseAt))).toMatchObject({ is_paused: true, paused_until: null });
  });

  it.each(kinds)("of a %s begins, goes on and ends at the exact instant", async (kind) => {
    const rig = await openRig();
    const row = rig[kind];
    await done(rig.member.post(row.pauseAt, { duration_minutes: 1 }));
    clock.advance(minute - 1);
    expect(await row.read()).toMatchObject({ is_paused: true });
    clock.advance(1);
    expect(await row.read()).toEqual(notPaused);
    // Pausing again begins anew, and a longer one takes the place of a shorter one.
    await done(rig.member.post(row.pauseAt, { duration_minutes: 1 }));
    await done(rig.member.post(row.pauseAt, { duration_minutes: 10 }));
    clock.advance(5 * minute);
    expect(await row.read()).toMatchObject({ is_paused: true, paused_at: inFuture(-5 * minute) });
    expect((await rig.member.delete(row.pauseAt)).status).toBe(200);
    expect(await row.read()).toEqual(notPaused);
  });

  it.each(kinds)("of a %s that is not paused is resumed without any change", async (kind) => {
    const { member, ...rig } = await openRig();
    const before = await done(member.get(rig[kind].at));
    clock.advance(1000);
    expect(await done(member.delete(rig[kind].pauseAt))).toEqual(before);
  });

  it.each(kinds)("of a %s is no other write's business, nor is being active the pause's", async (kind) => {
    const { member, ids, ...rig } = await openRig();
    const row = rig[kind];
    await done(member.post(row.pauseAt, { duration_minutes: 5 }));
    const paused = await row.read();
    const whole = await done(member.get(row.at));
    await done(member.patch(row.at, { ...whole, ...notPaused, name: "Renamed", is_active: false }));
    expect(await row.read()).toEqual(paused);
    expect((await done(member.get(row.at))).is_active).toBe(false);
    await done(member.delete(row.pauseAt));
    expect((await done(member.get(row.at))).is_active).toBe(false);
  });

  it("of a row that is not there is 404", async () => {
    const { member, ids } = await openRig();
    const paths = ["targets/nobody", "rtbs/nobody", "buyers/nobody", "publishers/nobody", "campaigns/nobody/numbers/a"];
    for (const path of [...paths, `campaigns/${ids.campaign}/numbers/nobody`]) {
      for (const method of ["POST", "DELETE"]) {
        const { status, body } = await member.send(method, `/api/v1/${path}/pause`);
        expect([status, body.detail.code], path).toEqual([404, "not_found"]);
      }
    }
  });

  it("of a number stays with its row when the rows are written in another order or beside new ones", async () => {
    const { member, ids, campaign_number: row } = await openRig();
    await done(member.post(row.pauseAt, { unlimited: true }));
    const [read] = (await done(member.get(row.at))).number_group_items;
    const other = { id: "other", number_id: ids.spare_number };
    const written = await done(member.patch(row.at, { number_group_items: [other, { ...read, payout: 5 }] }));
    const states = written.number_group_items.map((each: { is_paused: boolean }) => each.is_paused);
    expect(states).toEqual([false, true]);
    const renamed = await done(member.patch(row.at, { number_group_items: [{ ...read, id: "renamed" }] }));
    expect(renamed.number_group_items).toMatchObject([{ id: "renamed", ...notPaused }]);
  });
});

describe("a bulk pause", () => {
  const idsOf = (answer: { data: { id: string }[] }) => answer.data.map(({ id }) => id);

  it("tells of each in the order asked, once, whether or not it could be paused", async () => {
    const { member, ids, target } = await openRig();
    const second = await done(member.post("/api/v1/targets", { name: "b", buyer_id: ids.buyer, type: "sip" }));
    const foreign = await openRig();
    const asked = [second.id, "nobody", ids.target, second.id, foreign.ids.target, ids.target];
    const body = { resource_type: "target", ids: asked, duration_minutes: 60, reason: "holiday" };
    const answer = await done(member.post("/api/v1/bulk/pause", body));
    const paused = { success: true, is_paused: true, paused_until: inFuture(hour), error: null };
    const failed = { success: false, is_paused: null, paused_until: null };
    const notFound = { ...failed, error: { code: "not_found", message: expect.stringContaining("not found") } };
    expect(answer).toEqual({
      data: [
        { id: second.id, ...paused },
        { id: "nobody", ...notFound },
        { id: ids.target, ...paused },
        { id: foreign.ids.target, ...notFound },
      ],
      meta: { requested: 4, succeeded: 2, failed: 2 },
    });
    expect(await target.read()).toMatchObject({ is_paused: true });
    expect(await foreign.target.read()).toEqual(notPaused);
  });

  it.each(kinds)("and a bulk resume reach a %s, and may be repeated", async (kind) => {
    const rig = await openRig();
    const { id, read } = rig[kind];
    for (let count = 0; count < 2; count += 1) {
      const answer = await done(rig.member.post("/api/v1/bulk/pause", { resource_type: kind, ids: [id] }));
      expect(answer.data).toEqual([{ id, success: true, is_paused: true, paused_until: null, error: null }]);
      expect(await read()).toMatchObject({ is_paused: true });
    }
    for (let count = 0; count < 2; count += 1) {
      const answer = await done(rig.member.post("/api/v1/bulk/resume", { resource_type: kind, ids: [id] }));
      expect(answer.data).toEqual([{ id, success: true, is_paused: false, paused_until: null, error: null }]);
      expect(await read()).toEqual(notPaused);
    }
  });

  it("does not choose between campaigns that have a row of one id", async () => {
    const { member, ids, campaign_number: row } = await openRig();
    const rows = [
      { id: ids.row, number_id: ids.spare_number },
      { id: "own", number_id: ids.spare_number },
    ];
    const { id } = await done(member.post("/api/v1/campaigns", { name: "Second" }));
    await done(member.patch(`/api/v1/campaigns/${id}`, { number_group_items: rows }));
    const body = { resource_type: "campaign_number", ids: [ids.row, "own", "nobody"] };
    const answer = await done(member.post("/api/v1/bulk/pause", body));
    expect(answer.data.map((each: { error: { code: string } | null }) => each.error?.code ?? "paused")).toEqual([
      "conflict",
      "paused",
      "not_found",
    ]);
    expect(await row.read()).toEqual(notPaused);
  });

  it("takes 1 to 500 ids", async () => {
    const { member } = await openRig();
    const many = Array.from({ length: 500 }, (_, index) => `nobody-${index}`);
    const answer = await done(member.post("/api/v1/bulk/resume", { resource_type: "target", ids: many }));
    expect([idsOf(answer), answer.meta]).toEqual([many, { requested: 500, succeeded: 0, failed: 500 }]);
  });

  it("that is wrong anywhere changes nothing at all", async () => {
    const { member, ids, target } = await openRig();
    const good = { resource_type: "target", ids: [ids.target] };
    const wrong: [object, (string | number)[]][] = [
      [{ ...good, resource_type: "campaign" }, ["resource_type"]],
      [{ ids: [ids.target] }, ["resource_type"]],
      [{ ...good, ids: [] }, ["ids"]],
      [{ ...good, ids: Array.from({ length: 501 }, () => ids.target) }, ["ids"]],
      [{ ...good, ids: [ids.target, 5] }, ["ids", 1]],
      [{ ...good, ids: [ids.target, ""] }, ["ids", 1]],
      [{ ...good, duration_minutes: 0 }, ["duration_minutes"]],
      [{ ...good, paused_until: inFuture(0) }, ["paused_until"]],
      [{ ...good, duration_minutes: null, paused_until: null }, ["duration_minutes"]],
      [{ ...good, reason: "" }, ["reason"]],
    ];
    for (const [body, loc] of wrong) {
      const { status, body: answer } = await member.post("/api/v1/bulk/pause", body);
      expect([status, answer.detail[0].loc]).toEqual([422, ["body", ...loc]]);
    }
    expect(await target.read()).toEqual(notPaused);
  });
});

describe("a call", () => {
  const place = (member: Member) =>
    done(member.post("/telephony/simulator/calls", { from: "+12125550123", to: phonesOf(member.id).number }));

  it.each([
    ["target", "no_eligible_route"],
    ["buyer", "no_eligible_route"],
    ["publisher", "publisher_paused"],
    ["campaign_number", "number_paused"],
  ] as const)(
    "is not put through while its %s is paused, and is from the instant of the end on",
    async (kind, reason) => {
      const rig = await openRig();
      const { member } = rig;
      await done(member.post(rig[kind].pauseAt, { duration_minutes: 1 }));
      expect(await place(member)).toMatchObject({ action: "reject", reason });
      clock.advance(minute - 1);
      expect(await place(member)).toMatchObject({ action: "reject", reason });
      clock.advance(1);
      expect(await place(member)).toMatchObject({ action: "dial" });
      await done(member.post(rig[kind].pauseAt));
      expect(await place(member)).toMatchObject({ action: "reject", reason });
      await done(member.delete(rig[kind].pauseAt));
      expect(await place(member)).toMatchObject({ action: "dial" });
    },
  );

  it("that is on goes on when its target is paused", async () => {
    const { member, target } = await openRig();
    const { call_id } = await place(member);
    await done(member.post(target.pauseAt));
    const events = `/telephony/simulator/calls/${call_id}/events`;
    expect(await done(member.post(events, { type: "answer" }))).toMatchObject({ action: "none" });
    expect(await done(member.post(events, { type: "hangup" }))).toMatchObject({ action: "none" });
  });
});
