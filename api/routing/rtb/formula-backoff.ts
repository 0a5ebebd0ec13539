import { type Backoff, type BackoffTerms, begun, closedBackoff, ended, mayTry } from "./backoff.ts";
import type { Health } from "./health.ts";
import type { PeerBackoffs } from "./peer-backoffs.ts";
import type { Formula } from "./request.ts";

/** The answer to a probe is known by then at the latest, beyond the formula's own time. */
const probeGraceMs = 1000;

/**
 * The circuit breaker of a formula's buyer (semantics 8.7). Each process counts the failures in a row that it sees; that a
 * breaker has opened, is probed or has closed, the others are sent, and of what they send the newest holds.
 */
export function createFormulaBackoff(first: Formula, peers: PeerBackoffs) {
  let terms = termsOf(first);
  const hasPauseEnded = createPauseWatch(first);
  let backoff: Backoff = closedBackoff;
  /** When it was last opened, tried or closed, here or elsewhere; milliseconds since 1970. */
  let changedAt = pauseEndedAt(first);
  /** Grows whenever the backoff opens or closes: an execution that began before has no effect on it any more. */
  let epoch = 0;

  function set(next: Backoff, at: number): void {
    backoff = next;
    changedAt = at;
    epoch += 1;
  }

  /** One instant for each change, so that of two changes it is known which is the newer. */
  function publish(formula: Formula, until: number | null, now: number): void {
    changedAt = Math.max(now, changedAt + 1);
    if (terms !== null) peers.publish(formula, { at: changedAt, until, ...terms });
  }

  function takeNewest(formula: Formula): void {
    const newest = terms === null ? null : peers.newestOf(formula, terms);
    if (newest === null || newest.at <= changedAt) return;
    set(newest.until === null ? closedBackoff : { kind: "open", until: newest.until, probing: false }, newest.at);
  }

  return {
    /** Takes over what was done to the formula, and what others have sent; changed terms or a pause that ended close it. */
    update(formula: Formula): void {
      const next = termsOf(formula);
      const isSame = next?.threshold === terms?.threshold && next?.seconds === terms?.seconds;
      if (hasPauseEnded(formula) || !isSame) set(closedBackoff, Math.max(changedAt, pauseEndedAt(formula)));
      terms = next;
      takeNewest(formula);
    },
    mayTry: (now: number): boolean => mayTry(backoff, now),
    /** An execution begins; its outcome counts unless the backoff has changed since. */
    begin(formula: Formula, now: number): number {
      if (backoff.kind === "open") publish(formula, now + formula.rtb_timeout + probeGraceMs, now);
      backoff = begun(backoff);
      return epoch;
    },
    end(formula: Formula, { began, health, now }: { began: number; health: Health; now: number }): void {
      if (terms === null || began !== epoch) return;
      const after = ended(backoff, health, { terms, now });
      if (after.kind === "closed" && backoff.kind === "closed") {
        backoff = after;
        return;
      }
      publish(formula, after.kind === "open" ? after.until : null, now);
      set(after, changedAt);
    },
  };
}
export type FormulaBackoff = ReturnType<typeof createFormulaBackoff>;

/**
 * Tells whether a pause has ended since the formula was last asked, and from then on not again. While it is paused nobody
 * asks it, so that a pause which it still has is over; one that is gone tells nothing, its end was told by `resumed_at`.
 */
function createPauseWatch(first: Formula) {
  let { resumed_at: resumedAt } = first;
  let pausedAt = first.pause?.paused_at;
  return (formula: Formula): boolean => {
    const paused = formula.pause?.paused_at ?? pausedAt;
    const hasEnded = formula.resumed_at !== resumedAt || paused !== pausedAt;
    resumedAt = formula.resumed_at;
    pausedAt = paused;
    return hasEnded;
  };
}

const termsOf = (formula: Formula): BackoffTerms | null =>
  formula.outbound_ping_backoff_enabled
    ? { threshold: formula.outbound_ping_backoff_threshold, seconds: formula.outbound_ping_backoff_seconds }
    : null;

/** When the formula was last asked again after a pause: what was told before is over. 0 if it never was paused. */
const pauseEndedAt = ({ pause, resumed_at: resumedAt }: Formula): number =>
  Math.max(0, ...[resumedAt, pause?.paused_until ?? pause?.paused_at].map((at) => (at ? Date.parse(at) : 0)));
