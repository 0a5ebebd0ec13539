import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { callEventSchema } from "../../../ingest/event.ts";
import { runLifecycle } from "../../../ingest/lifecycle/run.ts";
import type { EventLog, Topic } from "../../../ingest/log/log.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import type { CallId } from "../../../ingest/primitives.ts";
import type { Signal } from "../../../ingest/signal.ts";
import { aDialing, aHungUp, anAnswered, anIncoming, secondsIn, signalsOfCall, startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
import { temporaryFolder } from "../../temporary.ts";

async function openRig() {
  const dir = join(temporaryFolder(), "log");
  const clock = createManualClock(startOfTime);
  const troubles: unknown[] = [];
  let log = await openLmdbLog({ dir, clock });
  let lifecycle = runLifecycle({ log, clock, onTrouble: (error) => troubles.push(error) });
  onTestFinished(async () => {
    await lifecycle.stop();
    await log.close();
  });
  return {
    clock,
    troubles,
    publish: (...signals: Signal[]) =>
      log.publish(
        signals.map((signal) => ({ topic: "call-signals", key: signal.call_id, value: JSON.stringify(signal) })),
      ),
    publishRaw: (value: string) => log.publish([{ topic: "call-signals", key: "x", value }]),
    names: async () =>
      (await readAll(log, "call-events")).map((value) => callEventSchema.parse(JSON.parse(value)).event),
    letters: async () => (await readAll(log, "dead-letters")).map((value) => JSON.parse(value)),
    ids: async () => (await readAll(log, "call-events")).map((value) => callEventSchema.parse(JSON.parse(value)).id),
    /** As after a restart of the process: nothing but the log is kept. */
    async restart() {
      await lifecycle.stop();
      await log.close();
      log = await openLmdbLog({ dir, clock });
      lifecycle = runLifecycle({ log, clock, onTrouble: (error) => troubles.push(error) });
    },
  };
}

async function readAll(log: EventLog, topic: Topic): Promise<string[]> {
  const values: string[] = [];
  for await (const { value } of log.read({ topic, partition: 0, offset: 0 })) values.push(value);
  return values;
}

describe("the lifecycle", () => {
  it("turns published signals into events", async () => {
    const rig = await openRig();
    await rig.publish(...signalsOfCall(16));
    await vi.waitFor(async () => expect((await rig.names()).at(-1)).toBe("call.completed"));
    expect(await rig.names()).toHaveLength(7);
    expect(rig.troubles).toEqual([]);
  });

  it("fires marks as the clock reaches them, without any signal", async () => {
    const rig = await openRig();
    await rig.publish(anIncoming(), aDialing(), anAnswered());
    await vi.waitFor(async () => expect(await rig.names()).toEqual(["call.incoming", "call.connected"]));
    rig.clock.advance(5000);
    await vi.waitFor(async () => expect((await rig.names()).at(-1)).toBe("call.on_5_secs_mark"));
    rig.clock.advance(10_000);
    await vi.waitFor(async () => expect((await rig.names()).at(-1)).toBe("call.on_15_secs_mark"));
  });

  it("knows its open calls again after a restart, and fires the marks that fell due meanwhile", async () => {
    const rig = await openRig();
    await rig.publish(anIncoming(), aDialing(), anAnswered());
    await vi.waitFor(async () => expect(await rig.names()).toHaveLength(2));
    await rig.restart();
    rig.clock.advance(16_000);
    await vi.waitFor(async () => expect(await rig.names()).toHaveLength(4));
    await rig.publish(aHungUp({ at: secondsIn(16) }));
    await vi.waitFor(async () => expect((await rig.names()).at(-1)).toBe("call.completed"));
    expect(new Set(await rig.ids()).size).toBe((await rig.ids()).length);
  });

  it("remembers across a restart what no event has told yet", async () => {
    const rig = await openRig();
    await rig.publish(anIncoming(), aDialing({ target: { id: "tgt-9", name: "Ninth", type: "sip" } }));
    await vi.waitFor(async () => expect(await rig.names()).toEqual(["call.incoming"]));
    await rig.restart();
    await rig.publish(anAnswered(), aHungUp({ at: secondsIn(20) }));
    await vi.waitFor(async () => expect((await rig.names()).at(-1)).toBe("call.completed"));
    expect(await rig.names()).toContain("call.converted");
  });

  it("makes dead letters of what is no signal and of signals for unknown calls, and goes on", async () => {
    const rig = await openRig();
    await rig.publishRaw("{broken");
    await rig.publishRaw('{"kind":"incoming"}');
    await rig.publish(anAnswered({ call_id: "nobody" as CallId }), ...signalsOfCall(16));
    await vi.waitFor(async () => expect((await rig.names()).at(-1)).toBe("call.completed"));
    expect(await rig.letters()).toMatchObject([
      { reason: "invalid_json", source: "call-signals", position: 0, raw: "{broken" },
      { reason: "invalid_signal", position: 1 },
      { reason: "unknown_call", position: 2 },
    ]);
  });
});
