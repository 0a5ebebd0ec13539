import { emptyPlan } from "../../empty-plan.ts";
import type { Filter, Period, Plan } from "../../plan.ts";
import { linkHash, sessionHash } from "../hash-location.ts";
import type { Overview } from "./overview.ts";

type Asked = Pick<Overview, "periods" | "timezone">;

export const dayMeasures = ["calls", "revenue", "payout", "profit", "conversion_rate"] as const;
export type DayMeasure = (typeof dayMeasures)[number];
export type PartyKind = "campaign" | "publisher" | "buyer";

const noPeriod = { from: "", to: "" };
const notRead: Asked = { periods: { today: noPeriod, yesterday: noPeriod, last_week: noPeriod }, timezone: "UTC" };

/** How the days are called in questions and in the chips of their plans. */
const todayWords = {
  today: "today",
  yesterday: "yesterday",
  lastWeek: "last week",
  yesterdayLabel: "yesterday, same part",
  lastWeekLabel: "last week, same part",
};
const wordsOfDay = (name: string): typeof todayWords => ({
  today: name,
  yesterday: "the day before",
  lastWeek: "a week before",
  yesterdayLabel: "the day before",
  lastWeekLabel: "a week before",
});

/**
 * Links that ask for what stands behind the overview's figures, by plans over the same periods; before it is read, links
 * to an empty question box. A day that is over is given by its name.
 */
export const questionsOf = (overview: Asked | null, over: string | null) => {
  const { periods, timezone } = overview ?? notRead;
  const words = over === null ? todayWords : wordsOfDay(over);
  const today: Period = { ...periods.today, label: words.today };
  const before = {
    yesterday: { ...periods.yesterday, label: words.yesterdayLabel },
    last_week: { ...periods.last_week, label: words.lastWeekLabel },
  } satisfies Record<string, Period>;
  const spoken = { yesterday: words.yesterday, last_week: words.lastWeek };
  const ask = (question: string, plan: Partial<Plan>): string =>
    overview === null
      ? sessionHash(null)
      : linkHash({ question, plan: { ...emptyPlan, zone: timezone, period: today, ...plan } });
  const is = (field: string, value: string | null): Filter =>
    value === null ? { field, op: "empty", values: [] } : { field, op: "is", values: [value] };
  const wordsOf = (measure: string): string => measure.replaceAll("_", " ");

  return {
    against: (measure: DayMeasure, day: keyof typeof before) =>
      ask(`${wordsOf(measure)} ${words.today} vs ${spoken[day]}`, { measures: [measure], compare: before[day] }),
    byHour: (measure: DayMeasure) =>
      ask(`${wordsOf(measure)} by hour ${words.today} vs ${words.lastWeek}`, {
        measures: [measure],
        grain: "hour",
        compare: before.last_week,
      }),
    top: (kind: PartyKind) =>
      ask(`calls, revenue, profit and conversion rate by ${kind} ${words.today}`, {
        measures: ["calls", "revenue", "profit", "conversion_rate"],
        dimensions: [kind],
        order: { by: "revenue", direction: "desc" },
      }),
    party: (kind: PartyKind, name: string | null) =>
      ask(`figures of ${name ?? `calls without a ${kind}`} ${words.today} vs ${words.lastWeek}`, {
        measures: [...dayMeasures],
        filters: [is(kind, name)],
        compare: before.last_week,
      }),
    failures: () =>
      ask(`failed calls by reason ${words.today} vs ${words.lastWeek}`, {
        measures: ["failed_calls"],
        dimensions: ["failure_reason"],
        compare: before.last_week,
      }),
    bids: () =>
      ask(`bid requests, bid rate, timeouts and timeout rate by buyer ${words.today}`, {
        subject: "outbound_rtb_requests",
        measures: ["outbound_pings", "bid_rate", "timeouts", "timeout_rate"],
        dimensions: ["buyer"],
      }),
    timeouts: () =>
      ask(`timeouts by hour ${words.today} vs ${words.yesterday}`, {
        subject: "outbound_rtb_requests",
        measures: ["timeouts"],
        grain: "hour",
        compare: before.yesterday,
      }),
    deliveries: () =>
      ask(`webhook deliveries, failed deliveries and delivery rate by webhook ${words.today}`, {
        subject: "outgoing_webhook_requests",
        measures: ["deliveries", "failed_deliveries", "delivery_rate"],
        dimensions: ["webhook"],
      }),
  };
};
export type Questions = ReturnType<typeof questionsOf>;
