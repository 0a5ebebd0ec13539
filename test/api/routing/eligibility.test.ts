import { describe, expect, it } from "vitest";
import type { ResourceInput } from "../../../api/config/registry.ts";
import { type CallStats, type EarlierCall, type Holder, noCallStats } from "../../../api/routing/call-stats.ts";
import { type RouteReason, routeReasons } from "../../../api/routing/eligibility.ts";
import type { ResolvedDestination } from "../../../api/routing/route.ts";
import { secondsIn, startOfTime } from "../../make.ts";
import {
  type AskedRoute,
  aBuyer,
  aCampaign,
  aFormula,
  anEarlierCall,
  aRoute,
  aTarget,
  duplicateVerdictOf,
  judgeTogether,
  refusalOf,
  someStats,
} from "./make-route.ts";

/** What both kinds of destination have in common, as far as eligibility asks. */
type Changes = Pick<
  Partial<ResourceInput<"target">>,
  "is_active" | "hours_of_operation" | "filters" | "advanced_caps" | "max_concurrency" | "consider_duplicate"
>;
interface Failing {
  readonly reason: RouteReason;
  readonly own?: Changes;
  readonly paused?: true;
  readonly buyer?: Partial<ResourceInput<"buyer">>;
  readonly buyerPaused?: true;
  readonly route?: Partial<AskedRoute>;
  readonly stats?: Partial<CallStats>;
}

const pause = { paused_at: secondsIn(-60), paused_until: null, paused_by: "api_key:1" };
const kinds = ["target", "rtb_formula"] as const;
const full = (kind: Holder["kind"]) => ({ inUse: (holder: Holder) => (holder.kind === kind ? 4 : 0) });
const capped = (kind: Holder["kind"]) => ({ capUse: (holder: Holder) => (holder.kind === kind ? 9 : 0) });
const dailyNine = { advanced_caps: [{ type: "calls", period: "day", limit: 9 }] };
const earlierCalls = () => [anEarlierCall({ rtb_id: "rtb-1" })];
const elsewhere = { enabled: true, groups: [{ conditions: [{ field: "state", operator: "equals", values: ["TX"] }] }] };

/** A way to fail each check, in the order of the checks. */
const failings: readonly Failing[] = [
  { reason: "inactive", own: { is_active: false } },
  { reason: "paused", paused: true },
  { reason: "buyer_inactive", buyer: { is_active: false } },
  { reason: "buyer_paused", buyerPaused: true },
  { reason: "buyer_not_allowed", route: { allowedBuyers: ["another"] } },
  { reason: "closed", own: { hours_of_operation: { always_open: false } } },
  { reason: "filter_mismatch", own: { filters: elsewhere } },
  { reason: "cap_reached", own: dailyNine, stats: { capUse: () => 9 } },
  { reason: "concurrency_reached", own: { max_concurrency: 4 }, stats: { inUse: () => 4 } },
  { reason: "duplicate", own: { consider_duplicate: true }, stats: { earlierCalls } },
];

const destinationOf = (kind: (typeof kinds)[number], own: Changes, paused: boolean): ResolvedDestination => {
  const more = paused ? { pause } : {};
  return kind === "target"
    ? { kind, doc: { ...aTarget({ timezone: "UTC", ...own }), ...more } }
    : { kind, doc: { ...aFormula(own), ...more } };
};

/** A route that fails all the given checks at once. */
function failing(kind: (typeof kinds)[number], all: readonly Failing[]): [AskedRoute, CallStats] {
  const merged = (name: "own" | "buyer" | "route" | "stats") => Object.assign({}, ...all.map((each) => each[name]));
  const buyer = { ...aBuyer(merged("buyer")), ...(all.some((each) => each.buyerPaused) ? { pause } : {}) };
  const destination = destinationOf(
    kind,
    merged("own"),
    all.some((each) => each.paused),
  );
  return [aRoute({ destination, buyer, ...merged("route") }), someStats(merged("stats"))];
}

