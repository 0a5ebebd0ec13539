import { describe, expect, it } from "vitest";
import { createRecordBuffer } from "../../../../api/routing/inbound/record-buffer.ts";
import { LogError, type NewMessage } from "../../../../ingest/log/log.ts";
import { readAll, values } from "../../../contract/log-work.ts";
import { openTemporaryLog } from "../../../ingest/log/temporary-log.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";

const mebibyte = 1024 * 1024;
const aMessage = (value: string): NewMessage => ({ topic: "rtb-requests", key: "org_one", value });

function openBuffer({ maxWaiting }: { maxWaiting?: number } = {}) {
  const clock = createManualClock(startOfTime);
  const [published, troubles]: [string[], string[]] = [[], []];
  const log = { fails: false, publishes: 0 };
  const buffer = createRecordBuffer({
    clock,
    onTrouble: (error) => troubles.push(String(error)),
    async publish(messages) {
      log.publishes += 1;
      if (messages.some(({ value }) => value.startsWith("large"))) throw new LogError("message_too_large", "too large");
      if (log.fails) throw new Error("the disk is full");
      published.push(...messages.map(({ value }) => value));
    },
    ...(maxWaiting === undefined ? {} : { maxWaiting }),
  });
  /** Lets everything go on that waits for nothing but its turn. */
  const settle = async () => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  return { buffer, clock, published, troubles, log, settle };
}

describe("records on their way to the log", () => {
  it("arrive in their order, all of them before the end", async () => {
    const { buffer, published } = openBuffer();
    const all = Array.from({ length: 1200 }, (_, index) => String(index));
    for (const value of all) buffer.add([aMessage(value)]);
    await buffer.close();
    expect(published).toEqual(all);
  });

  it("wait while the log takes none, and are not lost", async () => {
    const { buffer, clock, published, troubles, log, settle } = openBuffer();
    log.fails = true;
    buffer.add([aMessage("one")]);
    await settle();
    expect([published, troubles]).toEqual([[], ["Error: the disk is full"]]);
    log.fails = false;
    buffer.add([aMessage("two")]);
    clock.advance(250);
    await buffer.close();
    expect(published).toEqual(["one", "two"]);
  });

  it("are dropped beyond what may wait, and that is told", async () => {
    const { buffer, clock, published, troubles, log, settle } = openBuffer({ maxWaiting: 6 });
    log.fails = true;
    for (const value of ["one", "two", "three"]) buffer.add([aMessage(value)]);
    log.fails = false;
    await settle();
    clock.advance(250);
    await buffer.close();
    expect(published).toEqual(["one", "two"]);
    expect(troubles.at(-1)).toContain("1 RTB records were dropped");
  });

  it("are given up at the end when the log takes none in time", async () => {
    const { buffer, clock, troubles, log, settle } = openBuffer();
    log.fails = true;
    buffer.add([aMessage("one")]);
    await settle();
    const closed = buffer.close();
    clock.advance(5000);
    await closed;
    expect(troubles.at(-1)).toContain("1 RTB records were given up");
  });

  it("are dropped where one alone is more than the log takes, and that is told; all others arrive in their order", async () => {
    const { buffer, published, troubles, log } = openBuffer();
    const all = Array.from({ length: 1200 }, (_, index) => (index % 400 === 3 ? `large ${index}` : String(index)));
    buffer.add(all.map(aMessage));
    await buffer.close();
    expect(published).toEqual(all.filter((value) => !value.startsWith("large")));
    expect(troubles).toEqual(Array(3).fill(expect.stringContaining("RTB record of ")));
    expect(log.publishes).toBeLessThan(100);
  });

  it("are dropped alone by a log that takes a mebibyte of each", async () => {
    const { log } = await openTemporaryLog({ partitions: 1 });
    const troubles: string[] = [];
    const buffer = createRecordBuffer({
      clock: createManualClock(startOfTime),
      publish: log.publish,
      onTrouble: (error) => troubles.push(String(error)),
    });
    buffer.add(["one", "x".repeat(mebibyte), "two"].map(aMessage));
    await buffer.close();
    expect(values(await readAll(log, "rtb-requests"))).toEqual(["one", "two"]);
    expect(troubles).toEqual([expect.stringContaining(`RTB record of ${mebibyte} characters`)]);
  });
});
