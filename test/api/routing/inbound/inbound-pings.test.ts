import { describe, expect, it } from "vitest";
import { toDocument } from "../../../../api/config/registry.ts";
import { pingAnswerSchema } from "../../../../api/routing/inbound/ping-response.ts";
import { orgOne, secondsIn } from "../../../make.ts";
import { aBuyer, aCampaign, anEarlierCall, aTarget } from "../make-route.ts";
import { openPings } from "./pings.ts";

const about = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };
const caller_id = "+12125550123";
const payoutsOf = ({ eligible_routes }: { eligible_routes: readonly { payout: number }[] }) =>
  eligible_routes.map(({ payout }) => payout);

describe("the answer to a ping", () => {
  it("has the specification's fields and no others, the best route first, a number for each", async () => {
    const { ping } = await openPings({ endpoint: { payout_percentage: 80 }, revenues: [10, 30, 20] });
    const answer = await ping();
    expect(pingAnswerSchema.parse(answer)).toEqual(answer);
    const { request_id, eligible_routes, ...rest } = answer;
    expect(rest).toEqual({
      success: true,
      inbound_rtb_id: "public",
      allocation_time_seconds: 30,
      total_routes: 3,
      allocated_count: 3,
      timestamp: secondsIn(0),
    });
    expect(request_id).toMatch(/^[\da-f-]{36}$/);
    const terms = { duration: 30, payout_condition: "call_length_connected", payout_condition_duration: 30 };
    expect(eligible_routes).toEqual(
      [24, 16, 8].map((payout) => ({ number: expect.stringMatching(/^\+1800555010\d$/), payout, ...terms })),
    );
    expect(new Set(eligible_routes.map(({ number }) => number)).size).toBe(3);
  });

  it("is a success without routes where none is eligible", async () => {
    const { ping, records } = await openPings({ target: { is_active: false } });
    expect(await ping()).toMatchObject({ success: true, eligible_routes: [], total_routes: 0, allocated_count: 0 });
    expect(await records()).toMatchObject([{ outcome: "no_routes", reason: "inactive", total_routes: 0 }]);
  });

  it("counts routes that the pool has no number for, and does not show them", async () => {
    const { ping, records } = await openPings({ numbers: 2 });
    expect(await ping()).toMatchObject({ total_routes: 3, allocated_count: 2, eligible_routes: [{}, {}] });
    const [record] = await records();
    expect(record?.ineligible_routes).toMatchObject([{ destination_id: "t2", reason: "no_numbers" }]);
  });

  it("has no routes where there is no pool for the endpoint", async () => {
    for (const pool of [
      { is_active: false },
      { type: "dni" },
      { campaign_id: "other" },
      { publisher_id: "x" },
    ] as const) {
      const { ping, records } = await openPings({ pool });
      expect(await ping()).toMatchObject({ success: true, total_routes: 3, allocated_count: 0 });
      expect(await records()).toMatchObject([{ outcome: "no_routes", reason: "no_numbers" }]);
    }
  });

  it("never has a number that another organization has", async () => {
    const { ping, put } = await openPings({ numbers: 1 });
    const number = { ...about, id: "+18005550100", number: "+18005550100", number_pool_id: "pool" };
    put({ type: "number", doc: toDocument("number", { ...number, is_held: false }) });
    expect(await ping()).toMatchObject({ total_routes: 3, allocated_count: 0 });
  });

  it("is judged by the ZIP's state, by the state, else by the area code", async () => {
    const only = (state: string) => ({
      filters: { enabled: true, groups: [{ conditions: [{ field: "state", operator: "equals", values: [state] }] }] },
    });
    const { ping } = await openPings({ target: only("CA") });
    expect((await ping({ caller_id, zip: "90210" })).allocated_count).toBe(3);
    expect((await ping({ caller_id, state: "California" })).allocated_count).toBe(3);
    expect((await ping({ caller_id: "+13105550123" })).allocated_count).toBe(3);
    expect((await ping({ caller_id })).allocated_count).toBe(0);
    expect((await ping({ caller_id: "+13105550123", zip: "10001" })).allocated_count).toBe(0);
  });

  it("is judged by every other parameter as a tag", async () => {
    const groups = [{ conditions: [{ field: "lead_type", operator: "equals", values: ["solar"] }] }];
    const { ping } = await openPings({ target: { filters: { enabled: true, groups } } });
    expect((await ping({ caller_id, LeadType: "Solar" })).allocated_count).toBe(3);
    expect((await ping({ caller_id, LeadType: "roofs" })).allocated_count).toBe(0);
  });

  it("leaves out who earns too little beside the others, and what nobody can be asked", async () => {
    const figures = (id: string) => ({ attempts: 10, conversions: 5, revenue: id === "t0" ? 10 : 100 });
    const { ping, put, records } = await openPings({
      plan: {
        predictive_routing_plan_id: "prp",
        routes: [
          { id: "r0", action: "route-to-target", target_id: "t0" },
          { id: "r1", action: "route-to-target", target_id: "t1" },
          { id: "r2", action: "route-to-ivr", ivr_id: "menu" },
          { id: "r3", action: "send-a-fax" },
        ],
      },
      stats: { performance: ({ id }) => figures(id) },
    });
    const rules = { name: "Plan", minimum_call_count: 5, underperforming_percentage: 50 };
    put({
      type: "predictive_routing_plan",
      doc: toDocument("predictive_routing_plan", { ...about, id: "prp", ...rules }),
    });
    expect(payoutsOf(await ping())).toEqual([20]);
    const [record] = await records();
    expect(record?.ineligible_routes.map(({ route_id, reason }) => [route_id, reason])).toEqual([
      ["r0", "underperforming"],
      ["r2", "unsupported_action"],
      ["r3", "unsupported_action"],
    ]);
  });

  it("leaves out a route that would pay nothing for a caller who called before", async () => {
    const stats = { earlierCalls: () => [anEarlierCall({ target_id: "t0" })] };
    const pay = { consider_duplicate: true, duplicate_conversion_action: "route_no_pay" } as const;
    const { ping, records } = await openPings({ target: pay, stats });
    expect(payoutsOf(await ping())).toEqual([20, 10]);
    expect((await records())[0]?.ineligible_routes).toMatchObject([{ destination_id: "t0", reason: "zero_payout" }]);
  });

  it("says why routes were left out only where the campaign tells it, and only what it tells", async () => {
    const target = { is_active: false };
    expect(await (await openPings({ target })).ping()).not.toHaveProperty("ineligible_routes");
    const exposed = { expose_ineligible_routes: true };
    const one = await openPings({ target, campaign: exposed, revenues: [30] });
    expect((await one.ping()).ineligible_routes).toEqual([{ reason: "inactive" }]);
    const fields = "Target_Name, buyer_id,reason ,secret,type,bid";
    const two = await openPings({ target, campaign: { ...exposed, ineligible_routes_fields: fields }, revenues: [30] });
    expect((await two.ping()).ineligible_routes).toEqual([
      { reason: "inactive", target_name: "Target 0", buyer_id: "buy-1", bid: null, type: "target" },
    ]);
  });
});

