import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addUnits, startOf, toInstant, toLocal } from "../../../../assistant/calendar.ts";
import { readPeriod } from "../../../../assistant/planner/period/period.ts";
import { now, zone } from "../../example-data.ts";

const read = (phrase: string, at = now) => readPeriod(phrase.split(" "), at, zone);
const wall = (iso: string | null | undefined): string | null =>
  iso === null || iso === undefined ? null : new Date(toLocal(Date.parse(iso), zone)).toISOString().slice(0, 16);

/** Read on Saturday 2026-11-21, 10:00 in New York; the days of the result in New York, half-open. */
const table: readonly [string, string | null, string][] = [
  ["today", "2026-11-21", "2026-11-21T10:00"],
  ["yesterday", "2026-11-20", "2026-11-21"],
  ["day before yesterday", "2026-11-19", "2026-11-20"],
  ["summer 2025", "2025-06-01", "2025-09-01"],
  ["last autumn", "2025-09-01", "2025-12-01"],
  ["this fall", "2026-09-01", "2026-11-21T10:00"],
  ["last winter", "2025-12-01", "2026-03-01"],
  ["the whole month of october", "2026-10-01", "2026-11-01"],
  ["this calendar month", "2026-11-01", "2026-11-21T10:00"],
  ["2026 q3", "2026-07-01", "2026-10-01"],
  ["october 15 onwards", "2026-10-15", "2026-11-21T10:00"],
  ["on or after october 15", "2026-10-15", "2026-11-21T10:00"],
  ["beginning with october 15", "2026-10-15", "2026-11-21T10:00"],
  ["up to october 15", null, "2026-10-16"],
  ["through october 15", null, "2026-10-16"],
  ["since yesterday noon", "2026-11-20T12:00", "2026-11-21T10:00"],
  ["since 9am", "2026-11-21T09:00", "2026-11-21T10:00"],
  ["past half hour", "2026-11-21T09:30", "2026-11-21T10:00"],
  ["rolling 7 days", "2026-11-14", "2026-11-21"],
  ["l30d", "2026-10-22", "2026-11-21"],
  ["lw", "2026-11-09", "2026-11-16"],
  ["this week", "2026-11-16", "2026-11-21T10:00"],
  ["last week", "2026-11-09", "2026-11-16"],
  ["last month", "2026-10-01", "2026-11-01"],
  ["3 days before october 15", "2026-10-12", "2026-10-15"],
  ["the 2 weeks before the 15th of october", "2026-10-01", "2026-10-15"],
  ["two days after october 15", "2026-10-16", "2026-10-18"],
  ["3 months before october", "2026-07-01", "2026-10-01"],
  ["previous month", "2026-10-01", "2026-11-01"],
  ["last full month", "2026-10-01", "2026-11-01"],
  ["last quarter", "2026-07-01", "2026-10-01"],
  ["this quarter", "2026-10-01", "2026-11-21T10:00"],
  ["last year", "2025-01-01", "2026-01-01"],
  ["last 7 days", "2026-11-14", "2026-11-21"],
  ["last two weeks", "2026-11-02", "2026-11-16"],
  ["trailing 12 months", "2025-11-01", "2026-11-01"],
  ["past fortnight", "2026-11-02", "2026-11-16"],
  ["last 24 hours", "2026-11-20T10:00", "2026-11-21T10:00"],
  ["last 90 minutes", "2026-11-21T08:30", "2026-11-21T10:00"],
  ["mtd", "2026-11-01", "2026-11-21T10:00"],
  ["month to date", "2026-11-01", "2026-11-21T10:00"],
  ["qtd", "2026-10-01", "2026-11-21T10:00"],
  ["year to date", "2026-01-01", "2026-11-21T10:00"],
  ["march", "2026-03-01", "2026-04-01"],
  ["november", "2026-11-01", "2026-11-21T10:00"],
  ["december", "2025-12-01", "2026-01-01"],
  ["last october", "2026-10-01", "2026-11-01"],
  ["last november", "2025-11-01", "2025-12-01"],
  ["october 2025", "2025-10-01", "2025-11-01"],
  ["october last year", "2025-10-01", "2025-11-01"],
  ["q3", "2026-07-01", "2026-10-01"],
  ["q3 2025", "2025-07-01", "2025-10-01"],
  ["second quarter of 2025", "2025-04-01", "2025-07-01"],
  ["h1 2026", "2026-01-01", "2026-07-01"],
  ["2025", "2025-01-01", "2026-01-01"],
  ["week 42", "2026-10-12", "2026-10-19"],
  ["week 1 of 2025", "2024-12-30", "2025-01-06"],
  ["monday", "2026-11-16", "2026-11-17"],
  ["saturday", "2026-11-21", "2026-11-21T10:00"],
  ["last saturday", "2026-11-14", "2026-11-15"],
  ["last weekend", "2026-11-14", "2026-11-16"],
  ["3 days ago", "2026-11-18", "2026-11-19"],
  ["two weeks ago", "2026-11-02", "2026-11-09"],
  ["oct 5", "2026-10-05", "2026-10-06"],
  ["october 5th 2025", "2025-10-05", "2025-10-06"],
  ["5 october", "2026-10-05", "2026-10-06"],
  ["2026-10-05", "2026-10-05", "2026-10-06"],
  ["10/05/2026", "2026-10-05", "2026-10-06"],
  ["25/10/2026", "2026-10-25", "2026-10-26"],
  ["jan 1 to jan 15", "2026-01-01", "2026-01-16"],
  ["jan 1 to 15", "2026-01-01", "2026-01-16"],
  ["dec 20 to jan 5", "2025-12-20", "2026-01-06"],
  ["from october to november", "2026-10-01", "2026-11-21T10:00"],
  ["between 2026-10-01 and 2026-10-03", "2026-10-01", "2026-10-04"],
  ["since monday", "2026-11-16", "2026-11-21T10:00"],
  ["since 2026-10-05", "2026-10-05", "2026-11-21T10:00"],
  ["after october", "2026-11-01", "2026-11-21T10:00"],
  ["before march", null, "2026-03-01"],
  ["until march", null, "2026-04-01"],
];

