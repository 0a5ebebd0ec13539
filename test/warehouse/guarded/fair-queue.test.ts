import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { createFairQueue, createSemaphore } from "../../../warehouse/guarded/fair-queue.ts";

/** Work that ends when it is told to. */
function someWork() {
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push(name);
      ends.set(name, (failure) => (failure ? reject(failure) : resolve(name)));
    });
  return { begun, work, end: (name: string, failure?: Error) => ends.get(name)?.(failure) };
}
const never = new AbortController().signal;

describe("a semaphore", () => {
  it("lets so many work at once, and the next begin in order as others end or fail", async () => {
    const { begun, work, end } = someWork();
    const semaphore = createSemaphore(2);
    const all = ["a", "b", "c", "d"].map((name) => semaphore(never, work(name)).catch(String));
    await Promise.resolve();
    expect(begun).toEqual(["a", "b"]);
    end("b", new Error("failed"));
    await expect(all[1]).resolves.toBe("Error: failed");
    expect(begun).toEqual(["a", "b", "c"]);
    end("a");
    await all[0];
    expect(begun).toEqual(["a", "b", "c", "d"]);
    end("c");
    end("d");
    await Promise.all(all);
  });

  it("is not entered by who has stopped waiting", async () => {
    const { begun, work, end } = someWork();
    const semaphore = createSemaphore(1);
    const gone = new AbortController();
    const first = semaphore(never, work("a"));
    const second = semaphore(gone.signal, work("b"));
    const third = semaphore(never, work("c"));
    gone.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    end("a");
    await first;
    await Promise.resolve();
    expect(begun).toEqual(["a", "c"]);
    end("c");
    await third;
    await expect(semaphore(gone.signal, work("d"))).rejects.toThrow("gone");
    const fourth = semaphore(never, work("e"));
    await Promise.resolve();
    end("e");
    expect(await fourth).toBe("e");
  });
});

describe("work that waits on one signal", () => {
  it("puts one listener on it however much it is, and none when it has begun", async () => {
    const { work, end } = someWork();
    const semaphore = createSemaphore(1);
    const { signal } = new AbortController();
    const all = Array.from({ length: 30 }, (_, n) => semaphore(signal, work(String(n))));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    for (const [n, each] of all.entries()) {
      await Promise.resolve();
      end(String(n));
      await each;
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("a fair queue", () => {
  it("leaves some places for the work of others", async () => {
    const { begun, work, end } = someWork();
    const queue = createFairQueue({ atOnce: 3, each: 2 });
    const busy = ["a", "b", "c"].map((name) => queue("one", never, work(name)));
    const other = queue("two", never, work("d"));
    await expect.poll(() => begun).toEqual(["a", "b", "d"]);
    end("a");
    await expect.poll(() => begun).toEqual(["a", "b", "d", "c"]);
    for (const name of ["b", "c", "d"]) end(name);
    expect(await Promise.all([...busy, other])).toEqual(["a", "b", "c", "d"]);
  });

  it("begins next what is of the key that has used the least time, and forgets that as time goes by", async () => {
    const { begun, work, end } = someWork();
    let at = 0;
    const queue = createFairQueue({ atOnce: 1, each: 1, now: () => at });
    const run = (key: string, name: string) => queue(key, never, work(name));
    const long = run("one", "a");
    await expect.poll(() => begun).toEqual(["a"]);
    at = 5000;
    // "one" came first, and has had five seconds.
    const waiting = [run("one", "b"), run("two", "c"), run("three", "d")];
    end("a");
    await long;
    await expect.poll(() => begun).toEqual(["a", "c"]);
    at = 5100;
    waiting.push(run("two", "e"));
    end("c");
    await expect.poll(() => begun).toEqual(["a", "c", "d"]);
    end("d");
    await expect.poll(() => begun).toEqual(["a", "c", "d", "e"]);
    end("e");
    await expect.poll(() => begun).toEqual(["a", "c", "d", "e", "b"]);
    end("b");
    await Promise.all(waiting);
    // An hour later nobody is behind: the first that came begins.
    at += 3_600_000;
    const later = [run("one", "f"), run("three", "g"), run("one", "h")];
    await expect.poll(() => begun.at(-1)).toBe("f");
    end("f");
    await later[0];
    await expect.poll(() => begun.at(-1)).toBe("g");
    end("g");
    await expect.poll(() => begun.at(-1)).toBe("h");
    end("h");
    await Promise.all(later);
  });
});
