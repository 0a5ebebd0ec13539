import { type Clock, isoTime } from "../clock.ts";
import { type DeadLetter, toDeadLetter, toDeadLetterMessage } from "../dead-letter.ts";
import type { CallEvent } from "../event.ts";
import { callEventSchema } from "../event.ts";
import type { BatchLimits, Consumer, EventLog, Message, NewMessage, PartitionReader } from "../log/log.ts";
import { describeIssues, parseJson } from "../parse.ts";
import { signalSchema } from "../signal.ts";
import { applySignal, applyTime } from "./fold.ts";
import { createOpenCalls, type OpenCalls } from "./open-calls.ts";
import { tell } from "./owed.ts";

const batchLimits = { maxMessages: 2000, maxBytes: 8 * 1024 * 1024 };
/** Timers fired before the next look at the signals. */
const maxTimersPerRound = 1000;
const retryPublishMs = 500;

export interface LifecycleOptions {
  readonly log: EventLog;
  readonly clock: Clock;
  /** Told of each failed attempt to publish; the lifecycle itself goes on trying. */
  onTrouble(error: unknown): void;
}

/**
 * Turns signals into call events, one fold per partition. At least once, and exactly once in effect: events carry the
 * last signal applied, so what is read again after a crash changes nothing (spec: Events; architecture: Lifecycle).
 */
export function runLifecycle({ log, clock, onTrouble }: LifecycleOptions): Consumer {
  return log.consume({
    group: "lifecycle",
    topic: "call-signals",
    async work(reader) {
      const calls = createOpenCalls();
      await restore(log, reader, calls, onTrouble);
      while (!reader.signal.aborted) {
        const batch = await reader.next({ ...batchLimits, waitMs: untilNextTimer(calls, clock) } satisfies BatchLimits);
        const output = batch.messages.map((message) => applyMessage(calls, reader, message, clock.now()));
        // A timer must not overtake a signal that was there before it: marks wait until the signals have been read.
        if (batch.caughtUp) output.push(fireTimers(calls, clock.now()));
        const last = batch.messages.at(-1)?.offset;
        if (last !== undefined) output.push(tellLongUntold(calls, last, clock.now()));
        const events = output.flatMap((each) => each.events);
        const letters = output.flatMap((each) => each.letters);
        if (!(await publish(events, letters))) return;
        if (last !== undefined) await commit(reader, calls, last + 1);
      }

      /** False when the reader was stopped before the log took the messages: they are made again after the restart. */
      async function publish(events: readonly CallEvent[], letters: readonly DeadLetter[]): Promise<boolean> {
        const messages = [...events.map(toMessage), ...letters.map(toDeadLetterMessage)];
        if (messages.length === 0) return true;
        while (!reader.signal.aborted) {
          try {
            const positions = await log.publish(messages);
            events.forEach((event, index) => {
              calls.told(event, positions[index]?.offset ?? -1);
            });
            return true;
          } catch (error) {
            onTrouble(error);
            await clock.sleep(retryPublishMs, reader.signal);
          }
        }
        return false;
      }
    },
  });
}

async function restore(
  log: EventLog,
  reader: PartitionReader,
  calls: OpenCalls,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  const offset = await reader.committed("call-events");
  for await (const message of log.read({ topic: "call-events", partition: reader.partition, offset })) {
    if (reader.signal.aborted) return;
    const json = parseJson(message.value);
    const event = callEventSchema.safeParse(json.ok ? json.value : undefined);
    if (event.success) calls.told(event.data, message.offset);
    else onTrouble(new Error(`call-events ${reader.partition}:${message.offset} is no call event of ours: skipped`));
  }
}

interface Output {
  readonly events: readonly CallEvent[];
  readonly letters: readonly DeadLetter[];
}
const nothing: Output = { events: [], letters: [] };

function applyMessage(calls: OpenCalls, reader: PartitionReader, message: Message, now: number): Output {
  const parsed = parseSignal(message.value);
  if (!parsed.ok) return { events: [], letters: [toDeadLetter(reader, message, { ...parsed.fault, now })] };
  const { signal } = parsed;
  const applied = applySignal(calls.get(signal.call_id), signal, message.offset);
  switch (applied.kind) {
    case "applied":
      calls.keep(applied.call, message.offset);
      return { events: applied.events, letters: [] };
    case "repeated":
      return nothing;
    case "unknown_call": {
      const error = `No call ${signal.call_id} is open or was lately: send its "incoming" signal first.`;
      return { events: [], letters: [toDeadLetter(reader, message, { now, reason: "unknown_call", error })] };
    }
  }
}

function parseSignal(value: string) {
  const json = parseJson(value);
  if (!json.ok) return { ok: false, fault: { reason: "invalid_json", error: json.error } } as const;
  const parsed = signalSchema.safeParse(json.value);
  if (parsed.success) return { ok: true, signal: parsed.data } as const;
  return { ok: false, fault: { reason: "invalid_signal", error: describeIssues(parsed.error) } } as const;
}

function fireTimers(calls: OpenCalls, now: number): Output {
  const events = calls.takeDue(now, maxTimersPerRound).flatMap((call) => {
    const step = applyTime(call, now);
    calls.keep(step.call, step.call.last_signal);
    return step.events;
  });
  return { events, letters: [] };
}

/** A call that has gone long without an event gets one, so that the signals' offset can move on. */
function tellLongUntold(calls: OpenCalls, signalOffset: number, now: number): Output {
  const events = calls.longUntold(signalOffset).map((call) => {
    const told = tell(call, "call.updated", { at: isoTime(now), status: call.status });
    calls.keep(told.call, signalOffset);
    return told.event;
  });
  return { events, letters: [] };
}

async function commit(reader: PartitionReader, calls: OpenCalls, next: number): Promise<void> {
  const done = Math.min(calls.oldestUntoldSignal() ?? next, next);
  await reader.commit(done);
  // Only now: a crash in between finds more events than it needs, never a signal whose call it no longer knows.
  calls.forgetEnded(done);
  const oldestEvent = calls.oldestEvent();
  if (oldestEvent !== null) await reader.commit(oldestEvent, "call-events");
}

function untilNextTimer(calls: OpenCalls, clock: Clock): number {
  const due = calls.nextDue();
  return due === null ? Number.MAX_SAFE_INTEGER : Math.max(0, due - clock.now());
}

const toMessage = (event: CallEvent): NewMessage => ({
  topic: "call-events",
  key: event.call_id,
  value: JSON.stringify(event),
});
