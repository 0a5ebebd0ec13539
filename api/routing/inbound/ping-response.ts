import { z } from "zod";
import type { OrgConfig } from "../../config/org-config.ts";
import { routeReasons } from "../eligibility.ts";
import type { Quote } from "../quotes/quote.ts";
import type { WithheldReason } from "./offered-routes.ts";

/** A route that a ping was not offered, and why. */
export interface Left {
  readonly route_id: string | null;
  readonly kind: "target" | "rtb_formula" | "rtb_group" | "ivr" | null;
  readonly id: string | null;
  readonly reason: WithheldReason | "lost_auction" | "no_numbers";
  readonly detail: string | null;
  /** Dollars. */
  readonly bid: number | null;
}

const judged: ReadonlySet<string> = new Set([...routeReasons, "unsupported_action"]);
/** Returns true for a route that was judged by its config alone: nobody was asked, and nothing was offered. */
export const isUnasked = ({ reason }: Left): boolean => judged.has(reason);

export const leftOf = ({ route_id, kind, id, won }: Quote, reason: Left["reason"]): Left => ({
  route_id,
  kind,
  id,
  reason,
  detail: null,
  bid: won?.bid ?? null,
});

export const pingAnswerSchema = z.object({
  success: z.boolean(),
  request_id: z.string(),
  inbound_rtb_id: z.string(),
  allocation_time_seconds: z.number(),
  eligible_routes: z.array(
    z.object({
      /** E.164. */
      number: z.string(),
      payout: z.number(),
      duration: z.int(),
      payout_condition: z.string().nullable(),
      payout_condition_duration: z.int().nullable(),
    }),
  ),
  total_routes: z.int(),
  allocated_count: z.int(),
  timestamp: z.iso.datetime(),
  /** The answer of an earlier ping that asked the same and still stands. */
  cached: z.literal(true).optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  ineligible_routes: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))).optional(),
});
export type PingAnswer = z.infer<typeof pingAnswerSchema>;

/** The fields that an answer may show of a route that was not offered. */
const tellable = ["reason", "target_id", "target_name", "buyer_id", "buyer_name", "bid", "detail", "type"] as const;

/** Routes that were not offered, with the fields of a comma-separated list; the reason alone where it names none. */
export function toIneligible(
  left: readonly Left[],
  fields: string | undefined,
  config: OrgConfig,
): NonNullable<PingAnswer["ineligible_routes"]> {
  const named = new Set((fields ?? "").split(",").map((field) => field.trim().toLowerCase()));
  const wanted = tellable.filter((field) => named.has(field));
  const shown = wanted.length > 0 ? wanted : (["reason"] as const);
  return left.map((each) => {
    const all = describe(each, config);
    return Object.fromEntries(shown.map((field) => [field, all[field]]));
  });
}

function describe({ kind, id, reason, detail, bid }: Left, config: OrgConfig) {
  const target = kind === "target" ? config.get("target", id ?? undefined) : undefined;
  const formula = kind === "rtb_formula" ? config.get("rtb_formula", id ?? undefined) : undefined;
  const buyer = config.get("buyer", (target ?? formula)?.buyer_id);
  return {
    reason,
    detail,
    bid,
    type: kind,
    target_id: id,
    target_name: target?.name ?? formula?.rtb_name ?? null,
    buyer_id: buyer?.id ?? null,
    buyer_name: buyer?.name ?? null,
  };
}
