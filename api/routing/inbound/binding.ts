import { z } from "zod";
import { maxDials } from "../call/run-dial-plan.ts";
import { type Quote, quoteSchema } from "../quotes/quote.ts";

/**
 * The promise that a ping was given, kept until the call comes. `quotes` stand in rank order, each with the terms that it was
 * offered on; of a ping for one receive number, only those that its caller may be sent to.
 */
export const allocatedRequestSchema = z.object({
  request_id: z.string(),
  /** The public id, as pings name the endpoint. */
  inbound_rtb_id: z.string(),
  receive_mode: z.enum(["dynamic", "static_standard", "static_multi_bid"]),
  campaign_id: z.string(),
  publisher_id: z.string(),
  /** E.164; null where the ping named nobody, so that anybody may call. */
  caller: z.string().nullable(),
  zip: z.string().nullable(),
  state: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
  /** Milliseconds since 1970. */
  expires_at: z.number(),
  quotes: z.array(quoteSchema),
});
export type AllocatedRequest = z.infer<typeof allocatedRequestSchema>;

/** The terms of a call to an allocated number: its quotes, best first, and what its publisher earns. */
export interface Binding extends AllocatedRequest {
  readonly number: string;
}

export interface BoundNumber {
  readonly number: string;
  /** The index, from 0, of the quote that the number stands for. */
  readonly place: number;
  /** True if a route may not take the call that would owe less than the publisher was promised. */
  readonly noLoss: boolean;
  /** When the call came, milliseconds since 1970. */
  readonly takenAt: number;
}

/**
 * Returns the terms that a number of a request's answer stands for. A number of a pool is one route's: the others may take
 * its place when it fails, on the terms that this number was quoted with. On a receive number each route has its own.
 */
export function toBinding(request: AllocatedRequest, bound: BoundNumber): Binding {
  const { number, place, noLoss, takenAt } = bound;
  const ranked = rank(request, place, noLoss);
  const quotes = ranked.map((quote) => usableUntil(noLoss ? withoutLoss(quote) : quote, takenAt + ladderMs));
  return { ...request, number, quotes };
}

function rank({ receive_mode, quotes }: AllocatedRequest, place: number, noLoss: boolean): Quote[] {
  const own = quotes[place];
  if (receive_mode !== "dynamic" || own === undefined) return quotes;
  const { publisher_terms } = own;
  const others = quotes
    .filter((quote) => quote !== own && (!noLoss || quote.buyer_terms.revenue >= promisedBy(own)))
    .map((quote) => ({ ...quote, publisher_terms }));
  return [own, ...others];
}

const promisedBy = ({ publisher_terms }: Quote): number => publisher_terms?.payout ?? 0;

/** A winner's steps may lower the bid, not below what the publisher was promised. */
const withoutLoss = (quote: Quote): Quote => ({
  ...quote,
  minimum_bid: Math.max(quote.minimum_bid, promisedBy(quote)),
});

/**
 * The time that a call may look for somebody who takes it: as often as it may be dialed, a minute of ringing each, and a
 * minute for lists and winners' steps. A bid that was passed on to a publisher stands as long: its call came in time.
 */
const ladderMs = (maxDials + 1) * 60_000;

const usableUntil = (quote: Quote, until: number): Quote => ({
  ...quote,
  usable_until: quote.usable_until === null ? null : Math.max(quote.usable_until, until),
});
