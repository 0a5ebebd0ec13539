import type { Clock } from "../../../ingest/clock.ts";
import type { Peers } from "../peers/peers.ts";
import { createRateWindows } from "../peers/rate-windows.ts";
import type { SlidingWindow } from "../sliding-window.ts";
import { createFormulaBackoff, type FormulaBackoff } from "./formula-backoff.ts";
import type { Health } from "./health.ts";
import { createPeerBackoffs } from "./peer-backoffs.ts";
import type { Formula } from "./request.ts";

/** Why a formula's buyer is not asked now (semantics 8.2: R11 to R13). */
export type ControlRefusal = "ping_backoff" | "ping_rate_limited" | "ping_inflight_limited";

export type Entry =
  /** `leave` must be called once the execution has ended, however it did; a second call does nothing. */
  | { readonly kind: "entered"; leave(health: Health): void }
  | { readonly kind: "refused"; readonly reason: ControlRefusal };

/** What is counted of one formula. */
interface Counted {
  readonly backoff: FormulaBackoff;
  inflight: number;
}

/** Formulas that are counted at once; beyond them, those that were asked longest ago are forgotten. */
const mostFormulas = 20_000;

export interface PingControlsOptions {
  readonly clock: Clock;
  /** Null, as it usually is, in an installation of one process. */
  readonly peers?: Peers | null;
  readonly maxFormulas?: number;
}

/**
 * How often, how many at once and whether a formula's buyer is asked: one count for all its groups (semantics 8.7).
 * Processes that share peer state count each other's executions, and keep to a backoff that another one has opened; of
 * executions at once each has its share.
 */
export function createPingControls({ clock, peers = null, maxFormulas = mostFormulas }: PingControlsOptions) {
  const windows = createRateWindows("outbound_rate", peers);
  const backoffs = createPeerBackoffs(peers);
  const counts = createCounts((formula) => createFormulaBackoff(formula, backoffs), maxFormulas);

  /** Null where its rate has no limit. */
  function windowOf(formula: Formula): SlidingWindow | null {
    const { org_id: orgId, id, outbound_ping_rate_limit: limit, outbound_ping_rate_period: period = "min" } = formula;
    return limit ? windows.of({ orgId, id, period }) : null;
  }

  /** The first of the checks that fails, in their order; null when none does. */
  function refusalOf(formula: Formula, { backoff, inflight }: Counted, now: number): ControlRefusal | null {
    const { outbound_ping_rate_limit: limit = 0, outbound_ping_max_inflight: most } = formula;
    if (!backoff.mayTry(now)) return "ping_backoff";
    if ((windowOf(formula)?.count(now) ?? -1) >= limit) return "ping_rate_limited";
    if (most && inflight >= Math.max(1, Math.floor(most / (1 + (peers?.count() ?? 0))))) return "ping_inflight_limited";
    return null;
  }

  function leaving(formula: Formula, one: Counted, began: number): (health: Health) => void {
    let isIn = true;
    return (health) => {
      if (!isIn) return;
      isIn = false;
      one.inflight -= 1;
      one.backoff.end(formula, { began, health, now: clock.now() });
    };
  }

  return {
    /** Counts an execution that begins now, unless it may not begin. */
    enter(formula: Formula): Entry {
      if (!isControlled(formula)) return { kind: "entered", leave: () => undefined };
      const one = counts.of(formula);
      const now = clock.now();
      const reason = refusalOf(formula, one, now);
      if (reason !== null) return { kind: "refused", reason };
      windowOf(formula)?.add(now, formula.outbound_ping_rate_limit ?? 0);
      one.inflight += 1;
      return { kind: "entered", leave: leaving(formula, one, one.backoff.begin(formula, now)) };
    },
    /** Formulas that are counted now. */
    size: counts.size,
    /** Forgets rates that nothing counts for any more, here or elsewhere; returns how many are left. */
    forget: (): number => windows.forget(clock.now()),
  };
}
export type PingControls = ReturnType<typeof createPingControls>;

/** The counts of the formulas that were asked last; of one that is being executed they are kept. */
function createCounts(openBackoff: (formula: Formula) => FormulaBackoff, maxFormulas: number) {
  /** In the order in which they were last asked. */
  const counted = new Map<string, Counted>();

  function forgetOldest(): void {
    for (const [key, { inflight }] of counted) {
      if (counted.size <= maxFormulas) return;
      if (inflight === 0) counted.delete(key);
    }
  }

  return {
    of(formula: Formula): Counted {
      const key = `${formula.org_id} ${formula.id}`;
      const known = counted.get(key) ?? { backoff: openBackoff(formula), inflight: 0 };
      counted.delete(key);
      counted.set(key, known);
      known.backoff.update(formula);
      forgetOldest();
      return known;
    },
    size: (): number => counted.size,
  };
}

const isControlled = (formula: Formula): boolean =>
  formula.outbound_ping_backoff_enabled ||
  (formula.outbound_ping_rate_limit ?? 0) > 0 ||
  (formula.outbound_ping_max_inflight ?? 0) > 0;
