import type { Clock } from "../../../ingest/clock.ts";
import type { Resource } from "../../config/registry.ts";
import type { CallStats } from "../call-stats.ts";
import { createDecision } from "../decision.ts";
import { eligibleRoutes } from "../eligibility.ts";
import { createFilterBudget } from "../filters.ts";
import { type Ask, unquotedOf } from "../quotes/ask-destination.ts";
import { compiledPlanOf, type PlannedRoute } from "../quotes/compiled-plan.ts";
import type { QuoteContext, QuoteResult } from "../quotes/quote-context.ts";
import { type AskedPing, filteredOf } from "./asked-ping.ts";
import type { PricedQuote } from "./offered-routes.ts";
import { type Left, leftOf } from "./ping-response.ts";

export interface AskPlanDeps {
  readonly quote: Ask["quote"];
  statsOf(orgId: string): CallStats;
  readonly clock: Clock;
}

/** A publisher's longest wait, whatever time the buyers have. */
const hardStopMs = 10_000;

export interface PlanAsked {
  /** One of each route that has any, in the plan's order. */
  readonly quotes: readonly PricedQuote[];
  /** Routes, and members of groups, that gave none. */
  readonly left: readonly Left[];
  /** Members of groups that bid less than the winner. */
  readonly lost: readonly Left[];
}

/** Judges all routes of a plan and asks those that pass at once; what is not in at the hard stop is left out. */
export async function askPlan(
  { quote, statsOf, clock }: AskPlanDeps,
  ping: AskedPing,
  { plan, campaign }: { readonly plan: Resource<"routing_plan">; readonly campaign: Resource<"campaign"> },
): Promise<PlanAsked> {
  const { config } = ping.endpoint;
  const stats = statsOf(config.organization.id);
  const decision = createDecision({ call: filteredOf(ping), callId: null, stats, filterBudget: createFilterBudget() });
  const deadlineAt = ping.now + hardStopMs;
  const asked = { config, campaign, plan, inboundRequestId: ping.requestId, trace: ping.trace, deadlineAt };
  const context: QuoteContext = Object.assign(decision, asked);
  const compiled = compiledPlanOf(context);
  const { eligible, refused } = eligibleRoutes(compiled.routes, context);
  const asking = eligible.map((route) => quote(route, context));
  const results = asking.some(isPending) ? await inTime(asking, clock, deadlineAt) : (asking as QuoteResult[]);
  const refusals = new Map(refused.map(({ route, refusal }) => [route, unquotedOf(route, refusal)]));
  const [quotes, left, lost]: [PricedQuote[], Left[], Left[]] = [[], [], []];
  let place = 0;
  for (const route of compiled.routes) {
    const refusal = refusals.get(route);
    if (refusal !== undefined) {
      left.push(refusal);
      continue;
    }
    const { quotes: given, unquoted } = results[place++] ?? toLate(route);
    left.push(...unquoted);
    for (const [rank, each] of given.entries()) {
      // A group gives its winner.
      if (rank > 0) lost.push(leftOf(each, "lost_auction"));
      else quotes.push({ quote: each, ...compiled.destination(each.kind, each.id).duplicateVerdict(context) });
    }
  }
  return { quotes, left, lost };
}

const isPending = (result: QuoteResult | Promise<QuoteResult>): boolean => result instanceof Promise;

/** Null for each result that is not in by then. */
async function inTime(
  asking: readonly (QuoteResult | Promise<QuoteResult>)[],
  clock: Clock,
  deadlineAt: number,
): Promise<readonly (QuoteResult | null)[]> {
  const done = new AbortController();
  const stop = clock.sleep(deadlineAt - clock.now(), done.signal).then(() => null);
  const results = Promise.all(asking.map((result) => (isPending(result) ? Promise.race([result, stop]) : result)));
  return results.finally(() => done.abort(allAreIn));
}

/** A reason that is made once: without one, each signal would make an exception of its own. */
const allAreIn = "all results are in";

const toLate = (route: PlannedRoute): QuoteResult => ({
  quotes: [],
  unquoted: [unquotedOf(route, { reason: "ping_timeout", detail: null })],
  tags: {},
});
