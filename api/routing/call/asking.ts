import type { CallId } from "../../../ingest/primitives.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import type { CampaignNumber } from "../../config/org-config-indexes.ts";
import type { CallStats } from "../call-stats.ts";
import type { DecisionTrace } from "../decision-trace.ts";
import type { FilterJudge } from "../filters.ts";
import type { Asking } from "../quotes/asking.ts";
import type { RoutedCall } from "./dial-plan.ts";

export interface CallAt {
  readonly call: RoutedCall & { readonly call_id: CallId };
  readonly config: OrgConfig;
  readonly stats: CallStats;
  readonly trace: DecisionTrace;
  /** One instant for a whole decision, milliseconds since 1970. */
  readonly now: number;
  readonly filtering: FilterJudge;
  /** When the decision must be made, by the clock: buyers are not waited for any longer. */
  readonly deadlineAt: number;
  /** Aborts when the call is over, whatever is decided for it. */
  readonly overtaken: AbortSignal;
}

/** A call as destinations are asked for it, without a plan yet; null when its campaign is gone. */
export function toAsking({
  call,
  config,
  stats,
  trace,
  now,
  filtering,
  deadlineAt,
}: CallAt): Omit<Asking, "plan"> | null {
  const campaign = config.get("campaign", call.campaign_id ?? undefined);
  if (campaign === undefined) return null;
  return {
    config,
    stats,
    campaign,
    trace,
    filtering,
    deadlineAt,
    tried: call.tried,
    call: {
      caller: call.caller,
      zip: call.zip,
      state: call.state_code,
      number: call.number,
      tags: call.tags,
      now,
      publisher: call.publisher,
      campaign: { id: campaign.id, name: campaign.name },
    },
    callId: call.call_id,
    inboundRequestId: call.inbound_request_id,
  };
}

/** The number's row in the campaign; a number that was handed out by a ping has none of its own. */
export function rowOfNumber(config: OrgConfig, call: RoutedCall): CampaignNumber["item"] {
  const owner = call.number_id === null ? undefined : config.campaignOfNumber(call.number_id);
  if (owner !== undefined && owner.campaign.id === call.campaign_id) return owner.item;
  const publisher = call.publisher === null ? {} : { publisher_id: call.publisher.id };
  return { id: "", number_id: call.number_id ?? "", type: "dynamic", is_active: true, ...publisher };
}
