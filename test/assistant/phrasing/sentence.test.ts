import { describe, expect, it } from "vitest";
import { parsePlan } from "../../../assistant/parse-plan.ts";
import { toSentence } from "../../../assistant/phrasing/sentence.ts";
import type { Plan } from "../../../assistant/plan.ts";
import type { Row } from "../../../warehouse/warehouse.ts";
import { aPlan } from "../a-plan.ts";

function say(plan: Partial<Plan>, rows: readonly Row[]): string {
  const parsed = parsePlan(aPlan({ zone: "UTC", ...plan }));
  if (parsed === null) throw new Error("The test's plan is none.");
  return toSentence(parsed, { rows, truncated: false });
}
const untilNoon = { from: "2026-11-01T00:00:00.000Z", to: "2026-11-03T12:00:00.000Z", label: "this month" };
const days = (figures: readonly number[], name = "calls"): Row[] =>
  figures.map((figure, index) => ({ day: `2026-11-0${index + 1}`, calls: 1, [name]: figure }));

describe("a sentence", () => {
  it("names no part of a bucket the lowest, and says that it is a part", () => {
    expect(say({ grain: "day", period: untilNoon }, days([30, 20, 5]))).toMatch(
      /: highest Nov 1, 30; lowest Nov 2, 20; of Nov 3 only a part, 5; in all 55\.$/,
    );
    const whole = { ...untilNoon, to: "2026-11-04T00:00:00.000Z" };
    expect(say({ grain: "day", period: whole }, days([30, 20, 5]))).toMatch(/lowest Nov 3, 5; in all 55\.$/);
    const fromNoon = { ...whole, from: "2026-11-01T12:00:00.000Z" };
    expect(say({ grain: "day", period: fromNoon }, days([1, 20, 5]))).toMatch(
      /: highest Nov 2, 20; lowest Nov 3, 5; of Nov 1 only a part, 1; in all 26\.$/,
    );
  });
  it("tells where a running total has come to", () => {
    expect(say({ grain: "day", period: untilNoon, running: "total" }, days([30, 50, 55], "calls_running"))).toMatch(
      /: 55 by Nov 3\.$/,
    );
  });
  it("tells no change of what has nothing before it", () => {
    const rows = [
      { day: "2026-11-01", calls: 10, calls_change: null },
      { day: "2026-11-02", calls: 12, calls_change: 20 },
    ];
    expect(say({ grain: "day", running: "change" }, rows)).toMatch(
      /highest Nov 2, 2026, 12 \(\+20%\); lowest Nov 1, 2026, 10\.$/,
    );
  });
  it("parts a name that ends in a digit from its figures, and lists figures as a list", () => {
    const measures = ["calls", "converted_calls", "revenue"];
    const rows = [{ campaign: "Medicare Q4", calls: 10, converted_calls: 4, revenue: 60 }];
    expect(say({ dimensions: ["campaign"], measures }, rows)).toMatch(
      /^Calls, converted calls and revenue by campaign over all data: Medicare Q4: 10, 4 and \$60\.00\.$/,
    );
  });
  it("leaves out seconds and minutes that there are none of", () => {
    expect(say({ measures: ["avg_duration"] }, [{ avg_duration: 300 }])).toBe(
      "Average duration over all data was 5 min.",
    );
    expect(say({ measures: ["p91_duration"] }, [{ p91_duration: 3600 }])).toBe(
      "91st percentile duration over all data was 1 h.",
    );
  });
  it.each<[string, Partial<Plan>, readonly Row[], string]>([
    ["a count before its noun", {}, [{ calls: 17_907 }], "17,907 calls over all data."],
    ["one in the singular", {}, [{ calls: 1 }], "1 call over all data."],
    [
      "several figures in a row",
      { measures: ["calls", "margin"] },
      [{ calls: 2, margin: 30 }],
      "2 calls and margin 30% over all data.",
    ],
    [
      "both figures and both spans of a comparison",
      {
        period: { from: "2026-11-02T00:00:00.000Z", to: "2026-11-09T00:00:00.000Z", label: "last week" },
        compare: { from: "2025-12-29T00:00:00.000Z", to: "2026-01-05T00:00:00.000Z", label: "that week" },
      },
      [{ calls: 12, calls_before: 10, calls_change: 20 }],
      "12 calls (10, +20%) last week (Nov 2 – 8, 2026) against that week (Dec 29, 2025 – Jan 4, 2026).",
    ],
    [
      "the length that a list was asked for",
      { measures: [], columns: ["call_id", "duration"], order: { by: "duration", direction: "desc" }, limit: 1 },
      [{ call_id: "a", duration: 2472 }],
      "The longest call over all data was 41 min 12 s.",
    ],
    [
      "of several groups which stretches are cut, once each",
      { grain: "day", dimensions: ["campaign"], period: untilNoon },
      [1, 2, 3].flatMap((day) => ["A", "B"].map((campaign) => ({ day: `2026-11-0${day}`, campaign, calls: day }))),
      "Calls by day and campaign this month (Nov 1 – 3, 2026, until 12:00): highest Nov 2, A, 2; lowest Nov 1, B, 1; of Nov 3 only a part; in all 12.",
    ],
    [
      "figures over groups by their name",
      { grain: "day", period: untilNoon, over_groups: ["average", "least", "most"] },
      [{ calls_average: 18.5, calls_least: 5, calls_most: 30 }],
      "Average calls per day 18.5, least calls in a day 5 and most calls in a day 30 this month (Nov 1 – 3, 2026, until 12:00); Nov 3 counts with a part only.",
    ],
    [
      "of conditions which of them may hold alone",
      {
        filters: [
          { field: "failed", op: "is", values: [true], or: [{ field: "duration", op: "less_than", values: [10] }] },
          { field: "state", op: "is", values: ["TX"] },
        ],
      },
      [{ calls: 3 }],
      "3 calls over all data where (failed or duration under 10 s) and state is TX.",
    ],
    [
      "what the first few groups have together",
      {
        measures: ["revenue"],
        dimensions: ["publisher"],
        order: { by: "revenue", direction: "desc" },
        limit: 3,
        over_groups: ["total", "share"],
      },
      [{ revenue_total: 500, revenue_share: 62.5 }],
      "62.5% ($500.00) of revenue came from the top 3 publishers over all data.",
    ],
    [
      "how many groups there are",
      {
        dimensions: ["publisher"],
        having: [{ field: "calls", op: "more_than", values: [10] }],
        over_groups: ["count"],
      },
      [{ groups: 1 }],
      "1 publisher over all data where calls over 10.",
    ],
  ])("says %s", (_what, plan, rows, sentence) => {
    expect(say(plan, rows)).toBe(sentence);
  });
  it.each([
    ["last 90 days", "2026-08-24", "2026-11-22", "in the last 90 days (Aug 24 – Nov 21, 2026)"],
    ["2026-11-20", "2026-11-20", "2026-11-21", "on Nov 20, 2026"],
    ["2026-11-03 to 2026-11-08", "2026-11-03", "2026-11-09", "Nov 3 – 8, 2026"],
    ["since 2026-11-01", "2026-11-01", "2026-11-22", "since Nov 1, 2026 (Nov 1 – 21, 2026)"],
    ["Thanksgiving 2025-11-27", "2025-11-27", "2025-11-28", "on Thanksgiving Nov 27, 2025"],
    ["October 2026", "2026-10-01", "2026-11-01", "in October 2026 (Oct 1 – 31, 2026)"],
    ["last night", "2026-11-20T18:00", "2026-11-21T06:00", "last night (Nov 20, 2026, 18:00 – Nov 21, 2026, 06:00)"],
    ["last 2 hours", "2026-11-21T08:00", "2026-11-21T10:00", "in the last 2 hours (Nov 21, 2026, 08:00 – 10:00)"],
  ])("says when: %s", (label, from, to, said) => {
    const iso = (time: string) => `${time.length === 10 ? `${time}T00:00` : time}:00.000Z`;
    expect(say({ period: { label, from: iso(from), to: iso(to) } }, [{ calls: 2 }])).toBe(`2 calls ${said}.`);
  });
});
