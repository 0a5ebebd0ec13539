import { describe, expect, it } from "vitest";
import type { CallId } from "../../../ingest/primitives.ts";
import { aDialing, aHungUp, anAnswered, anIncoming, secondsIn, signalsOfCall } from "../../make.ts";
import { eventually, history, marker, openRig, rowsOf, unbroken } from "./lifecycle-rig.ts";

describe("the lifecycle", () => {
  it("turns published signals into events", async () => {
    const rig = await openRig();
    await rig.publish(...signalsOfCall(16));
    await eventually(async () => expect((await rig.names()).at(-1)).toBe("call.completed"));
    expect(await rig.names()).toHaveLength(7);
    expect(rig.troubles).toEqual([]);
  });

  it("fires marks as the clock reaches them, without any signal", async () => {
    const rig = await openRig();
    await rig.publish(anIncoming(), aDialing(), anAnswered());
    await eventually(async () => expect(await rig.names()).toEqual(["call.incoming", "call.connected"]));
    rig.clock.advance(5000);
    await eventually(async () => expect((await rig.names()).at(-1)).toBe("call.on_5_secs_mark"));
    rig.clock.advance(10_000);
    await eventually(async () => expect((await rig.names()).at(-1)).toBe("call.on_15_secs_mark"));
  });

  it("knows its open calls again after a restart, and fires the marks that fell due meanwhile", async () => {
    const rig = await openRig();
    await rig.publish(anIncoming(), aDialing(), anAnswered());
    await eventually(async () => expect(await rig.names()).toHaveLength(2));
    await rig.restart();
    rig.clock.advance(16_000);
    await eventually(async () => expect(await rig.names()).toHaveLength(4));
    await rig.publish(aHungUp({ at: secondsIn(16) }));
    await eventually(async () => expect((await rig.names()).at(-1)).toBe("call.completed"));
    expect(new Set(await rig.ids()).size).toBe((await rig.ids()).length);
  });

  it("remembers across a restart what no event has told yet", async () => {
    const rig = await openRig();
    await rig.publish(anIncoming(), aDialing({ target: { id: "tgt-9", name: "Ninth", type: "sip" } }));
    await eventually(async () => expect(await rig.names()).toEqual(["call.incoming"]));
    await rig.restart();
    await rig.publish(anAnswered(), aHungUp({ at: secondsIn(20) }));
    await eventually(async () => expect((await rig.names()).at(-1)).toBe("call.completed"));
    expect(await rig.names()).toContain("call.converted");
  });

  it("makes dead letters of what is no signal and of signals for unknown calls, and goes on", async () => {
    const rig = await openRig();
    await rig.publishRaw("{broken");
    await rig.publishRaw('{"kind":"incoming"}');
    await rig.publish(anAnswered({ call_id: "nobody" as CallId }), ...signalsOfCall(16));
    await eventually(async () => expect((await rig.names()).at(-1)).toBe("call.completed"));
    expect(await rig.letters()).toMatchObject([
      { reason: "invalid_json", source: "call-signals", position: 0, raw: "{broken" },
      { reason: "invalid_signal", position: 1 },
      { reason: "unknown_call", position: 2 },
    ]);
  });
});

describe("a call that is reported as it likes", () => {
  it("may be told to its end at once, though its end is still to come", async () => {
    const rig = await openRig();
    await rig.publish(...signalsOfCall(16));
    await rig.caughtUp();
    expect((await rig.events()).find(({ event }) => event === "call.completed")).toMatchObject({
      connect_duration: 16,
    });
    expect(await rig.names()).toContain("call.on_15_secs_mark");
  });

  it.each([5, 60])("may have happened %i s ago, signal after signal", async (secondsAgo) => {
    const rig = await openRig();
    rig.clock.advance(secondsAgo * 1000);
    for (const signal of signalsOfCall(3)) {
      await rig.publish(signal);
      await rig.caughtUp();
      rig.clock.advance(1000);
    }
    await rig.caughtUp();
    expect((await rig.names()).filter((name) => name !== "call.incoming")).toEqual([
      "call.connected",
      "call.hangup",
      "call.completed",
    ]);
  });

  it("has its marks as late as its signals come", async () => {
    const rig = await openRig();
    rig.clock.advance(7000);
    await rig.publish(anIncoming(), aDialing(), anAnswered());
    await rig.caughtUp();
    rig.clock.advance(4999);
    await rig.caughtUp();
    expect(await rig.names()).not.toContain("call.on_5_secs_mark");
    rig.clock.advance(1);
    await rig.caughtUp();
    expect((await rig.events()).find(({ event }) => event === "call.on_5_secs_mark")?.occurred_at).toBe(secondsIn(5));
  });
});

