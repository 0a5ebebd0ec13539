import { dayMs, toLocal } from "./calendar.ts";
import type { Period } from "./plan.ts";
import { previousOf, samePart, yearEarlier } from "./planner/period/earlier.ts";
import { readPeriodWords, type Said } from "./standing-plan.ts";

/**
 * The period that words name to hold this one against: "the period before", "a year earlier", or one of its own such as
 * "September 2026", of which as much counts as has passed of one that still runs. undefined where they name none, or
 * where this one has no beginning to count back from.
 */
export function readCompareWords(text: string, { period, ...said }: Said & { period: Period }): Period | undefined {
  const words = text.trim().toLowerCase();
  if (/^(the )?(period before|previous period)$/.test(words)) return previousOf(period, said.zone) ?? undefined;
  if (/^(a|one) year (earlier|before)$/.test(words)) return yearEarlier(period, "period", said.zone) ?? undefined;
  const other = readPeriodWords(words, said);
  if (other === undefined || other === null || period.from === null) return undefined;
  return isRunning(period, said.zone) ? samePart(period, other, said.zone) : other;
}

/** From a midnight until some time of a day: until it was asked for. */
const isRunning = ({ from, to }: Period, zone: string): boolean =>
  from !== null && isMidnight(Date.parse(from), zone) && !isMidnight(Date.parse(to), zone);

const isMidnight = (ms: number, zone: string): boolean => toLocal(ms, zone) % dayMs === 0;
