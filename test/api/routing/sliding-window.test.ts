import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSlidingWindow } from "../../../api/routing/sliding-window.ts";

describe("a sliding window", () => {
  it("holds what happened within it, and no longer what happened its length ago", () => {
    const window = createSlidingWindow(60_000);
    for (const at of [0, 10, 59_999]) window.add(at, 10);
    expect([59_999, 60_000, 60_010, 119_998, 119_999].map((now) => window.count(now))).toEqual([3, 2, 1, 1, 0]);
  });

  it("tells when the first of those in it leaves", () => {
    const window = createSlidingWindow(60_000);
    expect(window.nextLeavesAt()).toBeNull();
    for (const at of [10, 20]) window.add(at, 10);
    expect(window.nextLeavesAt()).toBe(60_010);
    window.count(60_010);
    expect(window.nextLeavesAt()).toBe(60_020);
  });

  it("counts those within a thousandth of it together when its limit is large, and lets go of all of them", () => {
    const window = createSlidingWindow(60_000);
    for (const at of [0, 30, 59, 60, 61, 200]) window.add(at, 1001);
    // 0 to 59 leave with the last of them, and so do 60 and 61.
    const counts = [200, 60_058, 60_059, 60_060, 60_061, 60_199, 60_200].map((now) => window.count(now));
    expect(counts).toEqual([6, 6, 3, 3, 1, 1, 0]);
    window.add(60_300, 1001);
    expect([window.count(60_300), window.nextLeavesAt()]).toEqual([1, 120_300]);
  });

  it("never holds more than its limit in any time of its length, and lets no slot go to waste for long", () => {
    const gaps = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 3000 });
    fc.assert(
      fc.property(gaps, fc.constantFrom(3, 50, 1500), (steps, limit) => {
        const windowMs = 2000;
        const window = createSlidingWindow(windowMs);
        const admitted: number[] = [];
        let now = 0;
        for (const step of steps) {
          now += step;
          const recent = admitted.filter((at) => at > now - windowMs).length;
          if (window.count(now) < limit) {
            window.add(now, limit);
            admitted.push(now);
            expect(recent).toBeLessThan(limit);
          }
          // Exact up to a thousand; beyond, later by a thousandth of the window at the most.
          else expect(admitted.filter((at) => at > now - windowMs - windowMs / 1000).length).toBe(limit);
        }
      }),
      { numRuns: 30 },
    );
  });
});
