import { describe, expect, it } from "vitest";
import { suggestChart } from "../../../assistant/chart/chart.ts";
import type { Figure, Shape } from "../../../assistant/chart/shape.ts";
import type { ChartType } from "../../../assistant/plan.ts";

const calls: Figure = { name: "calls", label: "calls", unit: "count", additive: true };
const revenue: Figure = { name: "revenue", label: "revenue", unit: "money", additive: true };
const rate: Figure = { name: "rate", label: "conversion rate", unit: "percent", additive: false };
const campaign = { name: "campaign", label: "campaign" };
const rows = Array.from({ length: 6 }, (_, index) => ({
  day: `2026-10-0${index + 1}`,
  campaign: `C${index}`,
  buyer: `B${index % 2}`,
  calls: index,
  revenue: index * 3,
  rate: index * 10,
}));
const shape = (given: Partial<Shape>): Shape => ({
  grain: null,
  zone: "UTC",
  categories: [],
  figures: [calls],
  rows,
  isListing: false,
  truncated: false,
  ascending: false,
  ...given,
});
const byCampaign = shape({ categories: [campaign] });
const byDay = shape({ grain: "day" });

const granted: readonly [ChartType, string, Shape][] = [
  ["pie", "few parts of a whole", byCampaign],
  ["bar", "a series", byDay],
  ["area", "a series that adds up", byDay],
  ["line", "a series", shape({ grain: "day", figures: [rate] })],
  ["table", "anything", byDay],
  ["scatter", "two figures of each name", shape({ categories: [campaign], figures: [calls, revenue] })],
  ["heat_map", "two groups", shape({ categories: [campaign, { name: "buyer", label: "buyer" }] })],
];
const refused: readonly [ChartType, string, Shape, RegExp][] = [
  ["pie", "rates", shape({ categories: [campaign], figures: [rate] }), /parts of one whole/],
  [
    "pie",
    "what is below zero",
    shape({ categories: [campaign], rows: [...rows, { campaign: "X", calls: -1 }] }),
    /whole/,
  ],
  [
    "pie",
    "many names",
    shape({ categories: [campaign], rows: Array.from({ length: 9 }, (_, n) => ({ campaign: `C${n}`, calls: 1 })) }),
    /8 names/,
  ],
  ["line", "names", byCampaign, /time that runs on/],
  ["area", "rates", shape({ grain: "day", figures: [rate] }), /adds up/],
  ["bar", "several units", shape({ categories: [campaign], figures: [calls, revenue] }), /one unit/],
  ["scatter", "one figure", byCampaign, /two figures/],
  ["heat_map", "one group", byCampaign, /two groups/],
  ["bar", "a list", shape({ isListing: true }), /shown as a table/],
];

describe("the chart that was asked for", () => {
  it.each(granted)("is drawn: %s of %s", (requested, _, given) => {
    const chart = suggestChart({ ...given, requested });
    expect(chart).toMatchObject({ type: requested });
    expect(chart.note).toBeUndefined();
  });
  it.each(refused)("is not drawn where it would mislead, and it is said why: %s of %s", (requested, _, given, why) => {
    const chart = suggestChart({ ...given, requested });
    expect(chart.type).not.toBe(requested);
    expect(chart.note).toMatch(why);
  });
});

describe("shares over time", () => {
  it("are stacked to the whole", () => {
    const share: Figure = { ...rate, additive: true };
    const given = shape({
      grain: "day",
      categories: [{ name: "buyer", label: "buyer" }],
      figures: [share],
      isShare: true,
    });
    expect(suggestChart(given)).toMatchObject({ type: "area", vega_lite: { encoding: { y: { stack: "zero" } } } });
  });
});
