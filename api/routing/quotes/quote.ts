import { z } from "zod";
import { buyerTermsSchema, publisherTermsSchema } from "../../../ingest/terms.ts";
import type { RouteReason } from "../eligibility.ts";
import type { ControlRefusal } from "../rtb/controls.ts";
import type { PingRefusal } from "../rtb/step-outcome.ts";

/** A bid as it must be known again when the call goes there. */
const wonBid = z.object({
  bid: z.number(),
  duration: z.number(),
  phone_number: z.string(),
  captured: z.record(z.string(), z.string()),
  tags: z.record(z.string(), z.string()),
});

/**
 * One destination that would take a call, and on what terms: a target on its own, an RTB formula on its bid. Kept with a
 * call as its next choices, and with an allocation until the call comes.
 */
export const quoteSchema = z.object({
  /** The route of the plan that led to it; null where a menu did. */
  route_id: z.string().nullable(),
  plan_id: z.string().nullable(),
  kind: z.enum(["target", "rtb_formula"]),
  id: z.string(),
  rtb_group_id: z.string().nullable(),
  buyer_id: z.string(),
  /** The buyer's terms; a bid may still be lowered by the winner's steps. */
  buyer_terms: buyerTermsSchema,
  won: wonBid.nullable(),
  /** Dollars: a winner's steps may not lower the bid below this. */
  minimum_bid: z.number(),
  /** Id of the record of the ping that brought the bid. */
  request_id: z.string().nullable(),
  /** Score in the auction; null without one. */
  score: z.number().nullable(),
  /** Terms quoted to an inbound ping, paid as quoted; null where the usual sources decide. */
  publisher_terms: publisherTermsSchema.nullable(),
  /** Milliseconds since 1970, from when on it holds no more; null for a target's terms, which hold while they stand. */
  usable_until: z.number().nullable(),
});
export type Quote = z.infer<typeof quoteSchema>;

/** Reasons why a destination gave no quote. */
export type QuoteReason =
  | RouteReason
  | ControlRefusal
  | PingRefusal
  | "unsupported_action"
  | "bid_below_minimum"
  | "bid_above_maximum";

export interface Unquoted {
  readonly route_id: string | null;
  readonly kind: "target" | "rtb_formula" | "rtb_group" | "ivr" | null;
  readonly id: string | null;
  readonly reason: QuoteReason;
  /** The holder of the cap or limit, or the call that this one is a duplicate of. */
  readonly detail: string | null;
  /** Dollars, where one was bid. */
  readonly bid: number | null;
}
