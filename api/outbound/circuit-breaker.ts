/**
 * A circuit breaker as plain data and pure functions: closed while requests succeed, open once they have failed too often,
 * half-open when a probe is due. Because the state is data, it can be kept in memory, stored with a document, or sent to
 * other processes; breakers of libraries are objects of one process that wrap the request and read its clock.
 * Times are milliseconds since 1970.
 */
export type CircuitBreaker = ClosedBreaker | OpenBreaker;

export interface ClosedBreaker {
  readonly state: "closed";
  /** Failures since the last success. */
  readonly failures: number;
  /** When the first of them was; null while there is none. */
  readonly failingSince: number | null;
}

export interface OpenBreaker {
  readonly state: "open";
  /** The time from which on one request is admitted as a probe. */
  readonly probeAt: number;
}

/** The breaker after a success, and before any request. */
export const closedBreaker: ClosedBreaker = { state: "closed", failures: 0, failingSince: null };

/** Returns true if a request may be sent: any while closed, and one that is a probe when its time has come. */
export const admits = (breaker: CircuitBreaker, now: number): boolean =>
  breaker.state === "closed" || now >= breaker.probeAt;

/**
 * Moves the next probe of an open breaker. Whoever sends a probe moves it to when that must have ended, so that nobody else
 * sends one meanwhile and a probe whose sender died is repeated; a probe that said nothing of the endpoint moves it to now.
 */
export const scheduleProbe = (breaker: CircuitBreaker, probeAt: number): CircuitBreaker =>
  breaker.state === "closed" ? breaker : { state: "open", probeAt };

export interface TripRule {
  /** Returns true if the breaker opens; it is given the failures with the newest one. */
  trips(failing: ClosedBreaker): boolean;
  /** Milliseconds from a failure that opens it, or of a probe, to the next probe. */
  readonly openMs: number;
}

/** The breaker after a failure: one more is counted, or it opens; a failed probe opens it again. */
export function afterFailure(breaker: CircuitBreaker, now: number, { trips, openMs }: TripRule): CircuitBreaker {
  const open: OpenBreaker = { state: "open", probeAt: now + openMs };
  if (breaker.state === "open") return open;
  const { failures, failingSince } = breaker;
  const failing: ClosedBreaker = { state: "closed", failures: failures + 1, failingSince: failingSince ?? now };
  return trips(failing) ? open : failing;
}
