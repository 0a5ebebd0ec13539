import { describe, expect, it } from "vitest";
import {
  type CallReason,
  callReasons,
  callRefusal,
  type EntryCandidate,
  entryRefusal,
  planRefusal,
} from "../../../api/routing/call-eligibility.ts";
import { type CallStats, type Holder, noCallStats } from "../../../api/routing/call-stats.ts";
import { secondsIn, startOfTime } from "../../make.ts";
import { aCampaign, aPlan, aPublisher, someStats } from "./make-route.ts";

const pause = { paused_at: secondsIn(-60), paused_until: null, paused_by: "api_key:1" };
const item = { id: "n1", number_id: "num-1", publisher_id: "pub-1", type: "static", is_active: true } as const;
const subject: EntryCandidate = {
  campaign: aCampaign(),
  item,
  publisher: aPublisher(),
  caller: {},
  organizationTimezone: "UTC",
  now: startOfTime,
};

interface Failing {
  readonly reason: CallReason;
  readonly call?: Partial<EntryCandidate>;
  readonly campaign?: object;
  readonly item?: object;
  readonly publisher?: object;
  readonly caller?: object;
  readonly stats?: Partial<CallStats>;
}
const off = { is_active: false };
const cap = { type: "calls", period: "day", limit: 9 };
const atOnce = { type: "concurrency", limit: 4 };
const ofKind = (kind: Holder["kind"], amount: number) => (holder: Holder) => (holder.kind === kind ? amount : 0);

/** A way to fail each check, in the order of the checks. */
const failings: readonly Failing[] = [
  { reason: "inbound_rtb_inactive", call: { inboundRtb: off } },
  { reason: "campaign_inactive", campaign: off },
  { reason: "number_inactive", item: off },
  { reason: "number_paused", item: { pause } },
  { reason: "publisher_inactive", publisher: off },
  { reason: "publisher_paused", publisher: { pause } },
  { reason: "rate_limited", caller: { rateLimited: true } },
  { reason: "caller_id_invalid", caller: { callerInvalid: true } },
  { reason: "caller_blocked", caller: { callerBlocked: true } },
  { reason: "tcpa_blocked", caller: { tcpa: "tcpa_blocked" } },
  { reason: "tcpa_unavailable", caller: { tcpa: "tcpa_unavailable" } },
  { reason: "campaign_capped", campaign: { advanced_caps: [cap] }, stats: { capUse: ofKind("campaign", 9) } },
  { reason: "campaign_concurrency", campaign: { advanced_caps: [atOnce] }, stats: { inUse: ofKind("campaign", 4) } },
  { reason: "publisher_capped", publisher: { advanced_caps: [cap] }, stats: { capUse: ofKind("publisher", 9) } },
  { reason: "publisher_concurrency", publisher: { max_concurrency: 4 }, stats: { inUse: ofKind("publisher", 4) } },
];

/** A call that fails all the given checks at once; of two changes to one thing the earlier counts. */
function failing(all: readonly Failing[]): [EntryCandidate, CallStats] {
  const merged = (name: Exclude<keyof Failing, "reason">) =>
    Object.assign({}, ...all.toReversed().map((each) => each[name]));
  const call = {
    ...subject,
    ...merged("call"),
    caller: merged("caller"),
    item: { ...item, ...merged("item") },
    campaign: { ...aCampaign(), ...merged("campaign") },
    publisher: { ...aPublisher(), ...merged("publisher") },
  };
  return [call, someStats(merged("stats"))];
}

describe("a call", () => {
  it("is routed when nothing speaks against it, whether or not anybody sent it", () => {
    expect(callRefusal(...failing([]))).toBeNull();
    expect(callRefusal({ ...subject, item: undefined, publisher: undefined }, noCallStats)).toBeNull();
  });

  it.each(failings)("is refused as $reason", (each) => {
    expect(callRefusal(...failing([each]))).toBe(each.reason);
  });

  it("is refused for the first check that fails, whatever else does", () => {
    for (const [index, { reason }] of failings.entries()) {
      expect(callRefusal(...failing(failings.slice(index)))).toBe(reason);
    }
  });

  it("is known to be refused before its caller is looked up anywhere, but for what figures tell", () => {
    for (const each of failings) {
      const [call] = failing([each]);
      const byFigures = each.stats !== undefined;
      expect(entryRefusal(call), each.reason).toBe(byFigures ? null : each.reason);
    }
  });

  it("fits in exactly as many as are allowed", () => {
    const call = { ...subject, publisher: aPublisher({ max_concurrency: 4 }) };
    const refusal = (inUse: number) => callRefusal(call, someStats({ inUse: () => inUse }));
    expect([refusal(3), refusal(4)]).toEqual([null, "publisher_concurrency"]);
  });

  it("is counted from midnight in its campaign's zone, else in the organization's", () => {
    const asked: string[] = [];
    const capUse: CallStats["capUse"] = (_holder, _measure, sinceMs) => {
      asked.push(new Date(sinceMs).toISOString());
      return 0;
    };
    for (const zone of [{ timezone: "America/New_York" }, {}]) {
      callRefusal({ ...subject, campaign: aCampaign({ advanced_caps: [cap], ...zone }) }, someStats({ capUse }));
    }
    expect(asked).toEqual(["2026-11-02T05:00:00.000Z", "2026-11-02T00:00:00.000Z"]);
  });
});

describe("a plan", () => {
  const only = { allowed_publishers: ["pub-1"] };

  it.each([
    ["no_routing_plan", undefined, "pub-1"],
    ["routing_plan_inactive", aPlan(off), "pub-1"],
    ["routing_plan_inactive", aPlan({ ...off, allowed_publishers: ["another"] }), "pub-1"],
    ["publisher_not_allowed", aPlan({ allowed_publishers: ["another"] }), "pub-1"],
    ["publisher_not_allowed", aPlan(only), undefined],
    [null, aPlan(only), "pub-1"],
    [null, aPlan(), undefined],
  ])("is refused as %s", (reason, plan, publisher) => {
    expect(planRefusal(plan, publisher)).toBe(reason);
  });
});

it("every reason has a way to it", () => {
  const ofPlans = ["no_routing_plan", "routing_plan_inactive", "publisher_not_allowed"];
  expect([...failings.map(({ reason }) => reason), ...ofPlans]).toEqual([...callReasons]);
});
