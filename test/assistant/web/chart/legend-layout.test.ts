import { describe, expect, it } from "vitest";
import { legendLayout } from "../../../../assistant/web/chart/legend-layout.ts";

const names = ["Auto Insurance - English", "Medicare Supplement Plans", "Home Solar"];
const rows = names.map((campaign) => ({ "a.b": campaign, calls: 1 }));
const lines = {
  data: { values: rows },
  mark: "line",
  encoding: { color: { field: "a\\.b", type: "nominal" } },
};

describe("the layout of a legend", () => {
  it("leaves the widest entry whole, and as many beside it as fit", () => {
    const { columns, labelLimit } = legendLayout(lines, 760);
    expect(labelLimit).toBeGreaterThan(25 * 6);
    expect(columns * (labelLimit + 36)).toBeLessThanOrEqual(690);
    expect((columns + 1) * (labelLimit + 36)).toBeGreaterThan(690);
  });
  it("is one column on a phone, and cuts only what is wider than the phone", () => {
    expect(legendLayout(lines, 330)).toEqual({ columns: 1, labelLimit: Math.ceil(25 * 7.4) });
    const long = { ...lines, encoding: { color: { field: "measure", type: "nominal", sort: ["x".repeat(90)] } } };
    expect(legendLayout(long, 330)).toEqual({ columns: 1, labelLimit: 224 });
  });
  it("stands beside the names on a phone, and is whole where it has room for that", () => {
    const key = { field: "status", type: "nominal", sort: ["completed", "failed"] };
    const bars = { encoding: { y: { field: "campaign", type: "nominal" }, color: key } };
    expect(legendLayout(bars, 330)).toEqual({ columns: 1, labelLimit: Math.ceil(9 * 7.4) });
    expect(legendLayout(bars, 760).columns).toBeGreaterThan(1);
  });
  it("counts the widest of all panels, and nothing for a scale of colours", () => {
    const panel = { encoding: { color: { field: "measure", type: "nominal", sort: ["calls, last month"] } } };
    expect(legendLayout({ ...lines, encoding: {}, vconcat: [{}, panel] }, 760).labelLimit).toBe(Math.ceil(17 * 7.4));
    expect(legendLayout({ encoding: { color: { field: "calls", type: "quantitative" } } }, 760).labelLimit).toBe(45);
  });
});
