import { expect, it } from "vitest";
import { foundCompany, phonesOf } from "../company.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";

const { rig, join } = usePlatform();

async function openCompany() {
  const member = await join();
  const ids = await foundCompany(member);
  const state = async (kind: string, more = "") =>
    (await done(member.get(`/api/v1/routing/state?kind=${kind}${more}`))).data;
  const plan = () => done(member.get(`/api/v1/campaigns/${ids.campaign}/routing`));
  return { member, ids, state, plan };
}

const asUser = async (member: Member, role: "analyst" | "admin") => {
  const token = (await rig().platform.issueToken?.({ userId: role, orgId: member.id, role }, 600)) ?? "";
  return (method: string, path: string, body?: unknown) =>
    member.send(method, path, { headers: { Authorization: `Bearer ${token}` }, body });
};

it("says of each kind what is open, and of what is closed why, with its limits as they are used", async () => {
  const { member, ids, state } = await openCompany();
  for (const kind of ["campaign", "publisher", "buyer", "target", "rtb_formula"]) {
    expect(await state(kind)).toMatchObject([{ kind, is_open: true, reason: null, in_use: 0, caps: [] }]);
  }
  const caps = [{ type: "calls", period: "day", limit: 1 }];
  await done(member.patch(`/api/v1/targets/${ids.target}`, { advanced_caps: caps, max_concurrency: 5 }));
  const call = { from: "+12125550123", to: phonesOf(member.id).number };
  await done(member.post("/telephony/simulator/calls", call));
  expect(await state("target")).toMatchObject([
    {
      id: ids.target,
      name: "Sunny target",
      buyer_name: "Sunny buyer",
      is_open: false,
      reason: "cap_reached",
      detail: "target",
      in_use: 1,
      max_concurrency: 5,
      caps: [{ type: "calls", limit: 1, used: 1, reached: true }],
    },
  ]);
  await done(member.post(`/api/v1/buyers/${ids.buyer}/pause`, { duration_minutes: 60 }));
  expect(await state("buyer")).toMatchObject([{ is_open: false, reason: "buyer_paused", is_paused: true }]);
  expect(await state("target")).toMatchObject([{ reason: "buyer_paused", is_paused: false }]);
  expect(await state("rtb_formula")).toMatchObject([{ reason: "buyer_paused" }]);
  await done(member.patch(`/api/v1/campaigns/${ids.campaign}`, { is_active: false }));
  expect(await state("campaign")).toMatchObject([{ reason: "campaign_inactive" }]);
  await done(member.post(`/api/v1/publishers/${ids.publisher}/pause`, {}));
  expect(await state("publisher")).toMatchObject([{ reason: "publisher_paused", paused_until: null }]);
});

it("is searched by a part of the name, and paged by name", async () => {
  const { member, state } = await openCompany();
  for (const name of ["Roof 10", "Roof 9", "Window 1"]) await done(member.post("/api/v1/buyers", { name }));
  const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
  expect(namesOf(await state("buyer", "&search=roof"))).toEqual(["Roof 9", "Roof 10"]);
  expect(namesOf(await state("buyer", "&limit=2&offset=1"))).toEqual(["Roof 10", "Sunny buyer"]);
});

it("shows a campaign's numbers and the routes of its plan in the order of their turns", async () => {
  const { member, ids, plan } = await openCompany();
  await done(member.post(`/api/v1/targets/${ids.target}/pause`, {}));
  await done(member.post(`/api/v1/campaigns/${ids.campaign}/numbers/${ids.row}/pause`, { duration_minutes: 5 }));
  expect(await plan()).toMatchObject({
    name: "Sunny campaign",
    may_change: true,
    numbers: [
      { row_id: ids.row, number: phonesOf(member.id).number, publisher_name: "Sunny publisher", is_paused: true },
    ],
    routing_plan: { id: ids.routing_plan, name: "Sunny plan" },
    routes: [
      { destination_type: "target", priority: 1, is_open: false, reason: "paused" },
      { destination_type: "rtb_formula", priority: 2, is_open: true },
      { destination_type: "rtb_group", destination_name: "Sunny group", priority: 3, is_open: true },
    ],
  });
  await done(member.patch(`/api/v1/rtbs/${ids.rtb_formula}`, { is_active: false }));
  expect((await plan()).routes).toMatchObject([{ reason: "paused" }, { reason: "inactive" }, { reason: "inactive" }]);
  await done(member.patch(`/api/v1/routing-plans/${ids.routing_plan}`, { is_active: false }));
  expect((await plan()).routes[1]).toMatchObject({ is_open: false, reason: "routing_plan_inactive" });
});

