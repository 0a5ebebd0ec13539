import { describe, expect, it } from "vitest";
import { readPeriod } from "../../../../assistant/planner/period/period.ts";
import { plan, toLine } from "../plan-line.ts";

/** Saturday, 10:00 in New York. */
const now = Date.parse("2026-11-21T15:00:00Z");
const read = (text: string) => {
  const found = readPeriod(text.split(" "), now, "America/New_York");
  return found?.period && `${found.words} ${found.period.from} ${found.period.to}`;
};

describe("a named day", () => {
  it.each([
    ["halloween", "1 2026-10-31T04:00:00.000Z 2026-11-01T04:00:00.000Z"],
    ["labor day weekend", "3 2026-09-05T04:00:00.000Z 2026-09-08T04:00:00.000Z"],
    ["memorial day", "2 2026-05-25T04:00:00.000Z 2026-05-26T04:00:00.000Z"],
    ["veterans day", "2 2026-11-11T05:00:00.000Z 2026-11-12T05:00:00.000Z"],
    ["black friday last year", "4 2025-11-28T05:00:00.000Z 2025-11-29T05:00:00.000Z"],
    ["thanksgiving weekend 2025", "3 2025-11-27T05:00:00.000Z 2025-12-01T05:00:00.000Z"],
    ["cyber monday", "2 2025-12-01T05:00:00.000Z 2025-12-02T05:00:00.000Z"],
    ["mothers day", "2 2026-05-10T04:00:00.000Z 2026-05-11T04:00:00.000Z"],
  ])("is the most recent one unless its year is said: %s", (text, period) => expect(read(text)).toBe(period));

  it.each([
    ["mothers day", "Mother's Day 2026-05-10"],
    ["st patricks day", "St. Patrick's Day 2026-03-17"],
    ["new year's eve", "New Year's Eve 2025-12-31"],
    ["christmas", "Christmas 2025-12-25"],
    ["labor day weekend", "Labor Day weekend 2026-09-07"],
  ])("is written as people write it: %s", (text, label) =>
    expect(toLine(plan(`calls ${text}`))).toBe(`calls: calls | ${label}`),
  );
});

describe("a part of a day", () => {
  it.each([
    ["this morning", "2 2026-11-21T11:00:00.000Z 2026-11-21T15:00:00.000Z"],
    ["last night", "2 2026-11-20T23:00:00.000Z 2026-11-21T11:00:00.000Z"],
    ["sunday night", "2 2026-11-15T23:00:00.000Z 2026-11-16T11:00:00.000Z"],
    ["day after thanksgiving", "3 2025-11-28T05:00:00.000Z 2025-11-29T05:00:00.000Z"],
    ["last evening", "2 2026-11-20T23:00:00.000Z 2026-11-21T05:00:00.000Z"],
  ])("is as long as it has lasted: %s", (text, period) => expect(read(text)).toBe(period));

  it.each([
    ["calls by hour yesterday afternoon", "calls: calls by hour | yesterday afternoon"],
    ["calls on monday morning", "calls: calls | Monday 2026-11-16 morning"],
    ["calls on monday mornings", "calls: calls | day_of_week is Monday | part_of_day is morning"],
    ["calls tonight", "refused: Tonight lies in the future; I can only report on what has happened."],
  ])("goes with the day that is named: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

  it.each(["calls at night", "calls on weeknights last week"])(
    "is asked back where nobody knows when it is: %s",
    (question) => {
      const outcome = plan(question);
      if (outcome.kind !== "clarify") throw new Error(toLine(outcome));
      expect(outcome.options.map((text) => plan(text).kind)).not.toContain("refused");
    },
  );
});

describe("a date with its weekday", () => {
  it.each(["calls on Tuesday, November 17", "calls on tues nov 17", "calls on Tuesday the 17th of November"])(
    "is one day: %s",
    (question) => expect(toLine(plan(question))).toMatch(/^calls: calls \| 2026-11-17$/),
  );
  it("is none where the day has another", () =>
    expect(toLine(plan("calls on Monday, November 17"))).toMatch(
      /^(refused|clarify): I do not know “Monday , November 17”/,
    ));
});
