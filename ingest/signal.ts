import { z } from "zod";
import { callSchema, terminations } from "./call.ts";
import { describeFault } from "./fault.ts";
import { describeIssues, parseJson } from "./parse.ts";
import { callId, dollars, dollarsMore, orgId, shortText, tags, timestamp, wellFormedText } from "./primitives.ts";
import { buyerTermsSchema, publisherTermsSchema } from "./terms.ts";

const [earliest, latest] = ["2000-01-01T00:00:00.000Z", "2100-01-01T00:00:00.000Z"];

/** The time of a fact about a call, within the range that all stores keep alike. */
const happenedAt = timestamp.refine((at) => at >= earliest && at < latest, "must lie in one of the years 2000 to 2099");

const about = {
  v: z.literal(1).default(1),
  org_id: orgId,
  call_id: callId,
  /** The switch's time. */
  at: happenedAt,
  /**
   * The first position of the signal's message, if it was published to another partition than its call's or with
   * signals that were; set by the lifecycle only. `ordered`: it waited for signals that were sent before it.
   */
  rekeyed: z
    .object({
      partition: z.number().int().min(0),
      offset: z.number().int().min(0),
      key: z.string(),
      ordered: z.boolean(),
    })
    .optional(),
};
const named = z.object({ id: shortText, name: shortText });
/** Webhooks that a campaign or a destination may have at most. */
const webhookIds = z.array(shortText).max(1000).default([]);
const optionalText = shortText.nullable().default(null);
const tagNames = z.array(shortText).max(100).default([]);

/** An update by an external system and not by the switch: the order in the log counts, whatever the clocks say. */
const updateSchema = z.object({
  /** Constant for repeats of the same update: it counts once. */
  id: wellFormedText.min(1).max(64),
  /** The source, such as `incoming_webhook:<id>`. */
  source: shortText,
  /**
   * The call as a store had it, for a call that is no longer in memory: no event of it before `next_event` in its
   * partition of `call-events` is newer.
   */
  stored: z
    .object({ call: callSchema, next_event: z.number().int().min(0) })
    .nullable()
    .default(null),
});
export type Update = z.infer<typeof updateSchema>;

/** A caller dials a tracking number. Carries the terms of the campaign, so that nothing is looked up later. */
const incoming = z.object({
  kind: z.literal("incoming"),
  ...about,
  call_sid: optionalText,
  /** Caller and tracking number, E.164 where they could be parsed. */
  from: shortText,
  to: shortText,
  number_id: optionalText,
  campaign: named.nullable().default(null),
  publisher: named.nullable().default(null),
  publisher_terms: publisherTermsSchema.nullable().default(null),
  caller_state: optionalText,
  caller_zip: optionalText,
  inbound_request_id: optionalText,
  is_duplicate: z.boolean().default(false),
  duplicate_of: optionalText,
  repeat_caller: z.boolean().default(false),
  tcpa_result: optionalText,
  tags: tags.default({}),
  webhook_ids: webhookIds,
  /** True if the campaign shows its calls' recordings. */
  recording_access: z.boolean().default(true),
});

/**
 * Tags given by menus before any dial, or by an external system: then `update` names it, and tags may be removed, too.
 */
const tagged = z.object({
  kind: z.literal("tagged"),
  ...about,
  tags,
  remove: tagNames,
  update: updateSchema.nullable().default(null),
});

/**
 * A later correction of the call's amounts, in dollars; null leaves them. An amount takes precedence over its change.
 */
const adjusted = z.object({
  kind: z.literal("adjusted"),
  ...about,
  revenue: dollars.nullable().default(null),
  payout: dollars.nullable().default(null),
  /** Added to what the call is worth when the signal comes to it; never to less than nothing. */
  revenue_delta: dollarsMore.nullable().default(null),
  payout_delta: dollarsMore.nullable().default(null),
  converted: z.boolean().nullable().default(null),
  reason: wellFormedText.max(500).nullable().default(null),
  /** Fires the webhooks of `call.updated`. */
  fire_webhooks: z.boolean().default(true),
  update: updateSchema,
});

/** Later knowledge about the caller; a missing field stays, null clears it. */
const fields = z.object({
  kind: z.literal("fields"),
  ...about,
  caller_zip: shortText.nullable().optional(),
  caller_state: shortText.nullable().optional(),
  /** Values for which a call has no field. */
  tags: tags.default({}),
  remove: tagNames,
  update: updateSchema,
});

/** A dial to a target begins, the first one or a failover. */
const dialing = z.object({
  kind: z.literal("dialing"),
  ...about,
  /** Null where an RTB formula's own number is dialed. */
  target: named.extend({ type: shortText }).nullable().default(null),
  buyer: named.nullable().default(null),
  rtb_id: optionalText,
  rtb_group_id: optionalText,
  buyer_terms: buyerTermsSchema,
  /** Given where this destination changes what the publisher earns. */
  publisher_terms: publisherTermsSchema.nullable().default(null),
  /** False if earlier calls of the caller waive the payout or the revenue. */
  payable: z.boolean().default(true),
  receivable: z.boolean().default(true),
  /** The earlier call that this one repeats for this destination. */
  duplicate_of: optionalText,
  /** Tags added by menus and buyers' answers since the last signal. */
  tags: tags.default({}),
  /** True if a menu has asked the caller anything: the time before the first dial then counts as menu time. */
  after_menu: z.boolean().default(false),
  webhook_ids: webhookIds,
  /** True if the destination shows the recordings of its calls. */
  recording_access: z.boolean().default(true),
});

const dialFailed = z.object({ kind: z.literal("dial_failed"), ...about, reason: shortText });
const answered = z.object({ kind: z.literal("answered"), ...about });
const hungUp = z.object({ kind: z.literal("hung_up"), ...about, by: z.enum(terminations).default("caller") });
/** No destination is left to try. */
const failed = z.object({ kind: z.literal("failed"), ...about, reason: shortText });
/** The address of a recording as it is accepted from outside; signals on record may hold other schemes. */
export const recordingUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" }).max(2048);

const recorded = z.object({
  kind: z.literal("recorded"),
  ...about,
  recording_url: wellFormedText.max(2048).pipe(z.url()),
});

/** A switch's report about one call, with the router's decision, or a later update by an external system. */
export const signalSchema = z.discriminatedUnion("kind", [
  incoming,
  tagged,
  dialing,
  dialFailed,
  answered,
  hungUp,
  failed,
  recorded,
  adjusted,
  fields,
]);
export type Signal = z.infer<typeof signalSchema>;
export type SignalOf<K extends Signal["kind"]> = Extract<Signal, { kind: K }>;
/** A signal before `signalSchema` fills in the defaults. */
export type SignalInput = z.input<typeof signalSchema>;

export type ParsedSignal =
  | { readonly ok: true; readonly signal: Signal }
  | { readonly ok: false; readonly reason: "invalid_json" | "invalid_signal"; readonly error: string };

/** The signal that a JSON text is, or why it is none. */
export function parseSignal(text: string): ParsedSignal {
  const json = parseJson(text);
  if (!json.ok) return { ok: false, reason: "invalid_json", error: json.error };
  const signal = signalSchema.safeParse(json.value, { error: describeFault });
  if (signal.success) return { ok: true, signal: signal.data };
  return { ok: false, reason: "invalid_signal", error: describeIssues(signal.error) };
}
