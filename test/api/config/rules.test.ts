import { describe, expect, it } from "vitest";
import { type Company, foundCompany, phonesOf } from "../company.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";
import { type Kind, leastBody, paths } from "./company-paths.ts";

const { join } = usePlatform();
async function openRig() {
  const member = await join();
  return { member, ids: await foundCompany(member) };
}
const pathOf = (ids: Company, kind: Kind): string => `/api/v1/${paths[kind]}/${ids[kind]}`;

describe("an inbound RTB", () => {
  it("is found by its whole number and by its public id, for every operation", async () => {
    const { member, ids } = await openRig();
    const byNumber = await done(member.get(pathOf(ids, "inbound_rtb")));
    expect(byNumber.id).toBe(Number(ids.inbound_rtb));
    expect(byNumber.inbound_rtb_id).toMatch(/^inbound_rtb_\d+_[\da-z]{6}$/);
    const byName = `/api/v1/inbound-rtb/${byNumber.inbound_rtb_id}`;
    expect(await done(member.get(byName))).toEqual(byNumber);
    expect(await done(member.patch(byName, { rate_limit: 20 }))).toMatchObject({ id: byNumber.id, rate_limit: 20 });
    expect(await done(member.delete(byName))).toEqual({ success: true, id: byNumber.id });
    expect((await member.get(byName)).status).toBe(404);
  });

  it("is nobody else's by either", async () => {
    const [{ member, ids }, stranger] = [await openRig(), await join()];
    const { id, inbound_rtb_id } = await done(member.get(pathOf(ids, "inbound_rtb")));
    for (const given of [id, inbound_rtb_id, `0${id}`, "0", "nobody", "%00", "1e3"]) {
      const { status } = await stranger.get(`/api/v1/inbound-rtb/${given}`);
      expect([404, 422], String(given)).toContain(status);
    }
  });

  it("that receives on one number needs to know which", async () => {
    const { member, ids } = await openRig();
    for (const receive_mode of ["static_standard", "static_multi_bid"]) {
      const refused = await member.patch(pathOf(ids, "inbound_rtb"), { receive_mode });
      expect([refused.status, refused.body.detail[0]]).toMatchObject([
        422,
        { loc: ["body", "receive_number_id"], type: "missing" },
      ]);
    }
  });
});

describe("a custom tag", () => {
  it("cannot have a name of the platform's own", async () => {
    const { member, ids } = await openRig();
    const own = ["caller_id", "call_id", "payout", "payout_numeric", "state", "utm_source", "gclid", "visitor_ip"];
    for (const key of own) {
      for (const { status, body } of [
        await member.post("/api/v1/custom-tags", { key }),
        await member.patch(pathOf(ids, "custom_tag"), { key }),
      ]) {
        expect([status, body.detail.code], key).toEqual([409, "conflict"]);
        expect(body.detail.message).toContain(`[${key.toUpperCase()}]`);
      }
    }
  });
});

describe("a menu", () => {
  it("has a digit once, and says which is the second", async () => {
    const { member, ids } = await openRig();
    const menu = ["1", "#", "1", "#"].map((digit) => ({ digit, destination: { target_id: ids.target } }));
    const refused = [
      await member.post("/api/v1/ivrs", { ...leastBody(ids, "ivr"), menu }),
      await member.patch(pathOf(ids, "ivr"), { menu }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.detail]).toMatchObject([
        422,
        [
          { loc: ["body", "menu", 2, "digit"], type: "duplicate_digit", input: "1" },
          { loc: ["body", "menu", 3, "digit"], type: "duplicate_digit", input: "#" },
        ],
      ]);
    }
  });

  it("has all twelve digits at the most", async () => {
    const { member, ids } = await openRig();
    const menu = [..."0123456789*#"].map((digit) => ({ digit, destination: { ivr_id: ids.ivr } }));
    expect((await done(member.patch(pathOf(ids, "ivr"), { menu }))).menu).toMatchObject(menu);
  });
});

describe("a step of a call flow", () => {
  it("needs what its type does, and keeps nothing of another", async () => {
    const { member, ids } = await openRig();
    const all = { text: "Welcome.", ivr_id: ids.ivr, routing_plan_id: ids.routing_plan };
    const types = { say: "text", ivr: "ivr_id", routing_plan: "routing_plan_id" } as const;
    for (const [type, field] of Object.entries(types)) {
      const { [field]: value, ...others } = all;
      const refused = await member.patch(pathOf(ids, "call_flow"), { steps: [{ type, ...others }] });
      expect(refused.body.detail).toMatchObject([{ loc: ["body", "steps", 0, field], type: "missing" }]);
      const patched = await done(member.patch(pathOf(ids, "call_flow"), { steps: [{ id: "a", type, ...all }] }));
      expect(patched.steps).toEqual([{ id: "a", type, [field]: value }]);
    }
    const patched = await done(
      member.patch(pathOf(ids, "call_flow"), { steps: [{ id: "a", type: "hangup", ...all }] }),
    );
    expect(patched.steps).toEqual([{ id: "a", type: "hangup" }]);
  });
});

describe("a decision", () => {
  it("after the answer to a change is made on what was changed", async () => {
    const { member, ids } = await openRig();
    for (let round = 0; round < 5; round += 1) {
      const action = await decideAfter(member, pathOf(ids, "target"), { is_active: round % 2 === 1 });
      expect(action).toBe(round % 2 === 1 ? "dial" : "reject");
    }
  });

  async function decideAfter(member: Member, path: string, body: object): Promise<string> {
    await done(member.patch(path, body));
    const call = { from: "+12125550123", to: phonesOf(member.id).number };
    return (await done(member.post("/telephony/simulator/calls", call))).action;
  }
});