describe.each(kinds)("a route to a %s", (kind) => {
  it("may be tried when nothing speaks against it", () => {
    expect(refusalOf(...failing(kind, []))).toBeNull();
  });

  it.each(failings)("is refused as $reason", (each) => {
    expect(refusalOf(...failing(kind, [each]))?.reason).toBe(each.reason);
  });

  it("is refused for the first check that fails, whatever else does", () => {
    for (const [index, { reason }] of failings.entries()) {
      expect(refusalOf(...failing(kind, failings.slice(index)))?.reason).toBe(reason);
    }
    const [route, stats] = failing(kind, failings);
    const nowhere = { reason: "destination_missing", detail: null };
    expect(refusalOf({ ...route, destination: undefined }, stats)).toEqual(nowhere);
    expect(refusalOf({ ...route, buyer: undefined }, stats)).toEqual(nowhere);
  });

  it("is refused by the caps and limits of its own before its buyer's, and by the buyer's, too", () => {
    const [route] = failing(kind, [{ reason: "cap_reached", own: { ...dailyNine, max_concurrency: 4 } }]);
    const both = { ...route, buyer: aBuyer({ ...dailyNine, max_concurrency: 4 }) };
    const detail = (stats: Partial<CallStats>) => refusalOf(both, someStats(stats))?.detail;
    expect([detail({ capUse: () => 9 }), detail(capped("buyer"))]).toEqual([kind, "buyer"]);
    expect([detail({ inUse: () => 4 }), detail(full("buyer"))]).toEqual([kind, "buyer"]);
    expect(detail({ ...capped("buyer"), ...full(kind) })).toBe("buyer");
  });

  it("is refused as a duplicate with the call that it repeats", () => {
    const [route, stats] = failing(kind, failings.slice(-1));
    expect(refusalOf(route, stats)).toEqual({ reason: "duplicate", detail: "earlier" });
  });

  it("takes a duplicate that is to be routed, without the money that its action takes", () => {
    const [route, stats] = failing(kind, failings.slice(-1));
    const action = { duplicate_conversion_action: "route_no_pay" } as const;
    const routed = { ...route, destination: { ...route.destination, doc: { ...route.destination?.doc, ...action } } };
    expect(refusalOf(routed as AskedRoute, stats)).toBeNull();
    expect(duplicateVerdictOf(routed as AskedRoute, stats)).toEqual({
      declined: false,
      payable: false,
      receivable: true,
      duplicate_of: "earlier",
    });
  });

  it("is tried again from the very end of a pause", () => {
    const [route] = failing(kind, []);
    const until = { ...pause, paused_until: secondsIn(0) };
    const routed = {
      ...route,
      destination: { ...route.destination, doc: { ...route.destination?.doc, pause: until } },
    };
    const at = (now: number) => refusalOf({ ...routed, call: { ...route.call, now } } as AskedRoute, noCallStats);
    expect([at(startOfTime - 1)?.reason, at(startOfTime)]).toEqual(["paused", null]);
  });
});

