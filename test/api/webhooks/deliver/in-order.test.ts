import { describe, expect, it } from "vitest";
import { createBatches } from "../../../../api/webhooks/deliver/in-batches.ts";
import { createInOrder } from "../../../../api/webhooks/deliver/in-order.ts";

describe("work in order", () => {
  it("of one key waits for what was given before it, of another one does not", async () => {
    const inOrder = createInOrder();
    const done: string[] = [];
    let finish: () => void = () => {};
    const first = inOrder("a", () => new Promise<void>((resolve) => (finish = resolve))).then(() => done.push("a1"));
    const second = inOrder("a", async () => done.push("a2"));
    await inOrder("b", async () => done.push("b1"));
    expect(done).toEqual(["b1"]);
    finish();
    await Promise.all([first, second]);
    expect(new Set(done)).toEqual(new Set(["b1", "a1", "a2"]));
  });

  it("goes on after work that failed, whose failure its own giver hears of", async () => {
    const inOrder = createInOrder();
    const failing = inOrder("a", () => Promise.reject(new Error("broken")));
    const next = inOrder("a", async () => "went on");
    await expect(failing).rejects.toThrow("broken");
    expect(await next).toBe("went on");
  });
});

describe("work in batches", () => {
  it("takes together what comes while it works, up to its limit", async () => {
    const batches: number[][] = [];
    const { add, settled } = createBatches<number>(3, async (items) => void batches.push([...items]));
    await Promise.all([1, 2, 3, 4].map(add));
    await add(5);
    await settled();
    expect(batches).toEqual([[1, 2, 3], [4], [5]]);
  });

  it("that failed fails for all of its batch, and for no other", async () => {
    const { add } = createBatches<string>(2, async (items) => {
      if (items.includes("bad")) throw new Error("refused");
    });
    const settled = await Promise.allSettled(["bad", "with it", "after it"].map(add));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  });
});
