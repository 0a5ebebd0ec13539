import { describe, expect, it } from "vitest";
import { readPeriodWords } from "../../../../assistant/standing-plan.ts";
import { dayAfterKey, weeksOf } from "../../../../assistant/web/period/days.ts";
import {
  between,
  datesOf,
  endsWords,
  isPast,
  questionSpans,
  recordSpans,
  spanOf,
  spanParameters,
  spanWords,
} from "../../../../assistant/web/period/spans.ts";

// Half past eight in the evening of Sunday the 22nd in New York.
const at = { nowMs: Date.parse("2026-11-23T01:30:00Z"), zone: "America/New_York" };
const noEnds = { from: "", to: "" };

describe("a span of records", () => {
  it.each([
    ["1", "2026-11-23T00:30:00.000Z", null],
    ["today", "2026-11-22T05:00:00.000Z", null],
    ["yesterday", "2026-11-21T05:00:00.000Z", "2026-11-22T05:00:00.000Z"],
    ["168", "2026-11-15T05:00:00.000Z", null],
    ["720", "2026-10-23T04:00:00.000Z", null],
    ["week", "2026-11-16T05:00:00.000Z", null],
    ["last_week", "2026-11-09T05:00:00.000Z", "2026-11-16T05:00:00.000Z"],
    ["month", "2026-11-01T04:00:00.000Z", null],
    ["last_month", "2026-10-01T04:00:00.000Z", "2026-11-01T04:00:00.000Z"],
    ["quarter", "2026-10-01T04:00:00.000Z", null],
    ["last_quarter", "2026-07-01T04:00:00.000Z", "2026-10-01T04:00:00.000Z"],
    ["", null, null],
  ])("%s is of the organization's zone", (hours, start, end) => {
    expect(spanOf({ hours, ...noEnds }, at)).toEqual({ start, end });
    expect(isPast({ hours, ...noEnds })).toBe(end !== null);
  });

  it("counts hours by time while the clocks are changed", () => {
    const changed = { nowMs: Date.parse("2026-11-01T12:00:00Z"), zone: "America/New_York" };
    expect(spanOf({ hours: "24", ...noEnds }, changed).start).toBe("2026-10-31T12:00:00.000Z");
  });

  it("has the ends that are given, whichever is named first, and open ones", () => {
    const [from, to] = ["2026-11-20T10:00", "2026-11-21T10:00"];
    const asked = { start_date: "2026-11-20T10:00:00.000Z", end_date: "2026-11-21T10:00:00.000Z" };
    expect(spanParameters({ hours: between, from, to }, at)).toEqual(asked);
    expect(spanParameters({ hours: between, from: to, to: from }, at)).toEqual(asked);
    expect(spanParameters({ hours: between, from, to: "" }, at)).toEqual({ start_date: asked.start_date });
    expect(spanParameters({ hours: between, ...noEnds }, at)).toEqual({});
  });

  it("says its dates, the last day included", () => {
    const dates = Object.fromEntries(recordSpans.map((span) => [span.value, datesOf(span, at)]));
    expect(dates).toMatchObject({
      "1": "",
      today: "Nov 22, 2026",
      week: "Nov 16 – 22, 2026",
      last_month: "Oct 1 – 31, 2026",
      last_quarter: "Jul 1 – Sep 30, 2026",
    });
    expect(endsWords({ from: "2026-11-01T04:00", to: "2026-11-21T05:00" }, at.zone)).toBe("Nov 1 – 20, 2026");
    expect(endsWords({ from: "2026-11-01T04:00", to: "" }, at.zone)).toBe("since Nov 1, 2026");
    expect(endsWords(noEnds, at.zone)).toBe("");
  });

  it("is named in a sentence", () => {
    expect(["24", "168", "last_month", between].map((hours) => spanWords({ hours }))).toEqual([
      "in the last 24 hours",
      "in the last 7 days to now",
      "last month",
      "in this period",
    ]);
  });
});

it.each(questionSpans)(
  "the span $value of a question is what the assistant reads in its words",
  ({ label, bounds }) => {
    const read = readPeriodWords(label, { now: at.nowMs, zone: "UTC" });
    const { start, end } = bounds(at.nowMs);
    expect(read).toMatchObject({
      from: new Date(start).toISOString(),
      to: new Date(end ?? at.nowMs).toISOString(),
    });
  },
);

it.each(["Last 7 days to now", "Last 30 days to now"])("%s is the same in a list and in a question", (label) => {
  const span = recordSpans.find((each) => each.label === label);
  expect(readPeriodWords(label, { now: at.nowMs, zone: "UTC" })?.from).toBe(
    new Date(span?.bounds(at.nowMs).start ?? 0).toISOString(),
  );
});

it("a month of the calendar is whole weeks from Monday on", () => {
  const weeks = weeksOf(Date.UTC(2026, 10, 1));
  expect(weeks).toHaveLength(6);
  expect(weeks.every((week) => week.length === 7)).toBe(true);
  expect(weeks[0]?.[0]).toBe(Date.UTC(2026, 9, 26));
  expect(weeks.at(-1)?.at(-1)).toBe(Date.UTC(2026, 11, 6));
});

it.each([
  ["ArrowLeft", false, "2026-11-29"],
  ["ArrowDown", false, "2026-12-07"],
  ["Home", false, "2026-11-30"],
  ["End", false, "2026-12-06"],
  ["PageUp", false, "2026-10-30"],
  ["PageDown", true, "2027-11-30"],
])("%s moves through the calendar", (key, shiftKey, day) => {
  expect(dayAfterKey(Date.UTC(2026, 10, 30), { key, shiftKey })).toBe(Date.parse(day));
});

it("a month that is shorter ends the move at its last day", () => {
  expect(dayAfterKey(Date.UTC(2026, 9, 31), { key: "PageDown", shiftKey: false })).toBe(Date.UTC(2026, 10, 30));
  expect(dayAfterKey(0, { key: "a", shiftKey: false })).toBeNull();
});
