import type { Clock } from "../clock.ts";
import { toDeadLetter } from "../dead-letter.ts";
import type { BatchLimits, Consumer, EventLog, Message, PartitionReader } from "../log/log.ts";
import { type Retry, untilDone } from "../log/until-done.ts";
import { unreachable } from "../primitives.ts";
import { type ParsedSignal, parseSignal, type Signal } from "../signal.ts";
import type { Tracing } from "../tracing.ts";
import { emit } from "./due-events.ts";
import { applySignal, applyTime } from "./fold.ts";
import { createFoldSpans } from "./fold-spans.ts";
import { type CallMemory, createCallMemory } from "./memory.ts";
import { createPublisher, type Output } from "./publish.ts";
import { isAstray, rekey, withoutPlace } from "./rekey.ts";
import { type BufferedSignal, createReorderBuffer, type ReorderBuffer } from "./reorder.ts";
import { restore } from "./restore.ts";
import { type Recalled, recall } from "./restore-calls.ts";

const batchLimits = { maxMessages: 2000, maxBytes: 8 * 1024 * 1024 };
/** Timers looked at before the next look at the signals. */
const maxTimersPerRound = 1000;

export interface LifecycleOptions {
  readonly log: EventLog;
  readonly clock: Clock;
  /** Receives the error of each failed attempt; the lifecycle keeps trying. */
  onTrouble(error: unknown): void;
  onBatch?(batch: LifecycleBatch): void;
  readonly tracing?: Tracing | null;
}

/**
 * The outcome of the messages of a batch, each counted once. Messages that are published again or held come in a later
 * batch again, so `rekeyed` and `held` are temporary: taken + dead-lettered are all that others published.
 */
export interface LifecycleBatch {
  /** Folded into their calls, whether or not they changed them. */
  readonly taken: number;
  readonly deadLettered: number;
  /** Published again, as they came in another partition or under another key than their calls'. */
  readonly rekeyed: number;
  /** Held, to be published again behind what was sent before them. */
  readonly held: number;
}

/**
 * Turns signals into call events, one fold per partition. At least once, and exactly once in effect: events carry the
 * last signal applied, so what is read again after a crash changes nothing.
 */
export function runLifecycle(options: LifecycleOptions): Consumer {
  return options.log.consume({
    group: "lifecycle",
    topic: "call-signals",
    work: (reader) => workOn(options, reader),
  });
}

async function workOn(
  { log, clock, onTrouble, onBatch, tracing = null }: LifecycleOptions,
  reader: PartitionReader,
): Promise<void> {
  const retry: Retry = { clock, onTrouble, signal: reader.signal };
  const calls = createCallMemory();
  const reorder = createReorderBuffer();
  const publish = createPublisher({ log, clock, calls, reader, retry });
  const partitions = (await untilDone(retry, () => log.ends("call-signals")))?.length;
  if (partitions === undefined) return;
  if ((await untilDone(retry, () => restore(log, reader, { calls, onTrouble }))) === null) return;
  while (!reader.signal.aborted) {
    const waitMs = untilNextTimer([calls.nextDue(), reorder.nextDue()], clock);
    const batch = await reader.next({ ...batchLimits, waitMs } satisfies BatchLimits);
    const messages = batch.messages.map((message): ParsedMessage => ({ message, parsed: parseSignal(message.value) }));
    const signals = messages.flatMap(({ parsed }) => (parsed.ok ? [parsed.signal] : []));
    const recalled = await untilDone(retry, () => recall(log, reader, { calls, signals }));
    if (recalled === null || reader.signal.aborted) return;
    const known: Known = { calls, recalled, reorder, reader, partitions };
    const spans = tracing === null ? null : createFoldSpans(tracing, reader);
    const done = messages.map((each) => {
      const take = () => takeMessage(known, each, clock.now());
      return spans === null ? take() : spans.fold(each.message, each.parsed, take);
    });
    const output = done.flatMap(({ output }) => output);
    // A timer must not overtake a signal that was there before it: marks wait until the signals have been read.
    const fired = batch.caughtUp ? fireTimers(calls, clock.now()) : [];
    output.push(...(spans === null ? fired : spans.byTime(fired)));
    output.push(...release(reorder, batch.caughtUp ? clock.now() : Number.NEGATIVE_INFINITY));
    const last = batch.messages.at(-1)?.offset;
    if (last !== undefined) output.push(...emitLongUnpublished(calls, last));
    const isPublished = await publish(output);
    spans?.end(isPublished);
    if (!isPublished) return;
    if (last === undefined) continue;
    const next = Math.min(reorder.oldest() ?? last + 1, last + 1);
    if ((await untilDone(retry, () => commit(reader, calls, next))) === null) return;
    onBatch?.(countFates(done));
  }
}

