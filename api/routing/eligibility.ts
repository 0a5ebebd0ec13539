import { isPaused } from "../config/pause.ts";
import type { CallStats } from "./call-stats.ts";
import { isCapped, isFull, type LimitedHolder } from "./caps.ts";
import { type DuplicateVerdict, judgeDuplicate } from "./duplicates.ts";
import { isOpen } from "./hours.ts";
import { measuredSince, underperformers } from "./predictive.ts";
import { holderOf, type ResolvedRoute, type RouteCandidate, resolveRoute } from "./route.ts";

/** Why a route may not be tried, in the order of the checks (semantics 8.2, R1 to R10). */
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

type Check = (route: ResolvedRoute, stats: CallStats) => RouteReason | RouteRefusal | null;

/** None of them asks anything of anybody outside. */
const checks: readonly Check[] = [
  refusalByState,
  refusalByBuyer,
  refusalByHours,
  refusalByFilters,
  refusalByCaps,
  refusalByConcurrency,
  refusalAsDuplicate,
];

/** The first of the checks R1 to R9 that a route fails; null when it may be tried. */
export const routeRefusal = (route: RouteCandidate, stats: CallStats): RouteRefusal | null =>
  firstRefusal(route, stats, checks);

function firstRefusal(route: RouteCandidate, stats: CallStats, among: readonly Check[]): RouteRefusal | null {
  const known = resolveRoute(route);
  if (known === null) return { reason: "destination_missing", detail: null };
  for (const check of among) {
    const refusal = check(known, stats);
    if (refusal !== null) return typeof refusal === "string" ? { reason: refusal, detail: null } : refusal;
  }
  return null;
}

/** Checks that are repeated when the call goes to a quote's destination; those of the caller are not (semantics 8.9). */
const checksOfQuote: readonly Check[] = [refusalByState, refusalByHours, refusalByCaps, refusalByConcurrency];

/** The first of the checks that a quote fails since it was given; null when it stands. */
export const quoteRefusal = (route: RouteCandidate, stats: CallStats): RouteRefusal | null =>
  firstRefusal(route, stats, checksOfQuote);

/** Returns the effect of the caller's earlier calls on payout and revenue of this one, if the route takes it. */
export function judgeRoute(route: RouteCandidate, stats: CallStats): DuplicateVerdict {
  const { destination, buyer, campaign, call, call_id } = route;
  if (destination === undefined || call.caller === null) return noDuplicate;
  return judgeDuplicate(destination.doc, campaign, {
    call_id,
    destination: holderOf(destination),
    now: call.now,
    earlier: stats.earlierCalls(call.caller),
    buyer_id: buyer?.id ?? null,
    publisher_id: call.publisher?.id ?? null,
    campaign_id: campaign?.id ?? null,
  });
}
const noDuplicate: DuplicateVerdict = { declined: false, payable: true, receivable: true, duplicate_of: null };

export interface JudgedRoutes<T> {
  readonly eligible: readonly T[];
  readonly refused: readonly { readonly route: T; readonly refusal: RouteRefusal }[];
}

/**
 * Routes in their own order, and apart those that may not be tried. Whoever earns too little is found last, among those
 * that pass everything else: a closed destination is no measure for an open one (R10, semantics 8.8).
 */
export function eligibleRoutes<T extends RouteCandidate>(routes: readonly T[], stats: CallStats): JudgedRoutes<T> {
  const judged = routes.map((route) => ({ route, refusal: routeRefusal(route, stats) }));
  const passing = judged.filter(({ refusal }) => refusal === null).map(({ route }) => route);
  const behind = underperforming(passing, stats);
  const refused = judged.flatMap(({ route, refusal }) => {
    const found = refusal ?? (behind.has(route) ? ({ reason: "underperforming", detail: null } as const) : null);
    return found === null ? [] : [{ route, refusal: found }];
  });
  return { eligible: passing.filter((route) => !behind.has(route)), refused };
}

/** Each among the routes that are judged by the same rules. */
function underperforming<T extends RouteCandidate>(routes: readonly T[], stats: CallStats): ReadonlySet<T> {
  const behind = new Set<T>();
  for (const rules of new Set(routes.map(({ predictive }) => predictive))) {
    if (rules === undefined) continue;
    const among = routes.flatMap((route) =>
      route.predictive === rules && route.destination ? [{ route, holder: holderOf(route.destination) }] : [],
    );
    const brought = among.map(
      ({ route, holder }) => [route, stats.performance(holder, measuredSince(rules, route.call.now))] as const,
    );
    for (const route of underperformers(new Map(brought), rules)) behind.add(route);
  }
  return behind;
}

function refusalByState({ destination: { doc }, call }: ResolvedRoute): RouteReason | null {
  if (!doc.is_active) return "inactive";
  return isPaused(doc.pause, call.now) ? "paused" : null;
}

function refusalByBuyer({ buyer, allowedBuyers, call }: ResolvedRoute): RouteReason | null {
  if (!buyer.is_active) return "buyer_inactive";
  if (isPaused(buyer.pause, call.now)) return "buyer_paused";
  return allowedBuyers.length === 0 || allowedBuyers.includes(buyer.id) ? null : "buyer_not_allowed";
}

function refusalByHours({ destination, timezone, call }: ResolvedRoute): RouteReason | null {
  return isOpen(destination.doc.hours_of_operation, timezone, call.now) ? null : "closed";
}

/** Filters beyond their bounds do not pass, with a reason of their own. */
function refusalByFilters({
  destination,
  timezone,
  call,
  filtering,
}: ResolvedRoute): RouteReason | RouteRefusal | null {
  const verdict = filtering.judge(destination.doc.filters, call, timezone);
  if (verdict === "too_costly") return { reason: "filter_mismatch", detail: "filters_too_costly" };
  return verdict === "passes" ? null : "filter_mismatch";
}

/** Holders whose limits apply: the destination, then its buyer. */
const limitedOf = ({ destination, buyer, timezone, organizationTimezone }: ResolvedRoute): readonly LimitedHolder[] => [
  { holder: holderOf(destination), limits: destination.doc, timezone },
  { holder: { kind: "buyer", id: buyer.id }, limits: buyer, timezone: buyer.timezone ?? organizationTimezone },
];

function refusalByCaps(route: ResolvedRoute, stats: CallStats): RouteRefusal | null {
  const capped = limitedOf(route).find((limited) => isCapped(limited, stats, route.call.now));
  return capped ? { reason: "cap_reached", detail: capped.holder.kind } : null;
}

function refusalByConcurrency(route: ResolvedRoute, stats: CallStats): RouteRefusal | null {
  const full = limitedOf(route).find((limited) => isFull(limited, stats));
  return full ? { reason: "concurrency_reached", detail: full.holder.kind } : null;
}

function refusalAsDuplicate(route: ResolvedRoute, stats: CallStats): RouteRefusal | null {
  const { declined, duplicate_of } = judgeRoute(route, stats);
  return declined ? { reason: "duplicate", detail: duplicate_of } : null;
}
