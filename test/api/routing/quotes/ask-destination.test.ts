import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOrgConfig } from "../../../../api/config/org-config.ts";
import { type ResourceInput, type ResourceType, toDocument } from "../../../../api/config/registry.ts";
import type { CallStats } from "../../../../api/routing/call-stats.ts";
import { createDecisionTrace } from "../../../../api/routing/decision-trace.ts";
import { createAsk, routesOf } from "../../../../api/routing/quotes/ask-destination.ts";
import type { Route } from "../../../../api/routing/quotes/compiled-plan.ts";
import type { QuoteContext } from "../../../../api/routing/quotes/quote-context.ts";
import { destinationOfRoute } from "../../../../api/routing/route.ts";
import { createPingControls } from "../../../../api/routing/rtb/controls.ts";
import { createPing } from "../../../../api/routing/rtb/ping.ts";
import type { PingSender } from "../../../../api/routing/rtb/pinger.ts";
import { orgOne, secondsIn, startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { aCampaign, aDecision, aPlan, someStats } from "../make-route.ts";
import { aStep } from "../rtb/formula.ts";

const about = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };
type Documents = { readonly [T in ResourceType]?: readonly Partial<ResourceInput<T>>[] };

/** Asks with a config of one buyer and what is given; every buyer bids what its address says. */
function openAsk(documents: Documents, stats: Partial<CallStats> = {}) {
  const clock = createManualClock(startOfTime);
  const editor = createOrgConfig({ id: orgOne, name: "First", timezone: "UTC" });
  for (const [type, docs] of Object.entries({ buyer: [{ id: "buy-1", name: "Sunny" }], ...documents })) {
    for (const doc of docs) {
      const whole = toDocument(type as ResourceType, { ...about, ...doc } as never);
      editor.put({ type, doc: { ...(whole as object), ...("pause" in doc ? { pause: doc.pause } : {}) } } as never);
    }
  }
  const asked: string[] = [];
  const sender: PingSender = {
    async send({ url }) {
      asked.push(url);
      const body = JSON.stringify({ bid: Number(new URL(url).searchParams.get("bid")), phone: "+18885550111" });
      return {
        kind: "answered",
        status: 200,
        headers: { "content-type": "application/json" },
        body,
        cut: false,
      } as never;
    },
  };
  const ping = createPing({ controls: createPingControls({ clock }), sender, clock });
  const { ask } = createAsk({ ping, clock });
  const askRoute = (route: Route, context: QuoteContext) =>
    ask({ routeId: route.id ?? null, to: destinationOfRoute(route) }, context);
  const trace = createDecisionTrace(clock);
  const asking: QuoteContext = {
    ...aDecision(someStats(stats)),
    config: editor.config,
    campaign: aCampaign(),
    plan: aPlan(),
    trace,
    inboundRequestId: null,
  };
  return { askRoute, asking, asked, trace };
}

const bidder = (id: string, bid: number, more: Partial<ResourceInput<"rtb_formula">> = {}) => ({
  id,
  rtb_name: id,
  buyer_id: "buy-1",
  steps: [aStep({ url: `https://bids.example/?bid=${bid}`, method: "GET" })],
  mapped_response: { bid: "$.bid", phone_number: "$.phone" },
  ...more,
});
const toFormula = (id: string): Route => ({
  id: "r1",
  action: "route-to-rtb",
  rtb_formula_id: id,
  priority: 0,
  weight: 0,
});
const toGroup: Route = { id: "r1", action: "route-to-rtb-group", rtb_group_id: "grp-1", priority: 0, weight: 0 };
const closed = { always_open: false, days: [] };
const onlyTexas = { enabled: true, groups: [{ conditions: [{ field: "state", operator: "equals", values: ["TX"] }] }] };

/** What makes a formula ineligible before anybody is asked, and its reason. */
const flaws: readonly (readonly [string, Partial<ResourceInput<"rtb_formula">>])[] = [
  ["inactive", { is_active: false }],
  ["paused", { pause: { paused_at: secondsIn(0), paused_until: null, paused_by: "api_key:k" } } as never],
  ["closed", { hours_of_operation: closed }],
  ["filter_mismatch", { filters: onlyTexas }],
  ["cap_reached", { advanced_caps: [{ type: "calls", period: "day", limit: 0 }] }],
  ["concurrency_reached", { max_concurrency: 1 }],
];