interface ParsedMessage {
  readonly message: Message;
  readonly parsed: ParsedSignal;
}
interface Known {
  readonly calls: CallMemory;
  readonly recalled: Recalled;
  readonly reorder: ReorderBuffer;
  readonly reader: PartitionReader;
  /** The topic's number of partitions. */
  readonly partitions: number;
}

interface Taken {
  readonly fate: keyof LifecycleBatch;
  readonly output: readonly Output[];
}
const held: Taken = { fate: "held", output: [] };

function countFates(done: readonly Taken[]): LifecycleBatch {
  const fates = { taken: 0, deadLettered: 0, rekeyed: 0, held: 0 };
  for (const { fate } of done) fates[fate] += 1;
  return fates;
}

function takeMessage(known: Known, { message, parsed }: ParsedMessage, now: number): Taken {
  const { reader, reorder, partitions } = known;
  const from = { partition: reader.partition, offset: message.offset, key: message.key };
  if (!parsed.ok) return toLetter(reader, from, message.value, { now, reason: parsed.reason, error: parsed.error });
  const { signal } = parsed;
  const { rekeyed } = signal;
  if (isAstray(message, signal, { partition: reader.partition, partitions })) {
    const again = rekey({ message, signal, from: rekeyed ?? from }, { ordered: false });
    return { fate: "rekeyed", output: [{ kind: "rekeyed", message: again, signal: message }] };
  }
  const isOrdered = rekeyed?.ordered === true;
  const mustWait = rekeyed !== undefined || reorder.has(signal.call_id);
  if (mustWait && !isOrdered) {
    reorder.add({ message, signal, from: rekeyed ?? from }, now);
    return held;
  }
  const applied = applyMessage(known, signal, message);
  if (applied !== null) return { fate: "taken", output: applied };
  // Its first signal may have come in another partition, and be on its way.
  if (partitions > 1 && !isOrdered) {
    reorder.add({ message, signal, from }, now);
    return held;
  }
  const error = `No call ${signal.call_id} is open or was lately: send its "incoming" signal first.`;
  const sent = rekeyed === undefined ? message.value : withoutPlace(message);
  return toLetter(reader, rekeyed ?? from, sent, { now, reason: "unknown_call", error });
}

function toLetter(
  { topic: source }: PartitionReader,
  { partition, offset, key }: BufferedSignal["from"],
  sent: string,
  fault: Parameters<typeof toDeadLetter>[2],
): Taken {
  const letter = toDeadLetter({ source, partition, position: offset, key }, sent, fault);
  return { fate: "deadLettered", output: [{ kind: "letter", letter }] };
}

/** The events that the signal brings; null when its call is unknown. */
function applyMessage({ calls, recalled }: Known, signal: Signal, message: Message): Output[] | null {
  const known = calls.get(signal.call_id) ?? recalled.get(signal.call_id);
  const applied = applySignal(known, signal, message.offset, message.publishedAt);
  switch (applied.kind) {
    case "applied":
      calls.keep(applied.call, message.offset);
      return applied.events.map((event) => ({ kind: "event", event, signal: message }));
    case "repeated":
      return [];
    case "unknown_call":
      return null;
    default:
      return unreachable(applied);
  }
}

/** Signals that have been held until `due`, or are too many, go behind what their partition has by now, where they are applied. */
const release = (reorder: ReorderBuffer, due: number): Output[] =>
  reorder
    .takeDue(due)
    .map((each) => ({ kind: "rekeyed", message: rekey(each, { ordered: true }), signal: each.message }));

function fireTimers(calls: CallMemory, now: number): Output[] {
  return calls.takeDue(now, maxTimersPerRound).flatMap((call) => {
    const step = applyTime(call, now);
    calls.keep(step.call, step.call.last_signal);
    return step.events.map((event): Output => ({ kind: "event", event, signal: null }));
  });
}

/** A call that has gone long without an event gets one, so that the signals' offset can move on. */
function emitLongUnpublished(calls: CallMemory, signalOffset: number): Output[] {
  return calls.longUnpublished(signalOffset).map((call) => {
    const emitted = emit(call, "call.updated", { at: call.last_signal_at ?? call.updated_at, status: call.status });
    calls.keep(emitted.call, signalOffset);
    return { kind: "event", event: emitted.event, signal: null };
  });
}

async function commit(reader: PartitionReader, calls: CallMemory, next: number): Promise<void> {
  const done = Math.min(calls.oldestUnpublishedSignal() ?? next, next);
  await reader.commit(done);
  // Only now: a crash in between finds more events than it needs, never a signal whose call it no longer knows.
  calls.forgetEnded(done);
  const oldestEvent = calls.oldestEvent();
  if (oldestEvent !== null) await reader.commit(oldestEvent, "call-events");
}

function untilNextTimer(timers: readonly (number | null)[], clock: Clock): number {
  const due = timers.filter((each) => each !== null);
  return due.length === 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, Math.min(...due) - clock.now());
}
