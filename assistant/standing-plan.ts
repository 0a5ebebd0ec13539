import { z } from "zod";
import { type Period, type Plan, planSchema } from "./plan.ts";
import { readPeriod } from "./planner/period/period.ts";
import { toWords } from "./planner/words/tokenize.ts";

/** When and where words of time are said. */
export interface Said {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly zone: string;
}

/** A plan for another day: "last month" stays last month, whenever it is asked. `period` is null for all data. */
export const standingPlanSchema = z.object({
  period: z.string().max(120).nullable(),
  plan: planSchema.omit({ period: true, compare: true, zone: true }),
});
export type StandingPlan = z.infer<typeof standingPlanSchema>;

/** The time between asking and planning, by which a period "until now" may end later than it is read to end. */
const slackMs = 60_000;

/** null where the period's words would not be read as that period, or another one is compared with it. */
export function toStandingPlan({ period, compare, zone, ...plan }: Plan, now: number): StandingPlan | null {
  if (compare !== null) return null;
  if (period === null) return { period: null, plan };
  const read = readPeriodWords(period.label, { now, zone });
  return read !== undefined && read !== null && isSame(read, period) ? { period: period.label, plan } : null;
}

/** The plan as of now; null where its words mean nothing any more. */
export function toPlanOfToday({ period, plan }: StandingPlan, said: Said): Plan | null {
  const read = period === null ? null : readPeriodWords(period, said);
  return read === undefined ? null : { ...plan, period: read, compare: null, zone: said.zone };
}

/** The period that words name, such as "last 30 days"; null for all data, undefined where they name none. */
export function readPeriodWords(text: string, { now, zone }: Said): Period | null | undefined {
  const words = toWords(text).map((word) => (word.text === "," ? "" : word.text));
  const found = words.length === 0 ? undefined : readPeriod(words, now, zone);
  return found?.words === words.length ? found.period : undefined;
}

const isSame = (one: Period, other: Period): boolean =>
  one.from === other.from && Math.abs(Date.parse(one.to) - Date.parse(other.to)) <= slackMs;
