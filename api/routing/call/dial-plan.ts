import { z } from "zod";
import { quoteSchema } from "../quotes/quote.ts";

const id = z.string();

/**
 * An item of a call's dial plan, which runs from the first one on. A plan is replaced by its routes, a route by its quotes, a
 * menu by the caller's choice: so failover goes on from the present state, in any process.
 */
const dialPlanItemSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("plan"), id }),
  z.object({ kind: z.literal("route"), plan_id: id, route_id: id }),
  /** The destination of a menu's choice. */
  z.object({ kind: z.literal("place"), to: z.enum(["target", "rtb_formula", "rtb_group"]), id }),
  z.object({ kind: z.literal("quote"), quote: quoteSchema }),
  z.object({ kind: z.literal("menu"), id, route_id: id.nullable() }),
  z.object({ kind: z.literal("say"), text: z.string() }),
  z.object({ kind: z.literal("hangup") }),
]);
export type DialPlanItem = z.infer<typeof dialPlanItemSchema>;
export type DialPlan = readonly DialPlanItem[];

/** State of a call that routing keeps from one step to the next. */
export const routedCallSchema = z.object({
  campaign_id: z.string().nullable(),
  publisher: z.object({ id, name: z.string() }).nullable(),
  /** The tracking number that was dialed, E.164 where it could be parsed. */
  number: z.string(),
  number_id: z.string().nullable(),
  /** E.164; null for an anonymous caller. */
  caller: z.string().nullable(),
  zip: z.string().nullable(),
  state_code: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
  inbound_request_id: z.string().nullable(),
  dial_plan: z.array(dialPlanItemSchema),
  /** Destinations that were dialed, `kind id`: each at most once. */
  tried: z.array(z.string()),
  dials: z.int(),
});
export type RoutedCall = z.infer<typeof routedCallSchema>;
