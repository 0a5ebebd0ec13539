import { type LoggerInterface, parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { suggestChart } from "../../../assistant/chart/chart.ts";
import type { Figure, Shape } from "../../../assistant/chart/shape.ts";
import type { Row } from "../../../warehouse/warehouse.ts";

const calls: Figure = { name: "calls", label: "calls", unit: "count", additive: true };
const revenue: Figure = { name: "revenue", label: "revenue", unit: "money", additive: true };
const payout: Figure = { name: "payout", label: "payout", unit: "money", additive: true };
const rate: Figure = { name: "conversion_rate", label: "conversion rate", unit: "percent", additive: false };
const campaign = { name: "campaign", label: "campaign" };
const tag = { name: `utm.source[0]"'`, label: "tag utm.source[0]" };
const buyer = { name: "buyer", label: "buyer" };

const many = (count: number, make: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => make(index));
const figures = (index: number) => ({
  calls: index,
  revenue: index * 2.5,
  payout: index,
  conversion_rate: index % 5 === 0 ? null : index,
});
const day = (index: number): Row => ({
  day: new Date(Date.UTC(2026, 9, 1 + index)).toISOString().slice(0, 10),
  ...figures(index),
});
const shape = (given: Partial<Shape>): Shape => ({
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
const named = (count: number) =>
  many(count, (index) => ({ campaign: `Campaign ${index}`, buyer: `Buyer ${index % 3}`, ...figures(index) }));
const crossed = (names: number, grain: (index: number) => Row) =>
  many(names * 10, (index) => ({
    ...grain(Math.floor(index / names)),
    campaign: `C${index % names}`,
    ...figures(index),
  }));

const table: readonly [string, Shape, string][] = [
  ["one figure", shape({ rows: [figures(3)] }), "number"],
  ["one row of several figures", shape({ figures: [calls, revenue, rate], rows: [figures(3)] }), "number"],
  ["a series", shape({ grain: "day", rows: many(30, day) }), "line"],
  ["a series with gaps", shape({ grain: "day", figures: [rate], rows: many(30, day) }), "line"],
  ["a series of two points", shape({ grain: "day", rows: many(2, day) }), "bar"],
  [
    "hours of the day",
    shape({ grain: "hour_of_day", rows: many(24, (index) => ({ hour_of_day: index, ...figures(index) })) }),
    "bar",
  ],
  [
    "months",
    shape({ grain: "month", rows: many(6, (index) => ({ month: `2026-0${index + 1}`, ...figures(index) })) }),
    "line",
  ],
  [
    "quarters",
    shape({ grain: "quarter", rows: many(6, (index) => ({ quarter: `2026-Q${index}`, ...figures(index) })) }),
    "line",
  ],
  ["two series of one unit", shape({ grain: "day", figures: [revenue, payout], rows: many(30, day) }), "line"],
  ["two series of two units", shape({ grain: "day", figures: [revenue, rate], rows: many(30, day) }), "line"],
  ["a series for each of a few names", shape({ grain: "day", categories: [campaign], rows: crossed(4, day) }), "line"],
  ["a series for each of many names", shape({ grain: "day", categories: [campaign], rows: crossed(20, day) }), "line"],
  [
    "a rate over time for many names",
    shape({ grain: "day", categories: [campaign], figures: [rate], rows: crossed(20, day) }),
    "table",
  ],
  [
    "weekdays for each of many names",
    shape({ grain: "day_of_week", categories: [campaign], rows: crossed(20, () => ({ day_of_week: "Monday" })) }),
    "heat_map",
  ],
  ["names", shape({ categories: [campaign], figures: [revenue], rows: named(10) }), "bar"],
  ["more names than fit", shape({ categories: [campaign], rows: named(80) }), "bar"],
  [
    "names that look like paths",
    shape({ categories: [tag], rows: many(3, (index) => ({ [tag.name]: `s${index}`, calls: index })) }),
    "bar",
  ],
  [
    "names with figures of one unit",
    shape({ categories: [campaign], figures: [revenue, payout], rows: named(10) }),
    "bar",
  ],
  [
    "many names with figures of two units",
    shape({ categories: [campaign], figures: [revenue, rate], rows: named(10) }),
    "scatter",
  ],
  [
    "few names with figures of two units",
    shape({ categories: [campaign], figures: [revenue, rate], rows: named(3) }),
    "table",
  ],
  ["names within names", shape({ categories: [campaign, buyer], rows: named(9) }), "bar"],
  ["many names within names", shape({ categories: [buyer, campaign], rows: named(60) }), "heat_map"],
  ["nothing", shape({ categories: [campaign] }), "table"],
  ["a listing", shape({ isListing: true, rows: named(5), figures: [] }), "table"],
];

describe("the chart rules", () => {
  it.each(table)("draw %s", async (_, given, type) => {
    const chart = suggestChart(given);
    expect(chart.type).toBe(type);
    expect(chart.vega_lite === null).toBe(type === "table");
    if (chart.vega_lite === null) return;
    const warnings: string[] = [];
    const logger: LoggerInterface = {
      level: () => logger,
      error: () => logger,
      info: () => logger,
      debug: () => logger,
      warn(text) {
        warnings.push(String(text));
        return logger;
      },
    };
    const { spec } = compile(chart.vega_lite as unknown as TopLevelSpec, { logger });
    const svg = await new View(parse(spec), { renderer: "none" }).toSVG();
    expect(svg).toContain("<svg");
    expect(warnings).toEqual([]);
    expect(JSON.stringify(chart.vega_lite)).not.toMatch(/#[0-9a-f]{3,6}\b/i);
  });

  it("draw names along the left in the answer's order, from zero", () => {
    const { vega_lite: spec } = suggestChart(shape({ categories: [campaign], figures: [revenue], rows: named(10) }));
    expect(spec).toMatchObject({
      width: "container",
      mark: "bar",
      encoding: {
        y: { field: "campaign", sort: null },
        x: { field: "revenue", title: "Revenue ($)", scale: { zero: true } },
      },
    });
  });
  it("say over the picture how many of the names it shows", () => {
    const draw = (given: Partial<Shape>) =>
      suggestChart(shape({ categories: [campaign], rows: named(80), ...given })).vega_lite?.["title"];
    expect(draw({})).toBe("Top 20 of 80 by calls");
    expect(draw({ ascending: true })).toBe("Lowest 20 of 80 by calls");
    expect(draw({ truncated: true, rows: named(2000) })).toBe("Top 20 of more than 2,000 by calls");
    expect(draw({ rows: named(25) })).toBeUndefined();
    expect(draw({ categories: [campaign, buyer], rows: named(80) })).toBe("Largest 40 of 80");
    expect(draw({ grain: "day", rows: crossed(20, day) })).toBe("Largest 7 of 20, the rest as Other");
  });
  it("draw hours across weekdays as a heat map, the week from top to bottom", () => {
    const rows = many(168, (index) => ({ hour_of_day: index % 24, day_of_week: "Monday", ...figures(index) }));
    const { type, vega_lite: spec } = suggestChart(
      shape({ grain: "hour_of_day", categories: [{ name: "day_of_week", label: "day of week" }], rows }),
    );
    expect(type).toBe("heat_map");
    expect(spec).toMatchObject({
      encoding: { x: { type: "ordinal" }, y: { sort: expect.arrayContaining(["Monday"]) } },
    });
  });
  it("never put two units on one axis", () => {
    const { vega_lite: spec } = suggestChart(shape({ grain: "day", figures: [revenue, rate], rows: many(30, day) }));
    expect(spec?.["vconcat"]).toHaveLength(2);
  });
  it("keep the sum when they fold the small names into one", () => {
    const rows = crossed(20, day);
    const chart = suggestChart(shape({ grain: "day", categories: [campaign], rows }));
    const { values: drawn } = z
      .object({ data: z.object({ values: z.array(z.record(z.string(), z.json())) }) })
      .parse(chart.vega_lite).data;
    const sum = (all: readonly Readonly<Record<string, unknown>>[]) =>
      all.reduce((total, row) => total + Number(row["calls"]), 0);
    expect(sum(drawn)).toBe(sum(rows));
    expect(new Set(drawn.map((row) => row["campaign"])).size).toBe(8);
  });
});
