import type { Span } from "../../warehouse/history/stretch.ts";
import { toTimeRange } from "../serve/time-range.ts";

interface Times {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly updated_since?: string | undefined;
}

/**
 * When the calls of a report came in: the last 24 hours unless given (semantics 7). Who asks for what has changed since
 * some time means calls of any age: then it is open on the side that is not given.
 */
export function toCallSpan(times: Times, now: number, limits: { readonly mostMs?: number } = {}): Partial<Span> {
  if (times.updated_since === undefined || times.start_date !== undefined) return toTimeRange(times, now, limits);
  return times.end_date === undefined ? {} : { to: new Date(times.end_date) };
}
