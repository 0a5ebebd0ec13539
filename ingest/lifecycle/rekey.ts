import { partitionOf } from "../log/key-partition.ts";
import type { Message, NewMessage } from "../log/log.ts";
import { cutText } from "../primitives.ts";
import type { Signal } from "../signal.ts";
import type { HeldSignal } from "./reorder.ts";

/** A foreign key is told in dead letters, which keep no more of it. */
const maxKeyLength = 1024;

/**
 * Whether a foreign producer's partitioner, or its lack of a key, has put the signal where others of its call may not
 * be. With one partition no key makes a difference.
 */
export const isAstray = ({ key }: Message, { call_id }: Signal, { partition, partitions }: Placed): boolean =>
  partitions > 1 && (key !== call_id || partitionOf(call_id, partitions) !== partition);

interface Placed {
  readonly partition: number;
  /** Of the topic. */
  readonly partitions: number;
}

/** The signal's message anew under its call's key: the same fields, and where it stood first. */
export function rekey({ message, signal, from }: HeldSignal, { ordered }: { ordered: boolean }): NewMessage {
  const rekeyed = { ...from, key: cutText(from.key, maxKeyLength), ordered };
  const value = JSON.stringify({ ...JSON.parse(message.value), rekeyed });
  return { topic: "call-signals", key: signal.call_id, value };
}

/** The signal as it was sent. */
export function withoutPlace({ value }: Message): string {
  const { rekeyed: _, ...sent } = JSON.parse(value);
  return JSON.stringify(sent);
}
