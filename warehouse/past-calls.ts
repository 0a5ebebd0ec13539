import { z } from "zod";
import { timestamp } from "../ingest/primitives.ts";

const id = z.string().nullable();
const count = z.number().int().min(0);
/** Null where no call of the day had any. */
const dollars = z.number().nullable();

/** Sums of the calls of a day (UTC) that are no longer shown, by owner; without refused ones. */
export const pastCallsSchema = z.object({
  org_id: z.string(),
  started_at: timestamp,
  campaign_id: id,
  publisher_id: id,
  target_id: id,
  rtb_id: id,
  buyer_id: id,
  calls: count,
  connected: count,
  converted: count,
  receivable: count,
  revenue: dollars,
  payout: dollars,
});
export type PastCalls = z.infer<typeof pastCallsSchema>;

export const pastCallsTable = "past_calls";
/** The columns that identify a sum. */
export const pastCallsKey = [
  "started_at",
  "org_id",
  "campaign_id",
  "publisher_id",
  "target_id",
  "rtb_id",
  "buyer_id",
] as const;

/** The time behind the days of sums: what was from before is shown no longer. */
export const behindPastCalls = (all: readonly PastCalls[]): Date => {
  const last = all.reduce((latest, { started_at }) => Math.max(latest, Date.parse(started_at)), 0);
  return new Date((Math.floor(last / dayMs) + 1) * dayMs);
};
const dayMs = 86_400_000;
