import { z } from "zod";
import { callId, orgId, shortText, tags, timestamp, wellFormedText } from "./primitives.ts";
import { buyerTermsSchema, publisherTermsSchema } from "./terms.ts";

/** `incoming` until a target answers; `failed` when none did; `completed` after a connected call has been settled. */
export const callStatuses = ["incoming", "connected", "completed", "failed"] as const;
export const terminations = ["caller", "target", "system"] as const;

/** Updates of one call whose ids are remembered; repeats of an update come within a day. */
export const maxUpdates = 100;

const text = shortText.nullable().default(null);
const time = timestamp.nullable().default(null);
const amount = z.number().nullable().default(null);
const seconds = z.number().int().min(0).nullable().default(null);

/** The failure reason of a call whose switch got no answer from us: it belongs to no campaign and counts in no cap. */
export const refusedReason = "platform_unavailable";

/**
 * The state of one call: the row of the call log and the terms it was routed on. `null` means "not
 * known yet"; money is dollars, durations are whole seconds, truncated, not rounded.
 */
export const callSchema = z.object({
  call_id: callId,
  org_id: orgId,
  /** Rises by one with each event; the highest one is the call. */
  version: z.number().int().min(0),
  call_sid: text,
  campaign_id: text,
  campaign_name: text,
  publisher_id: text,
  publisher_name: text,
  number_id: text,
  number: text,
  caller_id: text,
  caller_state: text,
  caller_zip: text,
  target_id: text,
  target_name: text,
  target_type: text,
  rtb_id: text,
  rtb_group_id: text,
  buyer_id: text,
  buyer_name: text,
  inbound_request_id: text,
  status: z.enum(callStatuses),
  started_at: timestamp,
  connected_at: time,
  ended_at: time,
  duration: seconds,
  /** Seconds from the start to the first dial, for a call that went through a menu. */
  ivr_duration: seconds,
  connect_duration: seconds,
  termination_by: z.enum(terminations).nullable().default(null),
  /** The reason why the call was not connected; `lost` if its end was never reported, or `refusedReason`. */
  failure_reason: text,
  /** Dials begun, the connected one included. */
  attempts: z.number().int().min(0).default(0),
  revenue: amount,
  payout: amount,
  profit: amount,
  configured_revenue: amount,
  configured_payout: amount,
  revenue_overridden: z.boolean().default(false),
  payable: z.boolean().default(false),
  receivable: z.boolean().default(false),
  converted: z.boolean().default(false),
  converted_at: time,
  is_duplicate: z.boolean().default(false),
  duplicate_of: text,
  repeat_caller: z.boolean().default(false),
  tcpa_result: text,
  recording_url: wellFormedText.max(2048).nullable().default(null),
  tags: tags.default({}),
  /** Ids of the external updates that were applied last: a repeated one changes nothing. */
  updates: z.array(wellFormedText).max(maxUpdates).default([]),
  created_at: timestamp,
  updated_at: timestamp,
  /**
   * The terms the call is settled on and the webhooks it fires, copied when it was routed; not a column for analysts.
   */
  terms: z.object({
    buyer: buyerTermsSchema.nullable().default(null),
    publisher: publisherTermsSchema.nullable().default(null),
    campaign_webhook_ids: z.array(shortText).default([]),
    target_webhook_ids: z.array(shortText).default([]),
    /** False if earlier calls of the caller waive the payout or the revenue. */
    payable: z.boolean().default(true),
    receivable: z.boolean().default(true),
    /** The verdict on duplicates when the call came in, before a destination judged it. */
    arrived: z.object({ is_duplicate: z.boolean(), duplicate_of: text }).nullable().default(null),
    /** Amounts that replace the settled ones; null leaves them as settled. */
    adjusted: z
      .object({ revenue: amount, payout: amount, converted: z.boolean().nullable().default(null) })
      .nullable()
      .default(null),
    /** The recording may be shown only if both allow it. */
    campaign_recording_access: z.boolean().default(true),
    target_recording_access: z.boolean().default(true),
  }),
  /** Names of the events published so far, in order; what is owed follows from it. */
  published: z.array(wellFormedText),
  /** Position in `call-signals` of the last signal applied: an older one is a repeat. */
  last_signal: z.number().int().min(-1),
  /**
   * By partition, the offset there of the last applied signal that was published to it first: an older one is a repeat.
   */
  rekeyed: z.record(z.string(), z.number().int().min(0)).optional(),
  /** The switch's time of that signal; null in messages that are older than the field. */
  last_signal_at: time,
  /**
   * Delay from then until the signal was published; 0 for a signal of the future. The call's timers run as late as
   * this.
   */
  lag_ms: z.number().min(0).default(0),
});
export type Call = z.infer<typeof callSchema>;

/**
 * Returns the recording's address as it may be shown; null if there is none, or if `access_to_call_recordings` was off
 * on the campaign or on the destination that took the call. The record keeps it.
 */
export const shownRecordingUrl = ({ recording_url, terms }: Pick<Call, "recording_url" | "terms">): string | null =>
  terms.campaign_recording_access && terms.target_recording_access ? recording_url : null;
