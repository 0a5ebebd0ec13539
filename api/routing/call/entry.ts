import { unreachable } from "../../../ingest/primitives.ts";
import type { SignalInput } from "../../../ingest/signal.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import type { CampaignNumber } from "../../config/org-config-indexes.ts";
import type { Resource } from "../../config/registry.ts";
import { modeOf } from "../../config/resources/campaign.ts";
import { callRefusal, entryRefusal, planRefusal } from "../call-eligibility.ts";
import type { Hold } from "../call-stats/reservations.ts";
import type { CallStats } from "../call-stats.ts";
import { type CallerLocation, locateCaller } from "../caller-location.ts";
import type { DecisionTrace } from "../decision-trace.ts";
import { publisherTerms } from "../payout.ts";
import type { Quote } from "../quotes/quote.ts";
import { type TcpaQuestion, type TcpaResult, tcpaRefusal } from "../tcpa.ts";
import type { DialPlan, RoutedCall } from "./dial-plan.ts";
import { entryHolds } from "./offer.ts";
import { addTags } from "./tags.ts";

/** A call at the door. */
export interface Arrival {
  readonly call_id: string;
  /** The caller in E.164, or as the switch gave it where that could not be parsed. */
  readonly from: string;
  /** E.164; null for an anonymous caller. */
  readonly caller: string | null;
  readonly to: string;
  readonly zip?: string | undefined;
  readonly state?: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

/** The promise of an answered ping, for the call that comes on an allocated number. */
export interface Promised {
  readonly request_id: string;
  readonly campaign_id: string;
  readonly publisher_id: string;
  readonly quotes: readonly Quote[];
  /** The caller's data of the ping. */
  readonly zip: string | null;
  readonly state: string | null;
  readonly tags: Readonly<Record<string, string>>;
}
export type Allocation =
  | { readonly kind: "matched"; readonly promised: Promised }
  | { readonly kind: "allocation_expired" | "caller_mismatch" | "none" };

export interface EntryDeps {
  /** Takes what was promised for this call; again for the same call gives the same. */
  takeAllocation(of: { number: string; caller: string | null; callId: string; orgId: string }): Promise<Allocation>;
  /** The tags that were sent for the caller's next call, which this is; again for the same call gives the same. */
  takeCallerData(of: {
    caller: string;
    callId: string;
    orgId: string;
    campaignId: string | null;
  }): Promise<Readonly<Record<string, string>>>;
  checkTcpa(of: TcpaQuestion): Promise<TcpaResult>;
}

export interface At {
  readonly config: OrgConfig;
  readonly stats: CallStats;
  readonly trace: DecisionTrace;
  readonly now: number;
}

/** A call after its entry checks: its owner, its dial plan, or why it is refused. */
export interface Entry {
  readonly call: RoutedCall;
  /** Fields of the incoming signal beside the two numbers. */
  readonly incoming: Pick<
    Extract<SignalInput, { kind: "incoming" }>,
    | ("number_id" | "campaign" | "publisher" | "publisher_terms" | "webhook_ids" | "recording_access")
    | ("caller_state" | "caller_zip" | "inbound_request_id" | "repeat_caller" | "tcpa_result" | "tags")
  >;
  readonly refusal: string | null;
  /** Concurrency that the call takes up from now on. */
  readonly holds: readonly Hold[];
}

/** Judges a call by the checks that come before any route. */
export async function enter(deps: EntryDeps, arrival: Arrival, at: At): Promise<Entry> {
  const { config, trace } = at;
  const number = config.number(arrival.to);
  const orgId = config.organization.id;
  const allocation: Allocation =
    number === undefined
      ? { kind: "none" }
      : await deps.takeAllocation({ number: arrival.to, caller: arrival.caller, callId: arrival.call_id, orgId });
  const promised = allocation.kind === "matched" ? allocation.promised : null;
  const { caller, call_id: callId } = arrival;
  const owner = ownerOf(config, number, promised);
  const campaignId = owner?.campaign.id ?? null;
  const sent =
    number === undefined || caller === null ? {} : await deps.takeCallerData({ caller, callId, orgId, campaignId });
  const location = locateCaller({
    zip: arrival.zip ?? promised?.zip,
    state: arrival.state ?? promised?.state,
    caller: arrival.caller,
  });
  const found = { arrival: withKnown(arrival, { ...promised?.tags, ...sent }), number, location, promised };
  if (promised !== null) trace.note("allocation.matched", { inbound_request_id: promised.request_id });
  if (owner === undefined) {
    // A number of a ping pool: a late call, or one of another caller, has no allocation.
    const unpromised = allocation.kind === "matched" || allocation.kind === "none" ? null : allocation.kind;
    return refused(found, unpromised ?? "number_not_found");
  }
  return judge(deps, { ...found, owner }, at);
}

interface Found {
  readonly arrival: Arrival;
  readonly number: Resource<"number"> | undefined;
  readonly location: CallerLocation;
  readonly promised: Promised | null;
}
interface Owned extends Found {
  readonly owner: CampaignNumber;
}

/** The promise's campaign, else the one that has the number. */
function ownerOf(
  config: OrgConfig,
  number: Resource<"number"> | undefined,
  promised: Promised | null,
): CampaignNumber | undefined {
  if (number === undefined) return undefined;
  if (promised === null) return config.campaignOfNumber(number.id);
  const campaign = config.get("campaign", promised.campaign_id);
  const row = { id: "", number_id: number.id, publisher_id: promised.publisher_id } as const;
  return campaign && { campaign, item: { ...row, type: "dynamic", is_active: true } };
}

/** Adds tags that were known before the call; the call's own tags win. */
const withKnown = (arrival: Arrival, tags: Arrival["tags"]): Arrival => ({
  ...arrival,
  tags: addTags(addTags({}, arrival.tags), without(tags, arrival.tags)),
});
const without = (tags: Arrival["tags"], others: Arrival["tags"]): Arrival["tags"] =>
  Object.fromEntries(Object.entries(tags).filter(([name]) => !Object.hasOwn(others, name)));

async function judge(deps: EntryDeps, owned: Owned, at: At): Promise<Entry> {
  const { arrival, owner, promised } = owned;
  const { config, stats, trace, now } = at;
  const { campaign, item } = owner;
  const publisher = config.get("publisher", item.publisher_id);
  const callerBlocked = arrival.caller !== null && config.isBlocked(arrival.caller);
  const subject = { campaign, item, publisher, organizationTimezone: config.organization.timezone, now };
  const early = entryRefusal({ ...subject, caller: { callerBlocked } });
  const result = early === null ? await deps.checkTcpa({ config, campaign, caller: arrival.caller }) : "off";
  if (result !== "off") trace.note("tcpa.checked", { result });
  const tcpa = tcpaRefusal(result);
  const plan = promised === null ? refusalByMode(config, owner) : null;
  const refusal = early ?? callRefusal({ ...subject, caller: { callerBlocked, tcpa } }, stats) ?? plan;
  const dial_plan = refusal === null ? dialPlanOf(config, campaign, promised) : [];
  return {
    call: { ...toCall(owned), campaign_id: campaign.id, publisher: publisher ? named(publisher) : null, dial_plan },
    incoming: {
      ...toIncoming(owned),
      campaign: named(campaign),
      publisher: publisher ? named(publisher) : null,
      publisher_terms: publisherTerms(owner, undefined, {
        quoted: promised?.quotes[0]?.publisher_terms ?? undefined,
        publisher,
      }),
      webhook_ids: campaign.outgoing_webhooks,
      recording_access: campaign.access_to_call_recordings,
      repeat_caller:
        arrival.caller !== null &&
        stats.earlierCalls(arrival.caller).some(({ call_id }) => call_id !== arrival.call_id),
      tcpa_result: result === "off" ? null : result,
    },
    refusal,
    holds: entryHolds(campaign, publisher),
  };
}

const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name });

