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

/**
 * Links that ask for what stands behind the overview's figures, by plans over the same periods; before it is read, links
 * to an empty question box.
 */
export const questionsOf = (overview: Asked | null) => {
  const { periods, timezone } = overview ?? notRead;
  const today: Period = { ...periods.today, label: "today" };
  const before = {
    yesterday: { ...periods.yesterday, label: "yesterday, same part" },
    last_week: { ...periods.last_week, label: "last week, same part" },
  } satisfies Record<string, Period>;
  const spoken = { yesterday: "yesterday", last_week: "last week" };
  const ask = (question: string, plan: Partial<Plan>): string =>
    overview === null
      ? sessionHash(null)
      : linkHash({ question, plan: { ...emptyPlan, zone: timezone, period: today, ...plan } });
  const is = (field: string, value: string | null): Filter =>
    value === null ? { field, op: "empty", values: [] } : { field, op: "is", values: [value] };
  const wordsOf = (measure: string): string => measure.replaceAll("_", " ");

  return {
    against: (measure: DayMeasure, day: keyof typeof before) =>
      ask(`${wordsOf(measure)} today vs ${spoken[day]}`, { measures: [measure], compare: before[day] }),
    byHour: (measure: DayMeasure) =>
      ask(`${wordsOf(measure)} by hour today vs last week`, {
        measures: [measure],
        grain: "hour",
        compare: before.last_week,
      }),
    top: (kind: PartyKind) =>
      ask(`calls, revenue, profit and conversion rate by ${kind} today`, {
        measures: ["calls", "revenue", "profit", "conversion_rate"],
        dimensions: [kind],
        order: { by: "revenue", direction: "desc" },
      }),
    party: (kind: PartyKind, name: string | null) =>
      ask(`figures of ${name ?? `calls without a ${kind}`} today vs last week`, {
        measures: [...dayMeasures],
        filters: [is(kind, name)],
        compare: before.last_week,
      }),
    failures: () =>
      ask("failed calls by reason today vs last week", {
        measures: ["failed_calls"],
        dimensions: ["failure_reason"],
        compare: before.last_week,
      }),
    bids: () =>
      ask("bid requests, bid rate, timeouts and timeout rate by buyer today", {
        subject: "outbound_rtb_requests",
        measures: ["outbound_pings", "bid_rate", "timeouts", "timeout_rate"],
        dimensions: ["buyer"],
      }),
    timeouts: () =>
      ask("timeouts by hour today vs yesterday", {
        subject: "outbound_rtb_requests",
        measures: ["timeouts"],
        grain: "hour",
        compare: before.yesterday,
      }),
    deliveries: () =>
      ask("webhook deliveries, failed deliveries and delivery rate by webhook today", {
        subject: "outgoing_webhook_requests",
        measures: ["deliveries", "failed_deliveries", "delivery_rate"],
        dimensions: ["webhook"],
      }),
  };
};
export type Questions = ReturnType<typeof questionsOf>;
