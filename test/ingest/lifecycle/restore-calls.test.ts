import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { CallEvent } from "../../../ingest/event.ts";
import { toCall } from "../../../ingest/lifecycle/due-events.ts";
import { recall } from "../../../ingest/lifecycle/restore-calls.ts";
import { runLifecycle } from "../../../ingest/lifecycle/run.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import type { CallId } from "../../../ingest/primitives.ts";
import { type Signal, signalSchema } from "../../../ingest/signal.ts";
import { aHungUp, anAdjusted, anEvent, anIncoming, aRetagged, orgTwo, secondsIn, startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
import { temporaryFolder } from "../../temporary.ts";

const partition = { partition: 0, signal: new AbortController().signal };
const nobody = { get: () => undefined };
const ended = anEvent("call.completed");
/** As the warehouse may have had the call, up to an offset of its events. */
const stored = (event: CallEvent, next_event = 0) => ({ call: { ...toCall(event), last_signal: -1 }, next_event });
const carrying = (signal: Signal, given: ReturnType<typeof stored>): Signal =>
  signalSchema.parse({ ...signal, update: { id: `of ${given.call.version}`, source: "test", stored: given } });

async function openLog(): Promise<EventLog> {
  const log = await openLmdbLog({ dir: temporaryFolder(), clock: createManualClock(startOfTime) });
  onTestFinished(() => log.close());
  return log;
}
const publish = (log: EventLog, topic: "call-events" | "call-signals", ...values: (Signal | CallEvent)[]) =>
  log.publish(values.map((value) => ({ topic, key: value.call_id, value: JSON.stringify(value) })));

describe("a call that an update is for and nobody remembers", () => {
  it("is as the update carries it where the log has told nothing since", async () => {
    const log = await openLog();
    await publish(log, "call-events", { ...ended, version: 99 });
    const found = await recall(log, partition, { calls: nobody, signals: [carrying(aRetagged(), stored(ended, 1))] });
    expect([...found.values()]).toEqual([{ ...toCall(ended), last_signal: -1 }]);
  });

  it("is as the log has told it since the store was read, with the signal that it heard last", async () => {
    const log = await openLog();
    const newer = { ...ended, version: ended.version + 1, last_signal: 40, caller_zip: "10001" };
    await publish(log, "call-events", { ...newer, call_id: "another" as CallId }, newer);
    const found = await recall(log, partition, { calls: nobody, signals: [carrying(aRetagged(), stored(ended))] });
    expect(found.get("call-1")).toMatchObject({ caller_zip: "10001", last_signal: 40 });
    expect(found.size).toBe(1);
  });

  it("is as the newest of its updates carries it", async () => {
    const log = await openLog();
    const newer = { ...ended, version: ended.version + 1, caller_zip: "10001" };
    const signals = [newer, ended].map((event) => carrying(aRetagged(), stored(event)));
    expect((await recall(log, partition, { calls: nobody, signals })).get("call-1")?.caller_zip).toBe("10001");
  });

  it("is not sought behind the end of a log that was lost", async () => {
    const signals = [carrying(aRetagged(), stored(ended, 1000))];
    expect((await recall(await openLog(), partition, { calls: nobody, signals })).size).toBe(1);
  });

  it("is none that is remembered, that the update does not carry, or that is another call or another's", async () => {
    const log = await openLog();
    const signals = [carrying(aRetagged(), stored(ended)), aRetagged({ call_id: "call-2" as CallId }), aHungUp()];
    expect((await recall(log, partition, { calls: { get: () => toCall(ended) }, signals })).size).toBe(0);
    const foreign = [
      carrying(aRetagged({ org_id: orgTwo }), stored(ended)),
      carrying(aRetagged({ call_id: "call-2" as CallId }), stored(ended)),
    ];
    expect((await recall(log, partition, { calls: nobody, signals: [...signals.slice(1), ...foreign] })).size).toBe(0);
  });
});

it("updates of a call of long ago become its next versions, once each, across a restart", async () => {
  const log = await openLog();
  const clock = createManualClock(startOfTime + 15 * 86_400_000);
  const start = () => runLifecycle({ log, clock, onTrouble: (error) => expect(error).toBeUndefined() });
  let lifecycle = start();
  onTestFinished(() => lifecycle.stop());
  const events = async () => {
    const all: CallEvent[] = [];
    for await (const { value } of log.read({ topic: "call-events", partition: 0, offset: 0 })) {
      all.push(JSON.parse(value));
    }
    return all;
  };
  const told = (count: number) => vi.waitFor(async () => expect(await events()).toHaveLength(count), 10_000);
  const first = carrying(anAdjusted({ at: secondsIn(900) }), stored(ended));
  await publish(log, "call-signals", { ...first, revenue: 44 } as Signal);
  await told(1);
  await lifecycle.stop();
  lifecycle = start();
  // As it was sent a second time, and by somebody who read the store before the first one was in it.
  const other = { update: { id: "other", source: "test", stored: stored(ended) } };
  await publish(log, "call-signals", { ...first, revenue: 44 } as Signal, {
    ...aRetagged({ tags: { a: "1" } }),
    ...other,
  });
  await told(2);
  await publish(log, "call-signals", anIncoming({ call_id: "last" as CallId, at: secondsIn(15 * 86_400) }));
  await told(3);
  const [adjusted, tagged] = await events();
  expect(adjusted).toMatchObject({
    event: "call.updated",
    version: ended.version + 1,
    revenue: 44,
    status: "completed",
  });
  expect(tagged).toMatchObject({ version: ended.version + 2, revenue: 44, tags: { a: "1" } });
});
