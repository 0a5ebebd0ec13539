import { dayMs, toLocal } from "../calendar.ts";

/** A half-open span of instants. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A span in which a zone's offset from UTC stays the same. */
export interface Stretch extends Span {
  readonly offsetMs: number;
}

/** No zone has changed its offset and changed it back in less time. */
const stepMs = 7 * dayMs;
/** Longer spans have too many changes for a statement that people read; ten years have about twenty. */
const longestMs = 10 * 366 * dayMs;

/** Splits a span at the changes of the zone's offset, in order and without gaps; empty for a span that is too long. */
export function stretchesOf({ from, to }: Span, zone: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  if (to - from > longestMs) return stretches;
  let start = from;
  for (let at = from; at < to; at += stepMs) {
    const next = Math.min(at + stepMs, to);
    if (offsetAt(at, zone) === offsetAt(next, zone)) continue;
    const change = changeBetween(at, next, zone);
    stretches.push({ from: start, to: change, offsetMs: offsetAt(at, zone) });
    start = change;
  }
  return start < to ? [...stretches, { from: start, to, offsetMs: offsetAt(start, zone) }] : stretches;
}

const offsetAt = (instant: number, zone: string): number => toLocal(instant, zone) - instant;

/** Finds the first instant of the later offset by bisection. */
function changeBetween(before: number, after: number, zone: string): number {
  const old = offsetAt(before, zone);
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle, zone) === old) low = middle;
    else high = middle;
  }
  return high;
}
