import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createBacklog } from "../../../api/metrics/backlog.ts";
import type { Message, PartitionReader } from "../../../ingest/log/log.ts";
import { watchProgress } from "../../../ingest/log/progress.ts";
import { aborted, someMessages } from "../../contract/log-work.ts";
import { openTemporaryLog } from "../../ingest/log/temporary-log.ts";
import { startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";

const topic = "call-events";

/** A group's only reader, which takes a message at a time and does with it as it is told. */
async function openRig(group: string) {
  const clock = createManualClock(startOfTime);
  const { log } = await openTemporaryLog({ clock });
  const watched = watchProgress(log);
  const backlog = createBacklog({ log: watched.log, places: watched.places });
  const taken: Message[] = [];
  let readOn = (): void => undefined;
  async function readEach(reader: PartitionReader): Promise<void> {
    while (!reader.signal.aborted) {
      const told = new Promise<void>((resolve) => {
        readOn = resolve;
      });
      const { messages } = await reader.next({ maxMessages: 1, maxBytes: 1_000_000, waitMs: 3_600_000 });
      taken.push(...messages);
      if (!reader.signal.aborted) await told;
    }
  }
  const readers: PartitionReader[] = [];
  const start = (work: (reader: PartitionReader) => Promise<void> = readEach) => {
    const consumer = watched.log.consume({
      group,
      topic,
      async work(reader) {
        readers.push(reader);
        await work(reader);
      },
    });
    onTestFinished(async () => {
      const stopped = consumer.stop();
      readOn();
      await stopped;
    });
    return consumer;
  };
  const publish = async (count: number): Promise<void> => {
    await log.publish(someMessages(count));
    clock.advance(1000);
  };
  const current = async () => {
    await backlog.refresh();
    return backlog.current();
  };
  const untilTaken = (count: number) => vi.waitFor(() => expect(taken).toHaveLength(count));
  return { clock, publish, start, current, untilTaken, readers, readOn: () => readOn() };
}

describe("the backlog of", () => {
  it.each([
    ["lifecycle", "lifecycle"],
    ["loader", "load"],
  ])("%s is what it has not worked through when it asks for more", async (group, consumer) => {
    const rig = await openRig(group);
    await rig.publish(1);
    await rig.publish(2);
    rig.start();
    await rig.untilTaken(1);
    expect(await rig.current()).toEqual([{ consumer, topic, messages: 3, oldestAt: startOfTime }]);
    rig.readOn();
    await rig.untilTaken(2);
    expect(await rig.current()).toEqual([{ consumer, topic, messages: 2, oldestAt: startOfTime + 1000 }]);
    rig.readOn();
    await rig.untilTaken(3);
    rig.readOn();
    await vi.waitFor(async () =>
      expect(await rig.current()).toEqual([{ consumer, topic, messages: 0, oldestAt: null }]),
    );
  });

  it("deliver is what it has not committed, however much it asks for", async () => {
    const rig = await openRig("deliver");
    await rig.publish(1);
    await rig.publish(1);
    rig.start();
    await rig.untilTaken(1);
    rig.readOn();
    await rig.untilTaken(2);
    rig.readOn();
    expect(await rig.current()).toEqual([{ consumer: "deliver", topic, messages: 2, oldestAt: startOfTime }]);
    await rig.readers[0]?.commit(1);
    expect(await rig.current()).toEqual([{ consumer: "deliver", topic, messages: 1, oldestAt: startOfTime + 1000 }]);
    await rig.readers[0]?.commit(2);
    expect(await rig.current()).toEqual([{ consumer: "deliver", topic, messages: 0, oldestAt: null }]);
  });

  it("whoever has not begun to read is what waits, and how old that is the log tells", async () => {
    const rig = await openRig("loader");
    await rig.publish(1);
    await rig.publish(4);
    rig.start((reader) => aborted(reader.signal));
    await vi.waitFor(async () =>
      expect(await rig.current()).toEqual([{ consumer: "load", topic, messages: 5, oldestAt: startOfTime }]),
    );
  });

  it("partitions that have gone is nothing", async () => {
    const rig = await openRig("loader");
    await rig.publish(1);
    const consumer = rig.start();
    await rig.untilTaken(1);
    const stopped = consumer.stop();
    expect(await rig.current()).toEqual([]);
    rig.readOn();
    await stopped;
  });
});