describe("a ping is refused", () => {
  const inTime = { paused_at: secondsIn(0), paused_until: null, paused_by: "somebody" };

  it.each([
    ["at an endpoint that is not in use", { endpoint: { is_active: false } }, "inbound_rtb_inactive"],
    ["for a campaign that is not", { campaign: { is_active: false } }, "campaign_inactive"],
    ["for a publisher that is not", { publisher: { is_active: false } }, "publisher_inactive"],
    ["for a publisher that is paused", { publisherPause: inTime }, "publisher_paused"],
    ["without a plan", { campaign: { routing_plan_id: undefined } as object }, "no_routing_plan"],
    ["with a plan that is not in use", { plan: { is_active: false } }, "routing_plan_inactive"],
    ["with a plan for other publishers", { plan: { allowed_publishers: ["other"] } }, "publisher_not_allowed"],
    ["on a caller who is on a list", { deps: { checkTcpa: async () => "tcpa_blocked" as const } }, "tcpa_blocked"],
    ["where no list answers", { deps: { checkTcpa: async () => "tcpa_unavailable" as const } }, "tcpa_unavailable"],
    ["beyond the campaign's cap", { campaign: { advanced_caps: [{ period: "day", limit: 0 }] } }, "campaign_capped"],
    [
      "beyond the publisher's calls at once",
      { publisher: { max_concurrency: 1 }, stats: { inUse: () => 1 } },
      "publisher_concurrency",
    ],
  ])("%s", async (_what, given, code) => {
    const { ping, records } = await openPings(given);
    const answer = await ping();
    expect(answer).toMatchObject({ success: false, eligible_routes: [], total_routes: 0, allocated_count: 0 });
    expect(answer.error).toEqual({ code, message: expect.stringMatching(/\w+\.$/) });
    expect(await records()).toMatchObject([{ outcome: "refused", reason: code, total_routes: 0 }]);
  });

  it("for a caller that can be no number, and not for none", async () => {
    const { ping, records } = await openPings();
    expect(await ping({ cid: "12" })).toMatchObject({ success: false, error: { code: "caller_id_invalid" } });
    expect(await ping({ cid: "anonymous" })).toMatchObject({ error: { code: "caller_id_invalid" } });
    expect(await ping({ cid: "" })).toMatchObject({ success: true, allocated_count: 3 });
    expect(await ping({})).toMatchObject({ success: true, allocated_count: 3 });
    expect(await ping({ cid: "(212) 555-0199" })).toMatchObject({ success: true, allocated_count: 3 });
    expect((await records()).map(({ caller_id }) => caller_id)).toEqual([
      "12",
      "anonymous",
      null,
      null,
      "+12125550199",
    ]);
  });

  it("for a caller whom the organization has blocked", async () => {
    const { ping, put } = await openPings();
    put({ type: "blocked_caller", doc: toDocument("blocked_caller", { ...about, id: "b", number: caller_id }) });
    expect(await ping()).toMatchObject({ error: { code: "caller_blocked" } });
    expect(await ping({ cid: "+12125550199" })).toMatchObject({ success: true });
  });

  it("for no caller where all calls come on one number", async () => {
    const endpoint = { receive_mode: "static_standard", receive_number_id: "receiver" } as const;
    const { ping } = await openPings({ endpoint });
    expect(await ping({})).toMatchObject({ success: false, error: { code: "caller_id_required" } });
  });

  it("by the first check that fails, the caller's list asked only when all before pass", async () => {
    let asked = 0;
    const checkTcpa = async () => {
      asked += 1;
      return "tcpa_blocked" as const;
    };
    const { ping, put } = await openPings({ deps: { checkTcpa }, plan: { is_active: false } });
    expect(await ping({ cid: "12" })).toMatchObject({ error: { code: "caller_id_invalid" } });
    expect(await ping({})).toMatchObject({ error: { code: "routing_plan_inactive" } });
    expect(asked).toBe(0);
    expect(await ping()).toMatchObject({ error: { code: "tcpa_blocked" } });
    put({ type: "campaign", doc: aCampaign({ is_active: false }) });
    expect(await ping()).toMatchObject({ error: { code: "campaign_inactive" } });
    expect(asked).toBe(1);
  });
});

