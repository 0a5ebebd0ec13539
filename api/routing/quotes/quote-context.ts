import { memoizeByObject } from "../../conditions/memoize.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import type { Resource } from "../../config/registry.ts";
import type { Decision } from "../decision.ts";
import type { DecisionTrace } from "../decision-trace.ts";
import type { PingContext } from "../rtb/placeholders.ts";
import type { Quote, Unquoted } from "./quote.ts";

/** A call or a ping for which quotes are wanted, with all that destinations are judged by. */
export interface QuoteContext extends Decision {
  readonly config: OrgConfig;
  readonly campaign: Resource<"campaign">;
  /** Undefined where a menu leads somewhere without a plan. */
  readonly plan: Resource<"routing_plan"> | undefined;
  /** The inbound ping that this is, or that the call came from. */
  readonly inboundRequestId: string | null;
  readonly trace: DecisionTrace;
  /** Destinations that the call has been sent to, as `triedKey` names them: they are not asked again. */
  readonly tried?: readonly string[] | undefined;
  /** When the answer is due, by the clock; undefined where formulas' own time limits are enough. */
  readonly deadlineAt?: number | undefined;
}

/** Quotes of a route, best first, and the destinations that gave none. */
export interface QuoteResult {
  readonly quotes: readonly Quote[];
  readonly unquoted: readonly Unquoted[];
  /** Tags that buyers' answers gave for the call, for later routes and webhooks. */
  readonly tags: Readonly<Record<string, string>>;
}

/** The name of a destination in the list of those that a call has been sent to. */
export const triedKey = ({ kind, id }: { readonly kind: string; readonly id: string | undefined }): string =>
  `${kind} ${id}`;

/** Returns the values of placeholders in requests to buyers: the same for all that are asked. */
export const toPingContext = memoizeByObject(
  ({ call, callId, inboundRequestId }: QuoteContext): PingContext => ({
    caller_id: call.caller,
    zip: call.zip,
    state: call.state,
    tags: call.tags,
    call_id: callId,
    request_id: inboundRequestId,
    publisher_id: call.publisher?.id ?? null,
    campaign_id: call.campaign?.id ?? null,
  }),
);
