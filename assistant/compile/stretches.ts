import { dayMs, toLocal } from "../calendar.ts";

/** Instants, half-open. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A time through which a zone's clocks stay as far from UTC. */
export interface Stretch extends Span {
  readonly offsetMs: number;
}

/** No zone has changed its clocks and changed them back sooner. */
const stepMs = 7 * dayMs;
/** Longer spans would change too often for a statement that a person reads; ten years have about twenty changes. */
const longestMs = 10 * 366 * dayMs;

/** The stretches of a span, in their order and without gaps; none of a span that is too long. */
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

/** The first instant of the later offset, by halves. */
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
