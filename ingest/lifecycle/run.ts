import type { Clock } from "../clock.ts";
import { toDeadLetter } from "../dead-letter.ts";
import { callEventSchema } from "../event.ts";
import type { BatchLimits, Consumer, EventLog, Message, PartitionReader } from "../log/log.ts";
import { type Retry, untilDone } from "../log/until-done.ts";
import { parseJson } from "../parse.ts";
import { unreachable } from "../primitives.ts";
import { type ParsedSignal, parseSignal } from "../signal.ts";
import { applySignal, applyTime } from "./fold.ts";
import { type CallMemory, createCallMemory } from "./memory.ts";
import { tell } from "./owed.ts";
import { createPublisher, type Output } from "./publish.ts";
import { type Recalled, recall } from "./recall.ts";

const batchLimits = { maxMessages: 2000, maxBytes: 8 * 1024 * 1024 };
/** Timers looked at before the next look at the signals. */
const maxTimersPerRound = 1000;

export interface LifecycleOptions {
  readonly log: EventLog;
  readonly clock: Clock;
  /** Told of each failed attempt; the lifecycle itself goes on trying. */
  onTrouble(error: unknown): void;
  onBatch?(batch: LifecycleBatch): void;
}

/** What became of a batch of signals. */
export interface LifecycleBatch {
  readonly signals: number;
  /** Those of them that could not be used. */
  readonly deadLettered: number;
}

/**
 * Turns signals into call events, one fold per partition. At least once, and exactly once in effect: events carry the
 * last signal applied, so what is read again after a crash changes nothing (spec: Events; architecture: Lifecycle).
 */
export function runLifecycle(options: LifecycleOptions): Consumer {
  return options.log.consume({
    group: "lifecycle",
    topic: "call-signals",
    work: (reader) => workOn(options, reader),
  });
}

async function workOn({ log, clock, onTrouble, onBatch }: LifecycleOptions, reader: PartitionReader): Promise<void> {
  const retry: Retry = { clock, onTrouble, signal: reader.signal };
  const calls = createCallMemory();
  const publish = createPublisher({ log, clock, calls, reader, retry });
  if ((await untilDone(retry, () => restore(log, reader, { calls, onTrouble }))) === null) return;
  while (!reader.signal.aborted) {
    const batch = await reader.next({ ...batchLimits, waitMs: untilNextTimer(calls, clock) } satisfies BatchLimits);
    const heard = batch.messages.map((message): Heard => ({ message, parsed: parseSignal(message.value) }));
    const signals = heard.flatMap(({ parsed }) => (parsed.ok ? [parsed.signal] : []));
    const recalled = await untilDone(retry, () => recall(log, reader, { calls, signals }));
    if (recalled === null || reader.signal.aborted) return;
    const output = heard.flatMap((each) => applyMessage({ calls, recalled, reader }, each, clock.now()));
    const deadLettered = output.filter(({ kind }) => kind === "letter").length;
    // A timer must not overtake a signal that was there before it: marks wait until the signals have been read.
    if (batch.caughtUp) output.push(...fireTimers(calls, clock.now()));
    const last = batch.messages.at(-1)?.offset;
    if (last !== undefined) output.push(...tellLongUntold(calls, last));
    if (!(await publish(output))) return;
    if (last === undefined) continue;
    if ((await untilDone(retry, () => commit(reader, calls, last + 1))) === null) return;
    onBatch?.({ signals: heard.length, deadLettered });
  }
}

async function restore(
  log: EventLog,
  reader: PartitionReader,
  { calls, onTrouble }: { calls: CallMemory; onTrouble(error: unknown): void },
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

interface Heard {
  readonly message: Message;
  readonly parsed: ParsedSignal;
}
interface Known {
  readonly calls: CallMemory;
  readonly recalled: Recalled;
  readonly reader: PartitionReader;
}

function applyMessage({ calls, recalled, reader }: Known, { message, parsed }: Heard, now: number): Output[] {
  const letter = (reason: "invalid_json" | "invalid_signal" | "unknown_call", error: string): Output[] => {
    const { offset: position, key } = message;
    const place = { source: reader.topic, partition: reader.partition, position, key };
    return [{ kind: "letter", letter: toDeadLetter(place, message.value, { now, reason, error }) }];
  };
  if (!parsed.ok) return letter(parsed.reason, parsed.error);
  const { signal } = parsed;
  const known = calls.get(signal.call_id) ?? recalled.get(signal.call_id);
  const applied = applySignal(known, signal, message.offset, message.publishedAt);
  switch (applied.kind) {
    case "applied":
      calls.keep(applied.call, message.offset);
      return applied.events.map((event) => ({ kind: "event", event, signal: message }));
    case "repeated":
      return [];
    case "unknown_call":
      return letter(
        "unknown_call",
        `No call ${signal.call_id} is open or was lately: send its "incoming" signal first.`,
      );
    default:
      return unreachable(applied);
  }
}

function fireTimers(calls: CallMemory, now: number): Output[] {
  return calls.takeDue(now, maxTimersPerRound).flatMap((call) => {
    const step = applyTime(call, now);
    calls.keep(step.call, step.call.last_signal);
    return step.events.map((event): Output => ({ kind: "event", event, signal: null }));
  });
}

/** A call that has gone long without an event gets one, so that the signals' offset can move on. */
function tellLongUntold(calls: CallMemory, signalOffset: number): Output[] {
  return calls.longUntold(signalOffset).map((call) => {
    const told = tell(call, "call.updated", { at: call.last_signal_at ?? call.updated_at, status: call.status });
    calls.keep(told.call, signalOffset);
    return { kind: "event", event: told.event, signal: null };
  });
}

async function commit(reader: PartitionReader, calls: CallMemory, next: number): Promise<void> {
  const done = Math.min(calls.oldestUntoldSignal() ?? next, next);
  await reader.commit(done);
  // Only now: a crash in between finds more events than it needs, never a signal whose call it no longer knows.
  calls.forgetEnded(done);
  const oldestEvent = calls.oldestEvent();
  if (oldestEvent !== null) await reader.commit(oldestEvent, "call-events");
}

function untilNextTimer(calls: CallMemory, clock: Clock): number {
  const due = calls.nextDue();
  return due === null ? Number.MAX_SAFE_INTEGER : Math.max(0, due - clock.now());
}