describe("signals whose events are large", () => {
  it("become events though the log does not take them all at once", { tags: ["slow"] }, async () => {
    const tags = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`tag_${index}`, "x".repeat(1024)]));
    const calls = Array.from({ length: 110 }, (_, index) =>
      signalsOfCall(16, { call_id: `call-${index}` as CallId, tags }),
    );
    const rig = await openRig();
    for (const [incoming] of calls) if (incoming) await rig.publish(incoming);
    await rig.publish(...calls.flatMap((signals) => signals.slice(1)));
    await rig.caughtUp();
    expect((await rig.ids()).filter((id) => !id.startsWith(marker))).toHaveLength(110 * 7);
    expect(rig.troubles).toEqual([]);
  });

  it("are dead letters when the log can never take their event, and hold up no other call", async () => {
    const rig = await openRig({ maxMessageBytes: 4000 });
    const large = {
      call_id: "large" as CallId,
      tags: { note: "x".repeat(1000), more: "x".repeat(1000), most: "x".repeat(700) },
    };
    const [first, ...rest] = signalsOfCall(16, large);
    if (first === undefined) throw new Error("no signal");
    await rig.publish(anIncoming(), first, aDialing(), anAnswered(), ...rest, aHungUp({ at: secondsIn(16) }));
    await rig.caughtUp();
    expect(new Set(rowsOf(await rig.events()).map(({ call_id }) => call_id))).toEqual(new Set(["call-1"]));
    expect((await rig.names()).slice(-2, -1)).toEqual(["call.completed"]);
    expect(await rig.letters()).toContainEqual(
      expect.objectContaining({ reason: "refused_by_log", position: 1, error: expect.stringContaining("4000") }),
    );
    await rig.restart();
    await rig.caughtUp();
    expect(rig.troubles).toEqual([]);
  });
});

describe("the lifecycle on a log with faults", () => {
  const signals = [...signalsOfCall(31), anAnswered({ call_id: "nobody" as CallId }), ...history(1)];

  it("publishes the same events once, whatever message it dies after", { tags: ["slow"] }, async () => {
    const whole = await unbroken(signals);
    const eventsAndLetter = rowsOf(whole).length + 1;
    for (let published = 0; published < eventsAndLetter; published++) {
      const rig = await openRig({ faults: { diesAfterPublishing: published } });
      await rig.publish(...signals);
      await eventually(() => expect(rig.troubles).not.toEqual([]));
      await rig.restart();
      await rig.caughtUp();
      expect(rowsOf(await rig.events())).toEqual(rowsOf(whole));
      expect(new Set((await rig.letters()).map(({ id }) => id)).size).toBe(1);
    }
  });

  it("publishes nothing twice when its commits were lost", async () => {
    const rig = await openRig({ faults: { losesCommits: true } });
    await rig.publish(...signals);
    await rig.caughtUp();
    const before = rowsOf(await rig.events());
    await rig.restart();
    await rig.caughtUp();
    expect(rowsOf(await rig.events())).toEqual(before);
  });

  it("goes on when the log refuses to commit or to answer for a time", async () => {
    const rig = await openRig({ faults: { refusedCommits: 2, refusedQuestions: 2 } });
    await rig.publish(...signalsOfCall(16));
    await eventually(async () => {
      rig.clock.advance(1000);
      expect(await rig.names()).toContain("call.completed");
      expect(rig.troubles).toHaveLength(4);
    });
    expect(new Set(await rig.ids()).size).toBe((await rig.ids()).length);
  });
});
