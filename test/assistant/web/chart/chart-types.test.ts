import { compile, type TopLevelSpec } from "vega-lite";
import { describe, expect, it } from "vitest";
import { firstLook, looksOf, withLook } from "../../../../assistant/web/chart/chart-types.ts";

const courseOf = (extra: object = {}) => ({
  data: { values: [{ day: "2026-10-01", revenue: 12 }] },
  mark: { type: "line", point: true },
  encoding: {
    x: { field: "day", type: "temporal", scale: { type: "utc" } },
    y: { field: "revenue", type: "quantitative" },
    ...extra,
  },
});
const overDays = { type: "line", x_axis: "day", y_axis: "revenue", vega_lite: {} };
const overNames = { type: "bar", x_axis: "campaign", y_axis: "revenue", vega_lite: {} };
const bars = {
  mark: "bar",
  encoding: { y: { field: "campaign", type: "nominal" }, x: { field: "revenue", type: "quantitative" } },
};

describe("the looks of a chart", () => {
  it("are all for one course over time, no area for several, and no line over names", () => {
    expect(looksOf(overDays, courseOf())).toEqual(["line", "bar", "area", "table"]);
    expect(looksOf(overDays, courseOf({ color: { field: "campaign", type: "nominal" } }))).toEqual(["line", "table"]);
    expect(looksOf(overNames, bars)).toEqual(["bar", "table"]);
    expect(firstLook(overDays, courseOf())).toBe("line");
  });

  it("leave what is made of several views as it came", () => {
    const panels = { vconcat: [courseOf(), courseOf()] };
    expect(looksOf(overDays, panels)).toEqual(["line", "table"]);
    expect(withLook(overDays, panels, firstLook(overDays, panels))).toBe(panels);
  });

  it.each(["line", "bar", "area"] as const)("compile as a %s, bars and areas from zero", (look) => {
    const spec = withLook(overDays, courseOf(), look);
    expect(() => compile(spec as unknown as TopLevelSpec)).not.toThrow();
    const scale = (spec["encoding"] as { y: { scale?: { zero?: boolean } } }).y.scale;
    expect(scale?.zero).toBe(look === "line" ? undefined : true);
  });
});
