import type { CampaignNumber } from "../config/org-config-indexes.ts";
import { isPaused } from "../config/pause.ts";
import type { Resource } from "../config/registry.ts";
import type { CallStats } from "./call-stats.ts";
import { isCapped, isFull, type LimitedHolder } from "./caps.ts";

/** Reasons why a call or a ping is refused before any route is judged, in the order of the checks. */
export const callReasons = [
  ...(["inbound_rtb_inactive", "campaign_inactive"] as const),
  ...(["number_inactive", "number_paused", "publisher_inactive", "publisher_paused"] as const),
  ...(["rate_limited", "caller_id_invalid", "caller_blocked", "tcpa_blocked", "tcpa_unavailable"] as const),
  ...(["campaign_capped", "campaign_concurrency", "publisher_capped", "publisher_concurrency"] as const),
  ...(["no_routing_plan", "routing_plan_inactive", "publisher_not_allowed"] as const),
] as const;
export type CallReason = (typeof callReasons)[number];

/** Findings about the caller or the ping that are made elsewhere. */
export interface CallerFindings {
  /** A ping beyond its endpoint's rate. */
  readonly rateLimited?: boolean;
  /** Given in a ping, but can be no number; a call of an anonymous caller is none of this. */
  readonly callerInvalid?: boolean;
  readonly callerBlocked?: boolean;
  readonly tcpa?: "tcpa_blocked" | "tcpa_unavailable" | undefined;
}

export interface EntryCandidate {
  /** The endpoint of a ping. */
  readonly inboundRtb?: Pick<Resource<"inbound_rtb">, "is_active"> | undefined;
  readonly campaign: Resource<"campaign">;
  /** The number that was dialed, as its campaign has it; undefined for a ping. */
  readonly item?: CampaignNumber["item"] | undefined;
  readonly publisher: Resource<"publisher"> | undefined;
  readonly caller: CallerFindings;
  /** Zone of caps whose owner has none. */
  readonly organizationTimezone: string;
  readonly now: number;
}

/** Returns the first reason against a call, caps and concurrency included; `planRefusal` judges its routing plan. */
export const callRefusal = (call: EntryCandidate, stats: CallStats): CallReason | null =>
  entryRefusal(call) ?? refusalByLimits(call, stats);

/** Makes the checks that need no call stats, so that a caller who is refused anyway is looked up in no list outside. */
export const entryRefusal = (call: EntryCandidate): CallReason | null =>
  refusalByState(call) ?? refusalOfCaller(call.caller);

/** Judges the routing plan and whom it lets in. */
export function planRefusal(
  plan: Resource<"routing_plan"> | undefined,
  publisherId: string | undefined,
): CallReason | null {
  if (plan === undefined) return "no_routing_plan";
  if (!plan.is_active) return "routing_plan_inactive";
  const { allowed_publishers: allowed } = plan;
  const isAllowed = allowed.length === 0 || (publisherId !== undefined && allowed.includes(publisherId));
  return isAllowed ? null : "publisher_not_allowed";
}

function refusalByState({ inboundRtb, campaign, item, publisher, now }: EntryCandidate): CallReason | null {
  if (inboundRtb?.is_active === false) return "inbound_rtb_inactive";
  if (!campaign.is_active) return "campaign_inactive";
  if (item?.is_active === false) return "number_inactive";
  if (isPaused(item?.pause, now)) return "number_paused";
  if (publisher?.is_active === false) return "publisher_inactive";
  return isPaused(publisher?.pause, now) ? "publisher_paused" : null;
}

function refusalOfCaller({ rateLimited, callerInvalid, callerBlocked, tcpa }: CallerFindings): CallReason | null {
  if (rateLimited) return "rate_limited";
  if (callerInvalid) return "caller_id_invalid";
  if (callerBlocked) return "caller_blocked";
  return tcpa ?? null;
}

function refusalByLimits(
  { campaign, publisher, organizationTimezone, now }: EntryCandidate,
  stats: CallStats,
): CallReason | null {
  for (const kind of ["campaign", "publisher"] as const) {
    const doc = kind === "campaign" ? campaign : publisher;
    if (doc === undefined) continue;
    const limited: LimitedHolder = {
      holder: { kind, id: doc.id },
      limits: doc,
      timezone: doc.timezone ?? organizationTimezone,
    };
    if (isCapped(limited, stats, now)) return `${kind}_capped`;
    if (isFull(limited, stats)) return `${kind}_concurrency`;
  }
  return null;
}
