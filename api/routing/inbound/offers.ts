import { percentOf } from "../../../ingest/money.ts";
import type { PublisherTerms } from "../../../ingest/terms.ts";
import type { Resource } from "../../config/registry.ts";
import type { Quote, QuoteReason } from "../quotes/quote.ts";

type InboundRtb = Resource<"inbound_rtb">;

/** A quote with what earlier calls of the caller take from it (semantics 8.10). */
export interface PricedQuote {
  readonly quote: Quote;
  readonly payable: boolean;
  readonly receivable: boolean;
}

/** A route as a ping is offered it. */
export interface Offer {
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
 * What a publisher is offered of quotes in the plan's order, the best first: by payout, then by the seconds it takes,
 * then as the plan has them (semantics 8.9). With `noLoss`, nothing is offered that pays more than it earns.
 */
export function toOffers(
  quotes: readonly PricedQuote[],
  inboundRtb: InboundRtb,
  { noLoss }: { readonly noLoss: boolean },
): { readonly offers: readonly Offer[]; readonly withheld: readonly Withheld[] } {
  const offers: Offer[] = [];
  const withheld: Withheld[] = [];
  for (const priced of quotes) {
    const offer = toOffer(priced, inboundRtb);
    const { quote } = priced;
    if (offer.payout === 0 || !priced.payable) withheld.push({ quote, reason: "zero_payout" });
    else if (noLoss && offer.payout > offer.revenue) withheld.push({ quote, reason: "negative_margin" });
    else offers.push(offer);
  }
  offers.sort((one, other) => other.payout - one.payout || one.duration - other.duration);
  return { offers, withheld };
}

const toOffer = (priced: PricedQuote, inboundRtb: InboundRtb): Offer =>
  inboundRtb.payout_mode === "static" ? toStaticOffer(priced, inboundRtb) : toDynamicOffer(priced, inboundRtb);

const revenueOf = ({ quote, receivable }: PricedQuote): number => (receivable ? quote.buyer_terms.revenue : 0);

/** Every route pays what the endpoint says. */
function toStaticOffer(priced: PricedQuote, inboundRtb: InboundRtb): Offer {
  const { payout = 0, payout_condition, payout_condition_duration } = inboundRtb;
  const terms: PublisherTerms = {
    ...{ payout, percentage: null, condition: payout_condition ?? "call_successfully_connected" },
    condition_seconds: payout_condition_duration ?? 0,
  };
  return {
    ...{ quote: { ...priced.quote, publisher_terms: terms }, payout, revenue: revenueOf(priced) },
    duration: payout_condition_duration ?? 0,
    payout_condition: payout_condition ?? null,
    payout_condition_duration: payout_condition_duration ?? null,
  };
}

/** A share of what the route's buyer would owe, on the buyer's condition unless the endpoint has one. */
function toDynamicOffer(priced: PricedQuote, inboundRtb: InboundRtb): Offer {
  const { payout_percentage, duration_add_seconds = 0, payout_condition, payout_condition_duration } = inboundRtb;
  const revenue = revenueOf(priced);
  const payout = percentOf(revenue, payout_percentage);
  const duration = requiredSeconds(priced.quote) + duration_add_seconds;
  const condition = payout_condition ?? priced.quote.buyer_terms.condition;
  const isByLength = condition === "call_length_connected" || condition === "call_length_incoming";
  const condition_seconds = payout_condition_duration ?? (isByLength ? duration : 0);
  return {
    ...{ quote: { ...priced.quote, publisher_terms: { payout, percentage: null, condition, condition_seconds } } },
    ...{ payout, revenue, duration, payout_condition: condition },
    payout_condition_duration: payout_condition_duration ?? (isByLength ? duration : null),
  };
}

/** Seconds that a buyer asks for; 0 where it pays for the connection alone. */
function requiredSeconds({ buyer_terms: { condition, condition_seconds } }: Quote): number {
  return condition === "call_length_connected" || condition === "call_length_incoming" ? condition_seconds : 0;
}
