import { expect, it } from "vitest";
import { createDeadlines } from "../../../api/outbound/shared-deadlines.ts";
import { startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";

/** Work that ends with its signal, or when it is told to. */
function open() {
  const clock = createManualClock(startOfTime);
  const deadlines = createDeadlines(clock);
  const signals: AbortSignal[] = [];
  const ends: (() => void)[] = [];
  const begin = (at: number) =>
    deadlines.within(at, (signal) => {
      signals.push(signal);
      return new Promise<string>((resolve) => {
        signal.addEventListener("abort", () => resolve("late"));
        ends.push(() => resolve("done"));
      });
    });
  return { clock, begin, signals, ends };
}

it("work that is due at the same instant shares a signal and a timer, which aborts at it", async () => {
  const { clock, begin, signals, ends } = open();
  const [one, other] = [begin(startOfTime + 100), begin(startOfTime + 100)];
  const later = begin(startOfTime + 200);
  expect([signals[0] === signals[1], signals[0] === signals[2], clock.sleepers()]).toEqual([true, false, 2]);
  clock.advance(100);
  expect(await Promise.all([one, other])).toEqual(["late", "late"]);
  ends[2]?.();
  expect(await later).toBe("done");
});

it("no timer is left when all work of a deadline is done, and later work has a signal of its own", async () => {
  const { clock, begin, signals, ends } = open();
  const all = [begin(startOfTime + 100), begin(startOfTime + 100)];
  for (const end of ends) end();
  expect(await Promise.all(all)).toEqual(["done", "done"]);
  expect(clock.sleepers()).toBe(0);
  const again = begin(startOfTime + 100);
  expect(signals[2]?.aborted).toBe(false);
  clock.advance(100);
  expect(await again).toBe("late");
});
