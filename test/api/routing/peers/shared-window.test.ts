import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSharedWindow } from "../../../../api/routing/peers/rate-windows.ts";

const windowMs = 60_000;
const limit = 5;

/** Processes that hear at once what each other counts; `ask` tells whether one passes at an instant. */
function openProcesses(count: number) {
  const windows: ReturnType<typeof createSharedWindow>[] = Array.from({ length: count }, (_, process) =>
    createSharedWindow(windowMs, (slot) => {
      for (const [other, window] of windows.entries()) if (other !== process) window.receive(`p${process}`, [slot]);
    }),
  );
  return (process: number, now: number): boolean => {
    const window = windows[process];
    if (window === undefined || window.count(now) >= limit) return false;
    window.add(now, limit);
    return true;
  };
}

describe("windows that hear of each other at once", () => {
  const asked = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 20_000 })), {
    minLength: 20,
    maxLength: 100,
  });

  it("never pass more than the limit together in any time as long as the window", () => {
    fc.assert(
      fc.property(asked, (all) => {
        const ask = openProcesses(3);
        let now = 0;
        const passed = all.flatMap(([process, waitMs]) => {
          now += waitMs;
          return ask(process, now) ? [now] : [];
        });
        for (const [index, at] of passed.entries()) {
          const before = passed[index - limit];
          if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(windowMs);
        }
      }),
    );
  });

  it("pass again at most a slot of 250 ms after the window of what others counted", () => {
    const ask = openProcesses(2);
    for (let count = 0; count < limit; count += 1) expect(ask(0, 100)).toBe(true);
    expect([ask(1, 60_249), ask(0, 60_099)]).toEqual([false, false]);
    expect(ask(1, 60_250)).toBe(true);
  });
});

it("a window tells when its count will next be less, whoever counted it", () => {
  const window = createSharedWindow(windowMs, () => undefined);
  expect(window.nextLeavesAt()).toBeNull();
  window.receive("other", [[500, 2]]);
  expect([window.count(600), window.nextLeavesAt()]).toEqual([2, 60_750]);
  window.add(600, limit);
  expect([window.count(600), window.nextLeavesAt()]).toEqual([3, 60_600]);
  expect([window.count(60_750), window.nextLeavesAt()]).toEqual([0, null]);
});

it("a window that nobody here counts keeps what others count for as long as it counts, and no longer", () => {
  const window = createSharedWindow(windowMs, () => undefined);
  const slotMs = windowMs / 240;
  for (let at = 0; at < 10 * windowMs; at += slotMs)
    for (const process of ["a", "b"]) window.receive(process, [[at, 1]]);
  expect(window.count(10 * windowMs - slotMs)).toBe(2 * 241);
  expect(window.count(11 * windowMs - slotMs)).toBe(2);
});

it("a window tells a process that starts later what it has counted itself, by slots", () => {
  const window = createSharedWindow(windowMs, () => undefined);
  for (const at of [0, 100, 249, 250]) window.add(at, limit);
  window.receive("other", [[500, 2]]);
  expect(window.ownSlots()).toEqual([
    [0, 3],
    [250, 1],
  ]);
});
