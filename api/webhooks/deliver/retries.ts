import { untilDone } from "../../../ingest/log/until-done.ts";
import { createNotifier } from "../../../ingest/notifier.ts";
import { type RowDeps, workOn } from "./claimed-row.ts";
import { claimDue } from "./claims.ts";
import { createInHand } from "./in-hand.ts";
import { type PendingRow, releaseAll } from "./pending-rows.ts";

export interface RetryDeps extends RowDeps {
  readonly leaseMs?: number;
  /** Whether no other process works on this database: then every lease that is found is a dead one's. */
  readonly isAlone?: boolean;
  /** Told of what is tried again. */
  onTrouble(error: unknown): void;
}

/** Claimed at once, and in hand at once: what is claimed waits for its turn here, on its lease. */
const mostPerClaim = 60;
const mostInHand = 3000;
/**
 * More of an endpoint is claimed when so many are left of it. Together with those they take its ten places nine times,
 * at the worst for the ten seconds of an attempt each.
 */
const fewOfEndpoint = 30;
/** How often it is looked for what has come due, or was left by a process that died. */
const pollMs = 1000;
/** Longer than what is claimed waits and takes. */
const usualLeaseMs = 120_000;

/** Makes the attempts that are due at deliveries that wait. */
export function createRetries(deps: RetryDeps) {
  const { database, clock, leaseMs = usualLeaseMs } = deps;
  const stopping = new AbortController();
  const notifier = createNotifier(clock);
  const inHand = createInHand();

  /** Whether there may be more to claim at once. */
  async function round(): Promise<boolean> {
    const most = Math.min(mostPerClaim, mostInHand - inHand.size());
    if (most <= 0) return false;
    const now = clock.now();
    const rows = await claimDue(database, { now, until: now + leaseMs, most }, inHand.placesAbove(fewOfEndpoint));
    rows.forEach(take);
    return rows.length > most / 2;
  }

  function take(row: PendingRow): void {
    const work = workOn(deps, row, () => !stopping.signal.aborted).catch(deps.onTrouble);
    inHand.add(row, work, (left) => {
      // There may be more of it than was claimed, or a later event of the call; else the next look is soon enough.
      const isFirst = row.attempt === 0 && !row.manual;
      if (left === fewOfEndpoint || (isFirst && left < fewOfEndpoint)) notifier.notify();
    });
  }

  async function run(): Promise<void> {
    const retry = { clock, signal: stopping.signal, onTrouble: deps.onTrouble };
    if (deps.isAlone) await untilDone(retry, async () => [await releaseAll(database)]);
    while (!stopping.signal.aborted) {
      const since = notifier.count();
      const isMore = await round().catch((error: unknown) => {
        deps.onTrouble(error);
        return false;
      });
      if (!isMore) await notifier.wait(pollMs, { since });
    }
    await inHand.settled();
  }
  const finished = run();

  return {
    /** Something has come due. */
    nudge: (): void => notifier.notify(),
    /** Works on a row that was claimed otherwise, such as a probe. */
    take,
    leaseUntil: (): number => clock.now() + leaseMs,
    /** Finishes the attempts under way and leaves the rest to the next run. */
    async close(): Promise<void> {
      stopping.abort();
      notifier.notify();
      await finished;
    },
  };
}
export type Retries = ReturnType<typeof createRetries>;
