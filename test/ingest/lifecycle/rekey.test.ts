import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CallEvent, callEventSchema } from "../../../ingest/event.ts";
import { type LifecycleBatch, runLifecycle } from "../../../ingest/lifecycle/run.ts";
import { partitionOf } from "../../../ingest/log/key-partition.ts";
import type { EventLog, Topic } from "../../../ingest/log/log.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import type { CallId } from "../../../ingest/primitives.ts";
import type { Signal } from "../../../ingest/signal.ts";
import {
  aDialing,
  aHungUp,
  anAdjusted,
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
import { eventually } from "./lifecycle-rig.ts";

const partitions = 4;
const home = partitionOf("call-1", partitions);
/** Partitions that are not the call's, each with a key that stands there. */
const [one = 0, two = 0, three = 0] = [0, 1, 2, 3].filter((partition) => partition !== home);
const keyIn = (partition: number): string => {
  for (let n = 0; ; n++) if (partitionOf(`foreign-${n}`, partitions) === partition) return `foreign-${n}`;
};

async function openRig(given: { faults?: Faults; partitions?: number } = {}) {
  const clock = createManualClock(startOfTime + 60_000);
  const log = await openLmdbLog({ dir: temporaryFolder(), clock, partitions: given.partitions ?? partitions });
  const batches: LifecycleBatch[] = [];
  const troubles: unknown[] = [];
  const start = (over: EventLog) =>
    runLifecycle({
      log: over,
      clock,
      onTrouble: (error) => troubles.push(error),
      onBatch: (batch) => batches.push(batch),
    });
  let lifecycle = start(withFaults(log, given.faults ?? {}));
  onTestFinished(async () => {
    await lifecycle.stop();
    await log.close();
  });
  const events = async (): Promise<CallEvent[]> =>
    (await readAll(log, "call-events")).map(({ value }) => callEventSchema.parse(JSON.parse(value)));
  return {
    log,
    troubles,
    events,
    total: (fate: keyof LifecycleBatch) => batches.reduce((sum, batch) => sum + batch[fate], 0),
    /** As a producer of somebody else's would, by another partitioner. */
    async sendTo(partition: number, ...signals: Signal[]) {
      const key = keyIn(partition);
      await log.publish(signals.map((signal) => ({ topic: "call-signals", key, value: JSON.stringify(signal) })));
    },
    async send(...signals: Signal[]) {
      await log.publish(
        signals.map((signal) => ({ topic: "call-signals", key: signal.call_id, value: JSON.stringify(signal) })),
      );
    },
    names: async () => (await events()).map(({ event }) => event),
    letters: async () => (await readAll(log, "dead-letters")).map(({ value }) => JSON.parse(value)),
    /** Waits for the condition. Time goes on whenever all readers, and the log's retention, have nothing to do but wait. */
    until: (check: () => unknown) =>
      eventually(async () => {
        expect(clock.sleepers()).toBe((given.partitions ?? partitions) + 1);
        clock.advance(1000);
        await check();
      }),
    async restart() {
      await lifecycle.stop();
      lifecycle = start(log);
    },
  };
}

async function readAll(log: EventLog, topic: Topic) {
  const all = [];
  for (const partition of (await log.ends(topic)).keys()) {
    for await (const message of log.read({ topic, partition, offset: 0 })) all.push({ ...message, partition });
  }
  return all;
}

const told = [
  "call.incoming",
  "call.connected",
  "call.on_5_secs_mark",
  "call.on_15_secs_mark",
  "call.hangup",
  "call.converted",
  "call.completed",
];
/** Seconds that lie apart by more than a fetch: so is what happens to a call. */
const [incoming, dialing, answered, hungUp] = [
  anIncoming(),
  aDialing({ at: secondsIn(1) }),
  anAnswered({ at: secondsIn(2) }),
  aHungUp({ at: secondsIn(20) }),
] as const;

describe("signals that come in another partition than their call's", () => {
  it("are folded once, in the call's own partition and in the order in which they happened", async () => {
    const rig = await openRig();
    await rig.sendTo(one, answered);
    await rig.sendTo(two, dialing, hungUp);
    await rig.sendTo(three, incoming);
    await rig.until(async () => expect(await rig.names()).toEqual(told));
    const events = await readAll(rig.log, "call-events");
    expect(new Set(events.map(({ partition }) => partition))).toEqual(new Set([home]));
    const folded = await rig.events();
    expect(folded.map(({ version }) => version)).toEqual(folded.map((_, index) => index + 1));
    expect(folded.at(-1)).toMatchObject({ target_id: "tgt-1", revenue: 30, converted: true });
    expect(await rig.letters()).toEqual([]);
  });

  it("do not undo a correction that came in the call's own", async () => {
    const rig = await openRig();
    await rig.sendTo(one, ...signalsOfCall(16));
    await rig.until(async () => expect(await rig.names()).toEqual(told));
    await rig.send(anAdjusted({ revenue: 44, payout: 11 }));
    await rig.until(async () => expect((await rig.names()).at(-1)).toBe("call.updated"));
    await rig.sendTo(two, aRecorded({ at: secondsIn(90) }));
    await rig.until(async () => expect(await rig.names()).toEqual([...told, "call.updated", "call.updated"]));
    expect((await rig.events()).map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await rig.events()).at(-1)).toMatchObject({ revenue: 44, payout: 11, recording_url: expect.any(String) });
  });

  it("are held for those on their way when one of them stands in the right partition by chance", async () => {
    const rig = await openRig();
    await rig.send(answered);
    await rig.sendTo(one, dialing);
    await rig.send(hungUp);
    await rig.sendTo(two, incoming);
    await rig.until(async () => expect(await rig.names()).toEqual(told));
    expect((await rig.events()).at(-1)).toMatchObject({ target_id: "tgt-1" });
  });

  it("are dead letters with the place and the bytes that they were sent with where there is no such call", async () => {
    const rig = await openRig();
    await rig.sendTo(one, answered);
    await rig.until(async () => expect(await rig.letters()).toHaveLength(1));
    const place = { id: `call-signals:${one}:0`, partition: one, position: 0, key: keyIn(one) };
    expect(await rig.letters()).toMatchObject([{ reason: "unknown_call", ...place, raw: JSON.stringify(answered) }]);
  });

  it("are one fate each, those that were moved counted where they came in", async () => {
    const rig = await openRig();
    await rig.sendTo(one, ...signalsOfCall(16));
    await rig.until(() => {
      const fates = (["rekeyed", "held", "taken", "deadLettered"] as const).map(rig.total);
      expect(fates).toEqual([4, 4, 4, 0]);
    });
  });

  it("are folded where they are in a log of one partition, whatever their key", async () => {
    const rig = await openRig({ partitions: 1 });
    await rig.sendTo(one, ...signalsOfCall(16));
    await eventually(async () => expect(await rig.names()).toEqual(told));
    expect(await readAll(rig.log, "call-signals")).toHaveLength(4);
  });
});

