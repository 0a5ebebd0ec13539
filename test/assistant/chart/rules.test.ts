import { type LoggerInterface, parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { describe, expect, it } from "vitest";
import { suggestChart } from "../../../assistant/chart/chart.ts";
import type { Figure, Shape } from "../../../assistant/chart/shape.ts";
import type { Row } from "../../../warehouse/warehouse.ts";

const calls: Figure = { name: "calls", label: "calls", unit: "count", additive: true };
const revenue: Figure = { name: "revenue", label: "revenue", unit: "money", additive: true };
const payout: Figure = { name: "payout", label: "payout", unit: "money", additive: true };
const rate: Figure = { name: "rate", label: "conversion rate", unit: "percent", additive: false };
const now = (figure: Figure): Figure => ({ ...figure, period: "this month" });
const before = (figure: Figure): Figure => ({
  ...{ ...figure, name: `${figure.name}_before` },
  ...{ period: "last month", isBefore: true },
});
const campaign = { name: "campaign", label: "campaign" };
const buyer = { name: "buyer", label: "buyer" };
const state = { name: "state", label: "state" };
const weekday = { name: "day_of_week", label: "day of week" };
const steps = { name: "duration_from", label: "call length", steps: { width: 30, unit: "seconds" } } as const;

const day = (index: number): string => new Date(Date.UTC(2026, 9, 1 + index)).toISOString().slice(0, 10);
const many = (count: number, make: (index: number) => Row = () => ({})): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ calls: index + 1, revenue: index * 2.5, payout: index, rate: index % 5 === 0 ? null : index % 100 },
    ...{ calls_before: index, revenue_before: index, rate_before: index % 100, calls_change: 12.5 },
    ...make(index),
  }));
const days = (count: number) => many(count, (index) => ({ day: day(index), day_before: day(index - 30) }));
const names = (count: number) =>
  many(count, (index) => ({ campaign: `C${index}`, buyer: `B${index % 3}`, state: `S${index}` }));
/** So many names, each with ten buckets. */
const crossed = (count: number, bucket: (index: number) => Row) =>
  many(count * 10, (index) => ({ campaign: `C${index % count}`, ...bucket(Math.floor(index / count)) }));
const daysOf = (count: number, buckets = 10) =>
  crossed(count, (index) => ({ day: day(index) })).filter((row) => String(row["day"]) < day(buckets));
const shape = (given: Partial<Shape>): Shape => ({
  ...{ grain: null, zone: "America/New_York", categories: [], figures: [calls], rows: [], isListing: false },
  ...{ truncated: false, ascending: false },
  ...given,
});

const bar = { mark: "bar" };
const colour = (field: string) => ({ color: { field } });

