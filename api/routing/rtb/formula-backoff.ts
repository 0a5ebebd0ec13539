import { type Backoff, type BackoffTerms, begun, closedBackoff, ended, mayTry } from "./backoff.ts";
import { createFailuresInRow } from "./failures-in-row.ts";
import type { Health } from "./health.ts";
import type { Formula } from "./request.ts";
import type { ToldBackoffs } from "./told-backoffs.ts";
import type { ToldFailures } from "./told-failures.ts";

/** The answer to a probe is told by then at the latest, beyond the formula's own time. */
const probeGraceMs = 1000;

/** What processes tell each other of a buyer. */
export interface Told {
  readonly backoffs: ToldBackoffs;
  readonly failures: ToldFailures;
}

/**
 * Whether a formula's buyer is left alone (semantics 8.7). Failures in a row are those of all processes; that it is left
 * alone, that it is tried, and that it is well again, the others are told, too, and of what they tell the newest holds.
 */
export function createFormulaBackoff(first: Formula, { backoffs: told, failures }: Told) {
  let terms = termsOf(first);
  const hasPauseEnded = createPauseWatch(first);
  let backoff: Backoff = closedBackoff;
  /** When it was last opened, tried or closed, here or elsewhere; milliseconds since 1970. */
  let changedAt = pauseEndedAt(first);
  /** Grows whenever the backoff opens or closes: an execution that began before tells nothing of it any more. */
  let epoch = 0;
  const row = createFailuresInRow(failures);

  function set(next: Backoff, at: number): void {
    backoff = next;
    changedAt = at;
    epoch += 1;
  }

  /** One instant for each change: whoever hears of two knows which is the newer. */
  function tell(formula: Formula, until: number | null, now: number): void {
    changedAt = Math.max(now, changedAt + 1);
    if (terms !== null) told.tell(formula, { at: changedAt, until, ...terms });
  }

  function hearOf(formula: Formula): void {
    const heard = terms === null ? null : told.newestOf(formula, terms);
    if (heard === null || heard.at <= changedAt) return;
    set(heard.until === null ? closedBackoff : { kind: "open", until: heard.until, probing: false }, heard.at);
  }

  /** Failures here and elsewhere may be enough together, though none of the processes has seen so many. */
  function hearFailures(formula: Formula): void {
    if (terms === null || backoff.kind === "open") return;
    if (row.hasEnded(formula)) backoff = closedBackoff;
    const given = { terms, changedAt };
    if (backoff.failures + row.others(formula, given) < terms.threshold) return;
    const lastAt = row.lastAt(formula, given);
    const until = lastAt + terms.seconds * 1000;
    tell(formula, until, lastAt);
    set({ kind: "open", until, probing: false }, changedAt);
  }

  /** What is told of an execution that neither opened nor closed it. */
  function count(formula: Formula, { before, after, health, now }: Counting): void {
    if (terms === null) return;
    const given = { terms, changedAt, now };
    if (health.kind === "ill") row.failed(formula, after, given);
    if (health.kind === "well") row.answered(formula, before, given);
  }

  return {
    /** Takes over what was done to the formula, and what others tell; changed terms or a pause that ended close it. */
    heed(formula: Formula): void {
      const next = termsOf(formula);
      const isSame = next?.threshold === terms?.threshold && next?.seconds === terms?.seconds;
      if (hasPauseEnded(formula) || !isSame) set(closedBackoff, Math.max(changedAt, pauseEndedAt(formula)));
      terms = next;
      hearOf(formula);
      hearFailures(formula);
    },
    mayTry: (now: number): boolean => mayTry(backoff, now),
    /** An execution begins; what it says when it has ended counts unless the backoff has changed since. */
    begin(formula: Formula, now: number): number {
      if (backoff.kind === "open") tell(formula, now + formula.rtb_timeout + probeGraceMs, now);
      backoff = begun(backoff);
      return epoch;
    },
    end(formula: Formula, { began, health, now }: { began: number; health: Health; now: number }): void {
      if (terms === null || began !== epoch) return;
      // Another process may have been answered while this one asked.
      if (backoff.kind === "closed" && row.hasEnded(formula)) backoff = closedBackoff;
      const others = row.others(formula, { terms, changedAt });
      const after = ended(backoff, health, { terms, others, now });
      if (after.kind === "closed" && backoff.kind === "closed") {
        count(formula, { before: backoff.failures, after: after.failures, health, now });
        backoff = after;
        return;
      }
      tell(formula, after.kind === "open" ? after.until : null, now);
      set(after, changedAt);
    },
  };
}
/** Failures in a row, before an execution and after it. */
interface Counting {
  readonly before: number;
  readonly after: number;
  readonly health: Health;
  readonly now: number;
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
