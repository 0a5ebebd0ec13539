import { expect, it, vi } from "vitest";
import { type Company, foundCompany, phonesOf } from "../company.ts";
import { openBuyer } from "../routing/rtb/buyer.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";

const { rig, join } = usePlatform({ settings: { ALLOW_PRIVATE_DESTINATIONS: "true" } });
const from = "+12125550123";

/** An organization whose plan leads to a target, then to a formula, then to a group with that formula. */
async function openCompany() {
  const member = await join();
  const ids = await foundCompany(member);
  const { number } = phonesOf(member.id);
  const dryRun = (more: object = {}) => done(member.post("/api/v1/routing/dry-run", { from, to: number, ...more }));
  const verdicts = async (more: object = {}) =>
    (await dryRun(more)).routes.map(({ turn, verdict, reason, detail }: Verdict) => ({
      turn,
      verdict,
      reason,
      detail,
    }));
  return { member, ids, number, dryRun, verdicts };
}
type Opened = Awaited<ReturnType<typeof openCompany>>;
interface Verdict {
  readonly turn: number | null;
  readonly verdict: string;
  readonly reason: string | null;
  readonly detail: string | null;
}

const place = ({ member, number }: Pick<Opened, "member" | "number">, more: object = {}) =>
  done(member.post("/telephony/simulator/calls", { from, to: number, ...more }));

const change = (member: Member, path: string, body: object) => done(member.patch(`/api/v1/${path}`, body));

/** Gives the company's formula an address of a buyer that answers for real. */
async function withBuyer({ member, ids }: { member: Member; ids: Company }, answer: object) {
  const buyer = await openBuyer(() => ({ status: 200, body: JSON.stringify(answer) }));
  await change(member, `rtbs/${ids.rtb_formula}`, {
    steps: [{ url: buyer.url, method: "POST", api_response: answer }],
    mapped_response: { bid: "$.bid", duration: "$.duration", phone_number: "$.phone" },
  });
  return buyer;
}

it("tells who takes a call, in which order and on which terms, as the call then does", async () => {
  const company = await openCompany();
  const { ids } = company;
  const found = await company.dryRun({ tags: { utm_source: "radio" } });
  expect(found).toMatchObject({
    outcome: "taken",
    reason: null,
    caller_id: from,
    caller_state: "NY",
    campaign: { id: ids.campaign, name: "Sunny campaign" },
    publisher: { id: ids.publisher },
    tags: { utm_source: "radio" },
    repeat_caller: false,
    tcpa_result: null,
    routes: [
      {
        destination_type: "target",
        destination_id: ids.target,
        destination_name: "Sunny target",
        buyer_name: "Sunny buyer",
        plan_id: ids.routing_plan,
        priority: 1,
        verdict: "eligible",
        turn: 1,
        share: 1,
        terms: { buyer: { revenue: 30 }, publisher: { payout: 20 }, payable: true, duplicate_of: null },
      },
      { destination_type: "rtb_formula", verdict: "would_be_asked", turn: 2, terms: null },
      { destination_type: "rtb_formula", rtb_group_id: ids.rtb_group, verdict: "would_be_asked", turn: 3 },
    ],
  });
  const { destination, terms } = await place(company);
  expect(destination.target_id).toBe(found.routes[0].destination_id);
  expect(terms).toMatchObject({
    buyer_terms: found.routes[0].terms.buyer,
    publisher_terms: found.routes[0].terms.publisher,
  });
});

it("places, reserves and counts nothing", async () => {
  const company = await openCompany();
  const { member, ids } = company;
  await change(member, `targets/${ids.target}`, {
    max_concurrency: 1,
    advanced_caps: [{ type: "calls", period: "day", limit: 1 }],
  });
  for (const _time of [1, 2, 3]) expect(await company.verdicts()).toMatchObject([{ verdict: "eligible" }, {}, {}]);
  const counts = await done(member.get(`/api/v1/targets/${ids.target}/counts`));
  expect(counts).toMatchObject({ in_use: 0, caps: [{ used: 0 }] });
  expect(await done(member.get("/api/v1/reports/calls"))).toMatchObject({ meta: { total: 0 } });
  await place(company);
  expect((await company.verdicts())[0]).toEqual({
    turn: null,
    verdict: "refused",
    reason: "cap_reached",
    detail: "target",
  });
  await change(member, `targets/${ids.target}`, { advanced_caps: [] });
  expect((await company.verdicts())[0]).toMatchObject({ reason: "concurrency_reached", detail: "target" });
});

