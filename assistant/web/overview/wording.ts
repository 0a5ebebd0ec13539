import { formatNumber } from "../format.ts";
import { formatMinute } from "../format-time.ts";
import type { Unit } from "../wire.ts";
import type { TroubledWebhook, UsedCap } from "./overview.ts";
import type { DayMeasure } from "./questions.ts";

/** Shown for what is not known: it must not look like a zero. */
export const unknown = "–";

export const formatUnit = (value: number, unit: Unit): string => formatNumber(value, { unit, type: "number" });
/** Formats a rate from 0 to 1, to the tenth of a percent: "50.0%", so that rates stand below each other. */
export const formatRate = (rate: number | null): string => (rate === null ? unknown : `${toOneDigit(rate * 100)}%`);

const oneDigit = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
/** A zero has no sign, whatever was rounded to it. */
const toOneDigit = (value: number): string => oneDigit.format(rounded(value * 10) / 10);

const signed = (value: number, text: string): string => (value > 0 ? `+${text}` : text);
/** Without the sign that rounding leaves to a zero. */
const rounded = (value: number): number => Math.round(value) || 0;

/**
 * "+24%", or "+5.0 pts" of a rate, which has points of its percentage; empty where there is nothing to hold it against.
 * A loss of 20 after one of 10 is a change of -100%.
 */
export const formatChange = (now: number | null, before: number | null, measure: DayMeasure): string => {
  if (now === null || before === null) return "";
  if (measure === "conversion_rate") {
    const points = rounded((now - before) * 1000) / 10;
    return signed(points, `${toOneDigit(points)}\u00a0pts`);
  }
  if (before === 0) return "";
  const percent = rounded((100 * (now - before)) / Math.abs(before));
  return signed(percent, formatUnit(percent, "percent"));
};

const reasons: Readonly<Record<string, string>> = {
  gone: "Paused: it answered 410 Gone",
  failing: "Paused after failing for long",
  requested: "Paused on request",
};

/** "Failing since Nov 21, 19:38", "Paused on request until Nov 21, 20:00". */
export const stateWords = (webhook: TroubledWebhook, zone: string): string => {
  const { delivery_reason: reason, failing_since: since, paused_until: until } = webhook;
  if (reason === null) return since === null ? "Failing" : `Failing since ${formatMinute(since, zone)}`;
  const words = reasons[reason] ?? "Paused";
  return until === null ? words : `${words} until ${formatMinute(until, zone)}`;
};

const counted: Readonly<Record<string, string>> = {
  calls: "calls",
  connected: "connected calls",
  converted: "conversions",
  revenue: "of revenue",
  payout: "of payout",
  concurrency: "calls at once",
};
const within: Readonly<Record<string, string>> = {
  hour: "this hour",
  day: "today",
  week: "this week",
  month: "this month",
  all: "in all",
  total: "since it was reset",
};

/** "8 of 10 connected calls today". */
export const capWords = ({
  type,
  period,
  used,
  limit,
}: Pick<UsedCap, "type" | "period" | "used" | "limit">): string => {
  const unit = type === "revenue" || type === "payout" ? "money" : "count";
  const amounts = `${formatUnit(used, unit)} of ${formatUnit(limit, unit)}`;
  return [amounts, counted[type] ?? type, period === null ? "" : (within[period] ?? period)].join(" ").trim();
};

const steps = [1, 2, 4, 6, 8, 10];

/** A round number that is no less, and can be halved: 1, 2, 4, 6, 8 or 10 times a power of ten. */
export const roundUp = (most: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 2)));
  return Math.max(2, power * (steps.find((step) => step * power >= most) ?? 10));
};
