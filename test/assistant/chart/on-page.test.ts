import { describe, expect, it } from "vitest";
import { suggestChart } from "../../../assistant/chart/chart.ts";
import { type Figure, type Shape, toShape } from "../../../assistant/chart/shape.ts";
import { type Plan, planSchema } from "../../../assistant/plan.ts";
import type { Row } from "../../../warehouse/warehouse.ts";
import { drawOnPage } from "./draw-on-page.ts";
import { buyer, calls, campaign, crossed, day, days, many, names, pairs, rate, shape, weekday } from "./make-shape.ts";

const duration: Figure = { name: "average_duration", label: "average duration", unit: "seconds", additive: false };
const talk: Figure = { name: "talk_time", label: "talk time", unit: "seconds", additive: true };

const draw = async (given: Partial<Shape>, widthPx?: number) => {
  const drawn = await drawOnPage(suggestChart(shape(given)).vega_lite ?? {}, widthPx);
  expect(drawn.warnings).toEqual([]);
  return drawn;
};
/** Names in an order that neither their letters nor their sizes have. */
const sizes: readonly (readonly [string, number])[] = [
  ["Beta", 2],
  ["Alpha", 7],
  ["Gamma", 5],
];
const sized = (grain: (index: number) => Row) =>
  many(30, (index) => {
    const [name = "", size = 0] = sizes[index % 3] ?? [];
    return { campaign: name, calls: size, ...grain(Math.floor(index / 3)) };
  });

describe("a legend", () => {
  it.each(["line", "area", "bar"] as const)("is by size, the largest first: %s", async (requested) => {
    const { legend } = await draw({
      grain: "day",
      categories: [campaign],
      rows: sized((index) => ({ day: day(index) })),
      requested,
    });
    expect(legend.map(({ name }) => name)).toEqual(["Alpha", "Gamma", "Beta"]);
  });
  it("is in the order of the stack, the largest part at the bottom", async () => {
    const { marks } = await draw({
      grain: "day",
      categories: [campaign],
      rows: sized((index) => ({ day: day(index) })),
      requested: "bar",
    });
    const first = marks("rect").filter(({ x }) => x === marks("rect")[0]?.x);
    const fromBelow = first.toSorted((a, b) => Number(b.y) - Number(a.y)).map(({ height }) => height);
    expect(fromBelow).toEqual(fromBelow.toSorted((a, b) => Number(b) - Number(a)));
  });
  it("has the rest last, in grey", async () => {
    const rows = crossed(12, (index) => ({ day: day(index) })).map((row) => ({
      ...row,
      campaign: `S${row["campaign"]}`,
    }));
    const { legend } = await draw({ grain: "day", categories: [campaign], rows });
    expect(legend).toHaveLength(8);
    // The eighth of the page's series is its grey.
    expect(legend.at(-1)).toEqual({ name: "Other", colour: "var(--series-8)" });
    expect(legend.filter(({ colour }) => colour === "var(--series-8)")).toHaveLength(1);
  });
  it("adds a name that is Other by itself to the rest", async () => {
    const rows = crossed(12, (index) => ({ day: day(index) })).map((row) =>
      row["campaign"] === "C11" ? { ...row, campaign: "Other" } : row,
    );
    const { legend, marks } = await draw({ grain: "day", categories: [campaign], rows });
    expect(legend.map(({ name }) => name)).toEqual(["C10", "C9", "C8", "C7", "C6", "C5", "C4", "Other"]);
    expect(marks("symbol")).toHaveLength(80);
  });
});

describe("durations", () => {
  it("are said on their axis, at round steps", async () => {
    const rows = many(20, (index) => ({ day: day(index), average_duration: 100 + index * 5 }));
    const { labels } = await draw({ grain: "day", figures: [duration], rows });
    expect(labels("left")).toEqual(["0 s", "1 min", "2 min", "3 min"]);
  });
  it.each([
    [40, ["0 s", "10 s", "20 s", "30 s", "40 s"]],
    [400, ["0 s", "2 min", "4 min", "6 min"]],
    [57_000, ["0 s", "4 h", "8 h", "12 h"]],
    [400_000, ["0 s", "48 h", "96 h"]],
  ])("of up to %d s have a tick at each step", async (most, expected) => {
    const rows = many(20, (index) => ({ day: day(index), talk_time: (most * (index + 1)) / 20 }));
    expect((await draw({ grain: "day", figures: [talk], rows })).labels("left")).toEqual(expected);
  });
  it("of stacked parts go up to their sum", async () => {
    const rows = pairs(3, 3).map((row) => ({ ...row, talk_time: 4000 }));
    const { labels } = await draw({ categories: [campaign, buyer], figures: [talk], rows });
    expect(labels("bottom")).toEqual(["0 s", "1 h", "2 h", "3 h"]);
  });
  it("are said in tooltips as in the answer, for the rest of the names too", async () => {
    const rows = crossed(12, (index) => ({ day: day(index), talk_time: 90 }));
    const chart = suggestChart(shape({ grain: "day", categories: [campaign], figures: [talk], rows }));
    const data = chart.vega_lite?.["data"] as { values: readonly Row[] } | undefined;
    expect(new Set(data?.values.map((row) => row["talk_time_said"]))).toEqual(new Set(["1 min 30 s", "7 min 30 s"]));
    expect(chart.vega_lite).toMatchObject({
      encoding: { tooltip: expect.arrayContaining([expect.objectContaining({ field: "talk_time_said" })]) },
    });
  });
  it("are said in the legend of a heat map", async () => {
    const rows = many(168, (index) => ({ hour_of_day: index % 24, day_of_week: "Monday", average_duration: index }));
    const { svg } = await draw({ grain: "hour_of_day", categories: [weekday], figures: [duration], rows });
    expect(svg).toMatch(/>1 min 30 s<|>2 min</);
  });
});

