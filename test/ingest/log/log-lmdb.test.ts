import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { open } from "lmdb";
import { describe, expect, onTestFinished, test } from "vitest";
import type { EventLog, Topic } from "../../../ingest/log/log.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import { describeEventLog } from "../../contract/event-log.ts";
import { aborted, codeOf, onPartition, readAll, someMessages } from "../../contract/log-work.ts";
import { createManualClock } from "../../manual-clock.ts";
import { makeTemporaryDirectory } from "../../temporary-directory.ts";
import { openTemporaryLog } from "./temporary-log.ts";

for (const partitions of [1, 3]) {
  describeEventLog({
    name: `LMDB with ${partitions} partition${partitions === 1 ? "" : "s"}`,
    partitions,
    async makeStorage() {
      const directory = await makeTemporaryDirectory();
      return {
        open: (options) => openLmdbLog({ dir: directory.path, partitions, ...options }),
        remove: directory.remove,
      };
    },
  });
}

describe("the LMDB log", () => {
  test("keeps the number of partitions it was made with", async () => {
    const { log, reopen } = await openTemporaryLog({ partitions: 3 });
    await log.close();
    expect(await (await reopen({ partitions: 5 })).ends("call-events")).toHaveLength(3);
  });

  test("opens a directory whose name looks like a file's", async () => {
    const directory = await makeTemporaryDirectory();
    onTestFinished(directory.remove);
    const log = await openLmdbLog({ dir: join(directory.path, "log.v1", "events.log") });
    expect(await log.publish(someMessages(1))).toHaveLength(1);
    await log.close();
  });

  test("says what to do when its directory cannot be made", async () => {
    const directory = await makeTemporaryDirectory();
    onTestFinished(directory.remove);
    await writeFile(join(directory.path, "taken"), "");
    const open = () => openLmdbLog({ dir: join(directory.path, "taken") });
    expect(await codeOf(open)).toBe("log_unavailable");
    await expect(open()).rejects.toThrow(/Check that the directory/);
  });

  test("refuses offsets and partitions that do not exist", async () => {
    const { log } = await openTemporaryLog();
    await log.publish(someMessages(3));
    await onPartition(log, { group: "loader", topic: "call-events", partition: 0 }, async (reader) => {
      expect(await codeOf(() => reader.commit(4))).toBe("bad_position");
      expect(await codeOf(() => reader.commit(-1))).toBe("bad_position");
      expect(await codeOf(() => reader.commit(0.5))).toBe("bad_position");
      expect(await codeOf(async () => reader.seek(4))).toBe("bad_position");
    });
    const read = async () => log.read({ topic: "call-events", partition: 1, offset: 0 });
    expect(await codeOf(read)).toBe("bad_position");
  });

  test("refuses a damaged partition, and takes nothing of what was published with it", async () => {
    const { log, dir, reopen } = await openTemporaryLog();
    await log.publish(someMessages(2));
    await log.close();
    await damage(dir);
    const damaged = await reopen();
    const both = [...someMessages(1, { topic: "audit-log" }), ...someMessages(1)];
    expect(await codeOf(() => damaged.publish(both))).toBe("log_corrupt");
    expect(await damaged.ends("audit-log")).toEqual([0]);
    expect(await readAll(damaged, "audit-log")).toEqual([]);
    expect(await damaged.publish(someMessages(1, { topic: "audit-log" }))).toHaveLength(1);
    expect(await codeOf(() => readAll(damaged, "call-events"))).toBe("log_corrupt");
  });

  test("refuses one publish that would be one huge transaction", async () => {
    const { log } = await openTemporaryLog();
    const message = { topic: "call-events" as const, key: "call-1", value: "x".repeat(1_000_000) };
    expect(await codeOf(() => log.publish(Array.from({ length: 70 }, () => message)))).toBe("message_too_large");
  });

  test("gives a second consumer of a group its turn when the first has finished", async () => {
    const { log } = await openTemporaryLog();
    const events: string[] = [];
    const begin = (name: string) => consumeAs(log, name, events);
    const [first, second, third] = [begin("first"), begin("second"), begin("third")];
    await first.started;
    await second.consumer.stop();
    await first.consumer.stop();
    await third.started;
    await third.consumer.stop();
    expect(events).toEqual(["first begins", "first ends", "third begins", "third ends"]);
  });

  test("lets other groups and topics of one process run side by side", async () => {
    const { log } = await openTemporaryLog();
    const one = consumeAs(log, "one", [], { group: "loader" });
    const two = consumeAs(log, "two", [], { group: "lifecycle" });
    const three = consumeAs(log, "three", [], { group: "loader", topic: "audit-log" });
    await Promise.all([one.started, two.started, three.started]);
  });

  test("closes in time although a consumer's work does not return", async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 5, 15));
    const { log } = await openTemporaryLog({ clock, closeWithinMs: 5_000 });
    const stuck = consumeAs(log, "stuck", [], { work: () => new Promise(() => {}) });
    await stuck.started;
    let isClosed = false;
    const closing = log.close().then(() => {
      isClosed = true;
    });
    clock.advance(4_999);
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    clock.advance(1);
    await closing;
    expect(await codeOf(() => log.publish(someMessages(1)))).toBe("log_closed");
  });

  test("answers work that outlives the log with log_closed", async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 5, 15));
    const { log } = await openTemporaryLog({ clock, closeWithinMs: 10 });
    let codes: Promise<string[]> = Promise.resolve([]);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const started = new Promise<void>((resolve) => {
      log.consume({
        group: "loader",
        topic: "call-events",
        async work(reader) {
          resolve();
          await released;
          codes = Promise.all([codeOf(() => reader.commit(0)), codeOf(() => reader.committed())]);
        },
      });
    });
    await started;
    const closing = log.close();
    clock.advance(10);
    await closing;
    release();
    await new Promise(setImmediate);
    expect(await codes).toEqual(["log_closed", "log_closed"]);
  });
});

/** Cuts the first message short, and adds one beyond the end. */
async function damage(dir: string): Promise<void> {
  const root = open({ path: dir, noSubdir: false, overlappingSync: false });
  const records = root.openDB<Buffer, number>("call-events/0", { encoding: "binary" });
  await records.put(0, Buffer.from("short"));
  await records.put(7, Buffer.from("stray"));
  await root.close();
}

function consumeAs(
  log: EventLog,
  name: string,
  events: string[],
  { group = "loader", topic = "call-events" as Topic, work = aborted } = {},
) {
  let begun = () => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const consumer = log.consume({
    group,
    topic,
    async work(reader) {
      events.push(`${name} begins`);
      begun();
      await work(reader.signal);
      events.push(`${name} ends`);
    },
  });
  return { consumer, started };
}
