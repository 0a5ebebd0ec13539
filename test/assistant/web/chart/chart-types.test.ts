import { describe, expect, it } from "vitest";
import { looksOf } from "../../../../assistant/web/chart/chart-types.ts";
import type { ChartSuggestion, Data } from "../../../../assistant/web/wire.ts";

const rows = [{ day: "2026-10-01", calls: 12 }];
const data: Data = { columns: [], rows, row_count: 1, truncated: false };
const line = { mark: "line", data: { values: rows } };
const chart: ChartSuggestion = { type: "line", x_axis: "day", y_axis: "calls", vega_lite: line, alternatives: [] };

describe("the looks of a chart", () => {
  it("are the suggested one, the others, and the table alone", () => {
    const folded = { mark: "area", data: { values: [] } };
    const alternatives = [
      { type: "bar", vega_lite: { mark: "bar", data: { format: { parse: { day: "date" } } } } },
      { type: "area", vega_lite: folded },
    ];
    expect(looksOf({ ...chart, alternatives }, data)).toEqual([
      { type: "line", spec: line },
      { type: "bar", spec: { mark: "bar", data: { values: rows, format: { parse: { day: "date" } } } } },
      { type: "area", spec: folded },
      { type: "table", spec: null },
    ]);
  });
  it("begin with the table where that is what suits", () => {
    const asTable = { ...chart, type: "table", vega_lite: null };
    const heatMap = { type: "heat_map", vega_lite: { mark: "rect", data: { values: rows } } };
    expect(looksOf({ ...asTable, alternatives: [heatMap] }, data)).toEqual([
      { type: "table", spec: null },
      { type: "heat_map", spec: heatMap.vega_lite },
    ]);
    expect(looksOf(asTable, data)).toEqual([]);
  });
  it("are none of figures, of nothing, and of an answer without a chart", () => {
    expect(looksOf({ ...chart, type: "number" }, data)).toEqual([]);
    expect(looksOf(chart, { ...data, rows: [] })).toEqual([]);
    expect(looksOf(null, data)).toEqual([]);
  });
});
