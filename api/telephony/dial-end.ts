import { isoTime } from "../../ingest/clock.ts";
import type { CallAddress, CarrierCalls } from "./carriers.ts";
import type { Report, Reported } from "./instruction.ts";

/** What a carrier says when a dial is over. */
export interface DialEnd {
  readonly dial: number;
  /** In the carrier's words. */
  readonly status: string;
  /** Seconds for which caller and destination were connected, where the carrier counts them. */
  readonly connectedSeconds?: number | undefined;
  /** Whether a destination that answered was connected with the caller: one who is gone by then is not. */
  readonly bridged: boolean;
  /** Whether the caller's own leg is over too. */
  readonly callerGone: boolean;
  readonly recordingUrl: string | null;
}

/** A call as one callback speaks of it. */
export interface CallbackTo {
  readonly calls: Pick<CarrierCalls, "report">;
  readonly about: CallAddress;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Reports what a dial came to; null for a call that nobody knows. A status that we do not know is a dial that failed: it
 * is over in any case, and the next destination may take the call.
 */
export function endDial(to: CallbackTo, end: DialEnd): Promise<Reported | null> {
  const isAnswered = end.status === "completed" || end.status === "answered";
  if (isAnswered && end.bridged) return endConnected(to, end);
  const { calls, about, now } = to;
  // Where the answer was heard all the same, nobody has spoken since.
  const report: Report = end.callerGone
    ? { type: "hangup", by: "caller", connected_seconds: isAnswered ? 0 : undefined, at: isoTime(now) }
    : { type: failures.get(end.status) ?? "fail", dial: end.dial, at: isoTime(now) };
  return calls.report(about.org_id, about.call_id, report);
}

/** Statuses of Twilio and of jambonz, whose dials may still be said to ring when their time is up. */
const failures: ReadonlyMap<string, "busy" | "no_answer"> = new Map([
  ["busy", "busy"],
  ["no-answer", "no_answer"],
  ["ringing", "no_answer"],
  ["early-media", "no_answer"],
]);

/**
 * The answer may not have been heard of yet; what is connected ends with whoever is still there. It has lasted as long as
 * the carrier says: we hear of the end later than it was, and of the answer in whole seconds.
 */
async function endConnected({ calls, about, now }: CallbackTo, end: DialEnd): Promise<Reported | null> {
  const { connectedSeconds, callerGone } = end;
  const tell = (report: Report) => calls.report(about.org_id, about.call_id, report);
  const at = isoTime(now);
  const answered = await tell({
    type: "answer",
    dial: end.dial,
    at: isoTime(now - (connectedSeconds ?? 0) * 1000),
  });
  // Something else to do: the call has gone on without this dial.
  if (answered === null || answered.instruction.action !== "none") return answered;
  if (end.recordingUrl !== null) await tell({ type: "recorded", recording_url: end.recordingUrl, at });
  return tell({ type: "hangup", by: callerGone ? "caller" : "target", connected_seconds: connectedSeconds, at });
}

/** Statuses of a leg that is over. */
const final: ReadonlySet<string> = new Set(["completed", "busy", "failed", "no-answer", "canceled"]);
export const isOver = (status: string): boolean => final.has(status);

/**
 * What the status of a leg tells. The end of a destination's leg tells nothing by itself: how the dial ended is told
 * when the carrier asks what to do next. A status that we do not know never ends a call.
 */
export function reportOfStatus(status: string, { dial, at }: { dial: number | undefined; at: string }): Report | null {
  if (status === "ringing") return { type: "ringing", dial, at };
  return status === "in-progress" || status === "answered" ? { type: "answer", dial, at } : null;
}

/** An address that a recording can be fetched from; null for anything else. */
export function recordingUrlOf(text: string | undefined): string | null {
  if (text === undefined || text.length > 2048 || !URL.canParse(text)) return null;
  return /^https?:$/.test(new URL(text).protocol) ? text : null;
}
