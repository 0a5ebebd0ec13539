import type { Clock } from "../../../ingest/clock.ts";
import { find, toBid, toDestination } from "./bid-terms.ts";
import { type Formula, winDeadlineOf } from "./formula.ts";
import { type Bid, type ExecutionRecord, toRecord } from "./ping.ts";
import type { PingSender } from "./pinger.ts";
import type { PingContext } from "./placeholders.ts";
import { type Ran, runSteps, stepsOf } from "./run-steps.ts";

/** The bid that won: stored with an allocation, where the call comes later than the bid. */
export type WonBid = Pick<Bid, "bid" | "duration" | "phone_number" | "captured" | "tags">;

export type WinExecution = ExecutionRecord &
  (
    | { readonly kind: "won"; readonly bid: number; readonly duration: number; readonly phone_number: string }
    /** The buyer did not confirm, or for less than is wanted. */
    | { readonly kind: "refused"; readonly reason: "win_step_failed" | "lost_auction" }
  );

export interface ExecuteWinOptions {
  readonly won: WonBid;
  /** Dollars: less than this is not sold for. */
  readonly minimumBid: number;
  readonly sender: PingSender;
  readonly clock: Clock;
}

/**
 * Runs the steps for a winner, in time of their own. Their answers may name another number and a lower bid; a higher one
 * changes nothing. It never throws.
 */
export async function executeWin(
  formula: Formula,
  context: PingContext,
  { won, minimumBid, sender, clock }: ExecuteWinOptions,
): Promise<WinExecution> {
  const began = clock.now();
  const bidContext = { ...context, tags: { ...context.tags, ...won.tags } };
  const ran = await runSteps(
    {
      formula,
      context: bidContext,
      sender,
      clock,
      captured: won.captured,
      bid: won.bid,
      deadlineAt: winDeadlineOf(formula, began),
    },
    stepsOf(formula, true),
  );
  const record = toRecord(ran, clock.now() - began);
  if (ran.ended) return { ...record, kind: "refused", reason: "win_step_failed" };
  const bid = confirmedBid(formula, ran, won.bid);
  if (bid === null) return { ...record, kind: "refused", reason: "win_step_failed" };
  if (bid < minimumBid) return { ...record, kind: "refused", reason: "lost_auction" };
  return { ...record, kind: "won", bid, duration: won.duration, phone_number: confirmedNumber(formula, ran, won) };
}

/** The last bid that the answers name, if it is lower; null when it is none or no amount: then nothing is confirmed. */
function confirmedBid(formula: Formula, { answers }: Ran, won: number): number | null {
  const named = answers.map((answer) => find(formula, "bid", answer)).findLast((found) => found !== undefined);
  if (named === undefined) return won;
  const bid = toBid(named);
  return bid === null || bid === 0 ? null : Math.min(bid, won);
}

function confirmedNumber(formula: Formula, { answers }: Ran, { phone_number }: WonBid): string {
  if (formula.use_static_phone_number) return phone_number;
  const named = answers.map((answer) => toDestination(find(formula, "phone_number", answer)));
  return named.findLast((found) => found !== null) ?? phone_number;
}
