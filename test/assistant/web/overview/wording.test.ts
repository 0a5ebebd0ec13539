import { describe, expect, it } from "vitest";
import { capWords, formatChange, formatRate, roundUp, stateWords } from "../../../../assistant/web/overview/wording.ts";

describe("a change against an earlier day", () => {
  it.each([
    [129, 102, "calls", "+26%"],
    [0, 102, "calls", "-100%"],
    [5, 5, "calls", "0%"],
    [1000, 1001, "calls", "0%"],
    // Of nothing there is no percentage, and of a loss it has the sign of what was gained.
    [5, 0, "calls", ""],
    [-20, -10, "profit", "-100%"],
    [10, -10, "profit", "+200%"],
    [0.5, 0.45, "conversion_rate", "+5.0\u00a0pts"],
    [0.512, 0.578, "conversion_rate", "-6.6\u00a0pts"],
    [null, 0.45, "conversion_rate", ""],
    [0.5, null, "conversion_rate", ""],
  ] as const)("from %s after %s %s is said as %s", (now, before, measure, said) => {
    expect(formatChange(now, before, measure)).toBe(said);
  });

  it("is of rates that are written to the tenth of a percent, and as unknown where they are", () => {
    expect([formatRate(0.55413), formatRate(0), formatRate(null)]).toEqual(["55.4%", "0.0%", "–"]);
  });
});

it.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [5, 6],
  [41, 60],
  [99, 100],
  [100, 100],
  [1234, 2000],
])("%s fits under a round number that can be halved", (most, top) => {
  expect(roundUp(most)).toBe(top);
});

it("a cap is said with its unit and its period", () => {
  const cap = { limit: 10, used: 8 };
  expect(capWords({ ...cap, type: "connected", period: "day" })).toBe("8 of 10 connected calls today");
  expect(capWords({ ...cap, type: "revenue", period: "month" })).toBe("$8.00 of $10.00 of revenue this month");
  expect(capWords({ ...cap, type: "concurrency", period: null })).toBe("8 of 10 calls at once");
});

it("a webhook's state is said with its reason and its times, in the organization's zone", () => {
  const failing = { delivery_state: "failing", delivery_reason: null, failing_since: "2026-11-09T15:00:00.000Z" };
  const none = { id: "1", name: "CRM", paused_at: null, paused_until: null };
  expect(stateWords({ ...none, ...failing }, "America/New_York")).toBe("Failing since Nov 9, 10:00");
  const paused = { ...none, delivery_state: "paused", failing_since: null, paused_until: "2026-11-09T16:00:00.000Z" };
  expect(stateWords({ ...paused, delivery_reason: "requested" }, "UTC")).toBe("Paused on request until Nov 9, 16:00");
  expect(stateWords({ ...paused, delivery_reason: "gone", paused_until: null }, "UTC")).toBe(
    "Paused: it answered 410 Gone",
  );
});
