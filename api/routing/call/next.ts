import { unreachable } from "../../../ingest/primitives.ts";
import { destinationOfRoute } from "../actions.ts";
import { planRefusal } from "../call-eligibility.ts";
import { createFilterJudge } from "../filters.ts";
import type { Ask, Question } from "../quotes/ask-route.ts";
import { routesOf } from "../quotes/ask-route.ts";
import { type Asking, triedKey } from "../quotes/asking.ts";
import { byPriorityAndWeight } from "../weighted-order.ts";
import { type CallAt, rowOfNumber, toAsking } from "./asking.ts";
import type { DialPlan, DialPlanItem, RoutedCall } from "./dial-plan.ts";
import { type Offer, type OfferDeps, offerOf } from "./offer.ts";
import { addTags } from "./tags.ts";

/** What a call comes to next, with what is left to try after it. */
export interface Next {
  readonly outcome:
    | { readonly kind: "dial"; readonly offer: Offer }
    | { readonly kind: "menu"; readonly ivr_id: string }
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

/** Dials begun for one call (semantics 8.5). */
export const maxDials = 10;

interface Walk {
  readonly deps: NextDeps;
  readonly at: CallAt;
  readonly say: string[];
  tags: Readonly<Record<string, string>>;
}
/** What an item gives way to, or what the call comes to. */
type Taken = { readonly instead: DialPlan } | { readonly outcome: Next["outcome"] };
const nothing: Taken = { instead: [] };

/**
 * Walks the dial_plan up to where the call can go. Buyers are asked on the way when their turn comes (semantics 8.5), so
 * this may take seconds; it changes nothing, and whoever calls decides whether it still holds.
 */
export async function findNext(deps: NextDeps, given: Omit<CallAt, "filtering">): Promise<Next> {
  const at: CallAt = { ...given, filtering: createFilterJudge() };
  const walk: Walk = { deps, at, say: [], tags: at.call.tags };
  let dial_plan: DialPlan = at.call.dial_plan;
  for (let [item, ...rest] = dial_plan; item !== undefined; [item, ...rest] = dial_plan) {
    if (at.overtaken.aborted) break;
    const taken = isDialedOut(item, at) ? nothing : await take(item, walk);
    if ("outcome" in taken) return { outcome: taken.outcome, say: walk.say, dial_plan: rest, tags: walk.tags };
    dial_plan = [...taken.instead, ...rest];
  }
  return { outcome: { kind: "over", reason: "no_eligible_route" }, say: walk.say, dial_plan: [], tags: walk.tags };
}

/** A call that has been dialed as often as may be is still told what its flow says, and hung up. */
const isDialedOut = ({ kind }: DialPlanItem, { call }: CallAt): boolean =>
  call.dials >= maxDials && kind !== "say" && kind !== "hangup";

async function take(item: DialPlanItem, walk: Walk): Promise<Taken> {
  switch (item.kind) {
    case "say":
      walk.say.push(item.text);
      return nothing;
    case "hangup":
      return { outcome: { kind: "over", reason: "flow_ended" } };
    case "menu":
      return takeMenu(item, walk);
    case "plan":
      return takePlan(item.id, walk);
    case "route":
      return takeRoute(item, walk);
    case "place":
      return askPlace({ routeId: null, to: { kind: item.to, id: item.id } }, undefined, walk);
    case "quote":
      return takeQuote(item, walk);
    default:
      return unreachable(item);
  }
}

function takeMenu({ id, route_id }: DialPlanItem & { kind: "menu" }, { at }: Walk): Taken {
  const menu = at.config.get("ivr", id);
  if (menu?.is_active) return { outcome: { kind: "menu", ivr_id: id } };
  const reason = menu === undefined ? "destination_missing" : "inactive";
  at.trace.note("route.skipped", { route_id, kind: "ivr", id, reason, detail: null, bid: null });
  return nothing;
}

/** A plan's routes in the order of this call, each to be judged when its turn comes. */
function takePlan(id: string, walk: Walk): Taken {
  const { config, call, trace } = walk.at;
  const plan = config.get("routing_plan", id);
  const refusal = planRefusal(plan, call.publisher?.id);
  const asking = askingOf(walk, id);
  if (plan === undefined || refusal !== null || asking === null) {
    trace.note("route.skipped", { kind: "routing_plan", id, reason: refusal ?? "no_routing_plan" });
    return nothing;
  }
  trace.note("plan.selected", { id, name: plan.name });
  const { routes } = routesOf(plan, asking);
  const items = byPriorityAndWeight(routes, walk.deps.random).flatMap(({ id: route_id }): DialPlanItem[] =>
    route_id === undefined ? [] : [{ kind: "route", plan_id: id, route_id }],
  );
  return { instead: items };
}

async function takeRoute({ plan_id, route_id }: DialPlanItem & { kind: "route" }, walk: Walk): Promise<Taken> {
  const route = walk.at.config.get("routing_plan", plan_id)?.routes.find(({ id }) => id === route_id);
  // Taken out of the plan while the call was on its way.
  if (route === undefined) return nothing;
  const to = destinationOfRoute(route);
  if (to?.kind === "ivr") return { instead: [{ kind: "menu", id: to.id ?? "", route_id }] };
  return askPlace({ routeId: route_id, to }, plan_id, walk);
}

async function askPlace(question: Question, planId: string | undefined, walk: Walk): Promise<Taken> {
  const asking = askingOf(walk, planId);
  if (asking === null || isTried(question.to, walk.at.call)) return nothing;
  const { quotes, tags } = await walk.deps.ask(question, asking);
  walk.tags = addTags(walk.tags, tags);
  return { instead: quotes.map((quote) => ({ kind: "quote", quote })) };
}

async function takeQuote({ quote }: DialPlanItem & { kind: "quote" }, walk: Walk): Promise<Taken> {
  const asking = askingOf(walk, quote.plan_id ?? undefined);
  if (asking === null || isTried(quote, walk.at.call)) return nothing;
  const { config, call, overtaken } = walk.at;
  const offer = await offerOf(walk.deps, quote, { asking, item: rowOfNumber(config, call), overtaken });
  return offer === null ? nothing : { outcome: { kind: "dial", offer } };
}

function askingOf({ at, tags }: Walk, planId: string | undefined): Asking | null {
  const asking = toAsking({ ...at, call: { ...at.call, tags } });
  return asking && { ...asking, plan: at.config.get("routing_plan", planId) };
}

const isTried = (
  to: { readonly kind: string; readonly id: string | undefined } | null,
  { tried }: RoutedCall,
): boolean => to !== null && tried.includes(triedKey(to));
