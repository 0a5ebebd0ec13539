import { untilDone } from "../../../ingest/log/until-done.ts";
import { createNotifier } from "../../../ingest/notifier.ts";
import { type ClaimedDeps, processClaimed } from "./claimed-delivery.ts";
import { claimDue } from "./claims.ts";
import { type Endpoint, type PendingRow, releaseAll } from "./pending-rows.ts";

export interface RetryDeps extends ClaimedDeps {
  readonly leaseMs?: number;
  /** True if no other process works on this database: then every lease that is found is a dead process's. */
  readonly isAlone?: boolean;
  /** Called with errors of work that is tried again. */
  onTrouble(error: unknown): void;
}

/** Rows claimed at once, and in flight at once: what is claimed waits here for its turn, on its lease. */
const mostPerClaim = 60;
const mostInFlight = 3000;
/**
 * More of an endpoint is claimed when so many are left of it. Together with those they take its ten places nine times,
 * at the worst for the ten seconds of an attempt each.
 */
const fewOfEndpoint = 30;
/** The database is polled for rows that have come due, or were left by a process that died. */
const pollMs = 1000;
/** Longer than a claimed row waits and takes. */
const usualLeaseMs = 120_000;

/** Claims deliveries that are due from the database, and attempts them. */
export function createRetryWorker(deps: RetryDeps) {
  const { database, clock, leaseMs = usualLeaseMs } = deps;
  const stopping = new AbortController();
  const notifier = createNotifier(clock);
  const inFlight = createInFlight();

  /** Resolves with true if there may be more to claim at once. */
  async function claim(): Promise<boolean> {
    const most = Math.min(mostPerClaim, mostInFlight - inFlight.size());
    if (most <= 0) return false;
    const now = clock.now();
    const busy = inFlight.endpointsAbove(fewOfEndpoint);
    const rows = await claimDue(database, { now, until: now + leaseMs, most }, busy);
    rows.forEach(start);
    return rows.length > most / 2;
  }

  function start(row: PendingRow): void {
    const work = processClaimed(deps, row, () => !stopping.signal.aborted).catch(deps.onTrouble);
    inFlight.add(row, work, (left) => {
      // There may be more of it than was claimed, or a later event of the call; else the next poll is soon enough.
      const isFirst = row.attempt === 0 && !row.manual;
      if (left === fewOfEndpoint || (isFirst && left < fewOfEndpoint)) notifier.notify();
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
export type RetryWorker = ReturnType<typeof createRetryWorker>;

/** Work in flight, counted by endpoint. */
function createInFlight() {
  const works = new Set<Promise<void>>();
  const endpoints = new Map<string, { readonly endpoint: Endpoint; count: number }>();

  return {
    size: (): number => works.size,
    endpointsAbove: (many: number): Endpoint[] =>
      [...endpoints.values()].filter(({ count }) => count > many).map(({ endpoint }) => endpoint),
    /** Adds work that never rejects; `onDone` gets the number that is left of its endpoint. */
    add({ orgId, endpoint }: Endpoint, work: Promise<void>, onDone: (left: number) => void): void {
      const key = `${orgId} ${endpoint}`;
      const known = endpoints.get(key) ?? { endpoint: { orgId, endpoint }, count: 0 };
      endpoints.set(key, known);
      known.count += 1;
      const done = work.finally(() => {
        works.delete(done);
        known.count -= 1;
        if (known.count === 0) endpoints.delete(key);
        onDone(known.count);
      });
      works.add(done);
    },
    /** Resolves when all work that is in flight now has ended. */
    async idle(): Promise<void> {
      await Promise.all(works);
    },
  };
}
