import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type CallEvent, callEventSchema } from "../../../ingest/event.ts";
import { runLifecycle } from "../../../ingest/lifecycle/run.ts";
import type { EventLog, Topic } from "../../../ingest/log/log.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import type { CallId } from "../../../ingest/primitives.ts";
import type { Signal } from "../../../ingest/signal.ts";
import {
  aDialFailed,
  aDialing,
  aFailed,
  aHungUp,
  anAnswered,
  anIncoming,
  aRecorded,
  secondsIn,
  signalsOfCall,
  startOfTime,
} from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
import { temporaryFolder } from "../../temporary.ts";
import { type Faults, withFaults } from "../log/faulty-log.ts";

/** Ample, for a machine that does other work meanwhile. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000 });

async function openRig({ faults = {}, ...options }: { faults?: Faults; maxMessageBytes?: number } = {}) {
  const dir = join(temporaryFolder(), "log");
  const clock = createManualClock(startOfTime);
  const troubles: unknown[] = [];
  const start = (over: EventLog) => runLifecycle({ log: over, clock, onTrouble: (error) => troubles.push(error) });
  let log = await openLmdbLog({ dir, clock, ...options });
  let lifecycle = start(withFaults(log, faults));
  onTestFinished(async () => {
    await lifecycle.stop();
    await log.close();
  });
  const events = async (): Promise<CallEvent[]> =>
    (await readAll(log, "call-events")).map((value) => callEventSchema.parse(JSON.parse(value)));
  const publish = (...signals: Signal[]) =>
    log.publish(
      signals.map((signal) => ({ topic: "call-signals", key: signal.call_id, value: JSON.stringify(signal) })),
    );
  const ids = async () => (await events()).map(({ id }) => id as string);
  let markers = 0;
  return {
    clock,
    troubles,
    publish,
    publishRaw: (value: string) => log.publish([{ topic: "call-signals", key: "x", value }]),
    events,
    names: async () => (await events()).map(({ event }) => event),
    letters: async () => (await readAll(log, "dead-letters")).map((value) => JSON.parse(value)),
    ids,
    /** Waits until all that was published and all that is due has become events. */
    async caughtUp() {
      const call_id = `${marker}${markers++}` as CallId;
      await publish(anIncoming({ call_id }));
      await eventually(async () => expect(await ids()).toContain(`${call_id}:call.incoming`));
    },
    /** As after a restart of the process, without faults: nothing but the log is kept. */
    async restart() {
      await lifecycle.stop();
      await log.close();
      log = await openLmdbLog({ dir, clock, ...options });
      lifecycle = start(log);
    },
  };
}
const marker = "marker-";

async function readAll(log: EventLog, topic: Topic): Promise<string[]> {
  const values: string[] = [];
  for await (const { value } of log.read({ topic, partition: 0, offset: 0 })) values.push(value);
  return values;
}

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

const minute = 60_000;
const hour = 60 * minute;

/** Signals of three calls as a switch's own export has them: by time, each call between the others. */
function history(daysAgo: number): Signal[] {
  const ago = -daysAgo * 24 * 3600;
  const of = (name: string, begins: number) => (after: number) => ({
    call_id: name as CallId,
    at: secondsIn(ago + begins + after),
  });
  const [short, long, vain] = [of("short", 0), of("long", 1), of("vain", 2)];
  const second = { target: { id: "tgt-2", name: "Second", type: "sip" } };
  return [
    ...[anIncoming(short(0)), aDialing(short(0)), anAnswered(short(2)), aHungUp(short(5)), aRecorded(short(90))],
    ...[anIncoming(long(0)), aDialing(long(0)), anAnswered(long(4)), aHungUp(long(44))],
    ...[anIncoming(vain(0)), aDialing(vain(0)), aDialFailed(vain(9)), aDialing({ ...second, ...vain(9) })],
    ...[aFailed({ reason: "no_answer", ...vain(30) })],
  ].sort((one, other) => one.at.localeCompare(other.at));
}

/** What is stored of events: where the signals stood and how late they came is no part of a row. */
const rowsOf = (events: readonly CallEvent[]) =>
  events
    .filter(({ call_id }) => !call_id.startsWith(marker))
    .map(({ last_signal: _place, lag_ms: _lag, ...row }) => row)
    .sort((one, other) => one.call_id.localeCompare(other.call_id) || one.version - other.version);

async function unbroken(signals: readonly Signal[]): Promise<CallEvent[]> {
  const rig = await openRig();
  await rig.publish(...signals);
  await rig.caughtUp();
  return rig.events();
}

describe("history", () => {
  it("gives the same events whether it comes at once or is held up after each signal", async () => {
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

  it("gives the same events whatever signal a restart comes after", async () => {
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
      ...{ termination_by: "system", failure_reason: "lost", revenue: 0, payout: 0, converted: false },
      ended_at: secondsIn(-30 * 24 * 3600 + 1 + 4 + 4 * 3600),
    });
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
  it("become events though the log does not take them all at once", async () => {
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

  it("publishes the same events once, whatever message it dies after", async () => {
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
