import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parsePlan } from "../../../assistant/parse-plan.ts";
import { grains } from "../../../assistant/plan.ts";
import { chartOptions } from "../../../assistant/web/chart/chart-spec.ts";
import { answerSchema } from "../../../assistant/web/wire.ts";
import { orgOne } from "../../make.ts";
import { type Example, openExample } from "../example-assistant.ts";
import { zone } from "../example-data.ts";
import { drawOnPage } from "./draw-on-page.ts";

let example: Example;
beforeAll(async () => {
  example = await openExample();
});
afterAll(() => example.close());

const one = <T>(...all: readonly T[]) => fc.constantFrom(...all);
const october = { from: "2026-10-01T04:00:00.000Z", to: "2026-11-01T04:00:00.000Z", label: "October 2026" };
const year = { from: "2026-01-01T05:00:00.000Z", to: "2026-11-21T15:00:00.000Z", label: "this year" };
const september = { from: "2026-09-01T04:00:00.000Z", to: "2026-10-01T04:00:00.000Z", label: "September 2026" };
const measures = ["calls", "revenue", "payout", "profit", "conversion_rate", "average_duration", "talk_time"];
const dimensions = ["campaign", "publisher", "buyer", "state", "day_of_week", "hour_of_day", "bin:duration:60"];

const asked = fc
  .record({
    subject: one("calls"),
    measures: fc.uniqueArray(one(...measures), { minLength: 1, maxLength: 3 }),
    dimensions: fc.uniqueArray(one(...dimensions), { maxLength: 2 }),
    grain: fc.option(one(...grains)),
    filters: one([]),
    having: one([], [], [{ field: "calls", op: "more_than", values: [2] }]),
    period: one(october, year, null),
    zone: one(zone, "Asia/Kathmandu"),
    compare: one(null, null, september),
    direction: one(null, null, "asc", "desc"),
    limit: one(null, null, 3),
    columns: one([]),
    share: one(false, false, true),
    running: one(null, null, null, "total", "change"),
    chart: one(null, null, "bar", "line", "area", "pie", "heat_map", "scatter"),
  })
  .map(({ direction, ...given }) =>
    parsePlan({ ...given, order: direction === null ? null : { by: given.measures[0], direction } }),
  )
  .filter((plan) => plan !== null);

const foldsIn = (spec: unknown): readonly (readonly string[])[] => {
  if (typeof spec !== "object" || spec === null) return [];
  const own = "fold" in spec && Array.isArray(spec.fold) ? [spec.fold.map(String)] : [];
  return [...own, ...Object.values(spec).flatMap(foldsIn)];
};

it("the chart of any plan, and every other that is offered, is drawn, with one unit an axis and no label twice", {
  tags: ["slow"],
}, async () => {
  let drawn = 0;
  const property = fc.asyncProperty(asked, one(390, 1280), async (plan, widthPx) => {
    const answered = await example.assistant.ask({ orgId: orgOne, timeZone: zone, question: "", plan });
    const { chart_suggestion: chart, data } = answerSchema.parse(answered);
    const units = new Map(data.columns.map(({ name, unit }) => [name, unit]));
    for (const { type, spec } of chartOptions(chart, data)) {
      if (spec === null) continue;
      drawn += 1;
      const { warnings, labels } = await drawOnPage(spec, widthPx);
      expect(warnings, type).toEqual([]);
      for (const fold of foldsIn(spec)) expect(new Set(fold.map((name) => units.get(name))).size, type).toBe(1);
      // Panels share their time axis; names under a group may be under another group, too.
      const isRepeated = "vconcat" in spec || JSON.stringify(spec["encoding"]).includes('"line"');
      for (const shown of isRepeated ? [] : [labels("bottom"), labels("left")])
        expect(new Set(shown).size, `${type}: ${shown.join()}`).toBe(shown.length);
    }
  });
  await fc.assert(property, { numRuns: 200 });
  expect(drawn).toBeGreaterThan(40);
});
