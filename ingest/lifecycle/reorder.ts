import type { Message } from "../log/log.ts";
import type { Signal } from "../signal.ts";

/** A signal, and where its message stood first. */
export interface BufferedSignal {
  readonly message: Message;
  readonly signal: Signal;
  readonly from: { readonly partition: number; readonly offset: number; readonly key: string };
}

/**
 * Time from a call's first signal during which its signals are buffered to be sorted. Readers of other partitions are at
 * most a fetch and a publish apart while they keep up; one that is further behind brings its signals late.
 */
const bufferMs = 5_000;
const maxSignals = 10_000;
const maxLength = 64 * 1024 * 1024;

/**
 * A reorder buffer: keeps the signals of calls whose messages came in several partitions, until those sent before them
 * are there, too. Pure memory; what it has is read again after a crash, as nothing behind `oldest` is committed.
 */
export function createReorderBuffer() {
  // In the order of their first signals: so the first call is due first, and has the oldest message.
  const calls = new Map<string, { readonly due: number; readonly buffered: BufferedSignal[] }>();
  let signals = 0;
  let length = 0;

  return {
    has: (callId: string): boolean => calls.has(callId),

    add(buffered: BufferedSignal, now: number): void {
      const { call_id } = buffered.signal;
      const known = calls.get(call_id);
      if (known === undefined) calls.set(call_id, { due: now + bufferMs, buffered: [buffered] });
      else known.buffered.push(buffered);
      signals += 1;
      length += buffered.message.value.length;
    },

    /** Takes the signals of calls that are due by `now`, each call's in order; those buffered longest, too, if there are too many. */
    takeDue(now: number): BufferedSignal[] {
      const taken: BufferedSignal[] = [];
      for (const [callId, { due, buffered }] of calls) {
        if (due > now && signals <= maxSignals && length <= maxLength) break;
        calls.delete(callId);
        for (const { message } of buffered) length -= message.value.length;
        signals -= buffered.length;
        taken.push(...inOrder(buffered));
      }
      return taken;
    },

    /** The time at which `takeDue` next has work; null if never. */
    nextDue(): number | null {
      for (const { due } of calls.values()) return due;
      return null;
    },

    /** Offset of the oldest message buffered; null when there is none. */
    oldest(): number | null {
      for (const { buffered } of calls.values()) return buffered[0]?.message.offset ?? null;
      return null;
    },
  };
}
export type ReorderBuffer = ReturnType<typeof createReorderBuffer>;

/** Sorts by the time of the signals; those of one partition keep its order. */
function inOrder(buffered: readonly BufferedSignal[]): BufferedSignal[] {
  const queues = new Map<number, BufferedSignal[]>();
  for (const each of buffered) {
    const queue = queues.get(each.from.partition);
    if (queue === undefined) queues.set(each.from.partition, [each]);
    else queue.push(each);
  }
  return buffered.flatMap(() => earliest([...queues.values()])?.shift() ?? []);
}

/** The queue whose head happened first. */
function earliest(queues: readonly BufferedSignal[][]): BufferedSignal[] | undefined {
  let best: BufferedSignal[] | undefined;
  for (const queue of queues) if (isBefore(queue[0], best?.[0])) best = queue;
  return best;
}

/** The order of signals of the same millisecond; a call begins with `incoming`, whatever the clocks say. */
const kinds: readonly Signal["kind"][] = [
  ...(["incoming", "tagged", "dialing", "dial_failed", "answered", "hung_up"] as const),
  ...(["failed", "recorded", "fields", "adjusted"] as const),
];

function isBefore(one: BufferedSignal | undefined, other: BufferedSignal | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  const [first, second] = [one.signal, other.signal];
  if (first.kind === "incoming" || second.kind === "incoming") return first.kind === "incoming";
  if (first.at !== second.at) return first.at < second.at;
  return kinds.indexOf(first.kind) < kinds.indexOf(second.kind);
}
