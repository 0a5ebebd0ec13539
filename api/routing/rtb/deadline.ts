import { scalarOf } from "./answer.ts";
import { readPath } from "./path.ts";
import type { Formula } from "./request.ts";

/** What bounds an execution beside the formula itself, in milliseconds; 0 and absent are no bound. */
export interface PingLimits {
  /** The group's `ping_timeout`. */
  readonly groupTimeoutMs?: number | undefined;
  /** The link's `ping_timeout_per_target`, which comes before the group's. */
  readonly linkTimeoutMs?: number | undefined;
  /** When whoever asked must have an answer, by the clock. */
  readonly callerDeadlineAt?: number | undefined;
}

/** Kept for what is done with the answer. */
const reserveMs = 25;
/** With less left, an answer could not come in time: nothing is sent. */
export const leastForStepMs = 20;
const longestWinMs = 3000;

/** When a formula's bidding must have ended: the earliest of all that bounds it (semantics 8.6: Deadline). */
export function deadlineOf(formula: Formula, limits: PingLimits, now: number): number {
  const { groupTimeoutMs = 0, linkTimeoutMs = 0, callerDeadlineAt = Number.POSITIVE_INFINITY } = limits;
  const own = wholeSetting(formula, "timeoutMs");
  const ofGroup = linkTimeoutMs > 0 ? linkTimeoutMs : groupTimeoutMs;
  const timeouts = [formula.rtb_timeout, own, ofGroup].filter((ms) => ms > 0);
  return Math.min(now + Math.min(...timeouts), callerDeadlineAt - reserveMs);
}

/** When the steps of a winner must have ended: they have time of their own. */
export const winDeadlineOf = ({ rtb_timeout }: Formula, now: number): number =>
  now + Math.min(rtb_timeout, longestWinMs);

const mostRetries = 3;

/** How often a step is tried again. */
export const retriesOf = (formula: Formula): number => Math.min(wholeSetting(formula, "retryCount"), mostRetries);

/** A number of the free-form settings, which may be written as text; 0 for none. */
function wholeSetting({ misc_settings }: Formula, name: string): number {
  const text = scalarOf(readPath(misc_settings, name))?.trim() ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
