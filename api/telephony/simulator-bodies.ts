import { z } from "zod";
import { tags, timestamp } from "../../ingest/primitives.ts";
import { simulatedCaller } from "./simulated-caller.ts";

/** A simulated switch may run its own clock, but not far ahead of ours: a typing error must not make next year's calls. */
const maxAheadMs = 60 * 60 * 1000;
/** Nor calls of a year that nobody can mean, whose talk would last as long. */
const maxBehindMs = 366 * 24 * 60 * 60 * 1000;

function isNear(time: string, now: number): boolean {
  const at = Date.parse(time);
  return at >= now - maxBehindMs && at <= now + maxAheadMs;
}

const timeNear = (now: () => number) =>
  timestamp
    .refine((time) => isNear(time, now()), "must lie within the last 366 days, and at most an hour ahead of now")
    .optional();

/** What a simulated switch says of a call that comes in. */
export const arrivingBody = (now: () => number) =>
  z.object({
    from: simulatedCaller,
    to: z.string().min(1).max(64),
    call_sid: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe("The switch's own name of the call: told twice by it, it is one call."),
    caller_zip: z.string().min(1).max(16).optional(),
    caller_state: z.string().min(1).max(64).optional(),
    tags: tags.default({}),
    at: timeNear(now),
  });

/** What it says of a call that is there. */
export function reportBody(now: () => number) {
  const at = timeNear(now);
  return z.discriminatedUnion("type", [
    z.object({
      type: z.enum(["ringing", "answer", "no_answer", "busy", "fail"]),
      dial: z.int().min(1).optional(),
      at,
    }),
    z.object({
      type: z.literal("digits"),
      digits: z.string().max(20).describe("What the caller has pressed; empty when the time was up."),
      turn: z.int().min(1).optional(),
      at,
    }),
    z.object({ type: z.literal("hangup"), by: z.enum(["caller", "target"]).optional(), at }),
    z.object({ type: z.literal("recorded"), recording_url: z.url().max(2048), at }),
  ]);
}
