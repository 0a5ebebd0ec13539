import { describe, expect, it } from "vitest";
import type { Measure } from "../../../api/routing/call-stats.ts";
import {
  type CapPeriod,
  type CapUse,
  capReached,
  concurrencyLimit,
  parseCaps,
  startOfPeriod,
} from "../../../api/routing/caps.ts";

const newYork = "America/New_York";
const whole = { measure: "connected", period: "day", limit: 5, timezone: newYork };

describe("a row of advanced caps", () => {
  it.each<[Record<string, unknown>, object]>([
    [{ period: "day", limit: 5 }, whole],
    [{ period: "DAY", limit: "5", type: "Connected" }, whole],
    [{ period: "day", cap: 5 }, whole],
    [{ period: "day", max: 5 }, whole],
    [{ period: "day", value: 5, note: "for the summer" }, whole],
    [
      { period: "day", limit: 0 },
      { ...whole, limit: 0 },
    ],
    [
      { period: "month", limit: 99.5, type: "payout" },
      { ...whole, measure: "payout", period: "month", limit: 99.5 },
    ],
    [
      { period: "all", limit: 5, type: "calls" },
      { ...whole, measure: "calls", period: "all" },
    ],
    [
      { period: "day", limit: 5, timezone: "UTC" },
      { ...whole, timezone: "UTC" },
    ],
    [
      { period: "day", limit: 5, days: ["Mon", 2], hours: "09:00-17:00" },
      { ...whole, when: { days: [1, 2].map((day) => ({ day, hours: "09:00-17:00" })) } },
    ],
  ])("%j is read", (row, cap) => {
    expect(parseCaps([row], newYork)).toEqual([cap]);
  });

  it.each<[Record<string, unknown>]>([
    [{}],
    [{ limit: 5 }],
    [{ period: "day" }],
    [{ period: "day", limit: -1 }],
    [{ period: "day", limit: Number.POSITIVE_INFINITY }],
    [{ period: "day", limit: "many" }],
    [{ period: "day", limit: null }],
    [{ period: "fortnight", limit: 5 }],
    [{ period: 1, limit: 5 }],
    [{ period: "day", limit: 5, type: "smiles" }],
    [{ period: "day", limit: 5, timezone: "Nowhere/None" }],
    [{ period: "day", limit: 5, timezone: 5 }],
    [{ period: "day", limit: 5, days: ["someday"] }],
    [{ period: "day", limit: 5, days: "mon" }],
    [{ period: "day", limit: 5, days: [{}] }],
    [{ period: "day", limit: 5, hours: "nine to five" }],
  ])("%j is left to its owner", (row) => {
    expect(parseCaps([row, { period: "day", limit: 5 }], newYork)).toEqual([whole]);
  });
});

describe("the current period", () => {
  // Sunday evening in New York.
  const now = Date.parse("2026-11-02T04:30:15.500Z");

  it.each<[CapPeriod, timezone: string, start: string]>([
    ["hour", newYork, "2026-11-02T04:00:00Z"],
    ["hour", "Asia/Kolkata", "2026-11-02T04:30:00Z"],
    ["day", newYork, "2026-11-01T04:00:00Z"],
    ["day", "UTC", "2026-11-02T00:00:00Z"],
    ["week", newYork, "2026-10-26T04:00:00Z"],
    ["week", "UTC", "2026-11-02T00:00:00Z"],
    ["month", newYork, "2026-11-01T04:00:00Z"],
    ["month", "Asia/Kolkata", "2026-10-31T18:30:00Z"],
    ["all", newYork, "1970-01-01T00:00:00Z"],
  ])("by %s in %s began at %s", (period, timezone, start) => {
    expect(new Date(startOfPeriod({ period, timezone }, now))).toEqual(new Date(start));
  });

  it("by hour begins anew in each pass of the hour that autumn repeats", () => {
    const start = (time: string) => startOfPeriod({ period: "hour", timezone: newYork }, Date.parse(time));
    expect(start("2026-11-01T06:30:00Z") - start("2026-11-01T05:30:00Z")).toBe(3_600_000);
  });
});

describe("a cap", () => {
  const now = Date.parse("2026-06-01T16:00:00Z");
  const asked: [Measure, number][] = [];
  const used = (amount: number, totalsSince = 0): CapUse => ({
    use: (measure, sinceMs) => {
      asked.push([measure, sinceMs]);
      return amount;
    },
    totalsSince: () => totalsSince,
  });
  const reached = (row: Record<string, unknown>, amount: number) =>
    capReached(parseCaps([row], newYork), used(amount), now);

  it("is reached by as much as its limit", () => {
    expect([4, 5, 6].map((amount) => reached({ period: "day", limit: 5 }, amount))).toEqual([false, true, true]);
    expect(reached({ period: "all", limit: 0 }, 0)).toBe(true);
  });

  it("is reached by dollars whose sum is a binary fraction short of it", () => {
    expect(0.7 + 0.1).toBeLessThan(0.8);
    expect(reached({ period: "day", limit: 0.8, type: "revenue" }, 0.7 + 0.1)).toBe(true);
    expect(reached({ period: "day", limit: 0.8, type: "revenue" }, 0.7999)).toBe(false);
  });

  it("counts what it says since its period began, or since the totals were set back", () => {
    asked.length = 0;
    const caps = parseCaps(
      [
        { period: "day", limit: 5, type: "calls" },
        { period: "total", limit: 5 },
      ],
      newYork,
    );
    expect(capReached(caps, used(1, 77), now)).toBe(false);
    expect(asked).toEqual([
      ["calls", Date.parse("2026-06-01T04:00:00Z")],
      ["connected", 77],
    ]);
  });

  it("limits on its days and in its hours alone", () => {
    // Monday noon in New York.
    expect(reached({ period: "day", limit: 0, days: ["mon"] }, 1)).toBe(true);
    expect(reached({ period: "day", limit: 0, days: ["tue"] }, 1)).toBe(false);
    expect(reached({ period: "day", limit: 0, hours: "12:00-13:00" }, 1)).toBe(true);
    expect(reached({ period: "day", limit: 0, days: ["mon"], hours: "13:00-14:00" }, 1)).toBe(false);
    const [cap] = parseCaps([{ period: "day", limit: 0, hours: "12:00-13:00" }], "UTC");
    expect(cap?.when?.days?.map(({ day }) => day)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it("among others is enough", () => {
    const caps = parseCaps(
      [
        { period: "day", limit: 9 },
        { period: "hour", limit: 3 },
      ],
      newYork,
    );
    expect([capReached(caps, used(3), now), capReached(caps, used(2), now), capReached([], used(9), now)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("calls at once", () => {
  it.each([
    [null, { advanced_caps: [] }],
    [null, { max_concurrency: 0, advanced_caps: [] }],
    [4, { max_concurrency: 4, advanced_caps: [{ period: "day", limit: 1 }] }],
    [3, { max_concurrency: 4, advanced_caps: [{ type: "Concurrency", limit: 3 }] }],
    [4, { max_concurrency: 4, advanced_caps: [{ type: "concurrency", limit: 0 }] }],
    [1, { max_concurrency: 4, advanced_caps: [{ type: "concurrency", limit: 1 }] }],
    [7, { advanced_caps: [{ type: "concurrency", max: "7" }] }],
    [null, { advanced_caps: [{ type: "concurrency", limit: "few" }] }],
  ])("are limited to %j by %j", (limit, owner) => {
    expect(concurrencyLimit(owner)).toBe(limit);
  });
});
