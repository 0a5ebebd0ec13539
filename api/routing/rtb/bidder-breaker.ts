import { z } from "zod";
import { createBoundedCache } from "../../../ingest/bounded-cache.ts";
import { retryAfterMs } from "../../../ingest/retry-after.ts";
import {
  admits,
  afterFailure,
  type CircuitBreaker,
  closedBreaker,
  scheduleProbe,
} from "../../outbound/circuit-breaker.ts";
import type { Peers } from "../peers/peers.ts";
import type { Formula } from "./formula.ts";
import type { EndpointHealth } from "./pinger.ts";

/** A probe has its outcome by then at the latest, beyond the formula's own time. */
const probeGraceMs = 1000;
/** The longest `Retry-After` that is honored. */
const maxRetryAfterMs = 60 * 60 * 1000;

/** Failures in a row that open the breaker, and for how long: the formula's `outbound_ping_backoff_…` fields. */
interface BreakerSettings {
  readonly threshold: number;
  readonly seconds: number;
}

/**
 * Creates the circuit breaker of a formula's buyer. Each process counts the failures that it sees; that a
 * breaker has opened, is probed or has closed is sent to the others, and the newest of these changes holds in all.
 */
export function createBidderBreaker(first: Formula, peers: PeerBreakers) {
  let settings = settingsOf(first);
  const hasPauseEnded = createPauseWatch(first);
  let breaker: CircuitBreaker = closedBreaker;
  /** When it last opened, was probed or closed, here or elsewhere; milliseconds since 1970. */
  let changedAt = pauseEndedAt(first);
  /** Rises whenever the breaker opens or closes: the outcome of an execution that began before is ignored. */
  let generation = 0;

  function set(next: CircuitBreaker, at: number): void {
    breaker = next;
    changedAt = at;
    generation += 1;
  }

  /** Sends a change. No two of them have one time, so that the newer one is known. */
  function publish(formula: Formula, changed: CircuitBreaker, now: number): void {
    changedAt = Math.max(now, changedAt + 1);
    const until = changed.state === "open" ? changed.probeAt : null;
    if (settings !== null) peers.publish(formula, { at: changedAt, until, ...settings });
  }

  return {
    /** Takes over changes of the formula and of other processes; changed settings and the end of a pause close it. */
    update(formula: Formula): void {
      const next = settingsOf(formula);
      const isSame = next?.threshold === settings?.threshold && next?.seconds === settings?.seconds;
      if (hasPauseEnded(formula) || !isSame) set(closedBreaker, Math.max(changedAt, pauseEndedAt(formula)));
      settings = next;
      const newest = settings === null ? null : peers.newestOf(formula, settings);
      if (newest === null || newest.at <= changedAt) return;
      set(newest.until === null ? closedBreaker : { state: "open", probeAt: newest.until }, newest.at);
    },

    admits: (now: number): boolean => admits(breaker, now),

    /** Begins an execution that was admitted; returns what its `end` must be called with. */
    begin(formula: Formula, now: number): number {
      if (breaker.state === "open") {
        breaker = scheduleProbe(breaker, now + formula.rtb_timeout + probeGraceMs);
        publish(formula, breaker, now);
      }
      return generation;
    },

    /** Counts the outcome of an execution, unless the breaker has opened or closed since it began. */
    end(formula: Formula, { began, health, now }: { began: number; health: EndpointHealth; now: number }): void {
      if (settings === null || began !== generation) return;
      const after = afterOutcome(breaker, health, { settings, now });
      if (after.state === "closed" && breaker.state === "closed") {
        breaker = after;
        return;
      }
      publish(formula, after, now);
      set(after, changedAt);
    },
  };
}
export type BidderBreaker = ReturnType<typeof createBidderBreaker>;

function afterOutcome(
  breaker: CircuitBreaker,
  health: EndpointHealth,
  { settings, now }: { readonly settings: BreakerSettings; readonly now: number },
): CircuitBreaker {
  switch (health.kind) {
    case "unknown":
      return scheduleProbe(breaker, now);
    case "healthy":
      return closedBreaker;
    case "failing": {
      const askedMs = retryAfterMs(health.retryAfter, now, maxRetryAfterMs);
      return afterFailure(breaker, now, {
        trips: ({ failures }) => failures >= settings.threshold || askedMs !== null,
        openMs: Math.max(settings.seconds * 1000, askedMs ?? 0),
      });
    }
  }
}

/**
 * Returns a function that is true once after each pause of the formula. Nobody asks a paused formula, so a pause that it
 * still has is over; of one that was cleared, `resumed_at` says so.
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

const settingsOf = (formula: Formula): BreakerSettings | null =>
  formula.outbound_ping_backoff_enabled
    ? { threshold: formula.outbound_ping_backoff_threshold, seconds: formula.outbound_ping_backoff_seconds }
    : null;

/** When the formula's last pause ended, which makes older changes void; 0 if it never was paused. */
const pauseEndedAt = ({ pause, resumed_at: resumedAt }: Formula): number =>
  Math.max(0, ...[resumedAt, pause?.paused_until ?? pause?.paused_at].map((at) => (at ? Date.parse(at) : 0)));

/** A change of a formula's breaker in one process, with the settings that it had then. */
const changeSchema = z.object({
  at: z.number(),
  /** When the next probe is due; null: the breaker has closed. */
  until: z.number().nullable(),
  threshold: z.number(),
  seconds: z.number(),
});
type BreakerChange = z.infer<typeof changeSchema>;

const maxFormulas = 20_000;

/** Creates the exchange of breakers between processes; it keeps the newest change of each formula's. */
export function createPeerBreakers(peers: Peers | null) {
  const newest = createBoundedCache<BreakerChange>(maxFormulas);
  const keyOf = ({ org_id, id }: Formula): string => `${org_id} ${id}`;

  const send = peers?.join({
    name: "backoff",
    schema: z.object({ key: z.string(), change: changeSchema }),
    receive({ key, change }) {
      if (change.at > (newest.get(key)?.at ?? 0)) newest.set(key, change);
    },
    *current() {
      for (const [key, change] of newest) yield [key, { key, change }];
    },
  });

  return {
    publish(formula: Formula, change: BreakerChange): void {
      const key = keyOf(formula);
      newest.set(key, change);
      send?.(key, { key, change });
    },
    /** Null where the newest was made with other settings: a change of them closes every breaker. */
    newestOf(formula: Formula, { threshold, seconds }: BreakerSettings): BreakerChange | null {
      const change = newest.get(keyOf(formula));
      return change?.threshold === threshold && change.seconds === seconds ? change : null;
    },
  };
}
export type PeerBreakers = ReturnType<typeof createPeerBreakers>;
