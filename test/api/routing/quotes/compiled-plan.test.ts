import { expect, it } from "vitest";
import { createOrgConfig } from "../../../../api/config/org-config.ts";
import type { ConfigDocument } from "../../../../api/config/registry.ts";
import { compiledPlanOf } from "../../../../api/routing/quotes/compiled-plan.ts";
import { orgOne, secondsIn } from "../../../make.ts";
import { aBuyer, aCampaign, aDecision, aPlan, aTarget } from "../make-route.ts";

const pause = { paused_at: secondsIn(-60), paused_until: null, paused_by: "api_key:1" };
const texas = { enabled: true, groups: [{ conditions: [{ field: "state", operator: "equals", values: ["TX"] }] }] };
const closed = { always_open: false };

/** A plan with one route to a target, which takes the call. */
function openConfig() {
  const { config, put, remove, rename } = createOrgConfig({ id: orgOne, name: "First", timezone: "UTC" });
  const routes = [{ id: "r1", action: "route-to-target", target_id: "tgt-1" }];
  const first: ConfigDocument[] = [
    { type: "buyer", doc: aBuyer() },
    { type: "target", doc: aTarget() },
    { type: "campaign", doc: aCampaign() },
    { type: "routing_plan", doc: aPlan({ routes }) },
  ];
  for (const document of first) put(document);
  const compiled = () => {
    const [plan, campaign] = [config.get("routing_plan", "plan-1"), config.get("campaign", "cmp-1")];
    if (plan === undefined || campaign === undefined) throw new Error("the plan is gone");
    return compiledPlanOf({ config, plan, campaign });
  };
  return {
    put,
    remove,
    rename,
    compiled,
    refusals: () => compiled().routes.map(({ compiled: { refusal } }) => refusal(aDecision())?.reason ?? null),
  };
}

it("a compiled plan stands until config changes", () => {
  const { compiled, put } = openConfig();
  const before = compiled();
  expect(compiled()).toBe(before);
  put({ type: "target", doc: aTarget({ id: "another" }) });
  expect(compiled()).not.toBe(before);
});

it.each<[what: string, document: ConfigDocument, reason: string]>([
  ["target that is switched off", { type: "target", doc: aTarget({ is_active: false }) }, "inactive"],
  ["target that is paused", { type: "target", doc: { ...aTarget(), pause } }, "paused"],
  ["buyer that is switched off", { type: "buyer", doc: aBuyer({ is_active: false }) }, "buyer_inactive"],
  ["buyer that is paused", { type: "buyer", doc: { ...aBuyer(), pause } }, "buyer_paused"],
  ["target that closes", { type: "target", doc: aTarget({ hours_of_operation: closed }) }, "closed"],
  ["target with another filter", { type: "target", doc: aTarget({ filters: texas }) }, "filter_mismatch"],
  [
    "target with a cap",
    { type: "target", doc: aTarget({ advanced_caps: [{ type: "calls", period: "day", limit: 0 }] }) },
    "cap_reached",
  ],
])("the next decision knows of a %s, and of the way back", (_what, changed, reason) => {
  const { put, refusals } = openConfig();
  expect(refusals()).toEqual([null]);
  put(changed);
  expect(refusals()).toEqual([reason]);
  put(changed.type === "buyer" ? { type: "buyer", doc: aBuyer() } : { type: "target", doc: aTarget() });
  expect(refusals()).toEqual([null]);
});

it("the next decision knows of a plan with other buyers or routes, and of what was removed", () => {
  const { put, remove, refusals } = openConfig();
  const routes = ["r1", "r2"].map((id) => ({ id, action: "route-to-target", target_id: "tgt-1" }));
  put({ type: "routing_plan", doc: aPlan({ routes: routes.slice(1), allowed_buyers: ["another"] }) });
  expect(refusals()).toEqual(["buyer_not_allowed"]);
  put({ type: "routing_plan", doc: aPlan({ routes }) });
  expect(refusals()).toEqual([null, null]);
  remove("target", "tgt-1");
  expect(refusals()).toEqual(["destination_missing", "destination_missing"]);
});