describe("what nobody can call for any more", () => {
  it("is forgotten when it is time to tidy, though no ping comes", async () => {
    const { ping, take, pings, clock, database } = await openPings();
    const { eligible_routes } = await ping();
    clock.advance(29_999);
    await pings.tidy();
    expect(await take(String(eligible_routes[0]?.number))).toMatchObject({ kind: "matched" });
    clock.advance(60 * 60 * 1000);
    await pings.tidy();
    expect(await database.query("SELECT request_id FROM allocated_requests")).toEqual([]);
  });
});

describe("the record of a ping", () => {
  it("has what was asked, offered, left out and given, and how it came about", async () => {
    const { ping, records } = await openPings({ revenues: [30, 0], deps: { checkTcpa: async () => "clear" } });
    const { request_id, eligible_routes } = await ping({ caller_id, zip: "10001", subid: "a" });
    const [record, ...others] = await records();
    expect(others).toEqual([]);
    const number = eligible_routes[0]?.number;
    expect(record).toMatchObject({
      request_id,
      inbound_rtb_id: "public",
      campaign_id: "cmp-1",
      campaign_name: "Solar East",
      publisher_id: "pub-1",
      publisher_name: "Blue Lake Media",
      caller_id,
      zip_code: "10001",
      state: "NY",
      params: { subid: "a" },
      outcome: "routes",
      reason: null,
      total_routes: 1,
      allocated_count: 1,
      best_payout: 30,
      call_id: null,
      eligible_routes: [{ route_id: "r0", destination_type: "target", destination_id: "t0", payout: 30, revenue: 30 }],
      ineligible_routes: [{ route_id: "r1", destination_id: "t1", reason: "zero_payout" }],
      allocations: [{ number, route_id: "r0", expires_at: secondsIn(30) }],
    });
    expect(record?.life_log.map(({ event }) => event)).toEqual([
      "ping.received",
      "tcpa.checked",
      "plan.selected",
      "route.skipped",
      "routes.offered",
      "numbers.allocated",
      "ping.answered",
    ]);
    const asked = { caller: caller_id, zip: "10001", state: null };
    expect(record?.life_log[0]?.detail).toEqual({ inbound_rtb_id: "public", ...asked });
  });

  it("names ten of the routes that nobody asked for each reason, and counts all of them", async () => {
    const { ping, put, records } = await openPings({ revenues: Array.from({ length: 70 }, (_, index) => 100 - index) });
    for (let index = 1; index < 70; index += 1) {
      const off = index >= 67 ? { is_active: false } : { hours_of_operation: { always_open: false } };
      put({ type: "target", doc: aTarget({ id: `t${index}`, ...off }) });
    }
    expect(await ping()).toMatchObject({ total_routes: 1, allocated_count: 1 });
    const [record] = await records();
    expect(record?.ineligible_routes.slice(0, -1).map(({ route_id, reason }) => `${route_id} ${reason}`)).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `r${index + 1} closed`),
      ...[67, 68, 69].map((index) => `r${index} inactive`),
    ]);
    expect(record?.ineligible_routes.at(-1)).toMatchObject({ reason: "record_cut", detail: "56 more routes" });
    const counted = record?.life_log.filter(({ event }) => event === "routes.refused");
    expect(counted).toMatchObject([{ detail: { inactive: 3, closed: 66 } }]);
  });

  it("names fifty of the routes that nobody asked, whatever their reasons", async () => {
    const { ping, put, records } = await openPings({ revenues: Array.from({ length: 73 }, (_, index) => 100 - index) });
    const mismatch = { conditions: [{ field: "state" as const, operator: "equals" as const, values: ["ZZ"] }] };
    put({ type: "buyer", doc: aBuyer({ id: "off", is_active: false }) });
    const pause = { paused_at: secondsIn(0), paused_until: null, paused_by: "usr-1", reason: "holiday" };
    const off: Partial<ReturnType<typeof aTarget>>[] = [
      { is_active: false },
      { hours_of_operation: { always_open: false } },
      { filters: { enabled: true, groups: [mismatch] } },
      { buyer_id: "off" },
      { buyer_id: "nobody" },
      { pause },
    ];
    for (let index = 1; index <= 72; index += 1) {
      put({ type: "target", doc: { ...aTarget({ id: `t${index}` }), ...off[index % off.length] } });
    }
    await ping();
    const [record] = await records();
    expect(new Set(record?.ineligible_routes.map(({ reason }) => reason)).size).toBe(off.length + 1);
    expect(record?.ineligible_routes.slice(50)).toMatchObject([{ reason: "record_cut", detail: "22 more routes" }]);
  });

  it("is there of a ping that we failed to answer", async () => {
    const { ping, records } = await openPings({
      deps: { quote: () => Promise.reject(new Error("a fault of ours")) },
    });
    await expect(ping()).rejects.toThrow("a fault of ours");
    expect(await records()).toMatchObject([{ outcome: "error", reason: "internal_error" }]);
  });
});
