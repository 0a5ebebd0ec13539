import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTimeZone, localTime, startOfDate } from "../../ingest/time-zone.ts";

describe("localTime", () => {
  it("is what the wall and the calendar show", () => {
    const expected = { year: 2026, month: 11, day: 1, weekday: 0, hour: 23, minute: 59 };
    expect(localTime("America/New_York", Date.parse("2026-11-02T04:59:59.999Z"))).toEqual(expected);
    expect(localTime("Asia/Kolkata", Date.parse("2026-11-01T18:30:00Z"))).toMatchObject({ hour: 0, minute: 0, day: 2 });
    expect(localTime("America/New_York", Date.parse("0000-06-15T12:00:00Z"))).toMatchObject({ year: 0, month: 6 });
    expect(localTime("UTC", Date.parse("0020-02-29T12:00:00Z"))).toMatchObject({
      year: 20,
      month: 2,
      day: 29,
      hour: 12,
    });
  });
});

describe("isTimeZone", () => {
  it.each(["America/New_York", "america/new_york", "UTC", "EST"])("takes %s", (zone) => {
    expect(isTimeZone(zone)).toBe(true);
  });
  it.each(["", "+02:00", "Mars/Olympus", "New York"])("refuses %j", (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });
});

describe("startOfDate", () => {
  it.each([
    ["America/New_York", [2026, 6, 1], "2026-06-01T04:00:00Z"],
    ["America/New_York", [2026, 3, 8], "2026-03-08T05:00:00Z"],
    ["America/New_York", [2026, 3, 9], "2026-03-09T04:00:00Z"],
    ["America/New_York", [2026, 1, 32], "2026-02-01T05:00:00Z"],
    ["America/New_York", [2026, 3, 0], "2026-02-28T05:00:00Z"],
    ["America/New_York", [20, 2, 29], "0020-02-29T04:56:02Z"],
    ["Asia/Kolkata", [2026, 6, 1], "2026-05-31T18:30:00Z"],
    ["Pacific/Kiritimati", [2026, 6, 1], "2026-05-31T10:00:00Z"],
    // Clocks went from 24:00 to 01:00.
    ["Asia/Beirut", [2022, 3, 27], "2022-03-26T22:00:00Z"],
    // Clocks went from 24:00 back to 23:00, so that midnight came twice.
    ["America/Havana", [2025, 11, 2], "2025-11-02T04:00:00Z"],
    ["Asia/Beirut", [2022, 10, 30], "2022-10-29T22:00:00Z"],
  ] as const)("in %s of %j is %s", (zone, [year, month, day], start) => {
    expect(new Date(startOfDate(zone, { year, month, day }))).toEqual(new Date(start));
  });

  it("is the first instant at which the calendar shows the date", () => {
    const zones = fc.constantFrom("America/New_York", "Asia/Beirut", "America/Santiago", "Africa/Cairo", "UTC");
    const times = fc.integer({ min: Date.parse("2015-01-01"), max: Date.parse("2030-01-01") });
    fc.assert(
      fc.property(zones, times, (zone, ms) => {
        const { year, month, day } = localTime(zone, ms);
        const start = startOfDate(zone, { year, month, day });
        expect(start).toBeLessThanOrEqual(ms);
        expect(localTime(zone, start)).toMatchObject({ year, month, day });
        expect(localTime(zone, start - 1).day).not.toBe(day);
      }),
      { numRuns: 500 },
    );
  });
});
