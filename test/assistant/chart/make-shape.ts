import type { Figure, Shape } from "../../../assistant/chart/shape.ts";
import type { Row } from "../../../warehouse/warehouse.ts";

export const calls: Figure = { name: "calls", label: "calls", unit: "count", additive: true };
export const revenue: Figure = { name: "revenue", label: "revenue", unit: "money", additive: true };
export const payout: Figure = { name: "payout", label: "payout", unit: "money", additive: true };
export const rate: Figure = { name: "rate", label: "conversion rate", unit: "percent", additive: false };
export const now = (figure: Figure): Figure => ({ ...figure, period: "this month" });
export const before = (figure: Figure): Figure => ({
  ...figure,
  name: `${figure.name}_before`,
  period: "last month",
  isBefore: true,
});
export const campaign = { name: "campaign", label: "campaign" };
export const buyer = { name: "buyer", label: "buyer" };
export const state = { name: "state", label: "state" };
export const weekday = { name: "day_of_week", label: "day of week" };
export const steps = { name: "duration_from", label: "call length", steps: { width: 30, unit: "seconds" } } as const;

export const day = (index: number): string => new Date(Date.UTC(2026, 9, 1 + index)).toISOString().slice(0, 10);
export const many = (count: number, make: (index: number) => Row = () => ({})): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    calls: index + 1,
    revenue: index * 2.5,
    payout: index,
    rate: index % 5 === 0 ? null : index % 100,
    calls_before: index,
    revenue_before: index,
    rate_before: index % 100,
    calls_change: 12.5,
    ...make(index),
  }));
export const days = (count: number) => many(count, (index) => ({ day: day(index), day_before: day(index - 30) }));
export const names = (count: number) =>
  many(count, (index) => ({ campaign: `C${index}`, buyer: `B${index % 3}`, state: `S${index}` }));
/** Every pair of so many campaigns and buyers. */
export const pairs = (campaigns: number, buyers: number) =>
  many(campaigns * buyers, (index) => ({
    campaign: `C${index % campaigns}`,
    buyer: `B${Math.floor(index / campaigns)}`,
  }));
/** So many names, each with ten buckets. */
export const crossed = (count: number, bucket: (index: number) => Row) =>
  many(count * 10, (index) => ({ campaign: `C${index % count}`, ...bucket(Math.floor(index / count)) }));
export const daysOf = (count: number, buckets = 10) =>
  crossed(count, (index) => ({ day: day(index) })).filter((row) => String(row["day"]) < day(buckets));
export const shape = (given: Partial<Shape>): Shape => ({
  grain: null,
  zone: "America/New_York",
  categories: [],
  figures: [calls],
  rows: [],
  isListing: false,
  truncated: false,
  ascending: false,
  ...given,
});

export const bar = { mark: "bar" };
export const colour = (field: string) => ({ color: { field } });