describe("the moving of signals to their partition", () => {
  it("changes nothing when it is done again after a crash", async () => {
    const rig = await openRig({ faults: { losesCommits: true } });
    // A dial that was told again, after it failed, would be another one.
    await rig.sendTo(one, incoming, dialing, failedDial(2));
    await rig.until(() => expect(rig.total("taken")).toBe(3));
    await rig.restart();
    await rig.until(() => expect(rig.total("rekeyed")).toBe(6));
    await rig.sendTo(one, { ...dialing, at: secondsIn(3) }, { ...answered, at: secondsIn(4) }, hungUp);
    await rig.until(async () => expect(await rig.names()).toContain("call.completed"));
    expect((await rig.events()).at(-1)).toMatchObject({ attempts: 2 });
  });

  it("loses none and doubles none, whatever message it dies after", { tags: ["slow"] }, async () => {
    for (let published = 0; published < 12; published++) {
      const rig = await openRig({ faults: { diesAfterPublishing: published } });
      await rig.sendTo(one, incoming, hungUp);
      await rig.sendTo(two, dialing, answered);
      await rig.until(() => expect(rig.troubles).not.toEqual([]));
      await rig.restart();
      await rig.until(async () => expect(await rig.names()).toEqual(told));
      expect(await rig.letters()).toEqual([]);
    }
  });
});

describe("a call however its signals are spread over partitions", () => {
  it("comes to what it comes to in one", { tags: ["slow"] }, async () => {
    const place = fc.integer({ min: 0, max: partitions - 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 4, maxLength: 4 }), async (places) => {
        const rig = await openRig();
        for (const [index, signal] of [incoming, dialing, answered, hungUp].entries())
          await rig.sendTo(places[index] ?? 0, signal);
        await rig.until(async () => expect(await rig.names()).toEqual(told));
        expect((await rig.events()).at(-1)).toMatchObject({ target_id: "tgt-1", revenue: 30, attempts: 1 });
      }),
      { numRuns: 15 },
    );
  });
});

const failedDial = (seconds: number): Signal => ({
  v: 1,
  kind: "dial_failed",
  org_id: incoming.org_id,
  call_id: "call-1" as CallId,
  reason: "busy",
  at: secondsIn(seconds),
});
