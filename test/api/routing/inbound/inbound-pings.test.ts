import { describe, expect, it } from "vitest";
import { toDocument } from "../../../../api/config/registry.ts";
import { pingAnswerSchema } from "../../../../api/routing/inbound/answer.ts";
import { orgOne, secondsIn } from "../../../make.ts";
import { aCampaign, anEarlierCall, aTarget } from "../make-route.ts";
import { openPings, receiver } from "./pings.ts";

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
      ...{ success: true, inbound_rtb_id: "public", allocation_time_seconds: 30, total_routes: 3, allocated_count: 3 },
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

  it("never has a number that its carrier has back", async () => {
    const { ping, put } = await openPings({ numbers: 1 });
    const number = { ...about, id: "+18005550100", number: "+18005550100", number_pool_id: "pool" };
    put({ type: "number", doc: toDocument("number", { ...number, status: "released" }) });
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
      facts: { performance: ({ id }) => figures(id) },
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
    const facts = { earlierCalls: () => [anEarlierCall({ target_id: "t0" })] };
    const pay = { consider_duplicate: true, duplicate_conversion_action: "route_no_pay" } as const;
    const { ping, records } = await openPings({ target: pay, facts });
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
      { publisher: { max_concurrency: 1 }, facts: { inUse: () => 1 } },
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

describe("how an endpoint receives", () => {
  it("dynamic: a call finds its number's own route, then the others that earn the promise", async () => {
    const { ping, take } = await openPings({ endpoint: { payout_percentage: 80 } });
    const { request_id, eligible_routes } = await ping();
    const [, second] = eligible_routes;
    const taken = await take(String(second?.number));
    expect(taken).toMatchObject({
      kind: "matched",
      promised: { request_id, campaign_id: "cmp-1", publisher_id: "pub-1" },
    });
    if (taken.kind !== "matched") return;
    expect(taken.promised.quotes.map(({ id, publisher_terms }) => [id, publisher_terms?.payout])).toEqual([
      ["t1", 16],
      ["t0", 16],
    ]);
  });

  it("static_standard: one entry, the best route, on the receive number", async () => {
    const endpoint = { receive_mode: "static_standard", receive_number_id: "receiver" } as const;
    const { ping, take, records } = await openPings({ endpoint });
    const answer = await ping();
    expect(answer).toMatchObject({
      total_routes: 3,
      allocated_count: 1,
      eligible_routes: [{ number: receiver, payout: 30 }],
    });
    const taken = await take(receiver);
    expect(taken.kind === "matched" && taken.promised.quotes.map(({ id }) => id)).toEqual(["t0"]);
    expect((await records())[0]?.ineligible_routes).toEqual([]);
  });

  it("static_multi_bid: all routes on the receive number, each on its own terms", async () => {
    const endpoint = { receive_mode: "static_multi_bid", receive_number_id: "receiver" } as const;
    const { ping, take } = await openPings({ endpoint });
    const answer = await ping();
    expect(answer).toMatchObject({ total_routes: 3, allocated_count: 3 });
    expect(answer.eligible_routes.map(({ number, payout }) => [number, payout])).toEqual([
      [receiver, 30],
      [receiver, 20],
      [receiver, 10],
    ]);
    expect(await take(receiver, "+12125550999")).toEqual({ kind: "caller_mismatch" });
    const taken = await take(receiver);
    if (taken.kind !== "matched") throw new Error(taken.kind);
    expect(taken.promised.quotes.map(({ publisher_terms }) => publisher_terms?.payout)).toEqual([30, 20, 10]);
    expect(await take(receiver)).toMatchObject({ kind: "matched" });
  });

  it("passes on what the ping said, and ends with its time", async () => {
    const { ping, take, clock } = await openPings({ endpoint: { allocation_time_seconds: 5 } });
    const one = await ping({ caller_id, zip: "90210", subid: "a" });
    const [first, second] = one.eligible_routes.map(({ number }) => number);
    expect(await take(String(first))).toMatchObject({
      promised: { zip: "90210", state: "CA", tags: { subid: "a" }, caller: caller_id, inbound_rtb_id: "public" },
    });
    clock.advance(5000);
    expect(await take(String(second))).toEqual({ kind: "allocation_expired" });
  });
});

describe("the rate of an endpoint", () => {
  it("slides, counts repeats too, and says when to try again", async () => {
    const { ping, pingWith, clock, records } = await openPings({ endpoint: { rate_limit: 2, rate_period: "min" } });
    await ping();
    clock.advance(20_000);
    expect(await ping()).toMatchObject({ cached: true });
    const over = { kind: "rate_limited", rate: { limit: 2, retryAfterSeconds: 40 } };
    expect(await pingWith([["cid", "2125550199"]])).toMatchObject(over);
    clock.advance(39_999);
    expect(await pingWith([])).toMatchObject({ kind: "rate_limited", rate: { retryAfterSeconds: 1 } });
    clock.advance(1);
    expect(await pingWith([])).toMatchObject({ kind: "answered" });
    expect((await records()).map(({ outcome }) => outcome)).toEqual([
      ...["routes", "cached", "rate_limited", "rate_limited", "routes"],
    ]);
  });

  it("comes after the state of who is asked", async () => {
    const { ping, setEndpoint } = await openPings({ endpoint: { rate_limit: 1 } });
    await ping();
    setEndpoint({ rate_limit: 1, is_active: false });
    expect(await ping()).toMatchObject({ error: { code: "inbound_rtb_inactive" } });
  });
});

describe("a repeat", () => {
  it("has the answer that stands, its request id and its numbers, until the allocation ends", async () => {
    const { ping, clock, records } = await openPings();
    const first = await ping({ caller_id, sub_id: "a", zip: "10001" });
    clock.advance(29_999);
    expect(await ping({ CID: "212-555-0123", subId: "a", ZipCode: "10001" })).toEqual({ ...first, cached: true });
    clock.advance(1);
    const later = await ping({ caller_id, sub_id: "a", zip: "10001" });
    expect([later.request_id === first.request_id, "cached" in later]).toEqual([false, false]);
    const told = (await records()).map(({ request_id, outcome, allocated_count, allocations }) => {
      return [request_id, outcome, allocated_count, allocations.length];
    });
    expect(told).toEqual([
      [first.request_id, "routes", 3, 3],
      [`${first.request_id}.r1`, "cached", 3, 0],
      [later.request_id, "routes", 3, 3],
    ]);
  });

  it("is not one with another caller, another parameter or at another endpoint", async () => {
    const { ping } = await openPings({ numbers: 10, revenues: [30] });
    const answers = [
      await ping({ caller_id }),
      await ping({ caller_id, subid: "a" }),
      await ping({ cid: "2125550199" }),
    ];
    expect(new Set(answers.map(({ request_id }) => request_id)).size).toBe(3);
  });

  it("is not one without a caller: two unknown ones are not the same", async () => {
    const { ping } = await openPings();
    const [one, two] = [await ping({ zip: "10001" }), await ping({ zip: "10001" })];
    expect(one.eligible_routes[0]?.number).not.toBe(two.eligible_routes[0]?.number);
  });

  it("is not one of an answer without routes: it is judged anew", async () => {
    const { ping, put } = await openPings({ target: { is_active: false }, revenues: [30] });
    expect((await ping()).allocated_count).toBe(0);
    put({ type: "target", doc: aTarget({ id: "t0", revenue: 30 }) });
    expect((await ping()).allocated_count).toBe(1);
  });

  it("is one of a ping that is still being answered", async () => {
    const { ping, records } = await openPings();
    const answers = await Promise.all([ping(), ping(), ping()]);
    expect(new Set(answers.map(({ request_id }) => request_id)).size).toBe(1);
    expect(answers.map(({ cached }) => cached)).toEqual([undefined, true, true]);
    expect((await records()).map(({ request_id }) => request_id.split(".")[1] ?? "").sort()).toEqual(["", "r1", "r2"]);
  });

  it("is not one once the call has come", async () => {
    const { ping, take } = await openPings();
    const first = await ping();
    await take(String(first.eligible_routes[0]?.number));
    expect(await ping()).not.toHaveProperty("cached");
  });

  it("is refused as any ping when the publisher was paused meanwhile", async () => {
    const { ping, setEndpoint } = await openPings();
    await ping();
    setEndpoint({ is_active: false });
    expect(await ping()).toMatchObject({ success: false, error: { code: "inbound_rtb_inactive" } });
  });
});

describe("the time of a ping", () => {
  it("ends at ten seconds with what is there", async () => {
    const { ping, clock, records } = await openPings({
      deps: {
        askRoute: async (route, asking) => {
          if (route.id !== "r1") return new Promise(() => undefined);
          expect(asking.deadlineAt).toBe(asking.call.now + 10_000);
          return { quotes: [aTargetQuote("t1", 20)], unquoted: [], tags: {} };
        },
      },
    });
    const answer = ping();
    while (clock.sleepers() === 0) await Promise.resolve();
    clock.advance(9_999);
    clock.advance(1);
    expect(await answer).toMatchObject({ total_routes: 1, allocated_count: 1, eligible_routes: [{ payout: 20 }] });
    const [record] = await records();
    expect(record).toMatchObject({ processing_ms: 10_000 });
    expect(record?.ineligible_routes.map(({ reason }) => reason)).toEqual(["ping_timeout", "ping_timeout"]);
  });

  it("asks all routes at once, takes of each its best, and says of the others that they lost", async () => {
    let asking = 0;
    let most = 0;
    const { ping, records } = await openPings({
      deps: {
        askRoute: async (route) => {
          most = Math.max(most, ++asking);
          await new Promise((resolve) => setImmediate(resolve));
          asking -= 1;
          return {
            quotes: [aTargetQuote(String(route.target_id), 20), aTargetQuote("loser", 15)],
            unquoted: [],
            tags: {},
          };
        },
      },
    });
    const answer = await ping();
    expect([payoutsOf(answer), answer.total_routes]).toEqual([[20, 20, 20], 3]);
    expect(most).toBe(3);
    const [record] = await records();
    const lost = { destination_type: "target", destination_id: "loser", reason: "lost_auction" };
    expect(record?.ineligible_routes).toMatchObject([lost, lost, lost]);
    expect(record?.life_log.filter(({ detail }) => detail.reason === "lost_auction")).toHaveLength(3);
  });
});

const aTargetQuote = (id: string, revenue: number) => ({
  ...{ route_id: `route-${id}`, plan_id: "plan-1", kind: "target" as const, id, rtb_group_id: null, buyer_id: "buy-1" },
  buyer_terms: { revenue, condition: "call_length_connected" as const, condition_seconds: 30 },
  ...{ won: null, minimum_bid: 0, request_id: null, score: null, usable_until: null, publisher_terms: null },
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
      ...{ request_id, inbound_rtb_id: "public", campaign_id: "cmp-1", campaign_name: "Solar East" },
      ...{ publisher_id: "pub-1", publisher_name: "Blue Lake Media", caller_id, zip_code: "10001", state: "NY" },
      ...{ params: { subid: "a" }, outcome: "routes", reason: null, total_routes: 1, allocated_count: 1 },
      ...{ best_payout: 30, call_id: null },
      eligible_routes: [{ route_id: "r0", destination_type: "target", destination_id: "t0", payout: 30, revenue: 30 }],
      ineligible_routes: [{ route_id: "r1", destination_id: "t1", reason: "zero_payout" }],
      allocations: [{ number, route_id: "r0", expires_at: secondsIn(30) }],
    });
    expect(record?.life_log.map(({ event }) => event)).toEqual([
      ...["ping.received", "tcpa.checked", "plan.selected", "route.skipped", "route.offered", "number.allocated"],
      "ping.answered",
    ]);
    const asked = { caller: caller_id, zip: "10001", state: null };
    expect(record?.life_log[0]?.detail).toEqual({ inbound_rtb_id: "public", ...asked });
  });

  it("is there of a ping that we failed to answer", async () => {
    const { ping, records } = await openPings({
      deps: { askRoute: () => Promise.reject(new Error("a fault of ours")) },
    });
    await expect(ping()).rejects.toThrow("a fault of ours");
    expect(await records()).toMatchObject([{ outcome: "error", reason: "internal_error" }]);
  });
});
