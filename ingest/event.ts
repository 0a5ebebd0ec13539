/**
 * Glossary: one word, one meaning, in code, columns and documents alike.
 *
 * - organization: whose data it is; every row of every store carries its `org_id`.
 * - publisher: who sends calls and is paid a *payout*; buyer: who takes them and pays *revenue*.
 * - target: a buyer's destination, a phone number or a SIP endpoint.
 * - campaign: joins publishers' numbers to a routing plan; *route*: one row of such a plan.
 * - terms: what was agreed for one call (amount, condition, percentage), copied when it was routed.
 * - signal: what a switch says about a call (`signal.ts`); raw, ordered per call.
 * - call: the fold of its signals (`call.ts`).
 * - event: a fact about a call that we publish, with the whole call as it stood after it.
 * - mark: the event that a call has been connected for 5, 15, 30, 45 or 60 seconds.
 * - conversion: the call met the condition of a side that pays, so that side's money counts.
 * - delivery: one attempt at one outgoing webhook; *request* is its record in the history.
 * - ping: a publisher's question which routes are open; bid: a buyer's answer to ours.
 * - dead letter: a message that could not be used, kept with the reason.
 * - config: what customers set; settings: the environment of the process.
 *
 * Records that travel keep the wire's snake_case names everywhere, so a message's bytes are a row's columns.
 */
import { z } from "zod";
import { callSchema } from "./call.ts";
import { eventId, shortText, timestamp, wellFormedText } from "./primitives.ts";
import { createStoredReader } from "./stored-reader.ts";

/** The eleven call events of the specification in the order of their meaning, and ours for later corrections. */
export const callEventNames = [
  "call.incoming",
  "call.connected",
  "call.on_5_secs_mark",
  "call.on_15_secs_mark",
  "call.on_30_secs_mark",
  "call.on_45_secs_mark",
  "call.on_60_secs_mark",
  "call.hangup",
  "call.failure",
  "call.converted",
  "call.completed",
  "call.updated",
] as const;
export type CallEventName = (typeof callEventNames)[number];

/** Connected time, in seconds, at which a mark fires. */
export const markSeconds = [5, 15, 30, 45, 60] as const;
export type MarkSeconds = (typeof markSeconds)[number];
export const markEvent = (seconds: MarkSeconds): CallEventName => `call.on_${seconds}_secs_mark`;

/**
 * Event-carried state: the event and, flat beside it, the whole call after it. `version` rises by one with each
 * event of the call, so replaying is harmless (the highest version wins) and the topic restores open calls.
 */
export const callEventSchema = callSchema.extend({
  v: z.literal(1),
  id: eventId,
  event: z.enum(callEventNames),
  /** The time of the fact, which for a mark is connected_at + N s, not the time its timer ran. */
  occurred_at: timestamp,
  /**
   * The cause of a `call.updated` from outside: the source, such as `api_key:<id>`, and the reason if one was given.
   */
  cause: z.object({ source: shortText, reason: wellFormedText.max(500).nullable() }).optional(),
  /** Fires no outgoing webhooks. */
  quiet: z.literal(true).optional(),
});
export type CallEvent = z.infer<typeof callEventSchema>;

/** Reads an event that this program has published. Throws `UnreadableError`. */
export const readCallEvent = createStoredReader(callEventSchema);
