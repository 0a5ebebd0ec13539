import { expect, it } from "vitest";
import { countCaps } from "../../../../api/routing/call-stats/cap-report.ts";
import { type CallStats, type Holder, noCallStats } from "../../../../api/routing/call-stats.ts";

const holder: Holder = { kind: "target", id: "tgt" };
const zone = "America/New_York";
const at = Date.parse;

/** A thousandth of the minutes that a cap counts over, as its use. */
const stats: CallStats = {
  ...noCallStats,
  totalsSince: () => at("2026-11-01T12:00:00Z"),
  capUse: (_holder, measure, since) => (measure === "calls" ? since / 60_000_000 : 7),
};
const count = (caps: readonly Record<string, unknown>[], now: number, known: CallStats = stats) =>
  countCaps({ holder, limits: { advanced_caps: caps }, timezone: zone }, known, now);

it.each([
  ["hour", "2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z"],
  // Clocks go forward that day: it has 23 hours, and so one fewer has its week.
  ["day", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"],
  ["week", "2026-03-02T05:00:00Z", "2026-03-09T04:00:00Z"],
  ["month", "2026-03-01T05:00:00Z", "2026-04-01T04:00:00Z"],
])("a cap by the %s of a zone counts from its beginning to its end", (period, since, resetsAt) => {
  const [counted] = count([{ type: "calls", period, limit: 5 }], at("2026-03-08T06:30:00Z"));
  expect([counted?.since, counted?.resetsAt]).toEqual([at(since), at(resetsAt)]);
  expect(counted?.used).toBe(at(since) / 60_000_000);
  const [next] = count([{ type: "calls", period, limit: 5 }], at(resetsAt));
  expect(next?.since).toBe(at(resetsAt));
});

it("a month ends with the year, in the cap's own zone", () => {
  const [counted] = count([{ period: "month", limit: 5, timezone: "Asia/Kolkata" }], at("2026-12-31T18:29:59Z"));
  expect([counted?.timezone, counted?.resetsAt]).toEqual(["Asia/Kolkata", at("2026-12-31T18:30:00Z")]);
});

it("no time ends what counts since ever or since a reset", () => {
  const caps = [
    { period: "all", limit: 9 },
    { period: "total", limit: 9 },
  ];
  const counted = count(caps, at("2026-11-02T15:00:00Z"));
  expect(counted.map(({ since, resetsAt }) => [since, resetsAt])).toEqual([
    [null, null],
    [at("2026-11-01T12:00:00Z"), null],
  ]);
  expect(count(caps, 0, noCallStats).map(({ since }) => since)).toEqual([null, null]);
});

it("a cap is reached where routing would refuse for it now, and not where it is", () => {
  const caps = [
    { type: "connected", period: "all", limit: 7 },
    { type: "revenue", period: "all", limit: 7.0001 },
    // A Monday at ten in New York.
    { type: "payout", period: "all", limit: 0, days: ["Mon"], hours: "09:00-11:00" },
    { type: "payout", period: "all", limit: 0, days: ["Tue"] },
  ];
  const counted = count(caps, at("2026-11-02T15:00:00Z"));
  expect(counted.map(({ measure, limit, reached }) => [measure, limit, reached])).toEqual([
    ["connected", 7, true],
    ["revenue", 7.0001, false],
    ["payout", 0, true],
    ["payout", 0, false],
  ]);
});

it("rows that say nothing about counted calls are left out", () => {
  const rows = [{ note: "ours" }, { type: "concurrency", limit: 3 }, { period: "fortnight", limit: 1 }];
  expect(count(rows, 0)).toEqual([]);
});
