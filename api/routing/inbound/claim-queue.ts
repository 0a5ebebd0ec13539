import type { Given, Wanted } from "./allocate.ts";

/** Numbers that one transaction claims at most: about 50 ms of the embedded engine's time. */
const mostAtOnce = 500;
/** Pings that may wait for numbers; more than a process can answer in seconds. */
const mostWaiting = 10_000;

interface ClaimQueueDeps {
  /** Numbers for each of them. */
  claimAll(all: readonly Wanted[]): Promise<(readonly Given[])[]>;
  /** Comes after each claim, before the next; rejects never. */
  tidy(isIdle: boolean): Promise<void>;
}

interface Waiting {
  readonly wanted: Wanted;
  resolve(numbers: readonly Given[]): void;
  reject(error: unknown): void;
}

/**
 * Pings that come while numbers are claimed wait for the next claim together, so the busier it is, the less each one
 * costs.
 */
export function createClaimQueue({ claimAll, tidy }: ClaimQueueDeps) {
  const waiting: Waiting[] = [];
  let working: Promise<void> | null = null;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = nextBatch(waiting);
      try {
        const given = await claimAll(batch.map(({ wanted }) => wanted));
        for (const [index, { resolve }] of batch.entries()) resolve(given[index] ?? []);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      await tidy(waiting.length === 0);
    }
    working = null;
  }

  return {
    add(wanted: Wanted): Promise<readonly Given[]> {
      if (waiting.length >= mostWaiting) return Promise.reject(new Error(`${mostWaiting} pings wait for numbers`));
      return new Promise((resolve, reject) => {
        waiting.push({ wanted, resolve, reject });
        working ??= work();
      });
    },
    /** Resolves when nobody waits. */
    async settled(): Promise<void> {
      await working;
    },
  };
}

/** As many as fit in one claim, at least one. */
function nextBatch(waiting: Waiting[]): Waiting[] {
  let numbers = 0;
  const fitting = waiting.findIndex(({ wanted }, index) => {
    numbers += wanted.count;
    return index > 0 && numbers > mostAtOnce;
  });
  return waiting.splice(0, fitting < 0 ? waiting.length : fitting);
}
