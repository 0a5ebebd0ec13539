import { z } from "zod";
import { dayMs, toInstant, toLocal, weekdayNames, weekdayOf, workdays } from "../../../assistant/calendar.ts";
import { unreachable } from "../../../ingest/primitives.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const at = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day such as 08:00")
  .describe("Time of day, such as 08:00, on the organization's clocks.");

/** When a schedule runs, on the clocks of its organization. */
export const timingSchema = z
  .discriminatedUnion("every", [
    z.object({ every: z.literal("minutes"), minutes: z.literal([5, 10, 15, 30]).describe("Only with a condition.") }),
    z.object({ every: z.literal("hour"), minute: z.int().min(0).max(59).default(0).describe("Minute of the hour.") }),
    z.object({ every: z.literal("day"), at }),
    z.object({ every: z.literal("workday"), at }).describe("Monday to Friday."),
    z.object({ every: z.literal("week"), on: z.enum(weekdays), at }),
    z.object({
      every: z.literal("month"),
      on: z.int().min(1).max(31).describe("Day of the month; the last one of months that are shorter."),
      at,
    }),
  ])
  .describe("When the question is asked.");
export type Timing = z.infer<typeof timingSchema>;
type Daily = Exclude<Timing, { readonly every: "minutes" | "hour" }>;

/**
 * Returns the first time of a schedule after an instant, in milliseconds since 1970. A time of day that clocks skip is
 * the first instant after the gap; one that they repeat is its first.
 */
export function nextTime(timing: Timing, { after, zone }: { readonly after: number; readonly zone: string }): number {
  if (timing.every === "minutes") return nextMultiple(timing.minutes * minuteMs, 0, after);
  const local = toLocal(after, zone);
  if (timing.every === "hour") return nextMultiple(hourMs, timing.minute * minuteMs - (local - after), after);
  for (let day = Math.floor(local / dayMs) * dayMs; ; day += dayMs) {
    const instant = toInstant(day + sinceMidnight(timing.at), zone);
    if (isOn(timing, day) && instant > after) return instant;
  }
}

/** The first instant after `after` that is a multiple of the step and the offset. */
const nextMultiple = (step: number, offset: number, after: number): number =>
  Math.floor((after - offset) / step + 1) * step + offset;

function sinceMidnight(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * hourMs + minutes * minuteMs;
}

function isOn(timing: Daily, day: number): boolean {
  switch (timing.every) {
    case "day":
      return true;
    case "workday":
      return weekdayOf(day) <= workdays;
    case "week":
      return weekdays[weekdayOf(day) - 1] === timing.on;
    case "month": {
      const date = new Date(day);
      const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
      return date.getUTCDate() === Math.min(timing.on, last);
    }
    default:
      return unreachable(timing);
  }
}

/** The timing in words, such as "every Monday at 08:00". */
export function describeTiming(timing: Timing): string {
  switch (timing.every) {
    case "minutes":
      return `every ${timing.minutes} minutes`;
    case "hour":
      return timing.minute === 0 ? "every hour" : `every hour, ${timing.minute} minutes past`;
    case "day":
      return `every day at ${timing.at}`;
    case "workday":
      return `Monday to Friday at ${timing.at}`;
    case "week":
      return `every ${weekdayNames[weekdays.indexOf(timing.on)]} at ${timing.at}`;
    case "month":
      return `on day ${timing.on} of every month at ${timing.at}`;
    default:
      return unreachable(timing);
  }
}