type Case = readonly [rule: string, what: string, shape: Shape, type: string, spec: object | null];
const cases: readonly Case[] = [
  ["0", "nothing is no picture", shape({ categories: [campaign] }), "table", null],
  ["1", "one figure is a number", shape({ rows: many(1) }), "number", { data: { values: [{ value: "1" }] } }],
  [
    "1",
    "a number beside another period's has its change",
    shape({ figures: [now(calls), before(calls)], rows: many(1) }),
    "number",
    { data: { values: [{ value: "1" }, { value: "0" }, { value: "+12.5%" }] } },
  ],
  [
    "2",
    "several figures are a row of numbers, each in its unit",
    shape({ figures: [calls, revenue, rate], rows: many(1, () => ({ rate: 4 })) }),
    "number",
    { data: { values: [{ value: "1" }, { value: "$0.00" }, { value: "4%" }] } },
  ],
  ["3", "a series is a line", shape({ grain: "day", rows: days(30) }), "line", { mark: { type: "line" } }],
  ["3", "three points are bars", shape({ grain: "day", rows: days(3) }), "bar", bar],
  [
    "3",
    "hours of the day are bars",
    shape({ grain: "hour_of_day", rows: many(24, (index) => ({ hour_of_day: index })) }),
    "bar",
    { encoding: { x: { type: "ordinal" } } },
  ],
  [
    "3",
    "a line with gaps shows its points",
    shape({ grain: "day", figures: [rate], rows: days(60) }),
    "line",
    { mark: { point: { opacity: 1 } } },
  ],
  [
    "4",
    "series of one unit share an axis",
    shape({ grain: "day", figures: [revenue, payout], rows: days(30) }),
    "line",
    { encoding: { y: { title: "Revenue, payout ($)" }, ...colour("measure") } },
  ],
  [
    "4",
    "series of two units are two panels",
    shape({ grain: "day", figures: [revenue, rate], rows: days(30) }),
    "line",
    {
      vconcat: [{ encoding: { y: { title: "Revenue ($)" } } }, { encoding: { y: { title: "Conversion rate (%)" } } }],
    },
  ],
  [
    "5",
    "eight names are eight lines",
    shape({ grain: "day", categories: [campaign], figures: [rate], rows: daysOf(8) }),
    "line",
    { encoding: colour("campaign") },
  ],
  [
    "5",
    "nine names that add up are seven and the rest",
    shape({ grain: "day", categories: [campaign], rows: daysOf(9) }),
    "line",
    { title: "Largest 7 of 9, the rest as Other" },
  ],
  [
    "5",
    "rates of nine names do not fold",
    shape({ grain: "day", categories: [campaign], figures: [rate], rows: daysOf(9) }),
    "table",
    null,
  ],
  [
    "5",
    "shares over time are stacked",
    shape({ grain: "day", categories: [campaign], isShare: true, rows: daysOf(4) }),
    "area",
    { encoding: { y: { stack: "zero" } } },
  ],
  [
    "5",
    "shares over three days are stacked bars",
    shape({ grain: "day", categories: [campaign], isShare: true, rows: daysOf(4, 3) }),
    "bar",
    { ...bar, encoding: { y: { stack: "zero" } } },
  ],
  [
    "6",
    "names are bars along the left, in the answer's order",
    shape({ categories: [campaign], rows: names(25) }),
    "bar",
    { ...bar, encoding: { y: { field: "campaign", sort: null } } },
  ],
  [
    "6",
    "of more than 25 names the first 20 are shown",
    shape({ categories: [campaign], rows: names(26) }),
    "bar",
    { title: "Top 20 of 26 by calls" },
  ],
  [
    "7",
    "shares are bars in percent",
    shape({ categories: [campaign], figures: [{ ...rate, additive: true }], isShare: true, rows: names(4) }),
    "bar",
    { encoding: { x: { axis: { labelExpr: "datum.label + '%'" } } } },
  ],
  [
    "7",
    "a pie may be asked for",
    shape({ categories: [campaign], rows: names(4), wish: "pie" }),
    "pie",
    { mark: { type: "arc" } },
  ],
  [
    "7",
    "never a pie of rates",
    shape({ categories: [campaign], figures: [rate], rows: names(4), wish: "pie" }),
    "bar",
    bar,
  ],
  [
    "8",
    "two small groups of what adds up are stacked",
    shape({ categories: [campaign, buyer], rows: names(12) }),
    "bar",
    { encoding: expect.not.objectContaining({ yOffset: expect.anything() }) },
  ],
  [
    "8",
    "two small groups of a rate stand side by side",
    shape({ categories: [campaign, buyer], figures: [rate], rows: names(12) }),
    "bar",
    { encoding: { yOffset: { field: "buyer" } } },
  ],
  [
    "8",
    "two large groups are a heat map",
    shape({ categories: [campaign, buyer], rows: names(14) }),
    "heat_map",
    { mark: "rect" },
  ],
  [
    "8",
    "hours across weekdays are a heat map",
    shape({
      ...{ grain: "hour_of_day", categories: [weekday] },
      rows: many(168, (index) => ({ hour_of_day: index % 24, day_of_week: "Monday" })),
    }),
    "heat_map",
    { mark: "rect" },
  ],
  [
    "9",
    "figures of one unit are bars side by side",
    shape({ categories: [campaign], figures: [revenue, payout], rows: names(9) }),
    "bar",
    { encoding: { yOffset: { field: "measure" } } },
  ],
  [
    "9",
    "figures of two units of eight names are a cloud",
    shape({ categories: [campaign], figures: [revenue, rate], rows: names(8) }),
    "scatter",
    { encoding: { x: { field: "revenue" }, y: { field: "rate" } } },
  ],
  [
    "9",
    "of seven names they are a table",
    shape({ categories: [campaign], figures: [revenue, rate], rows: names(7) }),
    "table",
    null,
  ],
  [
    "10",
    "steps of a number are a histogram",
    shape({ categories: [steps], rows: many(12, (index) => ({ duration_from: index * 30 })) }),
    "bar",
    {
      mark: { type: "bar", cornerRadiusEnd: 0 },
      encoding: {
        x: { type: "quantitative", bin: { binned: true, step: 30 }, title: "Call length, in steps of 30 s" },
        x2: { field: "duration_from_end" },
        y: { scale: { zero: true } },
      },
    },
  ],
  [
    "10",
    "steps by a few names are stacked",
    shape({
      categories: [steps, buyer],
      rows: many(12, (index) => ({ duration_from: Math.floor(index / 3) * 30, buyer: `B${index % 3}` })),
    }),
    "bar",
    { encoding: colour("buyer") },
  ],
  [
    "11",
    "two figures of ten rows are a cloud",
    shape({ figures: [revenue, rate], rows: many(10) }),
    "scatter",
    { mark: "point" },
  ],
  ["11", "of nine rows they are a table", shape({ figures: [revenue, rate], rows: many(9) }), "table", null],
  [
    "12",
    "of the states the first 20 are shown",
    shape({ categories: [state], rows: names(21) }),
    "bar",
    { title: "Top 20 of 21 by calls" },
  ],
  [
    "13",
    "two periods over time are two lines, the one before dashed, bucket on bucket",
    shape({ grain: "day", figures: [now(calls), before(calls)], rows: days(20) }),
    "line",
    {
      encoding: {
        y: { field: "value", title: "Calls" },
        color: { sort: ["calls, this month", "calls, last month"] },
        strokeDash: { scale: { range: [expect.anything(), [6, 4]] } },
        tooltip: expect.arrayContaining([expect.objectContaining({ field: "day_before" })]),
      },
    },
  ],
  [
    "13",
    "two figures of two periods are a panel each",
    shape({
      ...{ grain: "day", rows: days(20) },
      figures: [now(calls), before(calls), now(revenue), before(revenue)],
    }),
    "line",
    { vconcat: [{ encoding: { y: { title: "Calls" } } }, { encoding: { y: { title: "Revenue ($)" } } }] },
  ],
  [
    "13",
    "two periods of names are bars side by side, of the first 20 of many",
    shape({ categories: [state], figures: [now(calls), before(calls)], rows: names(48) }),
    "bar",
    { title: "Top 20 of 48 by calls", encoding: { yOffset: { field: "measure" } } },
  ],
  [
    "13",
    "two periods of a distribution stand side by side",
    shape({
      ...{ categories: [steps], figures: [now(calls), before(calls)] },
      rows: many(12, (index) => ({ duration_from: index * 30 })),
    }),
    "bar",
    { encoding: { xOffset: { field: "measure" } } },
  ],
  ["14", "a listing is a table", shape({ isListing: true, figures: [], rows: names(5) }), "table", null],
  [
    "14",
    "three figures of two units are a table",
    shape({ categories: [campaign], figures: [calls, revenue, rate], rows: names(9) }),
    "table",
    null,
  ],
];

