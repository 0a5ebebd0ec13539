import { partitionOf } from "../log/key-partition.ts";
import type { Message, NewMessage } from "../log/log.ts";
import { cutText } from "../primitives.ts";
import type { Signal } from "../signal.ts";
import type { BufferedSignal } from "./reorder.ts";

/** Characters of a foreign key that dead letters repeat. */
const maxKeyLength = 1024;

/**
 * Returns true if a foreign producer's partitioner, or a missing key, may have put the signal into another partition
 * than its call's. With one partition no key matters.
 */
export const isAstray = ({ key }: Message, { call_id }: Signal, { partition, partitions }: Placed): boolean =>
  partitions > 1 && (key !== call_id || partitionOf(call_id, partitions) !== partition);

interface Placed {
  readonly partition: number;
  /** The topic's number of partitions. */
  readonly partitions: number;
}

/** The signal's message anew under its call's key: the same fields, and where it stood first. */
export function rekey({ message, signal, from }: BufferedSignal, { ordered }: { ordered: boolean }): NewMessage {
  const rekeyed = { ...from, key: cutText(from.key, maxKeyLength), ordered };
  const value = JSON.stringify({ ...JSON.parse(message.value), rekeyed });
  return { topic: "call-signals", key: signal.call_id, value, traceparent: message.traceparent };
}

/** The signal as it was sent. */
export function withoutPlace({ value }: Message): string {
  const { rekeyed: _, ...sent } = JSON.parse(value);
  return JSON.stringify(sent);
}
