import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { callId, dollars, dollarsMore, wellFormedText } from "../../../ingest/primitives.ts";

const mostAdjustments = 500;

const amount = dollars.nullish().describe("What the call is worth from now on.");
const delta = dollarsMore.nullish().describe("Added to what the call is worth; not to less than 0.");

const adjustment = z
  .object({
    call_id: callId,
    payout: amount,
    revenue: amount,
    payout_delta: delta,
    revenue_delta: delta,
    converted: z.boolean().nullish(),
    reason: wellFormedText.trim().min(1).max(500),
  })
  .superRefine(({ payout, revenue, payout_delta, revenue_delta, converted }, { addIssue }) => {
    const fault = (path: string, message: string, type: string) =>
      addIssue({ code: "custom", path: [path], message, params: { type } });
    const twice = "is excluded by the amount of the same side: give one of them";
    if (payout != null && payout_delta != null) fault("payout_delta", twice, "amount_twice");
    if (revenue != null && revenue_delta != null) fault("revenue_delta", twice, "amount_twice");
    if ((payout ?? revenue ?? payout_delta ?? revenue_delta ?? converted ?? null) === null) {
      fault("payout", "payout, revenue, a delta of them, or converted is needed", "missing");
    }
  });
export type Adjustment = z.output<typeof adjustment>;

/** Rows that are alike count once; two that want different things of one call contradict each other. */
export const adjustmentsBody = z
  .object({
    adjustments: z.array(adjustment).min(1).max(mostAdjustments),
    transaction_id: wellFormedText.min(1).max(255).nullish(),
    fire_webhooks: z.boolean().default(false).describe("Whether webhooks of call.updated are told."),
  })
  .superRefine(({ adjustments }, { addIssue }) => {
    const byCall = new Map<string, Adjustment>();
    adjustments.forEach((each, index) => {
      const other = byCall.get(each.call_id);
      byCall.set(each.call_id, other ?? each);
      if (other === undefined || isDeepStrictEqual(other, each)) return;
      const message = "is adjusted by another row, too, and differently";
      addIssue({
        code: "custom",
        path: ["adjustments", index, "call_id"],
        message,
        params: { type: "call_twice" },
        input: each.call_id,
      });
    });
  });
export type AdjustmentsBody = z.output<typeof adjustmentsBody>;

/** In the order in which they were sent. */
export const distinctAdjustments = ({ adjustments }: AdjustmentsBody): Adjustment[] => [
  ...new Map(adjustments.map((each) => [each.call_id, each])).values(),
];
