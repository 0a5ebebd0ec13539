import { describe, expect, test, vi } from "vitest";
import type { EventLog, Message, Topic } from "../../../../ingest/log/log.ts";
import { codeOf, onPartition, readAll, someMessages, take } from "../../../contract/log-work.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { openTemporaryLog } from "../temporary-log.ts";

const hourMs = 3_600_000;
/** Real time, for what waits for the disk. */
const patiently = { interval: 2, timeout: 5_000 };
const at = (topic: Topic = "call-events") => ({ group: "loader", topic, partition: 0 });
/** 100 bytes each with their key. */
const hundredBytes = (count: number, topic: Topic = "call-events") =>
  Array.from({ length: count }, () => ({ topic, key: "call-1", value: "x".repeat(94) }));
const offsets = (messages: readonly Message[]) => messages.map((message) => message.offset);
const publishMany = async (log: EventLog, batches: number, topic: Topic = "call-events") => {
  for (let batch = 0; batch < batches; batch++) await log.publish(hundredBytes(10, topic));
};

describe("retention by size", () => {
  test("removes the oldest messages of a topic that no group consumes", async () => {
    const { log } = await openTemporaryLog({ retention: { maxBytesPerTopic: 2_000 } });
    await publishMany(log, 10, "dead-letters");
    const kept = offsets(await readAll(log, "dead-letters"));
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 100 - kept.length + index));
    expect(kept.length * 100).toBeLessThanOrEqual(3_000);
    expect(await log.ends("dead-letters")).toEqual([100]);
  });

  test("keeps what a group has not committed", async () => {
    const { log } = await openTemporaryLog({ retention: { maxBytesPerTopic: 1_000 } });
    await publishMany(log, 1);
    await onPartition(log, at(), (reader) => reader.commit(5));
    await publishMany(log, 2);
    expect(offsets(await readAll(log, "call-events"))[0]).toBe(5);
  });

  test("keeps everything for a group that has only begun", async () => {
    const { log } = await openTemporaryLog({ retention: { maxBytesPerTopic: 1_000 } });
    await onPartition(log, at(), async () => {});
    await publishMany(log, 3);
    expect(await readAll(log, "call-events")).toHaveLength(30);
  });

  test("counts for each topic alone", async () => {
    const { log } = await openTemporaryLog({ retention: { maxBytesPerTopic: 1_000 } });
    await publishMany(log, 1, "audit-log");
    await publishMany(log, 10, "dead-letters");
    expect(await readAll(log, "audit-log")).toHaveLength(10);
  });

  test("lets a late group begin with the first message that is left", async () => {
    const { log } = await openTemporaryLog({ retention: { maxBytesPerTopic: 1_000 } });
    await publishMany(log, 5);
    const [first] = await onPartition(log, at(), (reader) => take(reader, 1));
    expect(first?.offset).toBe(offsets(await readAll(log, "call-events"))[0]);
    expect(first?.offset).toBeGreaterThan(0);
  });

  test("goes on with the next offset when everything was removed and the log opened again", async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 5, 15));
    const { log, reopen } = await openTemporaryLog({ clock, retention: { maxAgeMs: hourMs } });
    await publishMany(log, 1);
    clock.advance(2 * hourMs);
    await vi.waitFor(async () => expect(await readAll(log, "call-events")).toEqual([]), patiently);
    await log.close();
    expect((await (await reopen()).publish(someMessages(1)))[0]?.offset).toBe(10);
  });
});

describe("retention by age", () => {
  test("removes what is too old, in steps, though nothing is published", async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 5, 15));
    const { log } = await openTemporaryLog({ clock, retention: { maxAgeMs: hourMs } });
    await log.publish(hundredBytes(2_500));
    clock.advance(hourMs - 60_000);
    await log.publish(hundredBytes(1));
    clock.advance(60_001);
    await vi.waitFor(async () => expect(offsets(await readAll(log, "call-events"))).toEqual([2_500]), patiently);
  });

  test("keeps what a group has not committed, however old", async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 5, 15));
    const { log } = await openTemporaryLog({ clock, retention: { maxAgeMs: hourMs } });
    await log.publish(hundredBytes(10));
    await onPartition(log, at(), (reader) => reader.commit(8));
    clock.advance(2 * hourMs);
    await vi.waitFor(async () => expect(offsets(await readAll(log, "call-events"))).toEqual([8, 9]), patiently);
  });
});

describe("a full log", () => {
  const retention = { maxBytesPerTopic: 1_000, maxBacklogBytesPerTopic: 3_000 };

  test("refuses to publish, and names the group that is behind", async () => {
    const { log } = await openTemporaryLog({ retention });
    await onPartition(log, at(), async () => {});
    await publishMany(log, 3);
    await expect(log.publish(hundredBytes(1))).rejects.toThrow(/group "loader" is 30 messages behind/);
    expect(await codeOf(() => log.publish(hundredBytes(1)))).toBe("log_full");
    expect(await log.ends("call-events")).toEqual([30]);
  });

  test("refuses the whole publish, other topics too, but still takes those alone", async () => {
    const { log } = await openTemporaryLog({ retention });
    await onPartition(log, at(), async () => {});
    await publishMany(log, 3);
    const mixed = [...hundredBytes(1, "audit-log"), ...hundredBytes(1)];
    expect(await codeOf(() => log.publish(mixed))).toBe("log_full");
    expect(await log.ends("audit-log")).toEqual([0]);
    expect(await log.publish(hundredBytes(1, "audit-log"))).toHaveLength(1);
  });

  test("refuses one publish of a group commit without harm to the others", async () => {
    const { log } = await openTemporaryLog({ retention });
    await onPartition(log, at(), async () => {});
    await publishMany(log, 3);
    const outcomes = await Promise.allSettled([
      log.publish(hundredBytes(1, "audit-log")),
      log.publish(hundredBytes(1)),
      log.publish(hundredBytes(1, "audit-log")),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await log.ends("audit-log")).toEqual([2]);
  });

  test("takes messages again as soon as the group has caught up", async () => {
    const { log } = await openTemporaryLog({ retention });
    await onPartition(log, at(), async () => {});
    await publishMany(log, 3);
    await onPartition(log, at(), (reader) => reader.commit(30));
    expect((await log.publish(hundredBytes(5)))[0]?.offset).toBe(30);
    expect((await readAll(log, "call-events")).length).toBeLessThanOrEqual(15);
  });
});
