import { describe, expect, it } from "vitest";
import { createFairTurns, createTurns } from "../../../warehouse/guarded/turns.ts";

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

describe("turns", () => {
  it("let so many work at once, and the next begin in order as others end or fail", async () => {
    const { begun, work, end } = someWork();
    const turns = createTurns(2);
    const all = ["a", "b", "c", "d"].map((name) => turns(never, work(name)).catch(String));
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

  it("are given up by who stops waiting, and go to the next", async () => {
    const { begun, work, end } = someWork();
    const turns = createTurns(1);
    const gone = new AbortController();
    const first = turns(never, work("a"));
    const second = turns(gone.signal, work("b"));
    const third = turns(never, work("c"));
    gone.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    end("a");
    await first;
    await Promise.resolve();
    expect(begun).toEqual(["a", "c"]);
    end("c");
    await third;
    await expect(turns(gone.signal, work("d"))).rejects.toThrow("gone");
    const fourth = turns(never, work("e"));
    await Promise.resolve();
    end("e");
    expect(await fourth).toBe("e");
  });
});

it("turns of one key leave some for the others", async () => {
  const { begun, work, end } = someWork();
  const turns = createFairTurns({ atOnce: 3, each: 2 });
  const busy = ["a", "b", "c"].map((name) => turns("one", never, work(name)));
  const other = turns("two", never, work("d"));
  await expect.poll(() => begun).toEqual(["a", "b", "d"]);
  end("a");
  await expect.poll(() => begun).toEqual(["a", "b", "d", "c"]);
  for (const name of ["b", "c", "d"]) end(name);
  expect(await Promise.all([...busy, other])).toEqual(["a", "b", "c", "d"]);
});
