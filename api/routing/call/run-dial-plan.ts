import { type CallId, unreachable } from "../../../ingest/primitives.ts";
import type { StepBudget } from "../../conditions/step-budget.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import type { CampaignNumber } from "../../config/org-config-indexes.ts";
import { planRefusal } from "../call-eligibility.ts";
import type { CallStats } from "../call-stats.ts";
import { createDecision } from "../decision.ts";
import type { DecisionTrace } from "../decision-trace.ts";
import { createFilterBudget } from "../filters.ts";
import { type Ask, type QuoteRequest, routesOf } from "../quotes/ask-destination.ts";
import { type QuoteContext, triedKey } from "../quotes/quote-context.ts";
import { destinationOfRoute } from "../route.ts";
import { byPriorityAndWeight } from "../weighted-order.ts";
import type { DialPlan, DialPlanItem, RoutedCall } from "./dial-plan.ts";
import { type Offer, type OfferDeps, offerOf } from "./offer.ts";
import { addTags } from "./tags.ts";

/** A call at one instant of its routing. */
export interface CallAt {
  readonly call: RoutedCall & { readonly call_id: CallId };
  readonly config: OrgConfig;
  readonly stats: CallStats;
  readonly trace: DecisionTrace;
  /** Milliseconds since 1970, one instant for a whole decision. */
  readonly now: number;
  /** Steps that all filters of the decision may take together. */
  readonly filterBudget: StepBudget;
  /** When the decision is due, by the clock: buyers have no more time. */
  readonly deadlineAt: number;
  /** Aborts when the call is over. */
  readonly overtaken: AbortSignal;
  /** False where the decision may not wait: it ends before the first buyer that would be asked. */
  readonly mayAsk: boolean;
}

/** The next step of a call, with the rest of its dial plan. */
export interface Next {
  readonly outcome:
    | { readonly kind: "dial"; readonly offer: Offer }
    | { readonly kind: "menu"; readonly ivr_id: string }
    /** A buyer is to be asked first, and the decision may not wait. */
    | { readonly kind: "bids" }
    /** Nothing is left, or the flow says so. */
    | { readonly kind: "over"; readonly reason: "no_eligible_route" | "flow_ended" };
  /** Texts for the caller to hear first. */
  readonly say: readonly string[];
  readonly dial_plan: DialPlan;
  readonly tags: Readonly<Record<string, string>>;
}

export interface NextDeps extends OfferDeps {
  readonly ask: Ask["ask"];
  /** A number in [0, 1). */
  random(): number;
}

/** Most dials begun for one call. */
export const maxDials = 10;

interface Run {
  readonly deps: NextDeps;
  readonly at: CallAt;
  readonly say: string[];
  tags: Readonly<Record<string, string>>;
}
/** The items that replace one, or the outcome that ends the run. */
type Taken = { readonly instead: DialPlan } | { readonly outcome: Next["outcome"] };
const nothing: Taken = { instead: [] };

/**
 * Runs the dial plan until the call can be dialed, is asked by a menu, or is over. Buyers are asked when their turn
 * comes, so this may take seconds; it changes nothing, and the caller checks if the result still holds.
 */
export async function runDialPlan(deps: NextDeps, given: Omit<CallAt, "filterBudget">): Promise<Next> {
  const at: CallAt = { ...given, filterBudget: createFilterBudget() };
  const run: Run = { deps, at, say: [], tags: at.call.tags };
  let dial_plan: DialPlan = at.call.dial_plan;
  for (let [item, ...rest] = dial_plan; item !== undefined; [item, ...rest] = dial_plan) {
    if (at.overtaken.aborted) break;
    if (!at.mayAsk && asksBuyers(item, at))
      return { outcome: { kind: "bids" }, say: run.say, dial_plan, tags: run.tags };
    const taken = isDialedOut(item, at) ? nothing : await take(item, run);
    if ("outcome" in taken) return { outcome: taken.outcome, say: run.say, dial_plan: rest, tags: run.tags };
    dial_plan = [...taken.instead, ...rest];
  }
  return { outcome: { kind: "over", reason: "no_eligible_route" }, say: run.say, dial_plan: [], tags: run.tags };
}

/** True for items that a call skips after its last dial; texts and hangups still run. */
const isDialedOut = ({ kind }: DialPlanItem, { call }: CallAt): boolean =>
  call.dials >= maxDials && kind !== "say" && kind !== "hangup";

/** True for items that are sent to buyers, whose answers take time. */
function asksBuyers(item: DialPlanItem, { config }: CallAt): boolean {
  if (item.kind === "place") return item.to !== "target";
  if (item.kind === "quote") return item.quote.kind === "rtb_formula";
  if (item.kind !== "route") return false;
  const route = routeOf(item, config);
  const to = route === undefined ? null : destinationOfRoute(route);
  return to?.kind === "rtb_formula" || to?.kind === "rtb_group";
}

/** Undefined where the route was removed from the plan while the call was in progress. */
const routeOf = ({ plan_id, route_id }: DialPlanItem & { kind: "route" }, config: OrgConfig) =>
  config.get("routing_plan", plan_id)?.routes.find(({ id }) => id === route_id);

