import { describe, expect, it } from "vitest";
import { formatTime } from "../../../assistant/web/format-time.ts";

describe("times", () => {
  it.each([
    ["2026-10-01", "day", "Oct 1, 2026"],
    ["2026-10-01T00:00:00", "day", "Oct 1, 2026"],
    ["2026-10-05 00:00:00", "week", "Oct 5, 2026"],
    ["2026-10-01", "month", "Oct 2026"],
    ["2026-10", "call_month", "Oct 2026"],
    ["2026-10-01", "quarter", "Q4 2026"],
    ["2026-01-01", "year", "2026"],
    ["2026-10-01T14:00:00", "hour", "Oct 1, 2026, 14:00"],
    ["2026-10-01T00:00:00", "hour", "Oct 1, 2026, 00:00"],
    ["2026-10-01 14:05:33.120", "started_at", "Oct 1, 2026, 14:05:33"],
    ["2026-10-01T14:05:33Z", "started_at", "Oct 1, 2026, 14:05:33 UTC"],
    ["2026-10-01T14:05:33-04:00", "started_at", "Oct 1, 2026, 14:05:33 -04:00"],
    ["2026-10-01", "started_at", "Oct 1, 2026"],
  ])("%s in %s reads %s", (text, column, expected) => {
    expect(formatTime(text, column)).toBe(expected);
  });

  it("the wall clock is not moved into the zone of the machine", () => {
    expect(formatTime("2026-03-29T02:30:00", "started_at")).toBe("Mar 29, 2026, 02:30");
  });

  it("what is not a time is shown as it is", () => {
    expect(formatTime("yesterday", "day")).toBe("yesterday");
  });
});
