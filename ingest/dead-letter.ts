import { z } from "zod";
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
