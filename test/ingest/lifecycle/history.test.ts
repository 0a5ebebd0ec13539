import { describe, expect, it } from "vitest";
import { secondsIn } from "../../make.ts";
import { history, openRig, rowsOf, unbroken } from "./lifecycle-rig.ts";

const minute = 60_000;
const hour = 60 * minute;

describe("history", () => {
  it("gives the same events whether it comes at once or is held up after each signal", { tags: ["slow"] }, async () => {
    const signals = history(30);
    const whole = rowsOf(await unbroken(signals));
    expect(whole).toHaveLength(5 + 8 + 3);
    const rig = await openRig();
    for (const signal of signals) {
      await rig.publish(signal);
      await rig.caughtUp();
      rig.clock.advance(10 * minute);
      await rig.caughtUp();
    }
    expect(rowsOf(await rig.events())).toEqual(whole);
    expect(rig.troubles).toEqual([]);
  });

  it("gives the same events whatever signal a restart comes after", { tags: ["slow"] }, async () => {
    const signals = history(30);
    const whole = rowsOf(await unbroken(signals));
    const rig = await openRig();
    for (const signal of signals) {
      await rig.publish(signal);
      await rig.caughtUp();
      await rig.restart();
      rig.clock.advance(10 * minute);
    }
    await rig.caughtUp();
    expect(rowsOf(await rig.events())).toEqual(whole);
  });

  it("without the end of a call makes it lost, and no sale, four hours after it was last heard of", async () => {
    const rig = await openRig();
    await rig.publish(...history(30).filter(({ kind, call_id }) => call_id === "long" && kind !== "hung_up"));
    await rig.caughtUp();
    rig.clock.advance(4 * hour - 1);
    await rig.caughtUp();
    expect(await rig.names()).not.toContain("call.completed");
    rig.clock.advance(1);
    await rig.caughtUp();
    const completed = (await rig.events()).find(({ event }) => event === "call.completed");
    expect(completed).toMatchObject({
      termination_by: "system",
      failure_reason: "lost",
      revenue: 0,
      payout: 0,
      converted: false,
      ended_at: secondsIn(-30 * 24 * 3600 + 1 + 4 + 4 * 3600),
    });
  });
});
