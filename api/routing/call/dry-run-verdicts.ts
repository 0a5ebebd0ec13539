import type { CallId } from "../../../ingest/primitives.ts";
import type { BuyerTerms, PublisherTerms } from "../../../ingest/terms.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import type { CallStats } from "../call-stats.ts";
import type { RecordedTrace } from "../decision-trace.ts";
import { destinationOf, destinationOfBid } from "../destination.ts";
import { eligibleRoutes } from "../eligibility.ts";
import type { Ask } from "../quotes/ask-destination.ts";
import { type CompiledGroup, compiledPlanOf, type PlannedRoute } from "../quotes/compiled-plan.ts";
import type { Quote } from "../quotes/quote.ts";
import type { QuoteContext } from "../quotes/quote-context.ts";
import { type RoutePlace, toPlace } from "../route-place.ts";
import type { PingControls } from "../rtb/controls.ts";
import type { RoutedCall } from "./dial-plan.ts";
import type { EntryDeps } from "./entry.ts";
import { type Sold, toOffer } from "./offer.ts";
import { rowOfNumber } from "./run-dial-plan.ts";

/** `would_be_asked`: a buyer who would be asked for a bid, and was not. */
export const dryRunVerdicts = ["eligible", "bid", "would_be_asked", "refused"] as const;

export interface DryRunTerms {
  readonly buyer: BuyerTerms;
  readonly publisher: PublisherTerms | null;
  readonly payable: boolean;
  readonly receivable: boolean;
  readonly duplicate_of: string | null;
}

/** A destination of the call's plan with its verdict. */
export interface DryRunRoute extends RoutePlace {
  readonly plan_id: string | null;
  readonly rtb_group_id: string | null;
  readonly priority: number | null;
  readonly weight: number | null;
  readonly verdict: (typeof dryRunVerdicts)[number];
  readonly reason: string | null;
  readonly detail: string | null;
  /** Dollars. */
  readonly bid: number | null;
  readonly score: number | null;
  readonly terms: DryRunTerms | null;
  /** 1 for destinations that are tried first; null for those that are refused. */
  readonly turn: number | null;
  /** Probability that its route comes first in its turn. */
  readonly share: number | null;
}

export interface DryRunDeps {
  /** Returns what a call would take, and leaves it there. */
  peekAllocation(of: { number: string; caller: string | null; orgId: string }): ReturnType<EntryDeps["takeAllocation"]>;
  /** Likewise the tags that wait for the caller's next call. */
  peekCallerData(of: {
    caller: string;
    orgId: string;
    campaignId: string | null;
  }): ReturnType<EntryDeps["takeCallerData"]>;
  readonly checkTcpa: EntryDeps["checkTcpa"];
  readonly controls: Pick<PingControls, "refusal">;
  /** Asks for quotes without counting them; null asks no buyer. */
  readonly quote: Ask["quote"] | null;
}

export interface DryRunAt {
  readonly config: OrgConfig;
  readonly stats: CallStats;
  /** The trace of the decision alone, which is not published. */
  readonly trace: RecordedTrace;
  readonly now: number;
}

export interface Run {
  readonly deps: DryRunDeps;
  readonly at: DryRunAt;
  readonly call: RoutedCall & { readonly call_id: CallId };
}

export type Verdict = Omit<DryRunRoute, "turn" | "share">;
/** A verdict on a destination that is open, before anything is known of its place and terms. */
export const blank = {
  plan_id: null,
  rtb_group_id: null,
  priority: null,
  weight: null,
  verdict: "eligible",
  reason: null,
  detail: null,
  bid: null,
  score: null,
  terms: null,
} as const;

/** A route that has passed the checks that ask nobody outside. */
export async function judge(route: PlannedRoute, context: QuoteContext, run: Run): Promise<Verdict[]> {
  const { deps } = run;
  const { to, group } = route;
  if (to?.kind === "ivr") return [menu(to.id ?? "", rowOf(route, context), run)];
  if (to?.kind === "target" || to === null || deps.quote !== null) {
    return asked(route, context, run, deps.quote);
  }
  if (to.kind === "rtb_formula") return [unasked(route, { kind: to.kind, id: to.id }, context, deps)];
  if (group === null || group.members.length === 0) {
    return [refuse(route, { reason: "destination_missing", detail: null }, context)];
  }
  return membersOf(route, group, context, deps);
}

const rowOf = ({ row }: PlannedRoute, { plan }: QuoteContext) => ({
  route_id: row.id ?? null,
  plan_id: plan?.id ?? null,
  priority: row.priority,
  weight: row.weight,
});

