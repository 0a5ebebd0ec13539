import { z } from "zod";
import { dollars } from "./primitives.ts";

/** The conditions under which a side pays. */
export const payoutConditions = [
  "call_successfully_connected",
  "call_length_connected",
  "call_length_incoming",
  "call_converted",
] as const;
export const payoutCondition = z.enum(payoutConditions);
export type PayoutCondition = z.infer<typeof payoutCondition>;

const condition = {
  condition: payoutCondition.default("call_successfully_connected"),
  /** Seconds that the call must have lasted, `>=`; counted from connect, or for `call_length_incoming` from the start. */
  condition_seconds: z.number().int().min(0).default(0),
};

/** The buyer's revenue for the call if its condition is met. */
export const buyerTermsSchema = z.object({ revenue: dollars, ...condition });
export type BuyerTerms = z.infer<typeof buyerTermsSchema>;

/** The publisher's payout: a fixed amount, or a percentage of the revenue actually earned. */
export const publisherTermsSchema = z.object({
  payout: dollars,
  percentage: z.number().min(0).max(100).nullable().default(null),
  ...condition,
});
export type PublisherTerms = z.infer<typeof publisherTermsSchema>;
