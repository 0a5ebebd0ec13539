import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
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
  startOfTime,
} from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";
import { temporaryFolder } from "../../temporary.ts";
import { type Faults, withFaults } from "../log/faulty-log.ts";

/** Ample, for a machine that does other work meanwhile. */
export const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000 });

export async function openRig({ faults = {}, ...options }: { faults?: Faults; maxMessageBytes?: number } = {}) {
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

export const marker = "marker-";

export async function readAll(log: EventLog, topic: Topic): Promise<string[]> {
  const values: string[] = [];
  for await (const { value } of log.read({ topic, partition: 0, offset: 0 })) values.push(value);
  return values;
}

/** Signals of three calls as a switch's own export has them: by time, each call between the others. */
export function history(daysAgo: number): Signal[] {
  const ago = -daysAgo * 24 * 3600;
  const of = (name: string, begins: number) => (after: number) => ({
    call_id: name as CallId,
    at: secondsIn(ago + begins + after),
  });
  const [short, long, vain] = [of("short", 0), of("long", 1), of("vain", 2)];
  const second = { target: { id: "tgt-2", name: "Second", type: "sip" } };
  return [
    anIncoming(short(0)),
    aDialing(short(0)),
    anAnswered(short(2)),
    aHungUp(short(5)),
    aRecorded(short(90)),
    anIncoming(long(0)),
    aDialing(long(0)),
    anAnswered(long(4)),
    aHungUp(long(44)),
    anIncoming(vain(0)),
    aDialing(vain(0)),
    aDialFailed(vain(9)),
    aDialing({ ...second, ...vain(9) }),
    aFailed({ reason: "no_answer", ...vain(30) }),
  ].sort((one, other) => one.at.localeCompare(other.at));
}

/** What is stored of events: where the signals stood and how late they came is no part of a row. */
export const rowsOf = (events: readonly CallEvent[]) =>
  events
    .filter(({ call_id }) => !call_id.startsWith(marker))
    .map(({ last_signal: _place, lag_ms: _lag, ...row }) => row)
    .sort((one, other) => one.call_id.localeCompare(other.call_id) || one.version - other.version);

export async function unbroken(signals: readonly Signal[]): Promise<CallEvent[]> {
  const rig = await openRig();
  await rig.publish(...signals);
  await rig.caughtUp();
  return rig.events();
}