describe("names within names", () => {
  it("are bars under their group, without empty cells", async () => {
    const { labels, marks } = await draw({ categories: [campaign, buyer], rows: names(6) });
    expect(labels("left")).toEqual(["C5", "B2", "C4", "B1", "C3", "B0", "C2", "B2", "C1", "B1", "C0", "B0"]);
    expect(marks("rect")).toHaveLength(6);
  });
  it("are a heat map where most pairs have a figure, the largest first", async () => {
    const { labels } = await draw({ categories: [campaign, buyer], rows: pairs(14, 3) });
    expect([labels("left").slice(0, 2), labels("bottom")]).toEqual([
      ["C13", "C12"],
      ["B2", "B1", "B0"],
    ]);
  });
  it("are bars under their group where each group has a ranking of its own", async () => {
    const rows = many(9, (index) => ({ month: `2026-0${7 + Math.floor(index / 3)}`, publisher: `P${index % 4}` }));
    const drawn = await answered({ grain: "month", dimensions: ["publisher"], limit: 3, limit_per: "month" }, rows);
    expect(drawn.labels("left")).toHaveLength(12);
    expect(drawn.labels("left").filter((label) => label.endsWith("2026"))).toEqual([
      "Jul 2026",
      "Aug 2026",
      "Sep 2026",
    ]);
  });
});

const answered = (given: Partial<Plan>, rows: readonly Row[]) => {
  const none = { filters: [], having: [], columns: [], compare: null, order: null, limit: null, period: null };
  const asked = { subject: "calls", measures: ["calls"], dimensions: [], zone: "UTC", ...none, ...given };
  const chart = suggestChart(toShape(planSchema.parse(asked), [], { rows, truncated: false }));
  return drawOnPage(chart.vega_lite ?? {});
};

describe("a ranking of buckets", () => {
  const ranked = ["2026-10-06", "2026-10-19", "2026-09-02", "2026-10-01"].map((each, index) => ({
    day: each,
    calls: 400 - index,
  }));
  it("is bars in its order, no line through days that it leaves out", async () => {
    const drawn = await answered({ grain: "day", order: { by: "calls", direction: "desc" }, limit: 4 }, ranked);
    expect(drawn.labels("left")).toEqual(["Oct 6", "Oct 19", "Sep 2", "Oct 1"]);
    expect(drawn.marks("rect")).toHaveLength(4);
  });
  it("of those that a condition leaves is bars with gaps, no line", async () => {
    const having = [{ field: "calls", op: "more_than" as const, values: [300] }];
    const drawn = await answered(
      { grain: "day", having },
      ranked.toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    );
    expect([drawn.domain("x").length, drawn.marks("rect").length]).toEqual([48, 4]);
  });
});

describe("parts of a whole", () => {
  it("of a pie have their percentages, the largest first", async () => {
    const { marks, legend } = await draw({ categories: [campaign], rows: names(4), requested: "pie" });
    expect(legend.map(({ name }) => name)).toEqual(["C3", "C2", "C1", "C0"]);
    expect(marks("text").map(({ text }) => text)).toEqual(expect.arrayContaining(["40%", "30%", "20%", "10%"]));
  });
  it("of bars have theirs beside them, and on the axis", async () => {
    const share = { ...rate, additive: true };
    const rows = many(3, (index) => ({ campaign: `C${index}`, rate: [57.14, 28.57, 14.29][index] ?? 0 }));
    const { marks, labels } = await draw({ categories: [campaign], figures: [share], isShare: true, rows });
    expect(marks("text").map(({ text }) => text)).toEqual(["57.1%", "28.6%", "14.3%"]);
    expect(labels("bottom").every((label) => label.endsWith("%"))).toBe(true);
  });
  it("below zero are no area", () => {
    const rows = crossed(3, (index) => ({ day: day(index), calls: -index }));
    const offered = (given: Partial<Shape>) =>
      suggestChart(shape({ grain: "day", figures: [calls], ...given })).alternatives?.map(({ type }) => type);
    expect(offered({ categories: [campaign], rows })).not.toContain("area");
    expect(offered({ rows: days(20) })).toContain("area");
  });
});

describe("long names that begin alike", () => {
  const long = ["2024", "2025", "2026"].map((year) => `Home Solar Northeast Premium Leads for Homeowners ${year}`);
  const rows = many(9, (index) => ({ campaign: long[index % 3] ?? "", buyer: `B${index}`, day: day(index) }));

  it.each([390, 1280])("are told apart along an axis, at %d px", async (widthPx) => {
    for (const categories of [[campaign], [campaign, buyer], [buyer, campaign]]) {
      const given = categories.length === 1 ? rows.slice(0, 3) : rows;
      const { labels } = await draw({ categories, rows: given }, widthPx);
      const shown = [...labels("left"), ...labels("bottom")].filter((label) => label.startsWith("Home"));
      expect(new Set(shown.map((label) => label.slice(-4)))).toEqual(new Set(["2024", "2025", "2026"]));
    }
  });
  it.each([390, 1280])("are told apart in a legend, at %d px", async (widthPx) => {
    const lines = rows.flatMap((row) => long.map((name, index) => ({ ...row, campaign: name, calls: index })));
    const { legend } = await draw({ grain: "day", categories: [campaign], rows: lines }, widthPx);
    expect(new Set(legend.map(({ name }) => name)).size).toBe(3);
  });
});
