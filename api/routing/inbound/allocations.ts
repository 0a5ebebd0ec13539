import type { Clock } from "../../../ingest/clock.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import type { Database } from "../../database/database.ts";
import { allocateAll, createAllocating, type Given, type Wanted } from "./allocate.ts";
import { findRequest, isHeld, sweepAllocations, type Taker, takeRow } from "./allocation-rows.ts";
import { type Binding, toBinding } from "./binding.ts";
import { isAllocated } from "./pools.ts";

export interface AllocationDeps {
  readonly database: Database;
  readonly configOf: (orgId: string) => OrgConfig | undefined;
  readonly clock: Clock;
  /** Whether a route may not take a call that would owe less than the publisher was promised (semantics 8.9). */
  readonly noLoss: boolean;
  /** Told of each request that a call came for: its answer is no good any more. */
  onTaken?(taken: { readonly orgId: string; readonly requestId: string }): void;
  /** Told of what nobody waits for, such as a failed sweep. */
  onTrouble(error: unknown): void;
}

/** What a call to a number is for: `none` is a number that pings are not given. */
export type Taken =
  | { readonly kind: "matched"; readonly promised: Binding }
  | { readonly kind: "allocation_expired" | "caller_mismatch" | "none" };

/** Numbers that one transaction claims at most: about 50 ms of the embedded engine's time. */
const mostAtOnce = 500;
/** Pings that may wait for numbers; more than a process can answer in seconds. */
const mostWaiting = 10_000;
const sweepEveryMs = 60_000;
const tellEveryMs = 1000;

interface Waiting {
  readonly wanted: Wanted;
  resolve(numbers: readonly Given[]): void;
  reject(error: unknown): void;
}

/**
 * The numbers that pings are given, in the config database: processes on one database share them, and a number of one
 * that died comes back by the end of its allocation. Pings that come while numbers are claimed wait for the next claim
 * together, so the busier it is, the less each one costs.
 */
export function createAllocations(deps: AllocationDeps) {
  const { database, configOf, clock, noLoss, onTrouble, onTaken = () => undefined } = deps;
  const allocating = createAllocating(database, clock);
  const waiting: Waiting[] = [];
  let working: Promise<void> | null = null;
  let sweptAt = clock.now();
  let toldAt = sweptAt;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = nextBatch(waiting);
      try {
        const given = await allocateAll(
          allocating,
          batch.map(({ wanted }) => wanted),
        );
        for (const [index, { resolve }] of batch.entries()) resolve(given[index] ?? []);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      await tidy().catch(onTrouble);
    }
    working = null;
  }

  /** While pings wait, what was counted is written now and then. */
  async function tidy(): Promise<void> {
    if (waiting.length === 0 || clock.now() >= toldAt + tellEveryMs) {
      toldAt = clock.now();
      await allocating.tellExhaustions();
    }
    if (clock.now() >= sweptAt + sweepEveryMs) await sweep();
  }

  async function sweep(): Promise<void> {
    sweptAt = clock.now();
    await sweepAllocations(database, sweptAt);
  }

  return {
    /**
     * Numbers for a request's routes, E.164, best route first: as many as there are of those it wants. What the numbers
     * stand for is kept until the allocation ends, `allocationMs` from now on.
     */
    allocate(wanted: Wanted): Promise<readonly Given[]> {
      if (waiting.length >= mostWaiting) return Promise.reject(new Error(`${mostWaiting} pings wait for numbers`));
      return new Promise((resolve, reject) => {
        waiting.push({ wanted, resolve, reject });
        working ??= work();
      });
    },

    /**
     * What was promised for a call, which ends its allocation: once, though a call that is told twice gets it again, and
     * of two calls at the same moment one (semantics 8.9).
     */
    async take(taker: Taker): Promise<Taken> {
      const config = configOf(taker.orgId);
      const { orgId, number } = taker;
      if (config === undefined || !isAllocated(config, number)) return { kind: "none" };
      const now = clock.now();
      const row = await takeRow(database, taker, now);
      if (row === null) {
        return { kind: (await isHeld(database, taker, now)) ? "caller_mismatch" : "allocation_expired" };
      }
      allocating.learn(orgId, number, row.takenAt);
      onTaken({ orgId, requestId: row.requestId });
      const request = await findRequest(database, row.requestId);
      if (request === null) return { kind: "allocation_expired" };
      const { place, takenAt } = row;
      return { kind: "matched", promised: toBinding(request, { number, place, noLoss, takenAt }) };
    },

    /** Forgets what no call can come for any more. Pings see to it themselves, as long as there are any. */
    sweep,

    /** Resolves when every ping that waits has its numbers. */
    async close(): Promise<void> {
      await working;
    },
  };
}
export type Allocations = ReturnType<typeof createAllocations>;

/** As many as fit in one claim, at least one. */
function nextBatch(waiting: Waiting[]): Waiting[] {
  let numbers = 0;
  const fitting = waiting.findIndex(({ wanted }, index) => {
    numbers += wanted.count;
    return index > 0 && numbers > mostAtOnce;
  });
  return waiting.splice(0, fitting < 0 ? waiting.length : fitting);
}
