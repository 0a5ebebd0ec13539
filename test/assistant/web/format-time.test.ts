import { describe, expect, it } from "vitest";
import {
  formatClock,
  formatMinute,
  formatShort,
  formatTime,
  hasInstants,
  minuteInZone,
  minuteOfUtc,
} from "../../../assistant/web/format-time.ts";
import type { Cell } from "../../../assistant/web/wire.ts";

const zone = "America/New_York";

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
    ["2026-10-01", "started_at", "Oct 1, 2026"],
  ])("%s in %s reads %s, as the organization's clocks have written it", (text, column, expected) => {
    expect(formatTime(text, { column, zone })).toBe(expected);
  });

  it.each([
    ["2026-10-01T14:05:33.120Z", "Oct 1, 2026, 10:05:33"],
    ["2026-10-01T14:05:33+02:00", "Oct 1, 2026, 08:05:33"],
    ["2026-11-01T03:00:00Z", "Oct 31, 2026, 23:00:00"],
    ["2026-11-02T03:00:00Z", "Nov 1, 2026, 22:00:00"],
    [Date.UTC(2026, 9, 1, 14), "Oct 1, 2026, 10:00:00"],
  ])("the instant %s is moved to the organization's clocks: %s", (cell, expected) => {
    expect(formatTime(cell, { column: "started_at", zone })).toBe(expected);
  });

  it("a bucket keeps its name, whatever its offset", () => {
    expect(formatTime("2026-10-01T00:00:00Z", { column: "day", zone })).toBe("Oct 1, 2026");
  });

  it("of a list leave the year out", () => {
    expect(formatShort("2026-11-21T19:38:48.120Z", zone)).toBe("Nov 21, 14:38:48");
    expect(formatShort("2026-11-21T19:38:00.000Z", zone)).toBe("Nov 21, 14:38:00");
  });

  it("of states are told to the minute, those of one day without the date", () => {
    expect(formatMinute("2026-11-21T19:38:48.120Z", zone)).toBe("Nov 21, 14:38");
    expect(formatClock("2026-11-21T19:38:00.000Z", zone)).toBe("14:38:00");
  });

  it("the wall clock is not moved into the zone of the machine", () => {
    expect(formatTime("2026-03-29T02:30:00", { column: "started_at", zone })).toBe("Mar 29, 2026, 02:30:00");
  });

  it("what is not a time is shown as it is", () => {
    expect(formatTime("yesterday", { column: "day", zone })).toBe("yesterday");
    expect(formatTime("2026-99-99T10:00:00Z", { column: "started_at", zone })).not.toContain("Invalid");
  });
});

describe("the zone of a table", () => {
  const tableOf = (name: string, cell: Cell) => ({
    columns: [{ name, type: "time", unit: null } as const],
    rows: [{ [name]: null }, { [name]: cell }],
  });

  it.each([
    ["started_at", "2026-10-01T14:05:33.120Z", true],
    ["started_at", Date.UTC(2026, 9, 1), true],
    ["started_at", "2026-10-01 14:05", false],
    ["started_at", null, false],
    ["day", "2026-10-01T00:00:00Z", false],
  ])("is named where it has moved a time: %s %s", (name, cell, isNamed) => {
    expect(hasInstants(tableOf(name, cell))).toBe(isNamed);
  });
});

describe("a minute that is typed", () => {
  it.each([
    ["2026-11-21T19:30", "2026-11-21T14:30"],
    ["2026-07-01T02:00", "2026-06-30T22:00"],
  ])("is one of the zone, kept as one of UTC: %s", (utc, local) => {
    expect(minuteInZone(utc, zone)).toBe(local);
    expect(minuteOfUtc(local, zone)).toBe(utc);
  });

  it("is the first after a gap of the clocks, and none while there is none", () => {
    expect(minuteOfUtc("2026-03-08T02:30", zone)).toBe("2026-03-08T07:30");
    expect([minuteInZone("", zone), minuteOfUtc("12026-01-01T00:00", zone)]).toEqual(["", "12026-01-01T00:00"]);
  });
});