describe("a destination", () => {
  it("that is a target without a line is missing", () => {
    const target = aTarget();
    const { number: _line, ...without } = target;
    const route = aRoute({ destination: { kind: "target", doc: without as typeof target } });
    expect(refusalOf(route, noCallStats)?.reason).toBe("destination_missing");
  });

  it("has hours and days in its own zone, a formula else in its campaign's, else in New York's", () => {
    // Three in the afternoon in London, ten in the morning in New York.
    const hours_of_operation = { days: [{ day: "mon", timeRanges: [{ start: "15:00", end: "16:00" }] }] };
    const open = (destination: ResolvedDestination, timezone?: string) =>
      refusalOf(aRoute({ destination, campaign: aCampaign(timezone ? { timezone } : {}) }), noCallStats) === null;
    const formula = (given: object) =>
      ({ kind: "rtb_formula", doc: aFormula({ hours_of_operation, ...given }) }) as const;
    expect(open({ kind: "target", doc: aTarget({ hours_of_operation, timezone: "Europe/London" }) })).toBe(true);
    expect(open({ kind: "target", doc: aTarget({ hours_of_operation }) }, "Europe/London")).toBe(false);
    expect([
      open(formula({ timezone: "Europe/London" })),
      open(formula({}), "Europe/London"),
      open(formula({})),
    ]).toEqual([true, true, false]);
  });

  it("is asked its caps since the day began in its own zone, its buyer's in the organization's", () => {
    const asked: [string, string][] = [];
    const capUse: CallStats["capUse"] = ({ kind }, _measure, sinceMs) => {
      asked.push([kind, new Date(sinceMs).toISOString()]);
      return 0;
    };
    const destination = { kind: "target", doc: aTarget(dailyNine) } as const;
    refusalOf(aRoute({ destination, buyer: aBuyer(dailyNine) }), someStats({ capUse }));
    expect(asked).toEqual([
      ["target", "2026-11-02T05:00:00.000Z"],
      ["buyer", "2026-11-02T00:00:00.000Z"],
    ]);
  });

  it.each([
    [2, "destination", { target_id: "tgt-2" }],
    [4, "publisher", { publisher_id: "pub-2" }],
    [8, "campaign", { campaign_id: "cmp-2" }],
    [16, "buyer", { buyer_id: "buy-2" }],
  ] as const)("with a conversion_scope of %i asks of an earlier call that it had the same %s", (scope, _, other) => {
    const doc = aTarget({ consider_duplicate: true, conversion_scope: scope });
    const refusalAfter = (...earlier: EarlierCall[]) =>
      refusalOf(aRoute({ destination: { kind: "target", doc } }), someStats({ earlierCalls: () => earlier }))?.reason;
    const elsewhere = { target_id: "tgt-9", publisher_id: "pub-9", campaign_id: "cmp-9", buyer_id: "buy-9" };
    const [field] = Object.keys(other) as [keyof typeof elsewhere];
    const shared = { ...elsewhere, [field]: anEarlierCall()[field] };
    expect([refusalAfter(anEarlierCall(shared)), refusalAfter(anEarlierCall(other))]).toEqual(["duplicate", undefined]);
  });

  it("never takes an anonymous caller for a duplicate", () => {
    const destination = { kind: "target", doc: aTarget({ consider_duplicate: true }) } as const;
    const route = aRoute({ destination });
    const anonymous = { ...route, call: { ...route.call, caller: null } };
    const stats = someStats({ earlierCalls });
    expect([refusalOf(route, stats)?.reason, refusalOf(anonymous, stats)]).toEqual(["duplicate", null]);
  });
});

describe("eligible routes", () => {
  const rules = { underperforming_percentage: 50 };
  const revenues: Readonly<Record<string, number>> = { best: 100, fair: 50, poor: 49, closed: 1000 };
  const stats = someStats({ performance: ({ id }) => ({ attempts: 10, conversions: 5, revenue: revenues[id] ?? 0 }) });
  const to = (id: string, predictive: AskedRoute["predictive"] = rules, given = {}) =>
    aRoute({ destination: { kind: "target", doc: aTarget({ id, ...given }) }, predictive });
  const idsOf = (routes: readonly AskedRoute[]) => routes.map(({ destination }) => destination?.doc.id);

  it("keep their order, and those that earn too little beside the best are apart", () => {
    const { eligible, refused } = judgeTogether([to("poor"), to("best"), to("fair")], stats);
    expect(idsOf(eligible)).toEqual(["best", "fair"]);
    expect(refused.map(({ refusal }) => refusal)).toEqual([{ reason: "underperforming", detail: null }]);
  });

  it("are compared with those alone that may be tried", () => {
    const { eligible, refused } = judgeTogether([to("closed", rules, { is_active: false }), to("best")], stats);
    expect([idsOf(eligible), refused.map(({ refusal }) => refusal.reason)]).toEqual([["best"], ["inactive"]]);
  });

  it("are compared by the same rules alone, and not at all without any", () => {
    expect(judgeTogether([to("poor", { ...rules }), to("best")], stats).refused).toEqual([]);
    expect(judgeTogether([aRoute(), to("best")], stats).refused).toEqual([]);
  });

  it("are judged by the hours that their rules look at", () => {
    const asked: number[] = [];
    const performance: CallStats["performance"] = (_holder, sinceMs) => {
      asked.push((startOfTime - sinceMs) / 3_600_000);
      return { attempts: 0, conversions: 0, revenue: 0 };
    };
    judgeTogether([to("best", { ...rules, desired_hours: 48 })], someStats({ performance }));
    expect(asked).toEqual([48]);
  });
});

it("every reason but the first and the last is among the ways to fail", () => {
  expect(["destination_missing", ...failings.map(({ reason }) => reason), "underperforming"]).toEqual([
    ...routeReasons,
  ]);
});
