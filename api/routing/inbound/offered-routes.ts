import { percentOf } from "../../../ingest/money.ts";
import type { PublisherTerms } from "../../../ingest/terms.ts";
import type { Resource } from "../../config/registry.ts";
import type { Quote, QuoteReason } from "../quotes/quote.ts";

type InboundRtb = Resource<"inbound_rtb">;

/** A quote with what earlier calls of the caller take from it. */
export interface PricedQuote {
  readonly quote: Quote;
  readonly payable: boolean;
  readonly receivable: boolean;
}

/** A route as a ping is offered it. */
export interface OfferedRoute {
  /** Its publisher terms are those that are offered. */
  readonly quote: Quote & { readonly publisher_terms: PublisherTerms };
  /** Dollars. */
  readonly payout: number;
  /** Dollars that its buyer would owe. */
  readonly revenue: number;
  /** Seconds from which on the publisher is paid. */
  readonly duration: number;
  readonly payout_condition: string | null;
  readonly payout_condition_duration: number | null;
}

/** Why a route was not offered: it gave no quote, or none that a publisher could be paid of. */
export type WithheldReason = QuoteReason | "zero_payout" | "negative_margin";
export interface Withheld {
  readonly quote: Quote;
  readonly reason: "zero_payout" | "negative_margin";
}

/**
 * Returns the quotes that a publisher is offered, the best first: by payout, then by the seconds it takes,
 * then as the plan has them. With `noLoss`, nothing is offered that pays more than it earns.
 */
export function toOfferedRoutes(
  quotes: readonly PricedQuote[],
  inboundRtb: InboundRtb,
  { noLoss }: { readonly noLoss: boolean },
): { readonly offered: readonly OfferedRoute[]; readonly withheld: readonly Withheld[] } {
  const offered: OfferedRoute[] = [];
  const withheld: Withheld[] = [];
  for (const priced of quotes) {
    const route = toOfferedRoute(priced, inboundRtb);
    const { quote } = priced;
    if (route.payout === 0 || !priced.payable) withheld.push({ quote, reason: "zero_payout" });
    else if (noLoss && route.payout > route.revenue) withheld.push({ quote, reason: "negative_margin" });
    else offered.push(route);
  }
  offered.sort((one, other) => other.payout - one.payout || one.duration - other.duration);
  return { offered, withheld };
}

const toOfferedRoute = (priced: PricedQuote, inboundRtb: InboundRtb): OfferedRoute =>
  inboundRtb.payout_mode === "static" ? payingFixed(priced, inboundRtb) : payingShare(priced, inboundRtb);

const revenueOf = ({ quote, receivable }: PricedQuote): number => (receivable ? quote.buyer_terms.revenue : 0);

/** Every route pays what the endpoint says. */
function payingFixed(priced: PricedQuote, inboundRtb: InboundRtb): OfferedRoute {
  const { payout = 0, payout_condition, payout_condition_duration } = inboundRtb;
  const terms: PublisherTerms = {
    payout,
    percentage: null,
    condition: payout_condition ?? "call_successfully_connected",
    condition_seconds: payout_condition_duration ?? 0,
  };
  return {
    quote: { ...priced.quote, publisher_terms: terms },
    payout,
    revenue: revenueOf(priced),
    duration: payout_condition_duration ?? 0,
    payout_condition: payout_condition ?? null,
    payout_condition_duration: payout_condition_duration ?? null,
  };
}

/**
 * A share of what the route's buyer would owe, on the buyer's condition unless the endpoint has one. Added seconds make a
 * length of a condition that asks for none: what is shown is what is paid.
 */
function payingShare(priced: PricedQuote, inboundRtb: InboundRtb): OfferedRoute {
  const { payout_percentage, duration_add_seconds = 0, payout_condition, payout_condition_duration } = inboundRtb;
  const revenue = revenueOf(priced);
  const payout = percentOf(revenue, payout_percentage);
  const duration = requiredSeconds(priced.quote) + duration_add_seconds;
  const own = payout_condition ?? priced.quote.buyer_terms.condition;
  const condition = duration_add_seconds > 0 && own === "call_successfully_connected" ? "call_length_connected" : own;
  const isByLength = condition === "call_length_connected" || condition === "call_length_incoming";
  const condition_seconds = payout_condition_duration ?? (isByLength ? duration : 0);
  return {
    quote: { ...priced.quote, publisher_terms: { payout, percentage: null, condition, condition_seconds } },
    payout,
    revenue,
    duration,
    payout_condition: condition,
    payout_condition_duration: payout_condition_duration ?? (isByLength ? duration : null),
  };
}

/** Seconds that a buyer asks for; 0 where it pays for the connection alone. */
function requiredSeconds({ buyer_terms: { condition, condition_seconds } }: Quote): number {
  return condition === "call_length_connected" || condition === "call_length_incoming" ? condition_seconds : 0;
}
