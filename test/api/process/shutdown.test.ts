import { pino } from "pino";
import { expect, it } from "vitest";
import { ClosingError, createShutdown, openOrClose } from "../../../api/process/shutdown.ts";
import { startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";

function createRig() {
  const clock = createManualClock(startOfTime);
  const lines: { readonly msg: string; readonly part?: string }[] = [];
  const logger = pino({ level: "error" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const closed: string[] = [];
  const part = (name: string) => ({ close: async () => void closed.push(name) });
  return { clock, lines, closed, part, shutdown: createShutdown({ logger, clock }) };
}
const never = { close: () => new Promise<void>(() => {}) };

it("closes in reverse order, once", async () => {
  const { shutdown, closed, part } = createRig();
  for (const name of ["first", "second", "third"]) shutdown.add(name, part(name));
  await Promise.all([shutdown.close(), shutdown.close()]);
  expect(closed).toEqual(["third", "second", "first"]);
});

it("goes on past a part that fails to close, and names it", async () => {
  const { shutdown, closed, part, lines } = createRig();
  shutdown.add("first", part("first"));
  shutdown.add("second", { close: () => Promise.reject(new Error("no")) });
  await shutdown.close();
  expect(closed).toEqual(["first"]);
  expect(lines).toMatchObject([{ part: "second", msg: "failed to close" }]);
});

it("leaves parts that do not close as they are, half a minute for one and three quarters for all", async () => {
  const { shutdown, closed, part, lines, clock } = createRig();
  shutdown.add("first", part("first"));
  shutdown.add("second", never);
  shutdown.add("third", never);
  const closing = shutdown.close();
  const began = clock.now();
  await expect.poll(() => clock.sleepers()).toBe(1);
  clock.advance(29_999);
  expect(lines).toEqual([]);
  clock.advance(1);
  await expect.poll(() => lines.length).toBe(1);
  await expect.poll(() => clock.sleepers()).toBe(1);
  clock.advance(15_000);
  await closing;
  expect(clock.now() - began).toBe(45_000);
  expect(lines).toMatchObject([{ part: "third" }, { part: "second" }]);
  expect(closed).toEqual(["first"]);
});

it("closes what is opened after the closing has begun, and tells whoever opens it", async () => {
  const { shutdown, closed, part } = createRig();
  await shutdown.close();
  expect(() => shutdown.add("late", part("late"))).toThrow(ClosingError);
  expect(closed).toEqual(["late"]);
});

it("closes all that is open where a step of the opening fails", async () => {
  const { shutdown, closed, part } = createRig();
  const opening = openOrClose(shutdown, undefined, async () => {
    shutdown.add("first", part("first"));
    shutdown.add("second", part("second"));
    throw new Error("the third");
  });
  await expect(opening).rejects.toThrow("the third");
  expect(closed).toEqual(["second", "first"]);
});

it("closes all that is open where it is stopped during a step that does not end", async () => {
  const { shutdown, closed, part } = createRig();
  const stop = new AbortController();
  const opening = openOrClose(shutdown, stop.signal, async () => {
    shutdown.add("first", part("first"));
    return never.close();
  });
  stop.abort(new Error("stopped"));
  await expect(opening).rejects.toThrow("stopped");
  expect(closed).toEqual(["first"]);
});
