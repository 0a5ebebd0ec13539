import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HoursOfOperation, hoursOfOperation } from "../../../api/config/resources/shapes.ts";
import { isOpen, parseHours } from "../../../api/routing/hours.ts";

type Day = NonNullable<HoursOfOperation["days"]>[number];
const newYork = "America/New_York";
const range = (start: string, end: string) => ({ timeRanges: [{ start, end }] });
const on = (day: string | number, ...ranges: [string, string][]): Day => ({
  day,
  isOpen: true,
  timeRanges: ranges.map(([start, end]) => ({ start, end })),
});

/** Open in New York at a time of the first week of June 2026, when its clocks are four hours behind; the 1st is a Monday. */
const opens = (days: Day[], time: string) => isOpen({ days }, newYork, Date.parse(`2026-06-0${time}-04:00`));
const [mon, tue, fri, sat, sun] = ["1T", "2T", "5T", "6T", "7T"] as const;

describe("hours of operation are open", () => {
  const any = Date.parse("2026-06-03T03:00:00Z");

  it.each<[boolean, HoursOfOperation | null | undefined]>([
    [true, undefined],
    [true, null],
    [true, {}],
    [true, { always_open: true }],
    [true, { always_open: true, days: [] }],
    [true, { days: undefined }],
    [false, { always_open: false }],
    [false, { always_open: false, days: [] }],
    [false, { days: [] }],
    [false, { days: [on("monday")] }],
  ])("%s with %j on a Tuesday", (open, hours) => {
    expect(isOpen(hours, newYork, any)).toBe(open);
  });

  it.each([
    [true, `${mon}09:00:00`],
    [true, `${mon}16:59:59.999`],
    [false, `${mon}17:00:00`],
    [false, `${mon}08:59:59.999`],
    [false, `${tue}12:00`],
  ])("%s from nine to five on Monday at %s", (open, time) => {
    expect(opens([on("Monday", ["09:00", "17:00"])], time)).toBe(open);
  });

  it.each([
    [false, `${fri}21:59`],
    [true, `${fri}22:00`],
    [true, `${sat}01:59`],
    [false, `${sat}02:00`],
    [false, `${fri}01:00`],
  ])("%s over midnight, whatever Saturday says: %s", (open, time) => {
    expect(opens([on("fri", ["22:00", "02:00"]), { day: "sat", isOpen: false }], time)).toBe(open);
  });

  it.each([
    [`${sat}23:59:59.999`, `${sun}00:00`],
    [`${sat}23:59:59.999`, `${sun}00:00`],
  ])("through the end of the day with an end of 23:59 or 24:00: %s, not %s", (last, next) => {
    for (const end of ["23:59", "24:00"]) {
      expect([opens([on("sat", ["08:00", end])], last), opens([on("sat", ["08:00", end])], next)]).toEqual([
        true,
        false,
      ]);
    }
  });

  it("all day where start and end are the same, where there are no ranges, and where the text says nothing", () => {
    const all: Day[] = [
      { day: "mon", ...range("09:00", "09:00") },
      { day: "mon" },
      { day: "mon", isOpen: true, timeRanges: [] },
      { day: "mon", hours: "nine to five" },
      { day: "mon", hours: { from: 9 } },
    ];
    for (const day of all) {
      expect([opens([day], `${mon}00:00`), opens([day], `${mon}23:59:59`), opens([day], `${tue}00:00`)]).toEqual([
        true,
        true,
        false,
      ]);
    }
  });

  it("never on a day that is said to be closed, whatever its ranges", () => {
    expect(opens([{ day: "mon", isOpen: false, ...range("00:00", "24:00") }], `${mon}12:00`)).toBe(false);
  });

  it("in any range of any entry of the day", () => {
    const days = [on("Mon", ["08:00", "09:00"], ["10:00", "11:00"]), on("MONDAY", ["12:00", "13:00"]), on(1)];
    const times = ["08:30", "09:30", "10:30", "11:30", "12:30"];
    expect(times.map((time) => opens(days.slice(0, 2), `${mon}${time}`))).toEqual([true, false, true, false, true]);
    expect(opens(days, `${mon}09:30`)).toBe(true);
  });

  it.each(["sun", "Sunday", "SUNDAY", "0", 0])("on the day named %j", (day) => {
    expect([opens([{ day }], `${sun}12:00`), opens([{ day }], `${sat}12:00`)]).toEqual([true, false]);
  });

  it("as a text of ranges says, unless there are ranges of their own", () => {
    const text = { day: "mon", hours: "09:00-12:00, 13:00-17:00" };
    const at = ["08:59", "09:00", "12:30", "13:00", "17:00"].map((time) => opens([text], `${mon}${time}`));
    expect(at).toEqual([false, true, false, true, false]);
    expect(opens([{ ...text, ...range("20:00", "21:00") }], `${mon}09:00`)).toBe(false);
  });
});

