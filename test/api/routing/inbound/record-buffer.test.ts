import { describe, expect, it } from "vitest";
import { createRecordBuffer } from "../../../../api/routing/inbound/record-buffer.ts";
import type { NewMessage } from "../../../../ingest/log/log.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";

const aMessage = (value: string): NewMessage => ({ topic: "rtb-requests", key: "org_one", value });

function openBuffer({ maxWaiting }: { maxWaiting?: number } = {}) {
  const clock = createManualClock(startOfTime);
  const [published, troubles]: [string[], string[]] = [[], []];
  const log = { fails: false };
  const buffer = createRecordBuffer({
    clock,
    onTrouble: (error) => troubles.push(String(error)),
    async publish(messages) {
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
});