it("gives the reasons of routing, at another instant too", async () => {
  const { member, ids, verdicts, dryRun } = await openCompany();
  const target = `targets/${ids.target}`;
  await done(member.post(`/api/v1/${target}/pause`, { duration_minutes: 60 }));
  expect((await verdicts())[0]).toMatchObject({ verdict: "refused", reason: "paused" });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  expect((await verdicts({ at: tomorrow }))[0]).toMatchObject({ verdict: "eligible" });
  await change(member, target, { hours_of_operation: { always_open: false, days: [] } });
  expect((await verdicts({ at: tomorrow }))[0]).toMatchObject({ reason: "closed" });
  await change(member, target, {
    hours_of_operation: null,
    filters: { enabled: true, groups: [{ conditions: [{ field: "state", operator: "equals", values: ["CA"] }] }] },
  });
  expect((await verdicts({ at: tomorrow }))[0]).toMatchObject({ reason: "filter_mismatch" });
  expect((await verdicts({ at: tomorrow, caller_state: "CA" }))[0]).toMatchObject({ verdict: "eligible" });
  await done(member.post(`/api/v1/buyers/${ids.buyer}/pause`, {}));
  expect(await verdicts()).toMatchObject([
    { reason: "paused" },
    { reason: "buyer_paused" },
    { reason: "buyer_paused" },
  ]);
  expect(await dryRun()).toMatchObject({ outcome: "not_taken", reason: "no_eligible_route" });
});

it("refuses a call where the call would be refused, before any route is judged", async () => {
  const { member, ids, number, dryRun } = await openCompany();
  expect(await dryRun({ to: "+18005559999" })).toMatchObject({
    outcome: "refused",
    reason: "number_not_found",
    campaign: null,
    routes: [],
  });
  expect(await dryRun({ from: "+12125550187" })).toMatchObject({ outcome: "refused", reason: "caller_blocked" });
  await done(member.post(`/api/v1/publishers/${ids.publisher}/pause`, {}));
  expect(await dryRun({ from: "anonymous" })).toMatchObject({ reason: "publisher_paused", caller_id: null, number });
  const wrong = async (body: object) => {
    const { status, body: said } = await member.post("/api/v1/routing/dry-run", { from, to: number, ...body });
    return [status, said.detail[0].loc.join(".")];
  };
  expect(await wrong({ at: "2026-01-01T00:00:00Z" })).toEqual([422, "body.at"]);
  expect(await wrong({ at: "2126-01-01T00:00:00Z", ask_buyers: true })).toEqual([422, "body.at"]);
  expect(await wrong({ from: "nobody at all" })).toEqual([422, "body.from"]);
});

it("shares the first turn by weight among the routes that are open", async () => {
  const { member, ids, dryRun } = await openCompany();
  const { id: other } = await done(
    member.post("/api/v1/targets", { name: "Other", buyer_id: ids.buyer, type: "number", number: "+18885550102" }),
  );
  const to = (target_id: string, weight: number) => ({ action: "route-to-target", target_id, priority: 1, weight });
  const routes = [to(ids.target, 1), to(other, 3), to(ids.target, 0), to("", 5)].filter(({ target_id }) => target_id);
  await change(member, `routing-plans/${ids.routing_plan}`, { routes });
  const shares = async () =>
    (await dryRun()).routes.map(({ destination_name, turn, share }: Record<string, unknown>) => [
      destination_name,
      turn,
      share,
    ]);
  expect(await shares()).toEqual([
    ["Other", 1, 0.75],
    ["Sunny target", 1, 0.25],
    ["Sunny target", 1, 0],
  ]);
  await done(member.post(`/api/v1/targets/${other}/pause`, {}));
  expect(await shares()).toEqual([
    ["Other", null, null],
    ["Sunny target", 1, 1],
    ["Sunny target", 1, 0],
  ]);
});

