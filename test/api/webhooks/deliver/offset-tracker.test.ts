import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOffsetTracker } from "../../../../api/webhooks/deliver/offset-tracker.ts";

describe("the window of messages in hand", () => {
  it("commits up to the first that is unfinished and never past it, in whatever order work ends", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("enter" as const), gap: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ kind: fc.constant("end" as const), which: fc.nat() }),
      fc.record({ kind: fc.constant("commit" as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const tracker = createOffsetTracker(1000);
        const inHand: { offset: number; end(): void }[] = [];
        const entered: number[] = [];
        let offset = -1;
        let committed = 0;
        const commit = () => {
          committed = tracker.takeEnded() ?? committed;
          const firstInHand = Math.min(...inHand.map((each) => each.offset), Number.POSITIVE_INFINITY);
          const ended = entered.filter((each) => each < firstInHand);
          expect(committed).toBe(ended.length === 0 ? 0 : Math.max(...ended) + 1);
        };
        for (const each of steps) {
          if (each.kind === "enter") {
            offset += each.gap;
            entered.push(offset);
            inHand.push({ offset, end: tracker.add(offset) });
          } else if (each.kind === "end") inHand.splice(each.which % Math.max(inHand.length, 1), 1)[0]?.end();
          else commit();
        }
        for (const each of inHand.splice(0).reverse()) each.end();
        commit();
        expect(tracker.takeEnded()).toBeNull();
      }),
    );
  });

  it("has room again when what was committed has left it", () => {
    const tracker = createOffsetTracker(2);
    const ends = [tracker.add(0), tracker.add(1)];
    expect(tracker.room()).toBe(0);
    ends[1]?.();
    expect([tracker.takeEnded(), tracker.room()]).toEqual([null, 0]);
    ends[0]?.();
    expect([tracker.takeEnded(), tracker.room()]).toEqual([2, 2]);
  });

  it("tells of a change when some work ends, and at once when none is in hand", async () => {
    const tracker = createOffsetTracker(2);
    await tracker.change();
    const end = tracker.add(0);
    let changed = false;
    const change = tracker.change().then(() => {
      changed = true;
    });
    await Promise.resolve();
    expect(changed).toBe(false);
    end();
    await change;
    expect(changed).toBe(true);
  });
});