/** The route's own row, or a member of its group where one is named. */
function verdictOf(
  route: PlannedRoute,
  context: QuoteContext,
  to: { readonly kind: string | null; readonly id: string | null } = {
    kind: route.to?.kind ?? null,
    id: route.to?.id ?? null,
  },
): Verdict {
  const { route_id, ...row } = rowOf(route, context);
  const rtb_group_id = route.to?.kind === "rtb_group" ? (route.to.id ?? null) : null;
  return { ...blank, ...row, rtb_group_id, ...toPlace({ ...to, route_id }, context.config) };
}

interface Refusal {
  readonly reason: string;
  readonly detail: string | null;
}
export const refuse = (route: PlannedRoute, { reason, detail }: Refusal, context: QuoteContext): Verdict => ({
  ...verdictOf(route, context),
  verdict: "refused",
  reason,
  detail,
});

/** The verdict on a formula's buyer who may be asked, by the controls of requests to it. */
function unasked(
  route: PlannedRoute,
  to: { readonly kind: string; readonly id: string | undefined },
  context: QuoteContext,
  { controls }: DryRunDeps,
): Verdict {
  const verdict = verdictOf(route, context, { kind: to.kind, id: to.id ?? null });
  const formula = context.config.get("rtb_formula", to.id);
  const reason = formula === undefined ? "destination_missing" : controls.refusal(formula);
  return reason === null ? { ...verdict, verdict: "would_be_asked" } : { ...verdict, verdict: "refused", reason };
}

function membersOf(route: PlannedRoute, group: CompiledGroup, context: QuoteContext, deps: DryRunDeps): Verdict[] {
  const { eligible, refused } = eligibleRoutes(group.members, context);
  return [
    ...eligible.map(({ link }) => unasked(route, { kind: "rtb_formula", id: link.rtb_formula_id }, context, deps)),
    ...refused.map(({ route: { link }, refusal: { reason, detail } }): Verdict => {
      const verdict = verdictOf(route, context, { kind: "rtb_formula", id: link.rtb_formula_id });
      return { ...verdict, verdict: "refused", reason, detail };
    }),
  ];
}

/** A route by its quotes: a target's own terms, the bid of a formula, or those of a group, best first. */
async function asked(
  route: PlannedRoute,
  context: QuoteContext,
  run: Run,
  quote: DryRunDeps["quote"],
): Promise<Verdict[]> {
  if (route.quote !== null) return [sold(verdictOf(route, context), route.quote, context, run)];
  if (route.to === null || quote === null) {
    return [refuse(route, { reason: "unsupported_action", detail: null }, context)];
  }
  const { quotes, unquoted } = await quote(route, context);
  const verdicts = [
    ...quotes.map((each) => sold(verdictOf(route, context, each), each, context, run)),
    ...unquoted.map(({ kind, id, reason, detail, bid }): Verdict => {
      return { ...verdictOf(route, context, { kind, id }), verdict: "refused", reason, detail, bid };
    }),
  ];
  return verdicts.length > 0 ? verdicts : [refuse(route, { reason: "destination_missing", detail: null }, context)];
}

/** A destination that would take the call, on the terms that it would be settled on. */
export function sold(verdict: Verdict, quote: Quote, context: QuoteContext, { at, call }: Run): Verdict {
  const { route, duplicateVerdict } = compiledPlanOf(context).destination(quote.kind, quote.id);
  const toSold = (): Sold | null => {
    if (route === null) return null;
    const { destination } = route;
    const { won, buyer_terms } = quote;
    if (destination.kind === "rtb_formula") {
      if (won === null) return null;
      return { destination: destinationOfBid(destination.doc.id, won.phone_number), buyer_terms, tags: won.tags };
    }
    const line = destinationOf(destination.doc);
    return line && { destination: line, buyer_terms, tags: {} };
  };
  const made = toSold();
  if (route === null || made === null) return { ...verdict, verdict: "refused", reason: "destination_missing" };
  const item = rowOfNumber(at.config, call);
  const { dialing } = toOffer({ quote, route, context, item, verdict: duplicateVerdict(context) }, made);
  const { buyer_terms, publisher_terms, payable, receivable, duplicate_of } = dialing;
  return {
    ...verdict,
    verdict: quote.won === null ? "eligible" : "bid",
    bid: quote.won?.bid ?? null,
    score: quote.score,
    terms: {
      buyer: buyer_terms,
      publisher: publisher_terms ?? null,
      payable,
      receivable,
      duplicate_of: duplicate_of ?? null,
    },
  };
}

/** A menu takes the call; where it leads to, the caller chooses. */
export function menu(id: string, row: Partial<Verdict>, { at: { config } }: Run): Verdict {
  const found = config.get("ivr", id);
  const verdict = { ...blank, ...toPlace({ route_id: row.route_id ?? null, kind: "ivr", id }, config), ...row };
  if (found?.is_active) return verdict;
  return { ...verdict, verdict: "refused", reason: found === undefined ? "destination_missing" : "inactive" };
}
