import { z } from "zod";
import { dayMs, toLocal } from "./calendar.ts";
import { type Period, type Plan, planSchema } from "./plan.ts";
import { previousOf, samePart, yearEarlier } from "./planner/period/earlier.ts";
import { readPeriod } from "./planner/period/period.ts";
import { toWords } from "./planner/words/tokenize.ts";

/** The time and zone in which words for periods are read. */
export interface Said {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly zone: string;
}

/**
 * A plan with its period in words, which are read anew each time: "last month" stays last month. `period` is null for
 * all data.
 */
export const standingPlanSchema = z.object({
  period: z.string().max(120).nullable(),
  plan: planSchema.omit({ period: true, compare: true, zone: true }),
});
export type StandingPlan = z.infer<typeof standingPlanSchema>;

/** The time between asking and planning, in which the end of a period "until now" moves. */
const slackMs = 60_000;

/** Returns null where the period's words are not read as that period, or where periods are compared. */
export function toStandingPlan({ period, compare, zone, ...plan }: Plan, now: number): StandingPlan | null {
  if (compare !== null) return null;
  if (period === null) return { period: null, plan };
  const read = readPeriodWords(period.label, { now, zone });
  return read !== undefined && read !== null && isSame(read, period) ? { period: period.label, plan } : null;
}

/** The plan of today; null where its words are not read any more. */
export function toPlanOfToday({ period, plan }: StandingPlan, said: Said): Plan | null {
  const read = period === null ? null : readPeriodWords(period, said);
  return read === undefined ? null : { ...plan, period: read, compare: null, zone: said.zone };
}

/** Reads words for a period, such as "last 30 days"; null for all data, undefined where they name none. */
export function readPeriodWords(text: string, { now, zone }: Said): Period | null | undefined {
  const words = toWords(text).map((word) => (word.text === "," ? "" : word.text));
  const found = words.length === 0 ? undefined : readPeriod(words, now, zone);
  return found?.words === words.length ? found.period : undefined;
}

const isSame = (one: Period, other: Period): boolean =>
  one.from === other.from && Math.abs(Date.parse(one.to) - Date.parse(other.to)) <= slackMs;

/**
 * Reads words for the period to compare with: "the period before", "a year earlier", or a period of its own such as
 * "September 2026", which is cut to the part that has passed of a running period. Returns undefined where they name
 * none, or where `period` has no beginning to count back from.
 */
export function readCompareWords(text: string, { period, ...said }: Said & { period: Period }): Period | undefined {
  const words = text.trim().toLowerCase();
  if (/^(the )?(period before|previous period)$/.test(words)) return previousOf(period, said.zone) ?? undefined;
  if (/^(a|one) year (earlier|before)$/.test(words)) return yearEarlier(period, "period", said.zone) ?? undefined;
  const other = readPeriodWords(words, said);
  if (other === undefined || other === null || period.from === null) return undefined;
  return isRunning(period, said.zone) ? samePart(period, other, said.zone) : other;
}

/** True for a period from a midnight to a time within a day, such as "this month" until now. */
const isRunning = ({ from, to }: Period, zone: string): boolean =>
  from !== null && isMidnight(Date.parse(from), zone) && !isMidnight(Date.parse(to), zone);

const isMidnight = (ms: number, zone: string): boolean => toLocal(ms, zone) % dayMs === 0;