interface AnyView {
  readonly mark?: unknown;
  readonly encoding?: Readonly<Record<string, unknown>>;
  readonly transform?: readonly { readonly as?: unknown }[];
  readonly vconcat?: readonly AnyView[];
}
const viewsOf = (spec: object): readonly AnyView[] => (spec as AnyView).vconcat ?? [spec as AnyView];

const markOf = ({ mark }: AnyView): unknown =>
  typeof mark === "object" && mark !== null && "type" in mark ? mark.type : mark;

interface Channel {
  readonly field?: string;
  readonly type?: string;
  readonly title?: string;
  readonly scale?: { readonly zero?: boolean };
  readonly stack?: string;
  readonly axis?: { readonly labelExpr?: string };
}
const channelsOf = ({ encoding = {} }: AnyView): readonly (readonly [string, Channel])[] =>
  Object.entries(encoding).flatMap(([name, each]) =>
    Array.isArray(each) ? each.map((one): readonly [string, Channel] => [name, one]) : [[name, each as Channel]],
  );

const drawn = cases.flatMap(([rule, what, given]) => {
  const chart = suggestChart(given);
  const own = chart.vega_lite === null ? [] : [[rule, `${what}, ${chart.type}`, given, chart.vega_lite] as const];
  const others = (chart.alternatives ?? []).map(({ type, vega_lite }) => {
    const { data } = vega_lite as { data: object };
    const values = (chart.vega_lite?.["data"] as { values?: unknown } | undefined)?.values;
    return [rule, `${what}, ${type} instead`, given, { ...vega_lite, data: { values, ...data } }] as const;
  });
  return [...own, ...others];
});

describe("the table of chart rules", () => {
  it("has a case for each rule", () => {
    expect(new Set(cases.map(([rule]) => rule))).toEqual(
      new Set(Array.from({ length: 15 }, (_, rule) => String(rule))),
    );
  });
  it.each(cases)("rule %s: %s", (_rule, _what, given, type, spec) => {
    const chart = suggestChart(given);
    expect(chart.type).toBe(type);
    if (spec === null) expect(chart.vega_lite).toBeNull();
    else expect(chart.vega_lite).toMatchObject(spec);
  });
});