async function take(item: DialPlanItem, run: Run): Promise<Taken> {
  switch (item.kind) {
    case "say":
      run.say.push(item.text);
      return nothing;
    case "hangup":
      return { outcome: { kind: "over", reason: "flow_ended" } };
    case "menu":
      return takeMenu(item, run);
    case "plan":
      return takePlan(item.id, run);
    case "route":
      return takeRoute(item, run);
    case "place":
      return askDestination({ routeId: null, to: { kind: item.to, id: item.id } }, undefined, run);
    case "quote":
      return takeQuote(item, run);
    default:
      return unreachable(item);
  }
}

function takeMenu({ id, route_id }: DialPlanItem & { kind: "menu" }, { at }: Run): Taken {
  const menu = at.config.get("ivr", id);
  if (menu?.is_active) return { outcome: { kind: "menu", ivr_id: id } };
  const reason = menu === undefined ? "destination_missing" : "inactive";
  at.trace.note("route.skipped", { route_id, kind: "ivr", id, reason, detail: null, bid: null });
  return nothing;
}

/** A plan's routes in the order of this call, each to be judged when its turn comes. */
function takePlan(id: string, run: Run): Taken {
  const { config, call, trace } = run.at;
  const plan = config.get("routing_plan", id);
  const refusal = planRefusal(plan, call.publisher?.id);
  const context = contextOf(run, id);
  if (plan === undefined || refusal !== null || context === null) {
    trace.note("route.skipped", { kind: "routing_plan", id, reason: refusal ?? "no_routing_plan" });
    return nothing;
  }
  trace.note("plan.selected", { id, name: plan.name });
  const rows = routesOf(context).map(({ row }) => row);
  const items = byPriorityAndWeight(rows, run.deps.random).flatMap(({ id: route_id }): DialPlanItem[] =>
    route_id === undefined ? [] : [{ kind: "route", plan_id: id, route_id }],
  );
  return { instead: items };
}

async function takeRoute(item: DialPlanItem & { kind: "route" }, run: Run): Promise<Taken> {
  const { plan_id, route_id } = item;
  const route = routeOf(item, run.at.config);
  if (route === undefined) return nothing;
  const to = destinationOfRoute(route);
  if (to?.kind === "ivr") return { instead: [{ kind: "menu", id: to.id ?? "", route_id }] };
  return askDestination({ routeId: route_id, to }, plan_id, run);
}

async function askDestination(request: QuoteRequest, planId: string | undefined, run: Run): Promise<Taken> {
  const context = contextOf(run, planId);
  if (context === null || isTried(request.to, run.at.call)) return nothing;
  const { quotes, tags } = await run.deps.ask(request, context);
  run.tags = addTags(run.tags, tags);
  return { instead: quotes.map((quote) => ({ kind: "quote", quote })) };
}

async function takeQuote({ quote }: DialPlanItem & { kind: "quote" }, run: Run): Promise<Taken> {
  const context = contextOf(run, quote.plan_id ?? undefined);
  if (context === null || isTried(quote, run.at.call)) return nothing;
  const { config, call, overtaken } = run.at;
  const offer = await offerOf(run.deps, quote, { context, item: rowOfNumber(config, call), overtaken });
  return offer === null ? nothing : { outcome: { kind: "dial", offer } };
}

function contextOf({ at, tags }: Run, planId: string | undefined): QuoteContext | null {
  const context = toQuoteContext({ ...at, call: { ...at.call, tags } });
  return context && { ...context, plan: at.config.get("routing_plan", planId) };
}

const isTried = (
  to: { readonly kind: string; readonly id: string | undefined } | null,
  { tried }: RoutedCall,
): boolean => to !== null && tried.includes(triedKey(to));

/** Returns the context for quotes, without a plan yet; null when the call's campaign is gone. */
export function toQuoteContext({
  call,
  config,
  stats,
  trace,
  now,
  filterBudget,
  deadlineAt,
}: CallAt): Omit<QuoteContext, "plan"> | null {
  const campaign = config.get("campaign", call.campaign_id ?? undefined);
  if (campaign === undefined) return null;
  const decision = createDecision({
    stats,
    filterBudget,
    callId: call.call_id,
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
  });
  const inboundRequestId = call.inbound_request_id;
  return { ...decision, config, campaign, trace, deadlineAt, tried: call.tried, inboundRequestId };
}

/** The number's row in the campaign; a number that was allocated by a ping has none of its own. */
export function rowOfNumber(config: OrgConfig, call: RoutedCall): CampaignNumber["item"] {
  const owner = call.number_id === null ? undefined : config.campaignOfNumber(call.number_id);
  if (owner !== undefined && owner.campaign.id === call.campaign_id) return owner.item;
  const publisher = call.publisher === null ? {} : { publisher_id: call.publisher.id };
  return { id: "", number_id: call.number_id ?? "", type: "dynamic", is_active: true, ...publisher };
}