it("asks no buyer unless it is told to, and then no limit counts it and no record is kept", async () => {
  const company = await openCompany();
  const { member, ids } = company;
  const buyer = await withBuyer(company, { bid: 12, duration: 60, phone: "+18885550177" });
  await change(member, `rtbs/${ids.rtb_formula}`, { outbound_ping_rate_limit: 1, outbound_ping_rate_period: "day" });
  await change(member, `targets/${ids.target}`, { is_active: false });
  expect(await company.dryRun()).toMatchObject({ outcome: "depends_on_bids" });
  expect(buyer.asked).toHaveLength(0);
  for (const _time of [1, 2]) {
    expect(await company.dryRun({ ask_buyers: true })).toMatchObject({
      outcome: "taken",
      routes: [
        { reason: "inactive" },
        { verdict: "bid", bid: 12, turn: 1, terms: { buyer: { revenue: 12, condition_seconds: 60 } } },
        { verdict: "bid", rtb_group_id: ids.rtb_group, bid: 12, score: 12, turn: 2 },
      ],
    });
  }
  expect(buyer.asked).toHaveLength(4);
  expect((await place(company)).destination.number).toBe("+18885550177");
  // Records of dry runs would have come before the call's.
  await vi.waitFor(async () => {
    const { meta } = await done(member.get("/api/v1/outbound-rtb/requests"));
    expect(meta.total).toBe(1);
  });
  expect((await company.verdicts()).slice(1)).toMatchObject([
    { reason: "ping_rate_limited" },
    { reason: "ping_rate_limited" },
  ]);
});

it("leaves a publisher's promise and the data of a caller to the call that comes", async () => {
  const { member, ids, dryRun } = await openCompany();
  const { pooled } = phonesOf(member.id);
  const ping = await fetch(`${rig().url}/inbound_rtb/${ids.public_inbound_rtb}?cid=${encodeURIComponent(from)}`);
  const { request_id } = await ping.json();
  const { auth_key } = await done(member.post(`/api/v1/incoming-webhooks/${ids.incoming_webhook}/rotate-key`));
  const sent = await fetch(`${rig().url}/call-data?svc_auth_key=${auth_key}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ caller_id: from, sunny_tag: "solar" }),
  });
  expect(await sent.json()).toEqual({ success: true, matched: false });
  const expected = {
    outcome: "taken",
    inbound_request_id: request_id,
    tags: { sunny_tag: "solar" },
    routes: [{ destination_id: ids.target, turn: 1 }],
  };
  expect(await dryRun({ to: pooled })).toMatchObject(expected);
  expect(await dryRun({ to: pooled })).toMatchObject(expected);
  expect(await dryRun({ to: pooled, from: "+12125550124" })).toMatchObject({ reason: "caller_mismatch" });
  expect(await place({ member, number: pooled })).toMatchObject({ action: "dial" });
  expect(await dryRun({ to: pooled })).toMatchObject({ reason: "allocation_expired", tags: {} });
});

it("stops at a menu, where the caller chooses", async () => {
  const { member, ids, dryRun } = await openCompany();
  await change(member, `campaigns/${ids.campaign}`, { execution_mode: "call_flow" });
  expect(await dryRun()).toMatchObject({
    outcome: "taken",
    routes: [{ destination_type: "ivr", destination_name: "Sunny menu", verdict: "eligible", turn: 1 }],
  });
  await change(member, `ivrs/${ids.ivr}`, { is_active: false });
  expect(await dryRun()).toMatchObject({ routes: [{ verdict: "refused", reason: "inactive" }] });
});

it("is for analysts, too, but for what it asks outside; and tells nothing of other organizations", async () => {
  const { ids, number, member } = await openCompany();
  const send = async (token: string, body: object) =>
    member.send("POST", "/v1/routing/dry-run", {
      headers: { Authorization: `Bearer ${token}` },
      body: { from, to: number, ...body },
    });
  const tokenOf = async (role: "analyst" | "admin", orgId = member.id) =>
    (await rig().platform.issueToken?.({ userId: "somebody", orgId, role }, 600)) ?? "";
  const analyst = await tokenOf("analyst");
  expect((await send(analyst, {})).body.routes[0]).toMatchObject({ destination_id: ids.target });
  expect(await send(analyst, { ask_buyers: true })).toMatchObject({ status: 403 });
  await change(member, `rtbs/${ids.rtb_formula}`, { is_active: false });
  expect(await send(await tokenOf("admin"), { ask_buyers: true })).toMatchObject({ status: 200 });
  const stranger = await tokenOf("admin", (await join()).id);
  expect((await send(stranger, {})).body).toMatchObject({ reason: "number_not_found", campaign: null, routes: [] });
});
