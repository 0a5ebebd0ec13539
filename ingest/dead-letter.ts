import { z } from "zod";
import { isoTime } from "./clock.ts";
import type { Message, NewMessage, PartitionReader } from "./log/log.ts";
import { timestamp } from "./primitives.ts";

/** A message that could not be used: where it stood, its bytes as text, and why. */
export const deadLetterSchema = z.object({
  v: z.literal(1).default(1),
  id: z.string().min(1),
  at: timestamp,
  /** Topic it was read from, or for input that never reached a topic the name of its source. */
  source: z.string(),
  partition: z.number().int().nullable().default(null),
  /** Offset in the topic, or line number in the file. */
  position: z.number().int().nullable().default(null),
  reason: z.enum(["invalid_json", "invalid_signal", "unknown_call", "refused_by_store"]),
  error: z.string(),
  raw: z.string(),
});
export type DeadLetter = z.infer<typeof deadLetterSchema>;

/** The letter about a message of the log; its id is the message's place, so a repeat is the same letter. */
export function toDeadLetter(
  { topic, partition }: Pick<PartitionReader, "topic" | "partition">,
  { offset, value }: Message,
  fault: { readonly now: number; readonly reason: DeadLetter["reason"]; readonly error: string },
): DeadLetter {
  const id = `${topic}:${partition}:${offset}`;
  const { now, ...why } = fault;
  return { v: 1, id, at: isoTime(now), source: topic, partition, position: offset, ...why, raw: value };
}

export const toDeadLetterMessage = (letter: DeadLetter): NewMessage => ({
  topic: "dead-letters",
  key: letter.id,
  value: JSON.stringify(letter),
});
