import type { Clock } from "../../../ingest/clock.ts";
import { type Backoff, type BackoffTerms, begun, closedBackoff, ended, mayTry } from "./backoff.ts";
import type { Health } from "./health.ts";
import type { Formula } from "./request.ts";
import { createSlidingWindow, type SlidingWindow } from "./sliding-window.ts";

/** Why a formula's buyer is not asked now (semantics 8.2: R11 to R13). */
export type ControlRefusal = "ping_backoff" | "ping_rate_limited" | "ping_inflight_limited";

export type Entry =
  /** `leave` must be called once the execution has ended, however it did; a second call does nothing. */
  | { readonly kind: "entered"; leave(health: Health): void }
  | { readonly kind: "refused"; readonly reason: ControlRefusal };

/** What is counted of one formula. */
interface Counted {
  terms: BackoffTerms | null;
  /** When it was last resumed, and when it was last paused for a time that is over. */
  resumedAt: string | undefined;
  pausedAt: string | undefined;
  backoff: Backoff;
  /** Grows whenever the backoff opens or closes: an execution that began before tells nothing of it any more. */
  epoch: number;
  inflight: number;
  period: keyof typeof windowsMs;
  window: SlidingWindow;
}

/** Sliding, not of the calendar (semantics 8.7). */
const windowsMs = { min: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
/** Formulas that are counted at once; beyond them, those that were asked longest ago are forgotten. */
const mostFormulas = 20_000;

export interface PingControlsOptions {
  readonly clock: Clock;
  readonly maxFormulas?: number;
}

/** How often, how many at once and whether a formula's buyer is asked: one count for all its groups (semantics 8.7). */
export function createPingControls({ clock, maxFormulas = mostFormulas }: PingControlsOptions) {
  /** In the order in which they were last asked. */
  const counted = new Map<string, Counted>();

  function countedOf(formula: Formula): Counted {
    const known = counted.get(formula.id) ?? newCount();
    counted.delete(formula.id);
    counted.set(formula.id, known);
    heed(known, formula);
    forgetOldest();
    return known;
  }

  function forgetOldest(): void {
    for (const [id, { inflight }] of counted) {
      if (counted.size <= maxFormulas) return;
      if (inflight === 0) counted.delete(id);
    }
  }

  return {
    /** Counts an execution that begins now, unless it may not begin. */
    enter(formula: Formula): Entry {
      if (!isControlled(formula)) return { kind: "entered", leave: () => undefined };
      const one = countedOf(formula);
      const now = clock.now();
      const reason = refusalOf(formula, one, now);
      if (reason !== null) return { kind: "refused", reason };
      const limit = formula.outbound_ping_rate_limit ?? 0;
      if (limit > 0) one.window.add(now, limit);
      one.inflight += 1;
      one.backoff = begun(one.backoff);
      return { kind: "entered", leave: leaving(one, clock) };
    },
    /** Formulas that are counted now. */
    size: (): number => counted.size,
  };
}
export type PingControls = ReturnType<typeof createPingControls>;

const isControlled = (formula: Formula): boolean =>
  formula.outbound_ping_backoff_enabled ||
  (formula.outbound_ping_rate_limit ?? 0) > 0 ||
  (formula.outbound_ping_max_inflight ?? 0) > 0;

function newCount(): Counted {
  const window = createSlidingWindow(windowsMs.min);
  const never = { resumedAt: undefined, pausedAt: undefined };
  return { terms: null, ...never, backoff: closedBackoff, epoch: 0, inflight: 0, period: "min", window };
}

/** Takes over what has been done to the formula; where its backoff was changed or a pause has ended, that is closed. */
function heed(one: Counted, formula: Formula): void {
  const period = formula.outbound_ping_rate_period ?? "min";
  if (period !== one.period) {
    one.period = period;
    one.window = createSlidingWindow(windowsMs[period]);
  }
  const terms = termsOf(formula);
  const isSame = terms?.threshold === one.terms?.threshold && terms?.seconds === one.terms?.seconds;
  if (isSame && !hasPauseEnded(one, formula)) return;
  one.terms = terms;
  setBackoff(one, closedBackoff);
}

/**
 * Whether a pause has ended since the formula was last asked, and from now on not again. While it is paused nobody asks
 * it, so that a pause which it still has is over; one that is gone tells nothing, its end was told by `resumed_at`.
 */
function hasPauseEnded(one: Counted, { pause, resumed_at: resumedAt }: Formula): boolean {
  const pausedAt = pause?.paused_at ?? one.pausedAt;
  const hasEnded = resumedAt !== one.resumedAt || pausedAt !== one.pausedAt;
  one.resumedAt = resumedAt;
  one.pausedAt = pausedAt;
  return hasEnded;
}

const termsOf = (formula: Formula): BackoffTerms | null =>
  formula.outbound_ping_backoff_enabled
    ? { threshold: formula.outbound_ping_backoff_threshold, seconds: formula.outbound_ping_backoff_seconds }
    : null;

/** The first of the checks that fails, in their order; null when none does. */
function refusalOf(formula: Formula, one: Counted, now: number): ControlRefusal | null {
  const { outbound_ping_rate_limit: limit, outbound_ping_max_inflight: most } = formula;
  if (!mayTry(one.backoff, now)) return "ping_backoff";
  if (limit && one.window.count(now) >= limit) return "ping_rate_limited";
  if (most && one.inflight >= most) return "ping_inflight_limited";
  return null;
}

function leaving(one: Counted, clock: Clock): (health: Health) => void {
  const { epoch } = one;
  let isIn = true;
  return (health) => {
    if (!isIn) return;
    isIn = false;
    one.inflight -= 1;
    if (one.terms === null || one.epoch !== epoch) return;
    const after = ended(one.backoff, health, { terms: one.terms, now: clock.now() });
    if (after.kind === "open" || one.backoff.kind === "open") setBackoff(one, after);
    else one.backoff = after;
  };
}

function setBackoff(one: Counted, backoff: Backoff): void {
  one.backoff = backoff;
  one.epoch += 1;
}
