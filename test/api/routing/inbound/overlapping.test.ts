import { describe, expect, it, onTestFinished } from "vitest";
import { openSqliteDatabase } from "../../../../api/database/database-sqlite.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { openAllocations } from "./allocator.ts";

const pings = 100_000;
/** Five thousand of each process: what costs is each statement, and the more wait, the more numbers one claims. */
const atOnce = 10_000;
const numbers = Array.from({ length: 500 }, (_, index) => `+1800556${String(index).padStart(4, "0")}`);

/** Numbers from 0 to 1 that are the same in every run. */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Who has which number until when; tells when one is given that somebody has. */
function createLedger() {
  const heldUntil = new Map<string, number>();
  return {
    twice: 0,
    given: 0,
    give(number: string, now: number, until: number): void {
      if ((heldUntil.get(number) ?? 0) > now) this.twice += 1;
      heldUntil.set(number, until);
      this.given += 1;
    },
    release: (number: string, now: number): void => void heldUntil.set(number, now),
    held: (now: number) => [...heldUntil].filter(([, until]) => until > now).map(([number]) => number),
  };
}

describe("a hundred thousand pings that overlap", () => {
  it("never get a number that another one has, while calls come and allocations end", {
    tags: ["slow"],
  }, async () => {
    const database = await openSqliteDatabase({ path: ":memory:" });
    onTestFinished(() => database.close());
    const clock = createManualClock(startOfTime);
    const pools = { main: { numbers, hold_seconds: 5 } };
    // Two processes, neither of which knows what the other one does.
    const processes = [openAllocations(database, pools, clock), openAllocations(database, pools, clock)];
    const [chance, ledger] = [createChance(7), createLedger()];
    for (let asked = 0; asked < pings; asked += atOnce) {
      const now = clock.now();
      const waves = Array.from({ length: atOnce }, (_, index) => {
        const allocationMs = 1000 + Math.floor(chance() * 20) * 1000;
        const count = chance() < 0.9 ? 1 : 3;
        const allocate = processes[index % 2]?.allocate;
        return allocate?.(count, { allocationMs, caller: null });
      });
      for (const given of await Promise.all(waves)) {
        for (const { number, expiresAt } of given ?? []) ledger.give(number, now, expiresAt);
      }
      // Some of the allocations, of 1 to 20 seconds, last into the next wave.
      clock.advance(12_000);
      const called = ledger.held(clock.now()).filter(() => chance() < 0.04);
      const taken = await Promise.all(called.map((number) => processes[0]?.take(number, null)));
      expect(taken.every((each) => each?.kind === "matched")).toBe(true);
      for (const number of called) ledger.release(number, clock.now());
      clock.advance(1000);
    }
    expect(ledger.twice).toBe(0);
    expect(ledger.given).toBeGreaterThan(3000);
    expect(processes.flatMap(({ troubles }) => troubles)).toEqual([]);
  });

  it("would be seen to get one: the ledger can fail", () => {
    const ledger = createLedger();
    ledger.give("a", 0, 10);
    ledger.give("a", 10, 20);
    expect(ledger.twice).toBe(0);
    ledger.give("a", 19, 30);
    expect(ledger.twice).toBe(1);
  });
});
