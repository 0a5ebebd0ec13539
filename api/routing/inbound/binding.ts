import { z } from "zod";
import { type Quote, quoteSchema } from "../quotes/quote.ts";

/**
 * What a ping was promised, kept until the call comes. `quotes` stand in rank order, each with the terms that it was
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

/** What holds for the call to an allocated number: where it may go, the first best, and what its publisher earns. */
export interface Binding extends AllocatedRequest {
  readonly number: string;
}

export interface BoundNumber {
  readonly number: string;
  /** Which of the request's quotes the number stands for, from 0. */
  readonly place: number;
  /** Whether a route may not take the call that would owe less than the publisher was promised. */
  readonly noLoss: boolean;
}

/**
 * What a number of a request's answer stands for (semantics 8.9). A number of a pool is one route's: the others may take
 * its place when it fails, on the terms that this number was quoted with. On a receive number each route has its own.
 */
export function toBinding(request: AllocatedRequest, { number, place, noLoss }: BoundNumber): Binding {
  const about = { ...request, number, quotes: request.quotes.map((quote) => usableUntil(quote, request.expires_at)) };
  const own = about.quotes[place];
  if (request.receive_mode !== "dynamic" || own === undefined) return about;
  const { publisher_terms } = own;
  const promised = publisher_terms?.payout ?? 0;
  const others = about.quotes
    .filter((quote) => quote !== own && (!noLoss || quote.buyer_terms.revenue >= promised))
    .map((quote) => ({ ...quote, publisher_terms }));
  return { ...about, quotes: [own, ...others] };
}

/** A bid that was passed on to a publisher stands as long as the publisher may send the call. */
const usableUntil = (quote: Quote, expiresAt: number): Quote => ({
  ...quote,
  usable_until: quote.usable_until === null ? null : Math.max(quote.usable_until, expiresAt),
});
