import { describe, expect, it } from "vitest";
import { imageName, withColours, withTitle } from "../../../../assistant/web/chart/chart-file.ts";
import { datumAt, placeIn } from "../../../../assistant/web/chart/nearest-point.ts";

const points = [0, 100, 200].map((x) => ({ x, datum: { day: x } }));
const plot = { x: 30, mark: { marktype: "group" } };
const markOf = (marktype: string) => ({ datum: points[0]?.datum, mark: { marktype, items: points, group: plot } });

describe("a click in a chart", () => {
  it.each([
    [30 + 40, 0],
    [30 + 60, 100],
    [30 + 149, 100],
    [500, 200],
    [0, 0],
  ])("on a line at %s chooses the nearest point", (x, day) => {
    expect(datumAt(markOf("line"), [x, 5])).toEqual({ day });
    expect(datumAt(markOf("area"), [x, 5])).toEqual({ day });
  });

  it("on a single mark chooses it, and beside all marks none", () => {
    expect(datumAt({ datum: "bar", mark: { marktype: "rect", items: points } }, null)).toBe("bar");
    expect(datumAt(markOf("rule"), [40, 5])).toBeUndefined();
    expect(datumAt(markOf("line"), null)).toBeUndefined();
    expect(datumAt(null, [1, 1])).toBeUndefined();
  });

  it("is placed in the drawing's own pixels, however it is scaled", () => {
    const box = { left: 10, top: 20, width: 200 };
    const svg = { getBoundingClientRect: () => box, width: { baseVal: { value: 400 } } };
    expect(placeIn(svg, { clientX: 60, clientY: 30 }, [50, 5])).toEqual([50, 15]);
  });
});

describe("a chart's file", () => {
  it("is named after what it shows", () => {
    expect(imageName("Revenue by campaign, last month?", "png")).toBe("revenue-by-campaign-last-month.png");
    expect(imageName("¿Größe?", "svg")).toBe("größe.svg");
    expect(imageName("…", "png")).toBe("chart.png");
    expect(imageName("x".repeat(300), "png")).toHaveLength(84);
  });

  it("has its question as the title, and what the chart said of itself below", () => {
    expect(withTitle({ mark: "bar" }, "calls")).toEqual({ mark: "bar", title: { text: "Calls" } });
    expect(withTitle({ title: "20 of 33" }, "calls").title).toEqual({ text: "Calls", subtitle: "20 of 33" });
  });

  it("has colours of its own in place of the page's", () => {
    expect(withColours({ a: ["var(--ink)"], b: 1 }, (name) => `<${name}>`)).toEqual({ a: ["<--ink>"], b: 1 });
  });
});
