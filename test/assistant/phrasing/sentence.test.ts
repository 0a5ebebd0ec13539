import { describe, expect, it } from "vitest";
import { parsePlan } from "../../../assistant/parse-plan.ts";
import { toSentence } from "../../../assistant/phrasing/sentence.ts";
import type { Plan } from "../../../assistant/plan.ts";
import type { Row } from "../../../warehouse/warehouse.ts";

const base = {
  subject: "calls",
  measures: ["calls"],
  dimensions: [],
  grain: null,
  filters: [],
  having: [],
  period: null,
  zone: "UTC",
  compare: null,
  order: null,
  limit: null,
  columns: [],
};
function say(plan: Partial<Plan>, rows: readonly Row[]): string {
  const parsed = parsePlan({ ...base, ...plan });
  if (parsed === null) throw new Error("The test's plan is none.");
  return toSentence(parsed, { rows, truncated: false });
}
const untilNoon = { from: "2026-11-01T00:00:00.000Z", to: "2026-11-03T12:00:00.000Z", label: "this month" };
const days = (figures: readonly number[], name = "calls"): Row[] =>
  figures.map((figure, index) => ({ day: `2026-11-0${index + 1}`, calls: 1, [name]: figure }));

describe("a sentence", () => {
  it("names no part of a bucket the lowest, and says that it is a part", () => {
    expect(say({ grain: "day", period: untilNoon }, days([30, 20, 5]))).toMatch(
      /: highest 2026-11-01, 30; lowest 2026-11-02, 20; of 2026-11-03 only a part, 5; in all 55\.$/,
    );
    const whole = { ...untilNoon, to: "2026-11-04T00:00:00.000Z" };
    expect(say({ grain: "day", period: whole }, days([30, 20, 5]))).toMatch(/lowest 2026-11-03, 5; in all 55\.$/);
    const fromNoon = { ...whole, from: "2026-11-01T12:00:00.000Z" };
    expect(say({ grain: "day", period: fromNoon }, days([1, 20, 5]))).toMatch(
      /: highest 2026-11-02, 20; lowest 2026-11-03, 5; of 2026-11-01 only a part, 1; in all 26\.$/,
    );
  });
  it("tells where a running total has come to", () => {
    expect(say({ grain: "day", period: untilNoon, running: "total" }, days([30, 50, 55], "calls_running"))).toMatch(
      /: 55 by 2026-11-03\.$/,
    );
  });
  it("tells no change of what has nothing before it", () => {
    const rows = [
      { day: "2026-11-01", calls: 10, calls_change: null },
      { day: "2026-11-02", calls: 12, calls_change: 20 },
    ];
    expect(say({ grain: "day", running: "change" }, rows)).toMatch(
      /highest 2026-11-02, 12 \(\+20%\); lowest 2026-11-01, 10\.$/,
    );
  });
  it("parts a name that ends in a digit from its figures, and lists figures as a list", () => {
    const measures = ["calls", "converted_calls", "revenue"];
    const rows = [{ campaign: "Medicare Q4", calls: 10, converted_calls: 4, revenue: 60 }];
    expect(say({ dimensions: ["campaign"], measures }, rows)).toMatch(
      /^Calls, converted calls and revenue by campaign, over all data: Medicare Q4: 10, 4 and \$60\.00\.$/,
    );
  });
  it("leaves out seconds and minutes that there are none of", () => {
    expect(say({ measures: ["avg_duration"] }, [{ avg_duration: 300 }])).toBe(
      "Average duration: 5 min, over all data.",
    );
    expect(say({ measures: ["p91_duration"] }, [{ p91_duration: 3600 }])).toBe(
      "91st percentile duration: 1 h, over all data.",
    );
  });
});
