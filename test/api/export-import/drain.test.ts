import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createLagMonitor } from "../../../api/export-import/drain.ts";
import type { PartitionReader } from "../../../ingest/log/log.ts";
import { openTemporaryLog } from "../../ingest/log/temporary-log.ts";

const limits = { maxMessages: 1, maxBytes: 1000, waitMs: 100_000 };

/** A log with a signal, whose only reader waits for its gate with each message before it commits. */
async function openRig(group: string) {
  const { log } = await openTemporaryLog();
  const publish = () => log.publish([{ topic: "call-signals", key: "key", value: "{}" }]);
  await publish();
  const lag = createLagMonitor([{ group, topic: "call-signals" }]);
  const gates: (() => void)[] = [];
  const work = async (reader: PartitionReader, commits: boolean) => {
    while (!reader.signal.aborted) {
      const { messages } = await reader.next(limits);
      const [first] = messages;
      if (first === undefined) continue;
      await new Promise<void>((resolve) => gates.push(resolve));
      if (commits) await reader.commit(first.offset + 1);
    }
  };
  const start = ({ commits = true } = {}) => {
    const reading = lag.monitor(log).consume({ group, topic: "call-signals", work: (reader) => work(reader, commits) });
    const stop = async () => {
      for (const open of gates) open();
      await reading.stop();
    };
    onTestFinished(stop);
    return stop;
  };
  return { lag, gates, publish, start };
}

describe("the lag monitor", () => {
  it.each(["lifecycle", "deliver"])("is not caught up before %s has processed the last message", async (group) => {
    const { lag, gates, publish, start } = await openRig(group);
    expect([await lag.isAssigned(), await lag.isCaughtUp()]).toEqual([false, false]);
    start();
    await vi.waitFor(() => expect(gates).toHaveLength(1));
    expect([await lag.isAssigned(), await lag.isCaughtUp()]).toEqual([true, false]);
    gates[0]?.();
    await vi.waitFor(async () => expect(await lag.isCaughtUp()).toBe(true));
    await publish();
    expect(await lag.isCaughtUp()).toBe(false);
  });

  it("is caught up for a lifecycle that has committed nothing, and not for deliveries", async () => {
    for (const [group, isAtEnd] of [
      ["lifecycle", true],
      ["deliver", false],
    ] as const) {
      const { lag, gates, publish, start } = await openRig(group);
      start({ commits: false });
      await vi.waitFor(() => expect(gates).toHaveLength(1));
      await publish();
      gates[0]?.();
      await vi.waitFor(() => expect(gates).toHaveLength(2));
      gates[1]?.();
      if (isAtEnd) await vi.waitFor(async () => expect(await lag.isCaughtUp()).toBe(true));
      else expect(await lag.isCaughtUp()).toBe(false);
    }
  });
});
