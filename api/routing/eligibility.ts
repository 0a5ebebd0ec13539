import { isPaused } from "../config/pause.ts";
import { compileCaps, concurrencyLimit, type LimitedHolder } from "./caps.ts";
import type { Decision } from "./decision.ts";
import { type DuplicateVerdict, judgeDuplicate } from "./duplicates.ts";
import { compileFilters } from "./filters.ts";
import { isOpenAt, openRangesOf } from "./hours.ts";
import { measuredSince, type PredictiveRules, underperformers } from "./predictive.ts";
import { holderOf, type ResolvedRoute, type RouteCandidate, resolveRoute } from "./route.ts";

/** Reasons why a route may not be tried, in the order of the checks. */
export const routeReasons = [
  ...(["destination_missing", "inactive", "paused", "buyer_inactive", "buyer_paused", "buyer_not_allowed"] as const),
  ...(["closed", "filter_mismatch", "cap_reached", "concurrency_reached", "duplicate", "underperforming"] as const),
] as const;
export type RouteReason = (typeof routeReasons)[number];

/** `detail` says whose cap or limit it was, of which call this is a duplicate, or that filters took too much work. */
export interface RouteRefusal {
  readonly reason: RouteReason;
  readonly detail: string | null;
}

/** Judges a decision by one check, or by all of them; null where nothing speaks against the route. */
type Judge = (decision: Decision) => RouteRefusal | null;
/**
 * Compiles a check of a route when config changes: to a judge of each decision, to the refusal of all of them, or to null
 * where it refuses none. None of them asks anything of anybody outside.
 */
type Check = (route: ResolvedRoute) => Judge | RouteRefusal | null;

const checks: readonly Check[] = [byState, byBuyer, byHours, byFilters, byCaps, byConcurrency, asDuplicate];

/** Checks that are repeated when the call goes to a quote's destination; those of the caller are not. */
const checksOfQuote: readonly Check[] = [byState, byHours, byCaps, byConcurrency];

/** Checks that hold for every caller. */
const checksOfState: readonly Check[] = [byState, byBuyer, byHours, byCaps, byConcurrency];

const refusal = (reason: RouteReason, detail: string | null = null): RouteRefusal => ({ reason, detail });

/** A route made ready to be judged, for as long as its documents stay as they are. */
export interface CompiledRoute {
  /** Null for one that leads nowhere. */
  readonly route: ResolvedRoute | null;
  /** Returns the first check that the route fails, but for earning too little; null when it may be tried. */
  readonly refusal: Judge;
  /** The first of the checks that a quote fails since it was given; null when it stands. */
  readonly quoteRefusal: Judge;
  /** Returns the effect of the caller's earlier calls on payout and revenue of this one, if the route takes it. */
  duplicateVerdict(decision: Decision): DuplicateVerdict;
}

export function compileRoute(candidate: RouteCandidate): CompiledRoute {
  const route = resolveRoute(candidate);
  if (route === null) return leadsNowhere;
  return {
    route,
    refusal: firstRefusal(route, checks),
    quoteRefusal: firstRefusal(route, checksOfQuote),
    duplicateVerdict: (decision) => judgeAsDuplicate(route, decision),
  };
}

/** Returns the first check that a destination fails whoever calls; null while it is open. */
export function stateRefusal(candidate: RouteCandidate, decision: Decision): RouteRefusal | null {
  const route = resolveRoute(candidate);
  return route === null ? missing : firstRefusal(route, checksOfState)(decision);
}

/** A route to a group or the like, whose members are judged each for itself. */
export const unjudged: CompiledRoute = {
  route: null,
  refusal: () => null,
  quoteRefusal: () => null,
  duplicateVerdict: () => noDuplicate,
};
const noDuplicate: DuplicateVerdict = { declined: false, payable: true, receivable: true, duplicate_of: null };
const missing = refusal("destination_missing");
const leadsNowhere: CompiledRoute = {
  route: null,
  refusal: () => missing,
  quoteRefusal: () => missing,
  duplicateVerdict: () => noDuplicate,
};

function firstRefusal(route: ResolvedRoute, among: readonly Check[]): Judge {
  const judges: Judge[] = [];
  for (const check of among) {
    const made = check(route);
    if (typeof made === "function") judges.push(made);
    else if (made !== null) {
      // Nobody gets past it.
      judges.push(() => made);
      break;
    }
  }
  return inOrder(judges) ?? passes;
}

const passes: Judge = () => null;

/** Judges by each until one refuses; null where there is none. */
function inOrder(judges: readonly Judge[]): Judge | null {
  const [one] = judges;
  if (one === undefined || judges.length === 1) return one ?? null;
  return (decision) => {
    for (const judge of judges) {
      const refused = judge(decision);
      if (refused !== null) return refused;
    }
    return null;
  };
}

function judgeAsDuplicate({ destination, buyer, campaign }: ResolvedRoute, decision: Decision): DuplicateVerdict {
  const earlier = decision.earlierCalls();
  if (earlier.length === 0) return noDuplicate;
  const { call, callId } = decision;
  return judgeDuplicate(destination.doc, campaign, {
    call_id: callId ?? undefined,
    destination: holderOf(destination),
    now: call.now,
    earlier,
    buyer_id: buyer.id,
    publisher_id: call.publisher?.id ?? null,
    campaign_id: campaign?.id ?? null,
  });
}

