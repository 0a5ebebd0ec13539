import { describe, expect, it } from "vitest";
import { createBatcher, upToWeight } from "../../../ingest/concurrency/batcher.ts";

describe("a batcher", () => {
  it("processes together what comes while it works, up to its limit, and answers each item", async () => {
    const batches: number[][] = [];
    const { add, idle, waiting } = createBatcher<number, string>({
      countNext: () => 3,
      async work(items) {
        batches.push([...items]);
        return items.map(String);
      },
    });
    const all = [1, 2, 3, 4].map(add);
    expect(waiting()).toBe(4);
    expect(await Promise.all(all)).toEqual(["1", "2", "3", "4"]);
    expect(await add(5)).toBe("5");
    await idle();
    expect(batches).toEqual([[1, 2, 3], [4], [5]]);
  });

  it("fails the items of a batch that failed, and no others", async () => {
    const { add } = createBatcher<string, void>({
      countNext: () => 2,
      async work(items) {
        if (items.includes("bad")) throw new Error("refused");
        return [];
      },
    });
    const settled = await Promise.allSettled(["bad", "with it", "after it"].map(add));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  });

  it("limits a batch by weight, but takes an item that is heavier than the limit alone", async () => {
    const batches: number[][] = [];
    const { add } = createBatcher<number, void>({
      countNext: upToWeight(10, (weight) => weight),
      async work(items) {
        batches.push([...items]);
        return [];
      },
    });
    await Promise.all([4, 6, 1, 25, 9, 1].map(add));
    expect(batches).toEqual([[4, 6], [1], [25], [9, 1]]);
  });

  it("runs what comes after each batch before the next, and tells it whether anything waits", async () => {
    const events: unknown[] = [];
    const { add, idle } = createBatcher<string, void>({
      countNext: () => 1,
      async work([item]) {
        events.push(item);
        return [];
      },
      afterBatch: async (isIdle) => void events.push(isIdle),
    });
    await Promise.all(["a", "b"].map(add));
    await idle();
    expect(events).toEqual(["a", false, "b", true]);
  });
});