describe("a formula that fails a check of its own", () => {
  it("is asked nothing, and gives the first of its reasons, each time the same", async () => {
    const given = fc.subarray(flaws as (typeof flaws)[number][], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(given, async (chosen) => {
        const flawed = Object.assign({}, ...chosen.map(([, change]) => change));
        const { askRoute, asking, asked } = openAsk({ rtb_formula: [bidder("rtb-1", 10, flawed)] }, { inUse: () => 1 });
        const answers = [await askRoute(toFormula("rtb-1"), asking), await askRoute(toFormula("rtb-1"), asking)];
        expect(asked).toEqual([]);
        for (const { quotes, unquoted } of answers) {
          expect(quotes).toEqual([]);
          expect(unquoted).toMatchObject([{ id: "rtb-1", reason: chosen[0]?.[0] }]);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("a group", () => {
  const group = (more: object = {}) => ({ id: "grp-1", name: "Bidders", rtb_formulas: links("a", "b", "c"), ...more });
  const links = (...ids: string[]) => ids.map((id) => ({ id: `l-${id}`, rtb_formula_id: id }));
  const formulas = [bidder("a", 10), bidder("b", 8), bidder("c", 6)];
  const brought = (figures: Readonly<Record<string, [attempts: number, conversions: number, revenue: number]>>) => ({
    performance: ({ id }: { id: string }) => {
      const [attempts, conversions, revenue] = figures[id] ?? [0, 0, 0];
      return { attempts, conversions, revenue };
    },
  });
  const idsOf = async ({ askRoute, asking }: ReturnType<typeof openAsk>) =>
    (await askRoute(toGroup, asking)).quotes.map(({ id, score }) => [id, score]);

  it("ranks by what bids are worth where it predicts: who converts little is expected to pay little", async () => {
    const stats = brought({ a: [10, 1, 10], b: [10, 9, 72] });
    const predicting = openAsk(
      { rtb_formula: formulas, rtb_group: [group({ predictive_routing_enabled: true })] },
      stats,
    );
    expect(await idsOf(predicting)).toEqual([
      ["b", 7.2],
      ["c", 6],
      ["a", 1],
    ]);
    const plain = openAsk({ rtb_formula: formulas, rtb_group: [group()] }, stats);
    expect(await idsOf(plain)).toEqual([
      ["a", 10],
      ["b", 8],
      ["c", 6],
    ]);
  });

  it("asks nobody who earns too little beside the best, by its own rules or its predictive plan's", async () => {
    const stats = brought({ a: [10, 1, 10], b: [10, 9, 72] });
    const own = { predictive_routing_enabled: true, underperforming_percentage: 50 };
    const plan = { id: "pred-1", name: "Recent", underperforming_percentage: 50 };
    for (const given of [
      { rtb_group: [group(own)] },
      { rtb_group: [group({ predictive_routing_plan_id: "pred-1" })], predictive_routing_plan: [plan] },
    ]) {
      const asking = openAsk({ rtb_formula: formulas, ...given }, stats);
      expect(await idsOf(asking)).toEqual([
        ["b", 7.2],
        ["c", 6],
      ]);
      expect(asking.asked).toHaveLength(2);
      expect(asking.trace.lines).toContainEqual(
        expect.objectContaining({
          event: "route.skipped",
          detail: expect.objectContaining({ id: "a", reason: "underperforming" }),
        }),
      );
    }
  });

  it("sells for the bid, whatever modifies its score", async () => {
    const modifier = fc.record({
      routing_modifier_type: fc.constantFrom("percentage" as const, "amount" as const),
      routing_modifier_value: fc.integer({ min: -200, max: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(modifier, { minLength: 3, maxLength: 3 }), async (modifiers) => {
        const modified = links("a", "b", "c").map((link, index) => ({ ...link, ...modifiers[index] }));
        const given = group({ predictive_routing_enabled: true, rtb_formulas: modified });
        const { askRoute, asking, trace } = openAsk({ rtb_formula: formulas, rtb_group: [given] });
        const { quotes } = await askRoute(toGroup, asking);
        const bids: Record<string, number> = { a: 10, b: 8, c: 6 };
        for (const { id, buyer_terms, won } of quotes) {
          expect([buyer_terms.revenue, won?.bid]).toEqual([bids[id], bids[id]]);
        }
        for (const { rtb_id, bid, won } of trace.requests) {
          expect(bid).toBe(bids[rtb_id]);
          expect(won).toBe(rtb_id === quotes[0]?.id);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("a plan that predicts", () => {
  it("leaves out the routes that earn too little, each beside those of the same rules", () => {
    const target = (id: string) => ({
      id,
      name: id,
      buyer_id: "buy-1",
      type: "number" as const,
      number: "+18885550101",
    });
    const earns: Record<string, number> = { good: 100, poor: 10, other: 1 };
    const { asking, trace } = openAsk(
      {
        target: ["good", "poor", "other"].map(target),
        predictive_routing_plan: [
          { id: "p1", name: "Half", underperforming_percentage: 50 },
          { id: "p2", name: "Half, too", underperforming_percentage: 50 },
        ],
      },
      { performance: ({ id }) => ({ attempts: 10, conversions: 5, revenue: earns[id] ?? 0 }) },
    );
    const route = (id: string, plan?: string): Route => ({
      id,
      action: "route-to-target",
      target_id: id,
      priority: 0,
      weight: 0,
      ...(plan === undefined ? {} : { predictive_routing_plan_id: plan }),
    });
    const routes = [route("good"), route("poor"), route("other", "p2")];
    const planned = routesOf({ ...asking, plan: aPlan({ routes, predictive_routing_plan_id: "p1" }) });
    expect(planned.map(({ routeId }) => routeId)).toEqual(["good", "other"]);
    expect(trace.lines.map(({ detail }) => detail)).toMatchObject([{ route_id: "poor", reason: "underperforming" }]);
  });
});
