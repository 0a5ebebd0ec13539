import { z } from "zod";
import { isoTime } from "./clock.ts";
import type { NewMessage, Position } from "./log/log.ts";
import { cutText, timestamp } from "./primitives.ts";

/**
 * A message that could not be used: its position, its bytes as text, and the reason. Truncated text ends in "[cut]".
 */
export const deadLetterSchema = z.object({
  v: z.literal(1).default(1),
  id: z.string().min(1),
  at: timestamp,
  /** The topic it was read from, or the name of a source that never reached a topic. */
  source: z.string(),
  partition: z.number().int().nullable().default(null),
  /** Offset in the topic, or line number in the file. */
  position: z.number().int().nullable().default(null),
  /** The message's key; letters of earlier versions have none. */
  key: z.string().nullable().default(null),
  reason: z.enum(["invalid_json", "invalid_signal", "unknown_call", "refused_by_log", "refused_by_store"]),
  error: z.string(),
  raw: z.string(),
});
export type DeadLetter = z.infer<typeof deadLetterSchema>;

/**
 * Characters kept of the message. JSON takes at most six bytes for one, so that a letter has at most 450 KB: every log
 * takes it.
 */
const maxRawLength = 64 * 1024;
const maxErrorLength = 4 * 1024;
const maxSourceLength = 1024;

/** The position of the input: a message of the log, or a line of a file (without a partition). */
export interface Place {
  readonly source: string;
  readonly partition?: number;
  readonly position: number;
  /** The message's key. */
  readonly key?: string;
}

const idAt = (source: string, partition: number | undefined, position: number): string =>
  [source, ...(partition === undefined ? [] : [partition]), position].join(":");

/** The id of the letter about a message of the log, if there is one. */
export const letterIdOf = ({ topic, partition, offset }: Position): string => idAt(topic, partition, offset);

/** The letter about one input; its id is the input's place, so a repeat is the same letter. */
export function toDeadLetter(
  { source, partition, position, key }: Place,
  raw: string,
  fault: { readonly now: number; readonly reason: DeadLetter["reason"]; readonly error: string },
): NewMessage {
  const from = cutText(source, maxSourceLength);
  const id = idAt(from, partition, position);
  const letter: DeadLetter = {
    v: 1,
    id,
    at: isoTime(fault.now),
    source: from,
    partition: partition ?? null,
    position,
    key: key === undefined ? null : cutText(key, maxSourceLength),
    reason: fault.reason,
    error: cutText(fault.error, maxErrorLength),
    raw: cutText(raw, maxRawLength),
  };
  return { topic: "dead-letters", key: id, value: JSON.stringify(letter) };
}

/** Returns true if the letter has the complete message. */
export const isWhole = ({ raw }: Pick<DeadLetter, "raw">): boolean => raw.length <= maxRawLength;
