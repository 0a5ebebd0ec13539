import { timestamp } from "../../ingest/primitives.ts";
import { ValidationError } from "./errors.ts";

const dayMs = 24 * 60 * 60 * 1000;
const longestMs = 366 * dayMs;

/** `start_date` and `end_date` of reads over time; a date alone is its midnight in UTC. */
export const timeQuery = {
  start_date: timestamp
    .optional()
    .describe("From this time on, in UTC unless it has an offset. Default: 24 hours before end_date."),
  end_date: timestamp.optional().describe("Before this time, in UTC unless it has an offset. Default: now."),
};
/** Those of reads that have the whole history unless one is given. */
export const unboundedTimeQuery = { start_date: timestamp.optional(), end_date: timestamp.optional() };

/** Returns the range, by default the last 24 hours; throws 422 if it is negative or longer than 366 days. */
export function toTimeRange(
  { start_date, end_date }: { start_date?: string | undefined; end_date?: string | undefined },
  now: number,
  { mostMs = longestMs }: { readonly mostMs?: number } = {},
) {
  const to = end_date === undefined ? now : Date.parse(end_date);
  const from = start_date === undefined ? to - dayMs : Date.parse(start_date);
  if (from > to) throw refuse("start_date lies after end_date.");
  if (to - from > mostMs) throw refuse("The range is longer than 366 days.");
  return { from: new Date(from), to: new Date(to) };
}

const refuse = (msg: string): ValidationError =>
  new ValidationError([{ loc: ["query", "start_date"], msg, type: "value_error" }]);
