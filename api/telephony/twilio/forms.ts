import { z } from "zod";
import { isoTime } from "../../../ingest/clock.ts";
import { wellFormedText } from "../../../ingest/primitives.ts";
import { isWithheld } from "./withheld.ts";

/** Fields of the carrier's forms that are read; it sends many more, and more with every year. */
const text = wellFormedText.max(255);
/** Empty where the number was withheld. */
const from = text.default("").transform((given) => (isWithheld(given) ? "" : given));
const caller = { CallSid: text.min(1), From: from };
/** Of the caller's leg: `completed` once the caller is gone. */
const callStatus = text.default("");
const seconds = text.optional().transform((given) => (/^\d{1,6}$/.test(given ?? "") ? Number(given) : undefined));
const recordingUrl = z.string().optional();

/** The caller's place that it names is only that of the number. */
export const voiceForm = z.object({ ...caller, To: text.min(1) });
export const dialActionForm = z.object({
  ...caller,
  CallStatus: callStatus,
  DialCallStatus: text.default(""),
  /** `DialBridged` is false where the destination has answered, and the caller was gone by then. */
  ...{ DialCallDuration: seconds, DialBridged: text.default("true"), RecordingUrl: recordingUrl },
});
/** `ParentCallSid` is there for a leg that we had dialed. */
export const statusForm = z.object({
  CallSid: text.min(1),
  CallStatus: text,
  ParentCallSid: text.optional(),
  Timestamp: text.optional(),
  CallDuration: seconds,
});
export const gatherForm = z.object({ ...caller, Digits: text.default("") });
export const recordingForm = z.object({
  CallSid: text.min(1),
  RecordingUrl: recordingUrl,
  RecordingStatus: text.optional(),
});

/** The longest that a callback may be late and still be believed about when it happened. */
const maxLateMs = 24 * 60 * 60 * 1000;

/** When it happened by the carrier's clock (RFC 2822), or now where that cannot be. */
export function timeOf(timestamp: string | undefined, now: number): string {
  const at = Date.parse(timestamp ?? "");
  return isoTime(at <= now && at > now - maxLateMs ? at : now);
}
