import { workdays } from "../calendar.ts";
import type { Dimension, Subject } from "./field.ts";

/**
 * Names of hours of the day that are held against each other: `hours:8-12:12-17`, over midnight `hours:22-6:6-22`; and
 * `hours:work`, the usual working hours against all others.
 */
const pattern = /^hours:(?:work|\d{1,2}-\d{1,2}(?::\d{1,2}-\d{1,2}){1,3})$/;

/** From the start of one hour to that of another, on the days of the week up to `days`. */
export interface Hours {
  readonly from: number;
  readonly to: number;
  readonly days: number;
  readonly label: string;
}

export const workHours = { from: 9, to: 17 } as const;
export const hoursOfWork = "hours:work";
/** The group of all times outside the working hours. */
export const otherHours = "other hours";

export const hoursName = (ranges: readonly Pick<Hours, "from" | "to">[]): string =>
  ["hours", ...ranges.map(({ from, to }) => `${from}-${to}`)].join(":");

const clock = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/** Returns undefined where the name is no such dimension. */
export function findHours(name: string): readonly Hours[] | undefined {
  if (!pattern.test(name)) return undefined;
  if (name === hoursOfWork) return [{ ...workHours, days: workdays, label: "working hours" }];
  const ranges = name
    .split(":")
    .slice(1)
    .map((range) => range.split("-").map(Number))
    .map(([from = 0, to = 0]) => ({ from, to, days: 7, label: `${clock(from)} to ${clock(to)}` }));
  return ranges.every(({ from, to }) => from < 24 && to <= 24 && from !== to) ? ranges : undefined;
}

export const hoursDimension = ({ time }: Subject, name: string): Dimension | undefined =>
  findHours(name) && {
    name,
    column: time,
    words: ["range of hours"],
    definition: "The hours of the day that are compared.",
  };