it("says of a plan's routes how far the limits of what they lead to are used", async () => {
  const { member, ids, plan } = await openCompany();
  const caps = [{ type: "calls", period: "day", limit: 4 }];
  await done(member.patch(`/api/v1/targets/${ids.target}`, { advanced_caps: caps, max_concurrency: 5 }));
  await done(member.post("/telephony/simulator/calls", { from: "+12125550123", to: phonesOf(member.id).number }));
  expect((await plan()).routes.map(({ limits }: { limits: unknown }) => limits)).toMatchObject([
    { in_use: 1, max_concurrency: 5, caps: [{ type: "calls", period: "day", limit: 4, used: 1, reached: false }] },
    { in_use: 0, max_concurrency: null, caps: [] },
    null,
  ]);
});

it("is looked at by analysts; of users, admins alone pause and resume", async () => {
  const { member, ids } = await openCompany();
  const [analyst, admin] = [await asUser(member, "analyst"), await asUser(member, "admin")];
  const pause = { resource_type: "target", ids: [ids.target], duration_minutes: 60 };
  expect(await analyst("GET", "/v1/routing/state?kind=target")).toMatchObject({ body: { may_change: false } });
  expect(await analyst("POST", "/v1/bulk/pause", pause)).toMatchObject({ status: 403 });
  expect(await admin("POST", "/v1/bulk/pause", pause)).toMatchObject({ status: 200, body: { meta: { succeeded: 1 } } });
  expect(await admin("GET", "/v1/routing/state?kind=target")).toMatchObject({
    body: { may_change: true, data: [{ is_open: false, reason: "paused" }] },
  });
  const { resource_type, ids: wanted } = pause;
  expect(await analyst("POST", "/v1/bulk/resume", { resource_type, ids: wanted })).toMatchObject({ status: 403 });
  await admin("POST", "/v1/bulk/resume", { resource_type, ids: wanted });
  expect(await analyst("GET", "/v1/routing/state?kind=target")).toMatchObject({ body: { data: [{ is_open: true }] } });
  const stranger = await asUser(await join(), "admin");
  expect(await stranger("GET", "/v1/routing/state?kind=target")).toMatchObject({ body: { data: [] } });
  expect(await stranger("GET", `/v1/campaigns/${ids.campaign}/routing`)).toMatchObject({ status: 404 });
  expect(await stranger("POST", "/v1/bulk/pause", pause)).toMatchObject({ body: { meta: { succeeded: 0 } } });
});

it("lists plans, groups, numbers and pools with their size and what uses them", async () => {
  const { member, ids } = await openCompany();
  const parts = async (kind: string, more = "") =>
    (await done(member.get(`/api/v1/routing/parts?kind=${kind}${more}`))).data;
  const campaign = { kind: "campaign", id: ids.campaign, name: "Sunny campaign" };
  const used = { used_by: { count: 1, data: [campaign] } };
  expect(await parts("routing_plan")).toMatchObject([{ id: ids.routing_plan, is_active: true, ...used }]);
  expect((await parts("rtb_group"))[0]).toMatchObject({ id: ids.rtb_group, is_active: true, state: null });
  const numbers: { readonly state: string }[] = await parts("number");
  expect(new Set(numbers.map(({ state }) => state))).toContain("assigned");
  const { id } = await done(member.post("/api/v1/numbers", { number: "+18005559876" }));
  expect(await parts("number", "&search=9876")).toMatchObject([
    { id, name: "+18005559876", state: "available", size: null, used_by: { count: 0, data: [] } },
  ]);
  const pool = { id: ids.number_pool, size: 1 };
  expect(await parts("number_pool")).toEqual([expect.objectContaining(pool)]);
  const pooled = (await parts("number")).filter(({ state }: { state: string }) => state === "pooled");
  expect(pooled[0]).toMatchObject({ used_by: { data: [{ kind: "number_pool", id: ids.number_pool }] } });
  await done(member.patch(`/api/v1/routing-plans/${ids.routing_plan}`, { is_active: false }));
  expect(await parts("routing_plan")).toMatchObject([{ is_active: false }]);
});

it("tells which numbers of a pool wait for a call, and how many rest after one", async () => {
  const { member, ids } = await openCompany();
  await done(member.patch(`/api/v1/number-pools/${ids.number_pool}`, { hold_seconds: 60 }));
  const pool = async () => (await done(member.get("/api/v1/routing/parts?kind=number_pool"))).data[0];
  expect(await pool()).toMatchObject({ size: 1, in_use: { count: 0, data: [] }, resting: 0 });
  const ping = await member.get(`/inbound_rtb/${ids.public_inbound_rtb}?caller_id=2125550123`);
  const [{ number }] = ping.body.eligible_routes;
  expect(await pool()).toMatchObject({
    in_use: { count: 1, data: [{ number, until: expect.stringMatching(/^\d{4}-/) }] },
    resting: 0,
  });
  await done(member.post("/telephony/simulator/calls", { from: "+12125550123", to: number }));
  expect(await pool()).toMatchObject({ in_use: { count: 0, data: [] }, resting: 1 });
  expect((await done(member.get("/api/v1/routing/parts?kind=routing_plan"))).data[0]).toMatchObject({
    in_use: null,
    resting: null,
  });
});