function refused(found: Found, refusal: string): Entry {
  return { call: toCall(found), incoming: toIncoming(found), refusal, holds: [] };
}

const toCall = ({ arrival, number, location, promised }: Found): RoutedCall => ({
  campaign_id: null,
  publisher: null,
  number: arrival.to,
  number_id: number?.id ?? null,
  caller: arrival.caller,
  zip: location.zip,
  state_code: location.state,
  tags: { ...arrival.tags },
  inbound_request_id: promised?.request_id ?? null,
  dial_plan: [],
  tried: [],
  dials: 0,
});

const toIncoming = ({ arrival, number, location, promised }: Found): Entry["incoming"] => ({
  number_id: number?.id ?? null,
  caller_state: location.state,
  caller_zip: location.zip,
  inbound_request_id: promised?.request_id ?? null,
  tags: { ...arrival.tags },
});

/** The last checks: of the routing plan or the call flow, by the campaign's mode. */
function refusalByMode(config: OrgConfig, { campaign, item }: CampaignNumber): string | null {
  if (modeOf(campaign) === "routing_plan") {
    return planRefusal(config.get("routing_plan", campaign.routing_plan_id), item.publisher_id);
  }
  const flow = config.get("call_flow", campaign.call_flow_id);
  if (flow === undefined) return "no_call_flow";
  return flow.is_active ? null : "call_flow_inactive";
}

function dialPlanOf(
  config: OrgConfig,
  campaign: Resource<"campaign">,
  promised: Promised | null,
): RoutedCall["dial_plan"] {
  if (promised !== null) return promised.quotes.map((quote) => ({ kind: "quote", quote }));
  if (modeOf(campaign) === "routing_plan") return [{ kind: "plan", id: campaign.routing_plan_id ?? "" }];
  const steps = config.get("call_flow", campaign.call_flow_id)?.steps ?? [];
  return steps.map((step): DialPlan[number] => {
    switch (step.type) {
      case "say":
        return { kind: "say", text: step.text };
      case "ivr":
        return { kind: "menu", id: step.ivr_id, route_id: null };
      case "routing_plan":
        return { kind: "plan", id: step.routing_plan_id };
      case "hangup":
        return { kind: "hangup" };
      default:
        return unreachable(step);
    }
  });
}
