import { describe, expect, it, vi } from "vitest";
import { untilDone } from "../../../ingest/log/until-done.ts";
import { createManualClock } from "../../manual-clock.ts";

function aRig() {
  const clock = createManualClock(0);
  const stopping = new AbortController();
  const troubles: unknown[] = [];
  return {
    clock,
    stopping,
    troubles,
    retry: { clock, signal: stopping.signal, onTrouble: (error: unknown) => troubles.push(error) },
  };
}

describe("work that may fail for a time", () => {
  it("is tried again, ever more slowly, until it is done", async () => {
    const { clock, retry, troubles } = aRig();
    const triedAt: number[] = [];
    const result = untilDone(retry, async () => {
      triedAt.push(clock.now());
      if (triedAt.length < 8) throw new Error("no space left");
      return "done";
    });
    while (triedAt.length < 8) {
      await vi.waitFor(() => expect(clock.sleepers() === 1 || triedAt.length === 8).toBe(true), { interval: 1 });
      while (clock.sleepers() === 1) clock.advance(250);
    }
    expect(await result).toBe("done");
    expect(triedAt.map((at, index) => at - (triedAt[index - 1] ?? 0))).toEqual([
      0, 250, 500, 1000, 2000, 4000, 5000, 5000,
    ]);
    expect(troubles).toHaveLength(7);
  });

  it("is given up when it is stopped, but tried once even then", async () => {
    const { retry, stopping } = aRig();
    const failing = vi.fn(() => Promise.reject(new Error("no space left")));
    const result = untilDone(retry, failing);
    stopping.abort();
    expect(await result).toBeNull();
    expect(failing).toHaveBeenCalledTimes(1);
    expect(await untilDone(retry, async () => "done")).toBe("done");
  });
});
