import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../ingest/clock.ts";
import { createNotifier } from "../../ingest/notifier.ts";
import { onAbort } from "../../ingest/on-abort.ts";

const listenersOf = ({ signal }: AbortController) => getEventListeners(signal, "abort").length;

describe("those who wait for a signal", () => {
  it("have one listener together, and none once nobody waits", async () => {
    const stopping = new AbortController();
    const notifier = createNotifier(systemClock);
    const short = Array.from({ length: 20 }, () => systemClock.sleep(1, stopping.signal));
    const long = Array.from({ length: 20 }, () => notifier.wait(100_000, { signal: stopping.signal }));
    expect(listenersOf(stopping)).toBe(1);
    await Promise.all(short);
    expect(listenersOf(stopping)).toBe(1);
    notifier.notify();
    await Promise.all(long);
    expect(listenersOf(stopping)).toBe(0);
  });

  it("are all woken when it aborts, but for who waits no more", async () => {
    const stopping = new AbortController();
    const woken: string[] = [];
    const wait = (name: string) => onAbort(stopping.signal, () => woken.push(name));
    wait("first");
    const forget = wait("second");
    wait("third");
    forget();
    forget();
    const sleeping = systemClock.sleep(100_000, stopping.signal);
    stopping.abort();
    await sleeping;
    expect([woken, listenersOf(stopping)]).toEqual([["first", "third"], 0]);
  });
});