describe("the period grammar", () => {
  it.each(table)("%s", (phrase, from, to) => {
    const found = read(phrase);
    const full = (day: string | null) => (day?.length === 10 ? `${day}T00:00` : day);
    expect([wall(found?.period?.from), wall(found?.period?.to)]).toEqual([full(from), full(to)]);
    expect(found?.words).toBe(phrase.split(" ").length);
  });

  it("reads all time as no bound at all", () => {
    expect(read("all time")).toEqual({ words: 2, period: null });
  });
  it("leaves words that are no period alone", () => {
    for (const phrase of ["by day", "campaign", "last 10 calls", "quarter", "week 60", "13/13/2026"]) {
      expect(read(phrase)?.period ?? undefined, phrase).toBeUndefined();
    }
  });
  it("reads no further than the period goes", () => {
    expect(read("last month by campaign")?.words).toBe(2);
    expect(read("october by day")?.words).toBe(1);
  });

  const instants = fc.integer({ min: Date.parse("2020-01-01"), max: Date.parse("2030-01-01") });
  const zones = fc.constantFrom(
    "UTC",
    "America/New_York",
    "Europe/London",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "America/Santiago",
  );
  const phrases = fc.constantFrom(...table.map(([phrase]) => phrase));

  it("always gives a period that is not empty and, once begun, does not reach beyond now", () => {
    fc.assert(
      fc.property(phrases, instants, zones, (phrase, at, where) => {
        const period = readPeriod(phrase.split(" "), at, where)?.period;
        if (!period) return;
        const from = period.from === null ? Number.NEGATIVE_INFINITY : Date.parse(period.from);
        expect(Date.parse(period.to)).toBeGreaterThanOrEqual(from);
        if (from < at && period.from !== null) expect(Date.parse(period.to)).toBeLessThanOrEqual(at);
      }),
    );
  });
  it("puts last X right before this X", () => {
    fc.assert(
      fc.property(fc.constantFrom("day", "week", "month", "quarter", "year"), instants, zones, (unit, at, where) => {
        const last = readPeriod(["last", unit], at, where)?.period;
        const running = readPeriod(["this", unit], at, where)?.period;
        expect(last?.to).toBe(running?.from);
      }),
    );
  });
});

describe("the calendar", () => {
  it("finds its way back from wall-clock time, but for the hour that is skipped", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.parse("2020-01-01"), max: Date.parse("2030-01-01") }), (at) => {
        const local = toLocal(at, zone);
        expect(toLocal(toInstant(local, zone), zone)).toBe(local);
      }),
    );
    expect(new Date(toInstant(Date.parse("2026-03-08T02:30:00Z"), zone)).toISOString()).toBe(
      "2026-03-08T07:30:00.000Z",
    );
  });
  it("moves by units and starts them", () => {
    const start = startOf("month", Date.parse("2026-03-31T12:00:00Z"));
    expect(new Date(addUnits("month", start, -1)).toISOString()).toBe("2026-02-01T00:00:00.000Z");
    expect(new Date(startOf("week", Date.parse("2026-11-22T12:00:00Z"))).toISOString()).toBe(
      "2026-11-16T00:00:00.000Z",
    );
  });
});
