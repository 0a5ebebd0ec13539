import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFairQueue, createKeyedMutex, createSemaphore } from "../../../ingest/concurrency/fair-queue.ts";

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
    const all = ["a", "b", "c", "d"].map((name) => semaphore(work(name), never).catch(String));
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
    const first = semaphore(work("a"), never);
    const second = semaphore(work("b"), gone.signal);
    const third = semaphore(work("c"), never);
    gone.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    end("a");
    await first;
    await Promise.resolve();
    expect(begun).toEqual(["a", "c"]);
    end("c");
    await third;
    await expect(semaphore(work("d"), gone.signal)).rejects.toThrow("gone");
    const fourth = semaphore(work("e"), never);
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
    const all = Array.from({ length: 30 }, (_, n) => semaphore(work(String(n)), signal));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    for (const [n, each] of all.entries()) {
      await Promise.resolve();
      end(String(n));
      await each;
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("a piece of work", () => {
  it("leaves its place when it says so, and not once more when it ends", async () => {
    const { begun, work, end } = someWork();
    const queue = createFairQueue({ limits: [10, 1] });
    const first = queue.run(["one"], (release) => {
      release();
      return work("a")();
    });
    const others = ["b", "c"].map((name) => queue.run(["one"], work(name)));
    await expect.poll(() => begun).toEqual(["a", "b"]);
    end("a");
    await first;
    expect(begun).toEqual(["a", "b"]);
    end("b");
    await expect.poll(() => begun).toEqual(["a", "b", "c"]);
    end("c");
    await Promise.all(others);
  });

  it("begins while less than its own limit runs, after those that came before", async () => {
    const { begun, work, end } = someWork();
    const queue = createFairQueue({ limits: [10, 5] });
    const all = [3, 3, 1, 3].map((limit, index) => queue.run(["one"], work(String(index)), { limit }));
    await expect.poll(() => begun).toEqual(["0", "1"]);
    end("0");
    await all[0];
    expect(begun).toEqual(["0", "1"]);
    end("1");
    await expect.poll(() => begun).toEqual(["0", "1", "2", "3"]);
    for (const name of ["2", "3"]) end(name);
    await Promise.all(all);
  });

  it("that gives up lets work begin behind it whose limit is higher", async () => {
    const { begun, work, end } = someWork();
    const queue = createFairQueue({ limits: [10, 5] });
    const giving = new AbortController();
    const first = queue.run(["one"], work("a"), { limit: 2 });
    const second = queue.run(["one"], work("b"), { limit: 1, signal: giving.signal });
    const third = queue.run(["one"], work("c"), { limit: 2 });
    giving.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    await expect.poll(() => begun).toEqual(["a", "c"]);
    for (const name of ["a", "c"]) end(name);
    await Promise.all([first, third]);
  });
});

describe("a fair queue by time", () => {
  it("leaves some places for the work of others", async () => {
    const { begun, work, end } = someWork();
    const queue = createFairQueue({ limits: [3, 2], fairBy: "time" });
    const busy = ["a", "b", "c"].map((name) => queue.run(["one"], work(name)));
    const other = queue.run(["two"], work("d"));
    await expect.poll(() => begun).toEqual(["a", "b", "d"]);
    end("a");
    await expect.poll(() => begun).toEqual(["a", "b", "d", "c"]);
    for (const name of ["b", "c", "d"]) end(name);
    expect(await Promise.all([...busy, other])).toEqual(["a", "b", "c", "d"]);
  });

  it("begins next what is of the key that has used the least time, and forgets that as time goes by", async () => {
    const { begun, work, end } = someWork();
    let at = 0;
    const queue = createFairQueue({ limits: [1, 1], fairBy: "time", now: () => at });
    const run = (key: string, name: string) => queue.run([key], work(name));
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

describe("a keyed mutex", () => {
  it("lets work of one key wait for what was given before it, and work of another one not", async () => {
    const { begun, work, end } = someWork();
    const mutex = createKeyedMutex();
    const all = [mutex("a", work("a1")), mutex("a", work("a2")), mutex("b", work("b1"))];
    await Promise.resolve();
    expect(begun).toEqual(["a1", "b1"]);
    end("a1");
    await all[0];
    expect(begun).toEqual(["a1", "b1", "a2"]);
    end("a2");
    end("b1");
    await Promise.all(all);
  });

  it("goes on after work that failed, whose failure its caller gets", async () => {
    const mutex = createKeyedMutex();
    const failing = mutex("a", () => Promise.reject(new Error("broken")));
    const next = mutex("a", async () => "went on");
    await expect(failing).rejects.toThrow("broken");
    expect(await next).toBe("went on");
  });
});

/** What was to resolve at once has. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a fair queue by turns", () => {
  /** Work of organizations and their endpoints, in the order in which it began; each ends when the test says so. */
  function openQueue({ total = 100, perOrg = 100, perEndpoint = 100, now = () => 0 }) {
    const { begun, work, end } = someWork();
    const queue = createFairQueue({ limits: [total, perOrg, perEndpoint], now });
    return {
      ...queue,
      begun,
      enter: (name: string, orgId: string, endpoint = "a") => void queue.run([orgId, endpoint], work(name)),
      async end(name: string) {
        end(name);
        await settled();
      },
    };
  }

  it("is first come first served at one endpoint, so many at once", async () => {
    const { begun, enter, end, waiting } = openQueue({ perEndpoint: 2 });
    for (const name of ["1", "2", "3", "4"]) enter(name, "one");
    await settled();
    expect([begun, waiting(["one", "a"]), waiting(["one"]), waiting([])]).toEqual([["1", "2"], 2, 2, 2]);
    await end("2");
    expect([begun, waiting(["one", "a"])]).toEqual([["1", "2", "3"], 1]);
  });

  it("lets an endpoint that hangs hold up neither another one nor another organization at the same address", async () => {
    const { begun, enter } = openQueue({ perEndpoint: 1 });
    for (const name of ["hangs", "waits", "waits too"]) enter(name, "one");
    enter("elsewhere", "one", "b");
    enter("another's", "two");
    await settled();
    expect(begun).toEqual(["hangs", "elsewhere", "another's"]);
  });

  it("goes round the organizations, and within one round its endpoints", async () => {
    const { begun, enter, end } = openQueue({ total: 1 });
    enter("first", "zero");
    for (const name of ["1a", "1b", "1c"]) enter(name, "one");
    enter("1 elsewhere", "one", "b");
    for (const name of ["2a", "2b"]) enter(name, "two");
    await settled();
    for (let round = 0; round < 7; round += 1) await end(begun.at(-1) ?? "");
    expect(begun).toEqual(["first", "1a", "2a", "1 elsewhere", "2b", "1b", "1c"]);
  });

  it("leaves places to others when an organization hangs at however many endpoints", async () => {
    const { begun, enter } = openQueue({ total: 10, perOrg: 4 });
    for (let index = 0; index < 50; index += 1) enter(`hangs ${index}`, "one", String(index));
    enter("another's", "two");
    await settled();
    expect(begun).toHaveLength(5);
    expect(begun).toContain("another's");
  });

  it("tells how long the first at an endpoint has waited", async () => {
    let at = 0;
    const { enter, waitedMs, end } = openQueue({ perEndpoint: 1, now: () => at });
    enter("running", "one");
    enter("first", "one");
    at = 500;
    enter("second", "one");
    expect([waitedMs(["one", "a"]), waitedMs(["two", "a"])]).toEqual([500, 0]);
    await settled();
    await end("running");
    at = 600;
    expect(waitedMs(["one", "a"])).toBe(100);
  });

  it("serves all, and never more than the limits allow, whoever comes, goes and stops waiting", async () => {
    const anyWork = fc.record({
      path: fc.tuple(fc.constantFrom("one", "two", "three"), fc.constantFrom("a", "b", "")),
      givesUp: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyWork, { minLength: 1, maxLength: 60 }),
        fc.constantFrom("turns" as const, "time" as const),
        fc.infiniteStream(fc.nat()),
        async (all, fairBy, picks) => {
          const queue = createFairQueue({ limits: [5, 3, 2], fairBy });
          const running: { path: readonly string[]; end: () => void }[] = [];
          const givingUp = new AbortController();
          let begun = 0;
          let gaveUp = 0;
          for (const { path, givesUp } of all) {
            const work = () =>
              new Promise<void>((end) => {
                begun += 1;
                running.push({ path, end });
              });
            queue.run(path, work, givesUp ? { signal: givingUp.signal } : {}).catch(() => {
              gaveUp += 1;
            });
          }
          const count = (org: string, endpoint?: string) =>
            running.filter(({ path }) => path[0] === org && (endpoint === undefined || path[1] === endpoint)).length;
          for (let round = 0; begun + gaveUp < all.length || running.length > 0; round += 1) {
            if (round === 2) givingUp.abort(new Error("gone"));
            await settled();
            expect(running.length).toBeLessThanOrEqual(5);
            for (const { path } of all) {
              expect(count(path[0])).toBeLessThanOrEqual(3);
              expect(count(...path)).toBeLessThanOrEqual(2);
            }
            if (running.length > 0) running.splice((picks.next().value ?? 0) % running.length, 1)[0]?.end();
          }
          await settled();
          expect(queue.waiting([])).toBe(0);
          expect(begun + gaveUp).toBe(all.length);
        },
      ),
      { numRuns: 60 },
    );
  });
});
