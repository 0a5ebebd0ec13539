import { describe, expect, it } from "vitest";
import { chartOptions, describeChart, mixesColours, toFittedSpec } from "../../../../assistant/web/chart/chart-spec.ts";
import type { ChartSuggestion, Data } from "../../../../assistant/web/wire.ts";

const twoRows: Data = { columns: [], rows: [{ calls: 1 }, { calls: 2 }], row_count: 2, truncated: false };
const bar = {
  type: "bar",
  x_axis: "publisher",
  y_axis: "connected_calls",
  vega_lite: { mark: "bar" },
  alternatives: [],
};

describe("charts", () => {
  it("a single view is fitted to the width with its axes", () => {
    expect(toFittedSpec({ mark: "bar" }, 600)).toEqual({
      mark: "bar",
      width: 600,
      autosize: { type: "fit-x", contains: "padding" },
    });
  });

  it("stacked panels get a width that leaves room for their axes", () => {
    const fitted = toFittedSpec({ vconcat: [{ mark: "line" }, { mark: "bar" }] }, 600);
    expect(fitted["vconcat"]).toEqual([
      { mark: "line", width: 516 },
      { mark: "bar", width: 516 },
    ]);
    expect(fitted).not.toHaveProperty("autosize");
  });

  it("a colour is mixed where it tells more from less, in any panel, and not where it names", () => {
    const byColour = (type: string) => ({ mark: "rect", encoding: { color: { field: "calls", type } } });
    expect(mixesColours(byColour("quantitative"))).toBe(true);
    expect(mixesColours({ vconcat: [{ mark: "line" }, byColour("quantitative")] })).toBe(true);
    expect([byColour("nominal"), { mark: "bar" }].map(mixesColours)).toEqual([false, false]);
  });

  it("options for the embedder do not get through", () => {
    expect(toFittedSpec({ mark: "bar", usermeta: { embedOptions: {} } }, 600)).not.toHaveProperty("usermeta");
  });

  it("a chart is described in words", () => {
    expect(describeChart(bar, twoRows)).toBe(
      "Bar chart of connected calls by publisher, 2 rows. The table below holds the same figures.",
    );
    expect(describeChart({ ...bar, vega_lite: { title: "Top 20 of 80 by connected calls" } }, twoRows)).toBe(
      "Bar chart of connected calls by publisher, Top 20 of 80 by connected calls. The table below holds all figures.",
    );
    expect(describeChart({ ...bar, type: "heatmap", x_axis: null, y_axis: null }, twoRows)).toMatch(/^Heatmap, 2 rows/);
  });
});

const rows = [{ day: "2026-10-01", calls: 12 }];
const data: Data = { columns: [], rows, row_count: 1, truncated: false };
const line = { mark: "line", data: { values: rows } };
const chart: ChartSuggestion = { type: "line", x_axis: "day", y_axis: "calls", vega_lite: line, alternatives: [] };

describe("the options of a chart", () => {
  it("are the suggested one, the others, and the table alone", () => {
    const folded = { mark: "area", data: { values: [] } };
    const alternatives = [
      { type: "bar", vega_lite: { mark: "bar", data: { format: { parse: { day: "date" } } } } },
      { type: "area", vega_lite: folded },
    ];
    expect(chartOptions({ ...chart, alternatives }, data)).toEqual([
      { type: "line", spec: line },
      { type: "bar", spec: { mark: "bar", data: { values: rows, format: { parse: { day: "date" } } } } },
      { type: "area", spec: folded },
      { type: "table", spec: null },
    ]);
  });
  it("begin with the table where that is what suits", () => {
    const asTable = { ...chart, type: "table", vega_lite: null };
    const heatMap = { type: "heat_map", vega_lite: { mark: "rect", data: { values: rows } } };
    expect(chartOptions({ ...asTable, alternatives: [heatMap] }, data)).toEqual([
      { type: "table", spec: null },
      { type: "heat_map", spec: heatMap.vega_lite },
    ]);
    expect(chartOptions(asTable, data)).toEqual([]);
  });
  it("are none of figures, of nothing, and of an answer without a chart", () => {
    expect(chartOptions({ ...chart, type: "number" }, data)).toEqual([]);
    expect(chartOptions(chart, { ...data, rows: [] })).toEqual([]);
    expect(chartOptions(null, data)).toEqual([]);
  });
});
