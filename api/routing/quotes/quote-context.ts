import type { OrgConfig } from "../../config/org-config.ts";
import type { Resource } from "../../config/registry.ts";
import type { CallStats } from "../call-stats.ts";
import type { DecisionTrace } from "../decision-trace.ts";
import type { FilterJudge, Subject } from "../filters.ts";
import type { PredictiveRules } from "../predictive.ts";
import type { ResolvedDestination, RouteCandidate } from "../route.ts";
import type { PingContext } from "../rtb/placeholders.ts";
import type { Quote, Unquoted } from "./quote.ts";

/** A call or a ping for which quotes are wanted, with all that destinations are judged by. */
export interface QuoteContext {
  readonly config: OrgConfig;
  readonly stats: CallStats;
  readonly campaign: Resource<"campaign">;
  /** Undefined where a menu leads somewhere without a plan. */
  readonly plan: Resource<"routing_plan"> | undefined;
  readonly call: Omit<Subject, "timezone">;
  /** The filter budget of this decision. */
  readonly filtering: FilterJudge;
  /** Null for a ping. */
  readonly callId: string | null;
  /** The inbound ping that this is, or that the call came from. */
  readonly inboundRequestId: string | null;
  readonly trace: DecisionTrace;
  /** Destinations that the call has been sent to, as `triedKey` names them: they are not asked again. */
  readonly tried?: readonly string[] | undefined;
  /** When the answer is due, by the clock; undefined where formulas' own time limits are enough. */
  readonly deadlineAt?: number | undefined;
}

export type Route = Resource<"routing_plan">["routes"][number];

/** Quotes of a route, best first, and the destinations that gave none. */
export interface QuoteResult {
  readonly quotes: readonly Quote[];
  readonly unquoted: readonly Unquoted[];
  /** Tags that buyers' answers gave for the call, for later routes and webhooks. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Asks a route's destination for quotes. It never throws: failures are part of the result. */
export type AskRoute = (route: Route, context: QuoteContext) => Promise<QuoteResult>;

/** The name of a destination in the list of those that a call has been sent to. */
export const triedKey = ({ kind, id }: { readonly kind: string; readonly id: string | undefined }): string =>
  `${kind} ${id}`;

/** Kinds of destinations that give quotes. */
type QuotedKind = "target" | "rtb_formula";
interface DestinationName {
  readonly kind: QuotedKind;
  readonly id: string | undefined;
}

/** Returns a destination as a candidate for this call or ping, for the checks R1 to R10. */
export function toCandidate(to: DestinationName, context: QuoteContext, predictive?: PredictiveRules): RouteCandidate {
  const { config, plan, campaign, call, filtering, callId } = context;
  const destination = findDestination(to, context);
  return {
    destination,
    buyer: config.get("buyer", destination?.doc.buyer_id),
    allowedBuyers: plan?.allowed_buyers ?? [],
    campaign,
    call,
    filtering,
    call_id: callId ?? undefined,
    organizationTimezone: config.organization.timezone,
    predictive,
  };
}

function findDestination({ kind, id }: DestinationName, { config }: QuoteContext): ResolvedDestination | undefined {
  if (kind === "target") {
    const doc = config.get("target", id);
    return doc && { kind, doc };
  }
  const doc = config.get("rtb_formula", id);
  return doc && { kind, doc };
}

/** Returns the rules of a predictive routing plan; undefined where it is not named, gone or inactive. */
export function predictiveRules({ config }: QuoteContext, id: string | undefined): PredictiveRules | undefined {
  const plan: Resource<"predictive_routing_plan"> | undefined = config.get("predictive_routing_plan", id);
  return plan?.is_active ? plan : undefined;
}

/** Returns the values of placeholders in requests to buyers. */
export const toPingContext = ({ call, callId, inboundRequestId }: QuoteContext): PingContext => ({
  caller_id: call.caller,
  zip: call.zip,
  state: call.state,
  tags: call.tags,
  call_id: callId,
  request_id: inboundRequestId,
  publisher_id: call.publisher?.id ?? null,
  campaign_id: call.campaign?.id ?? null,
});