/** A route among others, which it is compared with where rules predict. */
export interface Comparable {
  readonly compiled: CompiledRoute;
  /** The rules by which it is compared with other routes of the same rules; undefined without prediction. */
  readonly predictive: PredictiveRules | undefined;
}

export interface JudgedRoutes<T> {
  readonly eligible: readonly T[];
  readonly refused: readonly { readonly route: T; readonly refusal: RouteRefusal }[];
}

/**
 * Routes in their own order, and apart those that may not be tried. Whoever earns too little is found last, among those
 * that pass everything else: a closed destination is no measure for an open one.
 */
export function eligibleRoutes<T extends Comparable>(routes: readonly T[], decision: Decision): JudgedRoutes<T> {
  const refusals = routes.map(({ compiled }) => compiled.refusal(decision));
  const passing = routes.filter((_route, index) => refusals[index] === null);
  const behind = underperforming(passing, decision);
  const refused: { route: T; refusal: RouteRefusal }[] = [];
  for (const [index, route] of routes.entries()) {
    const found = refusals[index] ?? (behind.has(route) ? tooPoor : null);
    if (found !== null) refused.push({ route, refusal: found });
  }
  return { eligible: behind.size === 0 ? passing : passing.filter((route) => !behind.has(route)), refused };
}

const tooPoor = refusal("underperforming");

/** Each among the routes that are judged by the same rules. */
function underperforming<T extends Comparable>(routes: readonly T[], { call, stats }: Decision): ReadonlySet<T> {
  const behind = new Set<T>();
  for (const rules of new Set(routes.map(({ predictive }) => predictive))) {
    if (rules === undefined) continue;
    const since = measuredSince(rules, call.now);
    const brought = routes.flatMap((each) => {
      const { route } = each.compiled;
      if (each.predictive !== rules || route === null) return [];
      return [[each, stats.performance(holderOf(route.destination), since)] as const];
    });
    for (const route of underperformers(new Map(brought), rules)) behind.add(route);
  }
  return behind;
}

function byState({ destination: { doc } }: ResolvedRoute): Judge | RouteRefusal | null {
  return doc.is_active ? byPause(doc.pause, "paused") : refusal("inactive");
}

function byBuyer({ buyer, allowedBuyers }: ResolvedRoute): Judge | RouteRefusal | null {
  if (!buyer.is_active) return refusal("buyer_inactive");
  const pause = byPause(buyer.pause, "buyer_paused");
  if (allowedBuyers.length === 0 || allowedBuyers.includes(buyer.id)) return pause;
  const notAllowed = refusal("buyer_not_allowed");
  return pause === null ? notAllowed : (decision) => pause(decision) ?? notAllowed;
}

function byPause(pause: Parameters<typeof isPaused>[0], reason: RouteReason): Judge | null {
  if (pause == null) return null;
  const paused = refusal(reason);
  return ({ call }) => (isPaused(pause, call.now) ? paused : null);
}

function byHours({ destination, timezone }: ResolvedRoute): Judge | null {
  const ranges = openRangesOf(destination.doc.hours_of_operation);
  if (ranges === null) return null;
  const closed = refusal("closed");
  return (decision) => (isOpenAt(ranges, decision.factsIn(timezone).localTime()) ? null : closed);
}

/** Filters beyond their bounds do not pass, with a detail of their own. */
function byFilters({ destination: { doc }, timezone }: ResolvedRoute): Judge | null {
  if (doc.filters === undefined) return null;
  const filters = compileFilters(doc.filters);
  const [mismatch, tooCostly] = [refusal("filter_mismatch"), refusal("filter_mismatch", "filters_too_costly")];
  return (decision) => {
    const verdict = decision.judgeFilters(filters, timezone);
    if (verdict === "passes") return null;
    return verdict === "too_costly" ? tooCostly : mismatch;
  };
}

/** Holders whose limits apply: the destination, then its buyer. */
const limitedOf = ({ destination, buyer, timezone, organizationTimezone }: ResolvedRoute): readonly LimitedHolder[] => [
  { holder: holderOf(destination), limits: destination.doc, timezone },
  { holder: { kind: "buyer", id: buyer.id }, limits: buyer, timezone: buyer.timezone ?? organizationTimezone },
];

function byCaps(route: ResolvedRoute): Judge | null {
  const judges = limitedOf(route).flatMap((limited): Judge[] => {
    const isCapped = compileCaps(limited);
    if (isCapped === null) return [];
    const capped = refusal("cap_reached", limited.holder.kind);
    return [({ stats, call }) => (isCapped(stats, call.now) ? capped : null)];
  });
  return inOrder(judges);
}

function byConcurrency(route: ResolvedRoute): Judge | null {
  const judges = limitedOf(route).flatMap(({ holder, limits }): Judge[] => {
    const limit = concurrencyLimit(limits);
    if (limit === null) return [];
    const full = refusal("concurrency_reached", holder.kind);
    return [({ stats }) => (stats.inUse(holder) >= limit ? full : null)];
  });
  return inOrder(judges);
}

/** The campaign's rules take money away and no route. */
function asDuplicate(route: ResolvedRoute): Judge | null {
  const { consider_duplicate, duplicate_conversion_action } = route.destination.doc;
  if (!consider_duplicate || duplicate_conversion_action !== "decline") return null;
  return (decision) => {
    const { declined, duplicate_of } = judgeAsDuplicate(route, decision);
    return declined ? refusal("duplicate", duplicate_of) : null;
  };
}
