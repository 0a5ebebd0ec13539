import type { Clock } from "../../../ingest/clock.ts";
import { untilDone } from "../../../ingest/log/until-done.ts";
import { createNotifier } from "../../../ingest/notifier.ts";
import { type ClaimedDeps, processClaimed } from "./claimed-delivery.ts";
import { claimDue } from "./claims.ts";
import { type Endpoint, type PendingRow, releaseAll } from "./pending-rows.ts";

export interface DeliveryWorkerDeps extends ClaimedDeps {
  readonly leaseMs?: number;
  /** True if no other process works on this database: then every lease that is found is a dead process's. */
  readonly isAlone?: boolean;
  /** Called with errors of work that is tried again. */
  onTrouble(error: unknown): void;
}

/** Rows claimed at once, and in flight at once: what is claimed waits here for its turn, on its lease. */
const mostPerClaim = 500;
const mostInFlight = 3000;
/**
 * Rows claimed of an endpoint that is not known to be quick: with as many as are left of the claim before, they take ten
 * places nine times, at the worst for the ten seconds of an attempt each. While claims are worked off within
 * `quickWithinMs`, each is twice as large as the one before; if an endpoint hangs then, what runs out of its lease is
 * released.
 */
const usualPerEndpoint = 60;
const mostPerEndpoint = 500;
const quickWithinMs = 1000;
/** The database is polled for rows that have come due, or were left by a process that died. */
const pollMs = 1000;
/** Longer than a claimed row waits and takes. */
const usualLeaseMs = 120_000;

/** Claims deliveries that are due from the database, and attempts them. */
export function createDeliveryWorker(deps: DeliveryWorkerDeps) {
  const { database, clock, leaseMs = usualLeaseMs } = deps;
  const stopping = new AbortController();
  const notifier = createNotifier(clock);
  const inFlight = createInFlight(clock);

  /** Resolves with true if there may be more to claim at once. */
  async function claim(): Promise<boolean> {
    const most = Math.min(mostPerClaim, mostInFlight - inFlight.size());
    if (most <= 0) return false;
    const now = clock.now();
    const rows = await claimDue(database, { now, until: now + leaseMs, most }, inFlight.roomOf);
    inFlight.noteClaim(rows);
    rows.forEach(start);
    return rows.length > most / 2;
  }

  function start(row: PendingRow): void {
    const work = processClaimed(deps, row, () => !stopping.signal.aborted).catch(deps.onTrouble);
    inFlight.add(row, work, (left, few) => {
      // There may be more of it than was claimed, or a later event of the call; else the next poll is soon enough.
      const isFirst = row.attempt === 0 && !row.manual;
      if (left === few || (isFirst && left < few)) notifier.notify();
    });
  }

  async function run(): Promise<void> {
    const retry = { clock, signal: stopping.signal, onTrouble: deps.onTrouble };
    if (deps.isAlone) await untilDone(retry, async () => [await releaseAll(database)]);
    while (!stopping.signal.aborted) {
      const since = notifier.count();
      const isMore = await claim().catch((error: unknown) => {
        deps.onTrouble(error);
        return false;
      });
      if (!isMore) await notifier.wait(pollMs, { since });
    }
    await inFlight.idle();
  }
  const finished = run();

  return {
    /** Polls at once: something has come due. */
    wake: (): void => notifier.notify(),
    /** Processes a row that was claimed elsewhere, such as a probe. */
    start,
    leaseUntil: (): number => clock.now() + leaseMs,
    /** Finishes the attempts in flight and leaves the rest to the next run. */
    async close(): Promise<void> {
      stopping.abort();
      notifier.notify();
      await finished;
    },
  };
}
export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

interface Working {
  count: number;
  /** Rows of the next claim, which is made when half as many are left. */
  size: number;
  claimedAt: number;
}

/** Work in flight, counted by endpoint. */
function createInFlight(clock: Pick<Clock, "now">) {
  const works = new Set<Promise<void>>();
  const endpoints = new Map<string, Working>();
  const keyOf = ({ orgId, endpoint }: Endpoint): string => `${orgId} ${endpoint}`;
  const fewOf = ({ size }: Working): number => size / 2;

  function workingOn(endpoint: Endpoint): Working {
    const key = keyOf(endpoint);
    const working = endpoints.get(key) ?? { count: 0, size: usualPerEndpoint, claimedAt: Number.NEGATIVE_INFINITY };
    endpoints.set(key, working);
    return working;
  }

  return {
    size: (): number => works.size,
    /** Returns how many rows of an endpoint may be claimed now. */
    roomOf(endpoint: Endpoint): number {
      const working = endpoints.get(keyOf(endpoint));
      if (working === undefined) return usualPerEndpoint;
      return working.count > fewOf(working) ? 0 : working.size;
    },
    /** Sets the size of the next claim by the time since the last one. */
    noteClaim(rows: readonly Endpoint[]): void {
      const now = clock.now();
      for (const working of new Set(rows.map(workingOn))) {
        const isQuick = now - working.claimedAt < quickWithinMs;
        const isFirst = working.claimedAt === Number.NEGATIVE_INFINITY;
        if (!isFirst) working.size = isQuick ? Math.min(working.size * 2, mostPerEndpoint) : usualPerEndpoint;
        working.claimedAt = now;
      }
    },
    /** Adds work that never rejects; `onDone` gets the number that is left of its endpoint, and how many are few. */
    add(endpoint: Endpoint, work: Promise<void>, onDone: (left: number, few: number) => void): void {
      const working = workingOn(endpoint);
      working.count += 1;
      const done = work.finally(() => {
        works.delete(done);
        working.count -= 1;
        if (working.count === 0 && endpoints.get(keyOf(endpoint)) === working) endpoints.delete(keyOf(endpoint));
        onDone(working.count, fewOf(working));
      });
      works.add(done);
    },
    /** Resolves when all work that is in flight now has ended. */
    async idle(): Promise<void> {
      await Promise.all(works);
    },
  };
}