it.each(["", "09:00", "09:00-", "25:00-26:00", "09:00-12:00,", "closed"])("the text %j is no ranges", (text) => {
  expect(parseHours(text)).toBeNull();
});

describe("where clocks change", () => {
  const two = { days: [on("sun", ["02:00", "03:00"])] };
  const one = { days: [on("sun", ["01:00", "02:00"])] };
  const at = (hours: HoursOfOperation, ...times: string[]) =>
    times.map((time) => isOpen(hours, newYork, Date.parse(time)));

  it("nothing is open in the hour that spring leaves out", () => {
    expect(at(two, "2026-03-08T06:59:59.999Z", "2026-03-08T07:00:00Z", "2026-03-08T07:30:00Z")).toEqual([
      false,
      false,
      false,
    ]);
    expect(at(two, "2026-03-15T06:30:00Z")).toEqual([true]);
  });

  it("both passes are open in the hour that autumn repeats", () => {
    const times = ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "2026-11-01T07:00:00Z"];
    expect(at(one, ...times)).toEqual([true, true, false]);
  });
});

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
/** Instants at which a day changes from closed to open and back; 23:59 would read as the end of the day. */
const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 1438 }), { maxLength: 8 });
const zones = fc.constantFrom(newYork, "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia", "UTC");
const times = fc.integer({ min: Date.parse("2020-01-01"), max: Date.parse("2031-01-01") });

/** Every second part of a day between its cuts, the first one for 0. */
function everySecond(day: number, sorted: readonly number[], first: 0 | 1): Day {
  const bounds = [0, ...sorted, 1440];
  const parts = bounds.slice(1).map((end, index) => ({ start: clock(bounds[index] ?? 0), end: clock(end) }));
  const timeRanges = parts.filter((_part, index) => index % 2 === first);
  return { day, isOpen: timeRanges.length > 0, timeRanges };
}

describe("at any time in any zone", () => {
  it("hours are open exactly when all other hours are closed", () => {
    const week = fc.array(cuts, { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(week, zones, times, (cutsOfDays, zone, now) => {
        const halves = ([0, 1] as const).map((first) => ({
          days: cutsOfDays.map((minutes, day) =>
            everySecond(
              day,
              minutes.toSorted((one, other) => one - other),
              first,
            ),
          ),
        }));
        for (const half of halves) hoursOfOperation.parse(half);
        expect(isOpen(halves[0], zone, now)).toBe(!isOpen(halves[1], zone, now));
      }),
    );
  });

  it("a range over midnight is the same as its two parts", () => {
    const minute = fc.integer({ min: 1, max: 1438 });
    fc.assert(
      fc.property(fc.tuple(minute, minute), fc.nat(6), zones, times, ([one, other], day, zone, now) => {
        fc.pre(one !== other);
        const [end, start] = [clock(Math.min(one, other)), clock(Math.max(one, other))];
        const parts = { days: [on(day, [start, "24:00"]), on((day + 1) % 7, ["00:00", end])] };
        expect(isOpen({ days: [on(day, [start, end])] }, zone, now)).toBe(isOpen(parts, zone, now));
      }),
    );
  });
});

describe("hours are refused on write", () => {
  it.each(["someday", "", "7", 7, -1, 1.5])("for the day %j", (day) => {
    expect(hoursOfOperation.safeParse({ days: [{ day }] }).success).toBe(false);
  });
});
