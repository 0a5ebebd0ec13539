import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toSay } from "../../../assistant/chart/bucket-labels.ts";
import { suggestChart } from "../../../assistant/chart/chart.ts";
import { suggestFromTypes } from "../../../assistant/chart/from-types.ts";
import { toShape } from "../../../assistant/chart/shape.ts";
import { compilePlan } from "../../../assistant/compile/compile.ts";
import { duckdbDialect } from "../../../assistant/compile/dialect-duckdb.ts";
import { planSchema, type RunningGrain, runningGrains } from "../../../assistant/plan.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";
import { orgOne } from "../../make.ts";
import { openEmptyWarehouse } from "../../migrated-files.ts";
import { aCall } from "../example-data.ts";
import { drawOnPage } from "./draw-on-page.ts";
import { many, rate, shape, weekday } from "./make-shape.ts";

const labelsOf = async (chart: { readonly vega_lite: object | null }, widthPx?: number) => {
  const drawn = await drawOnPage(chart.vega_lite ?? {}, widthPx);
  expect(drawn.warnings).toEqual([]);
  return drawn;
};

const weeks = many(13, (index) => ({ week: new Date(Date.UTC(2026, 7, 24 + 7 * index)).toISOString().slice(0, 10) }));

describe("a time axis", () => {
  it("of weeks is labelled by their Mondays", async () => {
    const { labels } = await labelsOf(suggestChart(shape({ grain: "week", rows: weeks })));
    expect(labels("bottom").slice(0, 3)).toEqual(["Aug 24", "Aug 31", "Sep 7"]);
  });
  it("has each month once", async () => {
    const rows = many(4, (index) => ({ month: `2026-${String(8 + index).padStart(2, "0")}` }));
    const { labels } = await labelsOf(suggestChart(shape({ grain: "month", rows })));
    expect(labels("bottom")).toEqual(["Aug 2026", "Sep 2026", "Oct 2026", "Nov 2026"]);
  });
  it("keeps hours without a value", async () => {
    const rows = many(24, (index) => ({ hour_of_day: index, rate: index < 6 ? null : index }));
    const { domain } = await labelsOf(suggestChart(shape({ grain: "hour_of_day", figures: [rate], rows })));
    expect(domain("x")).toEqual(Array.from({ length: 24 }, (_, hour) => `${hour}:00`));
  });
  it("keeps hours without a value in a heat map, and in one of two periods", async () => {
    const hours = [3, 4, 9].map((hour_of_day) => ({ hour_of_day, calls: hour_of_day, day_of_week: "Monday" }));
    const map = suggestChart(shape({ grain: "hour_of_day", categories: [weekday], rows: hours }));
    const bars = suggestChart(shape({ grain: "hour_of_day", rows: hours }));
    for (const chart of [map, bars]) expect((await labelsOf(chart)).domain("x")).toHaveLength(24);
  });
  it("says bars as it says lines", async () => {
    const given = shape({
      grain: "day",
      rows: many(40, (index) => ({
        day: `2026-0${9 + Math.floor(index / 30)}-${String(1 + (index % 30)).padStart(2, "0")}`.replace("-010", "-10"),
      })),
    });
    for (const requested of ["line", "bar", "area"] as const) {
      const { labels } = await labelsOf(suggestChart({ ...given, requested }));
      expect(labels("bottom")).toEqual(["Sep 7", "Sep 14", "Sep 21", "Sep 28", "Oct 5"]);
    }
  });
  it("tells days of several years, and hours of several days, on a second line", async () => {
    const days = ["2025-12-31", "2026-01-01", "2026-01-02", "2026-01-03"].map((day) => ({ day, calls: 1 }));
    const hours = many(48, (index) => ({
      hour: `2026-11-0${1 + Math.floor(index / 24)} ${String(index % 24).padStart(2, "0")}:00`,
    }));
    expect((await labelsOf(suggestChart(shape({ grain: "day", rows: days })))).labels("bottom")[0]).toBe("Dec 31 2025");
    const { labels } = await labelsOf(suggestChart(shape({ grain: "hour", rows: hours })));
    expect(labels("bottom").slice(0, 2)).toEqual(["00:00 Nov 1", "03:00 Nov 1"]);
  });
  it("has fewer labels where there is less room, none of them over another", async () => {
    for (const widthPx of [300, 390, 700, 1280]) {
      const { labels } = await labelsOf(suggestChart(shape({ grain: "week", rows: weeks })), widthPx);
      expect(labels("bottom").length).toBeGreaterThan(1);
    }
  });
  it("of the rows of a SELECT has the buckets that the SELECT left out, in the zone that it names", async () => {
    const months = ["2026-03-01", "2026-04-01", "2026-07-01"];
    const chart = suggestFromTypes({
      columns: [
        { name: "since", type: "time", unit: null },
        { name: "talk_time", type: "integer", unit: "seconds" },
      ],
      rows: months.map((since) => ({ since: `${since}T00:00:00.000Z`, talk_time: 5400 })),
      truncated: false,
      zone: "America/New_York",
    });
    const { labels, svg } = await labelsOf(chart);
    expect(labels("bottom")).toEqual(["Mar 2026", "Apr 2026", "May 2026", "Jun 2026", "Jul 2026"]);
    expect(svg).toContain("Month (America/New_York)");
    expect(labels("left")).toContain("1 h");
  });
  it("of the rows of a SELECT with figures of two units is two", () => {
    const rows = ["2026-03-01", "2026-04-01", "2026-05-01", "2026-06-01"].map((since, calls) => ({
      since: `${since}T00:00:00.000Z`,
      calls,
      revenue: 10 * calls,
    }));
    const columns = [
      { name: "since", type: "time", unit: null },
      { name: "calls", type: "integer", unit: "count" },
      { name: "revenue", type: "number", unit: "money" },
    ] as const;
    expect(suggestFromTypes({ columns, rows, truncated: false, zone: "UTC" }).vega_lite?.["vconcat"]).toHaveLength(2);
  });
});

