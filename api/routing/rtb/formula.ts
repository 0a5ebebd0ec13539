import type { Resource } from "../../config/registry.ts";
import { scalarOf } from "./bid-response.ts";
import { readPath } from "./json-path.ts";

/** An RTB formula: the requests by which one buyer is asked for a bid. */
export type Formula = Resource<"rtb_formula">;
export type Step = Formula["steps"][number];

/** Time limits of an execution beside the formula's own, in milliseconds; 0 and absent are none. */
export interface PingTimeLimits {
  /** The group's `ping_timeout`. */
  readonly groupTimeoutMs?: number | undefined;
  /** The link's `ping_timeout_per_target`, which comes before the group's. */
  readonly linkTimeoutMs?: number | undefined;
  /** When the call or the inbound ping must have its answer, by the clock. */
  readonly callerDeadlineAt?: number | undefined;
}

/** Kept for what is done with the bid. */
const reserveMs = 25;
/** The least time left for a request to be sent: with less, no answer could come in time. */
export const leastForStepMs = 20;
const longestWinMs = 3000;

/** Returns when a formula's bidding must have ended: the earliest of all limits. */
export function deadlineOf(formula: Formula, limits: PingTimeLimits, now: number): number {
  const { groupTimeoutMs = 0, linkTimeoutMs = 0, callerDeadlineAt = Number.POSITIVE_INFINITY } = limits;
  const own = wholeSetting(formula, "timeoutMs");
  const ofGroup = linkTimeoutMs > 0 ? linkTimeoutMs : groupTimeoutMs;
  const timeouts = [formula.rtb_timeout, own, ofGroup].filter((ms) => ms > 0);
  return Math.min(now + Math.min(...timeouts), callerDeadlineAt - reserveMs);
}

/** Returns when the steps of a winner must have ended: they have time of their own. */
export const winDeadlineOf = ({ rtb_timeout }: Formula, now: number): number =>
  now + Math.min(rtb_timeout, longestWinMs);

const mostRetries = 3;

/** Returns how often a step is tried again. */
export const retriesOf = (formula: Formula): number => Math.min(wholeSetting(formula, "retryCount"), mostRetries);

/** A number of the free-form settings, which may be written as text; 0 for none. */
function wholeSetting({ misc_settings }: Formula, name: string): number {
  const text = scalarOf(readPath(misc_settings, name))?.trim() ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
