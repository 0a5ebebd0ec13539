import { type LoggerInterface, parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { describe, expect, it } from "vitest";
import { suggestChart } from "../../../assistant/chart/chart.ts";
import type { Shape } from "../../../assistant/chart/shape.ts";
import type { Row } from "../../../warehouse/warehouse.ts";
import { buyer, campaign, days, daysOf, many, names, pairs, payout, rate, revenue, shape } from "./make-shape.ts";
import { cases } from "./rule-cases.ts";

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
      level: () => logger,
      error: () => logger,
      info: () => logger,
      debug: () => logger,
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
    ["two groups", { categories: [campaign, buyer], rows: pairs(12, 3) }, ["bar", "heat_map"]],
    ["two large groups", { categories: [campaign, buyer], rows: pairs(14, 3) }, ["heat_map"]],
    [
      "two figures of names",
      { categories: [campaign], figures: [revenue, payout], rows: names(9) },
      ["bar", "scatter"],
    ],
    ["two units of names", { categories: [campaign], figures: [revenue, rate], rows: names(9) }, ["scatter"]],
    ["a requested chart, and back", { categories: [campaign], rows: names(4), requested: "pie" }, ["pie", "bar"]],
    ["one number", { rows: many(1) }, ["number"]],
    ["a listing", { isListing: true, figures: [], rows: names(5) }, ["table"]],
  ])("are those that tell the truth: of %s", (_what, given, types) => {
    expect(typesOf(given)).toEqual(types);
  });
  it("do without the rows that the first one has", () => {
    const { alternatives = [] } = suggestChart(shape({ grain: "day", rows: days(30) }));
    expect(alternatives.map(({ vega_lite: { data } }) => data)).toEqual([{}, {}]);
  });
});
