import type { Clock } from "../../../ingest/clock.ts";
import type { Resource } from "../../config/registry.ts";
import type { CallStats } from "../call-stats.ts";
import { judgeRoute } from "../eligibility.ts";
import { createFilterJudge } from "../filters.ts";
import { routesOf } from "../quotes/ask-destination.ts";
import type { AskRoute, QuoteContext, QuoteResult, Route } from "../quotes/quote-context.ts";
import { toCandidate } from "../quotes/quote-context.ts";
import { destinationOfRoute } from "../route.ts";
import { type AskedPing, filteredOf } from "./asked-ping.ts";
import type { PricedQuote } from "./offered-routes.ts";
import { type Left, leftOf } from "./ping-response.ts";

export interface AskPlanDeps {
  readonly askRoute: AskRoute;
  statsOf(orgId: string): CallStats;
  readonly clock: Clock;
}

/** No publisher waits longer, whatever the buyers' own time (semantics 8.9: Latency). */
const hardStopMs = 10_000;

export interface PlanAsked {
  /** One of each route that has any, in the plan's order. */
  readonly quotes: readonly PricedQuote[];
  /** Routes, and members of groups, that gave none. */
  readonly left: readonly Left[];
  /** Members of groups that bid less than the winner (semantics 8.2: R17). */
  readonly lost: readonly Left[];
}

/** Asks all routes of a plan at once; what is not in at the hard stop is left out. */
export async function askPlan(
  { askRoute, statsOf, clock }: AskPlanDeps,
  ping: AskedPing,
  { plan, campaign }: { readonly plan: Resource<"routing_plan">; readonly campaign: Resource<"campaign"> },
): Promise<PlanAsked> {
  const { config } = ping.endpoint;
  const asking: QuoteContext = {
    config,
    stats: statsOf(config.organization.id),
    campaign,
    plan,
    call: filteredOf(ping),
    filtering: createFilterJudge(),
    callId: null,
    inboundRequestId: ping.requestId,
    trace: ping.trace,
    deadlineAt: ping.now + hardStopMs,
  };
  const { routes, unquoted } = routesOf(plan, asking);
  const done = new AbortController();
  const stop = clock.sleep(ping.now + hardStopMs - clock.now(), done.signal).then(() => null);
  const answers = await Promise.all(routes.map((route) => Promise.race([askRoute(route, asking), stop]))).finally(() =>
    done.abort(),
  );
  const asked = routes.map((route, index) => answers[index] ?? toLate(route, asking));
  return {
    // A group gives its winner.
    quotes: asked.flatMap(({ quotes: [best] }) => (best === undefined ? [] : [toPriced(best, asking)])),
    left: [...unquoted, ...asked.flatMap((each) => each.unquoted)],
    lost: asked.flatMap(({ quotes: [, ...others] }) => others.map((quote) => leftOf(quote, "lost_auction"))),
  };
}

function toLate(route: Route, { trace }: QuoteContext): QuoteResult {
  const to = destinationOfRoute(route);
  const late = { route_id: route.id ?? null, kind: to?.kind ?? null, id: to?.id ?? null } as const;
  const unquoted = { ...late, reason: "ping_timeout", detail: null, bid: null } as const;
  trace.note("route.skipped", { ...unquoted });
  return { quotes: [], unquoted: [unquoted], tags: {} };
}

function toPriced(quote: QuoteResult["quotes"][number], asking: QuoteContext): PricedQuote {
  const { payable, receivable } = judgeRoute(toCandidate(quote, asking), asking.stats);
  return { quote, payable, receivable };
}
