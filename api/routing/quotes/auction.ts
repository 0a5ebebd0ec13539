import type { FormulaLink } from "../../config/resources/rtb-group.ts";
import type { Measured } from "../predictive.ts";

/** A formula's bid in its group, with what it has brought so far where that is asked. */
export interface Bidder {
  readonly link: FormulaLink;
  /** Dollars. */
  readonly bid: number;
  /** Undefined where the group does not predict. */
  readonly measured: Measured | undefined;
}

export type Scored<T> = T & { readonly score: number };

/** Best first: by score, then by bid; among equals by their place in the group (semantics 8.8). */
export const rank = <T extends Bidder>(bidders: readonly T[]): Scored<T>[] =>
  bidders
    .map((bidder) => ({ ...bidder, score: scoreOf(bidder) }))
    .sort((one, other) => other.score - one.score || other.bid - one.bid);

/**
 * What the auction compares: a bid as it is, or where the group predicts the dollars to expect, changed by the link's
 * modifier. It never touches what is owed.
 */
export function scoreOf({ link, bid, measured }: Bidder): number {
  if (measured === undefined) return bid;
  const expected = bid * (measured.measured ? measured.conversionRate : 1);
  const { routing_modifier_type: type, routing_modifier_value: value = 0, routing_modifier } = link;
  if (type === "amount") return expected + value;
  return expected * (1 + (type === "percentage" ? value : routing_modifier) / 100);
}

/** Dollars that a bid must lie between, both included. */
export interface Bounds {
  readonly minimum: number;
  /** Null for none. */
  readonly maximum: number | null;
}

/** A bid is for sale from 0 dollars on where no group says more. */
export const noBounds: Bounds = { minimum: 0, maximum: null };

/** The greater of the group's and the link's minimum; a maximum of 0 is none (semantics 8.8). */
export const boundsOf = (group: { readonly minimum_bid: number }, link: FormulaLink): Bounds => ({
  minimum: Math.max(group.minimum_bid, link.minimum_bid_per_target ?? 0),
  maximum: link.maximum_bid_per_target || null,
});

/** A bid out of bounds is refused, not cut: it would be another price than the buyer has in its books. */
export function refusalByBounds(
  bid: number,
  { minimum, maximum }: Bounds,
): "bid_below_minimum" | "bid_above_maximum" | null {
  if (bid < minimum) return "bid_below_minimum";
  return maximum !== null && bid > maximum ? "bid_above_maximum" : null;
}
