import { type CallId, unreachable } from "../../../ingest/primitives.ts";
import { planRefusal } from "../call-eligibility.ts";
import { eligibleRoutes } from "../eligibility.ts";
import { createFilterBudget } from "../filters.ts";
import { compiledPlanOf } from "../quotes/compiled-plan.ts";
import type { Quote } from "../quotes/quote.ts";
import type { QuoteContext } from "../quotes/quote-context.ts";
import { toPlace } from "../route-place.ts";
import type { DialPlanItem } from "./dial-plan.ts";
import {
  blank,
  type DryRunAt,
  type DryRunDeps,
  type DryRunRoute,
  judge,
  menu,
  type Run,
  refuse,
  sold,
  type Verdict,
} from "./dry-run-verdicts.ts";
import { type Arrival, type Entry, enter } from "./entry.ts";
import { toQuoteContext } from "./run-dial-plan.ts";

export interface DryRun {
  readonly entry: Entry;
  /** Texts that the caller hears first. */
  readonly say: readonly string[];
  readonly routes: readonly DryRunRoute[];
}

/** Time that buyers have for their answers, as in a publisher's ping. */
const buyersMs = 10_000;

/**
 * Judges a call that does not come: its entry, then every destination of its dial plan at once, where a call would stop at the
 * first that takes it. Nothing is reserved, counted or published.
 */
export async function dryRun(deps: DryRunDeps, arrival: Arrival, at: DryRunAt): Promise<DryRun> {
  const { peekAllocation, peekCallerData, checkTcpa } = deps;
  const entry = await enter({ takeAllocation: peekAllocation, takeCallerData: peekCallerData, checkTcpa }, arrival, at);
  if (entry.refusal !== null) return { entry, say: [], routes: [] };
  const run: Run = { deps, at, call: { ...entry.call, call_id: arrival.call_id as CallId } };
  const say: string[] = [];
  const tiers: Candidate[][] = [];
  for (const item of entry.call.dial_plan) {
    if (item.kind === "say") say.push(item.text);
    else if (item.kind === "hangup") break;
    else tiers.push(...(await tiersOf(item, run)));
    // A menu or flow goes on by the keys that a caller presses.
    if (item.kind === "menu") break;
  }
  return { entry, say, routes: inTurns(tiers) };
}

/** A route with its verdict; of a group, one of each member, the winner first. */
interface Candidate {
  readonly weight: number;
  readonly verdicts: readonly Verdict[];
}

/** The candidates of an item, those that are drawn by weight together. */
async function tiersOf(item: DialPlanItem, run: Run): Promise<Candidate[][]> {
  switch (item.kind) {
    case "plan":
      return tiersOfPlan(item.id, run);
    case "quote":
      return [[{ weight: 1, verdicts: [promised(item.quote, run)] }]];
    case "menu":
      return [[{ weight: 1, verdicts: [menu(item.id, { route_id: item.route_id }, run)] }]];
    case "say":
    case "hangup":
    case "route":
    case "place":
      return [];
    default:
      return unreachable(item);
  }
}

async function tiersOfPlan(id: string, run: Run): Promise<Candidate[][]> {
  const { config } = run.at;
  const plan = config.get("routing_plan", id);
  const refusal = planRefusal(plan, run.call.publisher?.id);
  const context = contextOf(run, id);
  if (plan === undefined || refusal !== null || context === null) {
    const place = toPlace({ route_id: null, kind: "routing_plan", id }, config);
    const reason = refusal ?? "no_routing_plan";
    return [[{ weight: 1, verdicts: [{ ...blank, ...place, verdict: "refused", reason }] }]];
  }
  const { routes } = compiledPlanOf(context);
  const { refused } = eligibleRoutes(routes, context);
  const refusals = new Map(refused.map(({ route, refusal: why }) => [route, why]));
  const judged = await Promise.all(
    routes.map(async (route) => {
      const why = refusals.get(route);
      const verdicts = why ? [refuse(route, why, context)] : await judge(route, context, run);
      return { row: route.row, candidate: { weight: route.row.weight, verdicts } };
    }),
  );
  const priorities = [...new Set(judged.map(({ row }) => row.priority))].sort((one, other) => one - other);
  return priorities.map((priority) =>
    judged
      .flatMap(({ row, candidate }) => (row.priority === priority ? [candidate] : []))
      .sort((one, other) => other.weight - one.weight),
  );
}

/** A destination that an answered ping has promised to the call. */
function promised(quote: Quote, run: Run): Verdict {
  const { config, now } = run.at;
  const { route_id, plan_id, rtb_group_id, kind, id } = quote;
  const verdict = { ...blank, ...toPlace({ route_id, kind, id }, config), plan_id, rtb_group_id };
  const context = contextOf(run, plan_id ?? undefined);
  if (context === null) return { ...verdict, verdict: "refused", reason: "destination_missing" };
  const why = compiledPlanOf(context).destination(kind, id).quoteRefusal(context);
  if (why !== null) return { ...verdict, verdict: "refused", ...why };
  if (quote.usable_until !== null && now > quote.usable_until) {
    return { ...verdict, verdict: "refused", reason: "bid_expired" };
  }
  return sold(verdict, quote, context, run);
}

function contextOf({ at, call }: Run, planId: string | undefined): QuoteContext | null {
  const deadlineAt = at.now + buyersMs;
  const given = { ...at, call, filterBudget: createFilterBudget(), deadlineAt, overtaken: never, mayAsk: false };
  const context = toQuoteContext(given);
  // Like a ping, a dry run has no call id to tell buyers.
  return context && { ...context, callId: null, plan: at.config.get("routing_plan", planId) };
}
const never = new AbortController().signal;

const isOpen = ({ verdicts }: Candidate): boolean => verdicts.some(({ verdict }) => verdict !== "refused");

/** Numbers the tiers that have anybody to offer the call to, and says how often each of their routes comes first. */
function inTurns(tiers: readonly (readonly Candidate[])[]): DryRunRoute[] {
  let turns = 0;
  return tiers.flatMap((tier) => {
    const open = tier.filter(isOpen);
    if (open.length > 0) turns += 1;
    const turn = turns;
    const sum = open.reduce((all, { weight }) => all + weight, 0);
    return tier.flatMap(({ weight, verdicts }) =>
      verdicts.map((verdict): DryRunRoute => {
        if (verdict.verdict === "refused") return { ...verdict, turn: null, share: null };
        return { ...verdict, turn, share: sum === 0 ? 1 / open.length : weight / sum };
      }),
    );
  });
}
