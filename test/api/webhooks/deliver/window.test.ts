import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWindow } from "../../../../api/webhooks/deliver/window.ts";

describe("the window of messages in hand", () => {
  it("commits up to the first that is unfinished and never past it, in whatever order work ends", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("enter" as const), gap: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ kind: fc.constant("end" as const), which: fc.nat() }),
      fc.record({ kind: fc.constant("commit" as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const window = createWindow(1000);
        const inHand: { offset: number; end(): void }[] = [];
        const entered: number[] = [];
        let offset = -1;
        let committed = 0;
        const commit = () => {
          committed = window.takeEnded() ?? committed;
          const firstInHand = Math.min(...inHand.map((each) => each.offset), Number.POSITIVE_INFINITY);
          const ended = entered.filter((each) => each < firstInHand);
          expect(committed).toBe(ended.length === 0 ? 0 : Math.max(...ended) + 1);
        };
        for (const each of steps) {
          if (each.kind === "enter") {
            offset += each.gap;
            entered.push(offset);
            inHand.push({ offset, end: window.enter(offset) });
          } else if (each.kind === "end") inHand.splice(each.which % Math.max(inHand.length, 1), 1)[0]?.end();
          else commit();
        }
        for (const each of inHand.splice(0).reverse()) each.end();
        commit();
        expect(window.takeEnded()).toBeNull();
      }),
    );
  });

  it("has room again when what was committed has left it", () => {
    const window = createWindow(2);
    const ends = [window.enter(0), window.enter(1)];
    expect(window.room()).toBe(0);
    ends[1]?.();
    expect([window.takeEnded(), window.room()]).toEqual([null, 0]);
    ends[0]?.();
    expect([window.takeEnded(), window.room()]).toEqual([2, 2]);
  });

  it("tells of a change when some work ends, and at once when none is in hand", async () => {
    const window = createWindow(2);
    await window.change();
    const end = window.enter(0);
    let changed = false;
    const change = window.change().then(() => {
      changed = true;
    });
    await Promise.resolve();
    expect(changed).toBe(false);
    end();
    await change;
    expect(changed).toBe(true);
  });
});