describe("always", () => {
  it.each(drawn)("rule %s: %s: it compiles and draws without a warning", async (_rule, _what, _given, spec) => {
    const warnings: string[] = [];
    const logger: LoggerInterface = {
      ...{ level: () => logger, error: () => logger, info: () => logger, debug: () => logger },
      warn(text) {
        warnings.push(String(text));
        return logger;
      },
    };
    const compiled = compile(spec as unknown as TopLevelSpec, { logger });
    expect(await new View(parse(compiled.spec), { renderer: "none" }).toSVG()).toContain("<svg");
    expect(warnings).toEqual([]);
  });
  it.each(drawn)("rule %s: %s: its fields are there, its rows are bounded", (_rule, _what, _given, spec) => {
    const { values } = spec["data"] as { values: readonly Row[] };
    expect(values.length).toBeGreaterThan(0);
    expect(values.length).toBeLessThanOrEqual(2000);
    for (const view of viewsOf(spec)) {
      const made = new Set((view.transform ?? []).flatMap(({ as }) => as));
      const known = new Set(values.flatMap(Object.keys));
      for (const [, { field }] of channelsOf(view))
        if (field !== undefined) expect(made.has(field) || known.has(field), field).toBe(true);
    }
  });
  it.each(drawn)("rule %s: %s: bars are from zero, rates in percent, times in a zone", (_rule, _what, given, spec) => {
    for (const view of viewsOf(spec)) {
      for (const [name, { field, type, title, scale, stack, axis }] of channelsOf(view)) {
        const isFigure = type === "quantitative" && ["x", "y"].includes(name) && !field?.startsWith("duration");
        if (!isFigure) continue;
        if (markOf(view) === "bar") expect(scale?.zero === true || stack === "zero").toBe(true);
        const unit = given.figures.find((each) => each.name === field || field === "value")?.unit;
        if (unit === "percent")
          expect([title, axis?.labelExpr]).toEqual([expect.stringMatching(/\(%\)$/), "datum.label + '%'"]);
        if (unit === "money") expect(title).toMatch(/\(\$\)$/);
      }
      for (const [name, { field, title }] of channelsOf(view))
        if (name === "x" && field === given.grain && given.grain !== null)
          expect(title).toMatch(/\(America\/New_York\)$/);
    }
  });
  it("an axis has figures of one unit", () => {
    for (const [, , given, spec] of drawn)
      for (const { encoding = {} } of viewsOf(spec))
        if ([encoding["x"], encoding["y"]].some((each) => (each as Channel | undefined)?.field === "value"))
          expect(new Set(given.figures.map(({ unit }) => unit)).size, JSON.stringify(encoding)).toBeLessThanOrEqual(
            given.figures.some(({ isBefore }) => isBefore) ? 2 : 1,
          );
  });
  it("no more than 2,000 rows are in a drawing", () => {
    const { vega_lite: spec } = suggestChart(shape({ grain: "day", rows: days(5000) }));
    expect(spec).toMatchObject({ data: { values: expect.objectContaining({ length: 2000 }) } });
  });
});

describe("the other charts that are offered", () => {
  const typesOf = (given: Partial<Shape>) => {
    const { type, alternatives = [] } = suggestChart(shape(given));
    return [type, ...alternatives.map((each) => each.type)];
  };
  it.each<readonly [string, Partial<Shape>, readonly string[]]>([
    ["a series", { grain: "day", rows: days(30) }, ["line", "bar", "area"]],
    ["a series of a rate", { grain: "day", figures: [rate], rows: days(30) }, ["line", "bar"]],
    ["names in time", { grain: "day", categories: [campaign], rows: daysOf(4) }, ["line", "bar", "area", "heat_map"]],
    [
      "rates of many names in time",
      { grain: "day", categories: [campaign], figures: [rate], rows: daysOf(9) },
      ["table", "heat_map"],
    ],
    ["few names", { categories: [campaign], rows: names(5) }, ["bar", "pie"]],
    ["more names", { categories: [campaign], rows: names(6) }, ["bar"]],
    ["two groups", { categories: [campaign, buyer], rows: names(12) }, ["bar", "heat_map"]],
    ["two large groups", { categories: [campaign, buyer], rows: names(14) }, ["heat_map"]],
    [
      "two figures of names",
      { categories: [campaign], figures: [revenue, payout], rows: names(9) },
      ["bar", "scatter"],
    ],
    ["two units of names", { categories: [campaign], figures: [revenue, rate], rows: names(9) }, ["scatter"]],
    ["a wish, and back", { categories: [campaign], rows: names(4), wish: "pie" }, ["pie", "bar"]],
    ["one number", { rows: many(1) }, ["number"]],
    ["a listing", { isListing: true, figures: [], rows: names(5) }, ["table"]],
  ])("are those that tell the truth: of %s", (_what, given, types) => {
    expect(typesOf(given)).toEqual(types);
  });
  it("do without the rows that the first one has", () => {
    const { alternatives = [] } = suggestChart(shape({ grain: "day", rows: days(30) }));
    expect(alternatives.map(({ vega_lite: { data } }) => data)).toEqual([{}, { format: { parse: expect.anything() } }]);
  });
});
