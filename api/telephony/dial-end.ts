import { isoTime } from "../../ingest/clock.ts";
import { recordingUrl } from "../../ingest/signal.ts";
import type { CallAddress, CarrierCalls } from "./carriers.ts";
import type { Report, Reported } from "./instruction.ts";

/** A carrier's report that a dial is over. */
export interface DialEnd {
  readonly dial: number;
  /** The carrier's name of the outcome. */
  readonly status: string;
  /** Seconds for which caller and destination were connected, where the carrier counts them. */
  readonly connectedSeconds?: number | undefined;
  /** False where the destination answered, and the caller was gone by then. */
  readonly bridged: boolean;
  /** True if the caller's own leg is over too. */
  readonly callerGone: boolean;
  readonly recordingUrl: string | null;
}

/** The call that a callback is about. */
export interface CallbackContext {
  readonly calls: Pick<CarrierCalls, "report">;
  readonly about: CallAddress;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Reports the outcome of a dial; null for an unknown call. An unknown status is a failed dial: it is over in any case, and
 * the next destination may take the call.
 */
export function endDial(to: CallbackContext, end: DialEnd): Promise<Reported | null> {
  const isAnswered = end.status === "completed" || end.status === "answered";
  if (isAnswered && end.bridged) return endConnected(to, end);
  const { calls, about, now } = to;
  // An answer that was reported all the same was followed by no talk.
  const report: Report = end.callerGone
    ? { type: "hangup", by: "caller", connected_seconds: isAnswered ? 0 : undefined, at: isoTime(now) }
    : { type: failures.get(end.status) ?? "fail", dial: end.dial, at: isoTime(now) };
  return calls.report(about.org_id, about.call_id, report);
}

/** Statuses of Twilio and of jambonz; a dial of the latter may still be ringing when its time is up. */
const failures: ReadonlyMap<string, "busy" | "no_answer"> = new Map([
  ["busy", "busy"],
  ["no-answer", "no_answer"],
  ["ringing", "no_answer"],
  ["early-media", "no_answer"],
]);

/**
 * Reports the answer, which may not have been reported yet, and the hangup. The carrier's own count of seconds holds: its
 * callback is later than the end, and its times of answers are whole seconds.
 */
async function endConnected({ calls, about, now }: CallbackContext, end: DialEnd): Promise<Reported | null> {
  const { connectedSeconds, callerGone } = end;
  const send = (report: Report) => calls.report(about.org_id, about.call_id, report);
  const at = isoTime(now);
  const answered = await send({
    type: "answer",
    dial: end.dial,
    at: isoTime(now - (connectedSeconds ?? 0) * 1000),
  });
  // Something else to do: the call has gone on without this dial.
  if (answered === null || answered.instruction.action !== "none") return answered;
  if (end.recordingUrl !== null) await send({ type: "recorded", recording_url: end.recordingUrl, at });
  return send({ type: "hangup", by: callerGone ? "caller" : "target", connected_seconds: connectedSeconds, at });
}

/** Statuses of a leg that is over. */
const final: ReadonlySet<string> = new Set(["completed", "busy", "failed", "no-answer", "canceled"]);
export const isOver = (status: string): boolean => final.has(status);

/**
 * The report that a status of a leg is, or null. The end of a destination's leg is none: how the dial ended comes when the
 * carrier asks what to do next. An unknown status never ends a call.
 */
export function reportOfStatus(status: string, { dial, at }: { dial: number | undefined; at: string }): Report | null {
  if (status === "ringing") return { type: "ringing", dial, at };
  return status === "in-progress" || status === "answered" ? { type: "answer", dial, at } : null;
}

/** The http(s) address of a recording; null for anything else. */
export const recordingUrlOf = (text: string | undefined): string | null => recordingUrl.safeParse(text).data ?? null;