const hourMs = 3_600_000;
const longest: Readonly<Record<RunningGrain, number>> = {
  hour: 200 * hourMs,
  day: 200 * 24 * hourMs,
  week: 600 * 24 * hourMs,
  month: 1000 * 24 * hourMs,
  quarter: 2000 * 24 * hourMs,
  year: 4000 * 24 * hourMs,
};
const zones = [
  "UTC",
  "America/New_York",
  "America/St_Johns",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "Pacific/Chatham",
  "America/Sao_Paulo",
];

/** The buckets of a period by the calendar of the zone alone, at steps that no bucket fits between. */
function bucketsByCalendar(grain: RunningGrain, { from, to, zone }: { from: number; to: number; zone: string }) {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "short",
    hourCycle: "h23",
  });
  const found = new Set<string>();
  const stepMs = grain === "hour" ? 900_000 : hourMs;
  const times = Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, index) => from + index * stepMs);
  for (const at of [...times, to - 1]) {
    const [date = "", time = ""] = format.format(at).split(", ");
    const [year = "", month = ""] = date.split("-");
    const day = new Date(date);
    const monday = new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * 24 * hourMs).toISOString().slice(0, 10);
    const label = {
      hour: `${date} ${time.slice(0, 2)}:00`,
      day: date,
      week: monday,
      month: `${year}-${month}`,
      quarter: `${year}-Q${Math.ceil(Number(month) / 3)}`,
      year,
    };
    found.add(label[grain]);
  }
  return [...found];
}

describe("a time axis of an answer", () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openEmptyWarehouse();
    const at = ["2015-01-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"];
    const values = at.map((started_at, index) =>
      JSON.stringify({ ...aCall(index, orgOne), started_at, id: `e-${index}`, call_id: `c-${index}` }),
    );
    await warehouse.store({ topic: "call-events", partition: 0, firstOffset: 0, nextOffset: values.length, values });
  });
  afterAll(() => warehouse.close());

  const asked = fc
    .record({
      grain: fc.constantFrom(...runningGrains),
      zone: fc.constantFrom(...zones),
      from: fc.integer({ min: 0, max: 4 * 366 * 24 * 4 }).map((quarter) => Date.UTC(2023, 0) + quarter * 900_000),
      part: fc.double({ min: 0.001, max: 1, noNaN: true }),
      requested: fc.constantFrom("line", "bar", null),
    })
    .map(({ part, ...given }) => ({
      ...given,
      to: given.from + Math.ceil((part * longest[given.grain]) / 900_000) * 900_000,
    }));

  it("has every bucket of its period once, in order, in the organization's zone, and no label twice", {
    tags: ["slow"],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ grain, zone, from, to, requested }) => {
        const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), label: "then" };
        const none = { dimensions: [], filters: [], having: [], columns: [], compare: null, order: null, limit: null };
        const given = { ...none, subject: "calls", measures: ["calls"], grain, zone, period, chart: requested };
        const plan = planSchema.parse(given);
        const result = await warehouse.query(compilePlan(plan, orgOne, { dialect: duckdbDialect }));
        const drawn = await labelsOf(suggestChart(toShape(plan, [], result)));
        const buckets = bucketsByCalendar(grain, { from, to, zone });
        if (buckets.length === 1) return;
        const said = buckets.map(toSay(grain, buckets));
        expect(drawn.domain("x")).toEqual(said);
        const labels = drawn.labels("bottom");
        expect(new Set(labels).size).toBe(labels.length);
        expect(labels.length).toBeGreaterThan(0);
        for (const label of labels)
          expect(
            said.some((each) => sameLabel(each, label)),
            label,
          ).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

/** A label has the words of its bucket, on one line or on two; hours of one day do without the day. */
const sameLabel = (bucket: string, label: string): boolean =>
  bucket.endsWith(label) || wordsOf(bucket) === wordsOf(label);
const wordsOf = (text: string): string => text.split(/,? /).toSorted().join(" ");
