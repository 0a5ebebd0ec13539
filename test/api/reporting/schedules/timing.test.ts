import { describe, expect, it } from "vitest";
import { describeTiming, nextTime, type Timing, timingSchema } from "../../../../api/reporting/schedules/timing.ts";

const newYork = "America/New_York";
const next = (timing: Timing, after: string, zone = newYork) =>
  new Date(nextTime(timing, { after: Date.parse(after), zone })).toISOString();

describe("the next time of a schedule", () => {
  it.each<[Timing, string, string]>([
    [{ every: "minutes", minutes: 15 }, "2026-11-21T15:00:00Z", "2026-11-21T15:15:00.000Z"],
    [{ every: "minutes", minutes: 5 }, "2026-11-21T15:04:59.999Z", "2026-11-21T15:05:00.000Z"],
    [{ every: "hour", minute: 0 }, "2026-11-21T15:00:00Z", "2026-11-21T16:00:00.000Z"],
    [{ every: "hour", minute: 20 }, "2026-11-21T15:05:00Z", "2026-11-21T15:20:00.000Z"],
    [{ every: "day", at: "08:00" }, "2026-11-21T12:59:00Z", "2026-11-21T13:00:00.000Z"],
    [{ every: "day", at: "08:00" }, "2026-11-21T13:00:00Z", "2026-11-22T13:00:00.000Z"],
    // A Friday.
    [{ every: "workday", at: "08:00" }, "2026-11-20T13:00:00Z", "2026-11-23T13:00:00.000Z"],
    [{ every: "week", on: "monday", at: "00:00" }, "2026-11-21T15:00:00Z", "2026-11-23T05:00:00.000Z"],
    [{ every: "week", on: "sunday", at: "23:59" }, "2026-11-21T15:00:00Z", "2026-11-23T04:59:00.000Z"],
    [{ every: "month", on: 1, at: "06:30" }, "2026-11-21T15:00:00Z", "2026-12-01T11:30:00.000Z"],
    [{ every: "month", on: 31, at: "06:30" }, "2026-11-21T15:00:00Z", "2026-11-30T11:30:00.000Z"],
    [{ every: "month", on: 30, at: "06:30" }, "2027-01-31T15:00:00Z", "2027-02-28T11:30:00.000Z"],
  ])("of %o after %s is %s", (timing, after, expected) => {
    expect(next(timing, after)).toBe(expected);
  });

  it("is the same time of day when the clocks change, the first instant after a gap, the first of two", () => {
    const daily = { every: "day", at: "02:30" } as const;
    expect(next(daily, "2026-03-07T12:00:00Z")).toBe("2026-03-08T07:30:00.000Z");
    expect(next(daily, "2026-03-08T12:00:00Z")).toBe("2026-03-09T06:30:00.000Z");
    const twice = { every: "day", at: "01:30" } as const;
    expect(next(twice, "2026-11-01T04:00:00Z")).toBe("2026-11-01T05:30:00.000Z");
    expect(next(twice, "2026-11-01T05:30:00Z")).toBe("2026-11-02T06:30:00.000Z");
  });

  it("goes by the minutes of a zone that is half an hour off", () => {
    expect(next({ every: "hour", minute: 0 }, "2026-11-21T15:00:00Z", "Asia/Kolkata")).toBe("2026-11-21T15:30:00.000Z");
  });

  it("comes every hour, also while clocks repeat one", () => {
    let at = "2026-11-01T03:30:00Z";
    const times = Array.from({ length: 4 }, () => {
      at = next({ every: "hour", minute: 0 }, at);
      return at.slice(11, 16);
    });
    expect(times).toEqual(["04:00", "05:00", "06:00", "07:00"]);
  });
});

it("is said in words", () => {
  const timings: Timing[] = [
    { every: "minutes", minutes: 5 },
    { every: "hour", minute: 0 },
    { every: "hour", minute: 20 },
    { every: "day", at: "08:00" },
    { every: "workday", at: "08:00" },
    { every: "week", on: "monday", at: "08:00" },
    { every: "month", on: 1, at: "08:00" },
  ];
  expect(timings.map(describeTiming)).toEqual([
    "every 5 minutes",
    "every hour",
    "every hour, 20 minutes past",
    "every day at 08:00",
    "Monday to Friday at 08:00",
    "every Monday at 08:00",
    "on day 1 of every month at 08:00",
  ]);
});

it("takes no time that no clock shows", () => {
  for (const at of ["24:00", "8:00", "08:60", ""])
    expect(timingSchema.safeParse({ every: "day", at }).success).toBe(false);
});
