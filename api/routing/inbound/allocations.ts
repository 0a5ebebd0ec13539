import type { Clock } from "../../../ingest/clock.ts";
import { createBatcher, upToWeight } from "../../../ingest/concurrency/batcher.ts";
import { UnreadableError } from "../../../ingest/unreadable.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { type AllocatedNumber, allocateAll, createAllocating, type NumberRequest } from "./allocate.ts";
import {
  type CalledNumber,
  findRequest,
  giveBackRow,
  isHeld,
  peekRow,
  sweepAllocations,
  takeRow,
} from "./allocation-rows.ts";
import { type Binding, toBinding } from "./binding.ts";
import { isAllocated } from "./number-pools.ts";

export interface AllocationDeps {
  readonly database: Database;
  readonly configOf: (orgId: string) => OrgConfig | undefined;
  readonly clock: Clock;
  /** True if a route may not take a call that would owe less than the publisher was promised. */
  readonly noLoss: boolean;
  /** Called with each request that a call came for: its answer is no good any more. */
  onTaken?(requestId: string): void;
  /** Called with errors of work that nobody waits for, such as a failed sweep. */
  onTrouble(error: unknown): void;
}

/** The promise that a call to a number is for: `none` is a number that pings are not given. */
export type AllocationMatch =
  | { readonly kind: "matched"; readonly promised: Binding }
  | { readonly kind: "allocation_expired" | "caller_mismatch" | "none" };

/** Numbers that one transaction claims at most: about 50 ms of the embedded engine's time. */
const mostNumbersAtOnce = 500;
/** Pings that may wait for numbers; more than a process can answer in seconds. */
const mostWaiting = 10_000;
const sweepEveryMs = 60_000;
const writeEveryMs = 1000;

/**
 * The numbers that pings are given, in the config database: processes on one database share them, and a number of one
 * that died comes back by the end of its allocation.
 */
export function createAllocations(deps: AllocationDeps) {
  const { database, configOf, clock, noLoss, onTrouble, onTaken = () => undefined } = deps;
  const allocating = createAllocating(database, clock);
  const claims = createBatcher<NumberRequest, readonly AllocatedNumber[]>({
    work: (all) => allocateAll(allocating, all),
    countNext: upToWeight(mostNumbersAtOnce, ({ count }) => count),
    afterBatch: (isIdle) => tidy(isIdle).catch(onTrouble),
  });
  let sweptAt = clock.now();
  let writtenAt = sweptAt;

  /** While pings wait, what was counted is written now and then. */
  async function tidy(isIdle: boolean): Promise<void> {
    if (isIdle || clock.now() >= writtenAt + writeEveryMs) {
      writtenAt = clock.now();
      await allocating.writeExhaustions();
    }
    if (clock.now() >= sweptAt + sweepEveryMs) await sweep();
  }

  async function sweep(): Promise<void> {
    sweptAt = clock.now();
    await sweepAllocations(database, sweptAt);
  }

  /** The terms and route of the ping that allocated the number, read when the call takes the allocation. */
  async function matchOf(
    taken: { readonly requestId: string; readonly place: number; readonly takenAt: number },
    number: string,
  ): Promise<AllocationMatch> {
    const { requestId, place, takenAt } = taken;
    const request = await findRequest(database, requestId).catch((error: unknown) => {
      if (!(error instanceof UnreadableError)) throw error;
      onTrouble(error);
      return null;
    });
    if (request === null) return { kind: "allocation_expired" };
    return { kind: "matched", promised: toBinding(request, { number, place, noLoss, takenAt }) };
  }

  return {
    /**
     * Numbers for a request's routes, E.164, best route first: as many as there are of those it wants. What the numbers
     * stand for is kept until the allocation ends, `allocationMs` from now on.
     */
    async allocate(wanted: NumberRequest): Promise<readonly AllocatedNumber[]> {
      if (claims.waiting() >= mostWaiting) throw new Error(`${mostWaiting} pings wait for numbers`);
      return claims.add(wanted);
    },

    /**
     * Returns the promise for a call and ends its allocation: once, though a call that is reported twice gets it again, and
     * of two calls at the same moment one.
     */
    async take(taker: CalledNumber): Promise<AllocationMatch> {
      const { orgId, number } = taker;
      const config = configOf(orgId);
      if (config === undefined || !isAllocated(config, number)) return { kind: "none" };
      const now = clock.now();
      const row = await takeRow(database, taker, now);
      if (row === null) return { kind: await whyNoPromise(database, taker, now) };
      allocating.setReleased(orgId, number, row.takenAt);
      onTaken(row.requestId);
      return matchOf(row, number);
    },

    /** Returns the promise that a call would take now; it stays for the call that does. */
    async peek(called: Omit<CalledNumber, "callId">): Promise<AllocationMatch> {
      const { orgId, number } = called;
      const config = configOf(orgId);
      if (config === undefined || !isAllocated(config, number)) return { kind: "none" };
      const now = clock.now();
      const row = await peekRow(database, called, now);
      return row === null ? { kind: await whyNoPromise(database, called, now) } : matchOf(row, number);
    },

    /** In a transaction of the caller's: what was promised for the call is there for the caller's next one. */
    giveBack: (db: Queryable, taker: Omit<CalledNumber, "caller">): Promise<void> =>
      giveBackRow(db, taker, clock.now()),

    /** Forgets what no call can come for any more. Pings see to it themselves, as long as there are any. */
    sweep,

    /** Resolves when every ping that waits has its numbers. */
    close: claims.idle,
  };
}
export type Allocations = ReturnType<typeof createAllocations>;

const whyNoPromise = async (db: Queryable, taker: Pick<CalledNumber, "orgId" | "number">, now: number) =>
  (await isHeld(db, taker, now)) ? "caller_mismatch" : "allocation_expired";
