import type { Clock } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { OrgConfig } from "../config/org-config.ts";
import { isPaused } from "../config/pause.ts";
import type { Resource } from "../config/registry.ts";
import type { Snapshot } from "../config/snapshot.ts";
import { notFound } from "../serve/errors.ts";
import { callRefusal, planRefusal } from "./call-eligibility.ts";
import { toLimitedHolder } from "./call-stats/count-operations.ts";
import type { CallStats, HolderKind } from "./call-stats.ts";
import { isCapped, isFull } from "./caps.ts";
import { createDecision, type Decision } from "./decision.ts";
import { stateRefusal } from "./eligibility.ts";
import { createFilterBudget } from "./filters.ts";
import { findDestination } from "./quotes/compiled-plan.ts";
import type { destinationOfRoute } from "./route.ts";

export interface RoutingStateDeps {
  readonly snapshot: Pick<Snapshot, "config">;
  readonly statsOf: (orgId: string) => CallStats;
  readonly clock: Clock;
}

/** The config, counts and clock that an organization's routing is judged by at one instant. */
export interface Now {
  readonly config: OrgConfig;
  readonly stats: CallStats;
  readonly now: number;
  /** A decision without a caller: its verdicts hold for all callers. */
  readonly decision: Decision;
}

export function nowOf({ snapshot, statsOf, clock }: RoutingStateDeps, orgId: OrgId): Now {
  const config = snapshot.config(orgId);
  if (config === undefined) throw notFound("The organization");
  const [stats, now] = [statsOf(orgId), clock.now()];
  const nobody = { caller: null, zip: null, state: null, publisher: null, campaign: null, number: null, tags: {} };
  const filterBudget = createFilterBudget();
  return {
    config,
    stats,
    now,
    decision: createDecision({ call: { ...nobody, now }, callId: null, stats, filterBudget }),
  };
}

export interface Refusal {
  readonly reason: string;
  readonly detail: string | null;
}
const because = (reason: string | null, detail: string | null = null): Refusal | null =>
  reason === null ? null : { reason, detail };

/** The first reason why no call gets there now, in the words of routing. */
export function refusalOf(kind: HolderKind, doc: Resource<HolderKind>, now: Now): Refusal | null {
  const { config } = now;
  switch (kind) {
    case "target":
    case "rtb_formula":
      return refusalOfDestination(kind, doc.id, now, []);
    case "campaign":
      return refusalOfCampaign(doc as Resource<"campaign">, now);
    case "publisher":
    case "buyer": {
      if (!doc.is_active) return because(`${kind}_inactive`);
      if (isPaused((doc as Resource<"buyer">).pause, now.now)) return because(`${kind}_paused`);
      const limited = toLimitedHolder(config, kind, doc);
      const isBuyer = kind === "buyer";
      if (isCapped(limited, now.stats, now.now))
        return isBuyer ? because("cap_reached", kind) : because("publisher_capped");
      if (!isFull(limited, now.stats)) return null;
      return isBuyer ? because("concurrency_reached", kind) : because("publisher_concurrency");
    }
  }
}

function refusalOfCampaign(campaign: Resource<"campaign">, { config, stats, now }: Now): Refusal | null {
  const { timezone: organizationTimezone } = config.organization;
  return because(callRefusal({ campaign, publisher: undefined, caller: {}, organizationTimezone, now }, stats));
}

function refusalOfDestination(
  kind: "target" | "rtb_formula",
  id: string | undefined,
  { config, decision }: Now,
  allowedBuyers: readonly string[],
  campaign?: Resource<"campaign">,
): Refusal | null {
  const destination = findDestination(config, kind, id);
  const buyer = config.get("buyer", destination?.doc.buyer_id);
  const { timezone: organizationTimezone } = config.organization;
  return stateRefusal({ destination, buyer, allowedBuyers, campaign, organizationTimezone }, decision);
}

/** The campaign and the plan that a route is one of. */
export interface Owner {
  readonly campaign: Resource<"campaign">;
  readonly plan: Resource<"routing_plan"> | undefined;
}

/** The first reason why no call takes the route now; a group is open while one of its members is. */
export function refusalOfRoute(
  to: ReturnType<typeof destinationOfRoute>,
  { campaign, plan }: Owner,
  now: Now,
): Refusal | null {
  const { config } = now;
  if (plan !== undefined && !plan.is_active) return because(planRefusal(plan, undefined));
  if (to === null) return because("unsupported_action");
  const allowed = plan?.allowed_buyers ?? [];
  if (to.kind === "target" || to.kind === "rtb_formula") {
    return refusalOfDestination(to.kind, to.id, now, allowed, campaign);
  }
  if (to.kind === "ivr") {
    const menu = config.get("ivr", to.id);
    return menu === undefined ? because("destination_missing") : because(menu.is_active ? null : "inactive");
  }
  const members = config.get("rtb_group", to.id)?.rtb_formulas ?? [];
  if (members.length === 0) return because("destination_missing");
  const refusals = members.map(({ rtb_formula_id }) =>
    refusalOfDestination("rtb_formula", rtb_formula_id, now, allowed, campaign),
  );
  return refusals.some((refusal) => refusal === null) ? null : (refusals[0] ?? null);
}
