import type { Clock } from "../../../ingest/clock.ts";
import type { Peers } from "../peers/peers.ts";
import { createRateWindows } from "../peers/rate-windows.ts";
import type { SlidingWindow } from "../sliding-window.ts";
import { type BidderBreaker, createBidderBreaker, createPeerBreakers } from "./bidder-breaker.ts";
import type { Formula } from "./formula.ts";
import type { EndpointHealth } from "./pinger.ts";

/** Reasons why a formula's buyer is not asked now. */
export type ControlRefusal = "ping_backoff" | "ping_rate_limited" | "ping_inflight_limited";

export type Admission =
  /** `leave` must be called once the execution has ended, however it did; a second call does nothing. */
  | { readonly kind: "entered"; leave(health: EndpointHealth): void }
  | { readonly kind: "refused"; readonly reason: ControlRefusal };

interface FormulaState {
  readonly breaker: BidderBreaker;
  /** Executions under way, up to the in-flight limit (a semaphore without a queue). */
  inFlight: number;
}

/** Formulas whose state is kept; beyond them, those that were asked longest ago are forgotten. */
const mostFormulas = 20_000;

export interface PingControlsOptions {
  readonly clock: Clock;
  /** Null, as it usually is, in an installation of one process. */
  readonly peers?: Peers | null;
  readonly maxFormulas?: number;
}

/**
 * Controls of outbound pings: circuit breaker, rate limit and in-flight limit of each formula, for all its groups
 * together. Processes that exchange peer state share the rate and the breaker, and divide the in-flight limit.
 */
export function createPingControls({ clock, peers = null, maxFormulas = mostFormulas }: PingControlsOptions) {
  const windows = createRateWindows("outbound_rate", peers);
  const breakers = createPeerBreakers(peers);
  const states = createStates((formula) => createBidderBreaker(formula, breakers), maxFormulas);

  /** Null where its rate has no limit. */
  function windowOf(formula: Formula): SlidingWindow | null {
    const { org_id: orgId, id, outbound_ping_rate_limit: limit, outbound_ping_rate_period: period = "min" } = formula;
    return limit ? windows.of({ orgId, id, period }) : null;
  }

  /** This process's share of the in-flight limit, at least 1. */
  const shareOf = (limit: number): number => Math.max(1, Math.floor(limit / (1 + (peers?.count() ?? 0))));

  /** The first of the checks that fails, in their order; null when none does. */
  function refusalOf(
    formula: Formula,
    { breaker, inFlight }: FormulaState,
    { window, now }: { readonly window: SlidingWindow | null; readonly now: number },
  ): ControlRefusal | null {
    const { outbound_ping_rate_limit: rateLimit = 0, outbound_ping_max_inflight: inFlightLimit } = formula;
    if (!breaker.admits(now)) return "ping_backoff";
    if ((window?.count(now) ?? -1) >= rateLimit) return "ping_rate_limited";
    return inFlightLimit && inFlight >= shareOf(inFlightLimit) ? "ping_inflight_limited" : null;
  }

  function leaving(formula: Formula, state: FormulaState, began: number): (health: EndpointHealth) => void {
    let isIn = true;
    return (health) => {
      if (!isIn) return;
      isIn = false;
      state.inFlight -= 1;
      state.breaker.end(formula, { began, health, now: clock.now() });
    };
  }

  return {
    /** Admits an execution and counts it, or says which control refuses it. */
    enter(formula: Formula): Admission {
      if (!isControlled(formula)) return { kind: "entered", leave: () => undefined };
      const state = states.of(formula);
      const now = clock.now();
      const window = windowOf(formula);
      const reason = refusalOf(formula, state, { window, now });
      if (reason !== null) return { kind: "refused", reason };
      window?.add(now, formula.outbound_ping_rate_limit ?? 0);
      state.inFlight += 1;
      return { kind: "entered", leave: leaving(formula, state, state.breaker.begin(formula, now)) };
    },
    /** Returns the control that would refuse an execution now; nothing is counted. */
    refusal(formula: Formula): ControlRefusal | null {
      if (!isControlled(formula)) return null;
      return refusalOf(formula, states.of(formula), { window: windowOf(formula), now: clock.now() });
    },
    /** Formulas whose state is kept now. */
    size: states.size,
    /** Forgets rate windows that are empty, here and elsewhere; returns how many are left. */
    forget: (): number => windows.forget(clock.now()),
  };
}
export type PingControls = ReturnType<typeof createPingControls>;

/** States of the formulas that were asked last; one with an execution under way is never forgotten. */
function createStates(createBreaker: (formula: Formula) => BidderBreaker, maxFormulas: number) {
  /** In the order in which they were last asked. */
  const states = new Map<string, FormulaState>();

  function forgetOldest(): void {
    for (const [key, { inFlight }] of states) {
      if (states.size <= maxFormulas) return;
      if (inFlight === 0) states.delete(key);
    }
  }

  return {
    of(formula: Formula): FormulaState {
      const key = `${formula.org_id} ${formula.id}`;
      const state = states.get(key) ?? { breaker: createBreaker(formula), inFlight: 0 };
      states.delete(key);
      states.set(key, state);
      state.breaker.update(formula);
      forgetOldest();
      return state;
    },
    size: (): number => states.size,
  };
}

const isControlled = (formula: Formula): boolean =>
  formula.outbound_ping_backoff_enabled ||
  (formula.outbound_ping_rate_limit ?? 0) > 0 ||
  (formula.outbound_ping_max_inflight ?? 0) > 0;
