import { z } from "zod";
import { isoTime } from "./clock.ts";
import type { NewMessage, Position } from "./log/log.ts";
import { cutText, timestamp } from "./primitives.ts";

/** A message that could not be used: where it stood, its bytes as text, and why. What was too long ends in "[cut]". */
export const deadLetterSchema = z.object({
  v: z.literal(1).default(1),
  id: z.string().min(1),
  at: timestamp,
  /** Topic it was read from, or for input that never reached a topic the name of its source. */
  source: z.string(),
  partition: z.number().int().nullable().default(null),
  /** Offset in the topic, or line number in the file. */
  position: z.number().int().nullable().default(null),
  /** Of the message; letters of earlier versions have none. */
  key: z.string().nullable().default(null),
  reason: z.enum(["invalid_json", "invalid_signal", "unknown_call", "refused_by_log", "refused_by_store"]),
  error: z.string(),
  raw: z.string(),
});
export type DeadLetter = z.infer<typeof deadLetterSchema>;

/**
 * Kept of what could not be used, in characters. JSON takes six bytes for one at most, so that a letter has at most
 * 450 KB: any log takes it.
 */
const maxRawLength = 64 * 1024;
const maxErrorLength = 4 * 1024;
const maxSourceLength = 1024;

/** Where the input stood: a message of the log, or a line of a file (without a partition). */
export interface Place {
  readonly source: string;
  readonly partition?: number;
  readonly position: number;
  /** Of the message. */
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

/** Whether a letter has all that the message had. */
export const isWhole = ({ raw }: Pick<DeadLetter, "raw">): boolean => raw.length <= maxRawLength;
