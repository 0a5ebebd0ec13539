import type { Resource } from "../../config/registry.ts";
import type { PredictiveRules } from "../predictive.ts";
import type { ResolvedDestination, RouteCandidate } from "../route.ts";
import type { PingContext } from "../rtb/placeholders.ts";
import type { Asking } from "./asking.ts";

/** What can be asked for a quote. */
export type QuotedKind = "target" | "rtb_formula";
export interface To {
  readonly kind: QuotedKind;
  readonly id: string | undefined;
}

/** A destination as checks R1 to R10 judge it for this call or ping. */
export function toCandidate(to: To, asking: Asking, predictive?: PredictiveRules): RouteCandidate {
  const { config, plan, campaign, call, filtering, callId } = asking;
  const destination = findDestination(to, asking);
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

function findDestination({ kind, id }: To, { config }: Asking): ResolvedDestination | undefined {
  if (kind === "target") {
    const doc = config.get("target", id);
    return doc && { kind, doc };
  }
  const doc = config.get("rtb_formula", id);
  return doc && { kind, doc };
}

/** A predictive routing plan's rules; none where it is not named, gone or not in use. */
export function predictiveRules({ config }: Asking, id: string | undefined): PredictiveRules | undefined {
  const plan: Resource<"predictive_routing_plan"> | undefined = config.get("predictive_routing_plan", id);
  return plan?.is_active ? plan : undefined;
}

/** What requests to buyers are filled with. */
export const toPingContext = ({ call, callId, inboundRequestId }: Asking): PingContext => ({
  caller_id: call.caller,
  zip: call.zip,
  state: call.state,
  tags: call.tags,
  call_id: callId,
  request_id: inboundRequestId,
  publisher_id: call.publisher?.id ?? null,
  campaign_id: call.campaign?.id ?? null,
});
