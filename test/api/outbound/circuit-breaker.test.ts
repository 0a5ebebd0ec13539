import { describe, expect, it } from "vitest";
import {
  admits,
  afterFailure,
  type CircuitBreaker,
  closedBreaker,
  scheduleProbe,
  type TripRule,
} from "../../../api/outbound/circuit-breaker.ts";

const third: TripRule = { trips: ({ failures }) => failures >= 3, openMs: 60_000 };
const failAt = (times: readonly number[], rule: TripRule, from: CircuitBreaker = closedBreaker): CircuitBreaker =>
  times.reduce((breaker, now) => afterFailure(breaker, now, rule), from);

describe("a closed circuit breaker", () => {
  it("admits everything and counts failures since the first of them", () => {
    const failing = failAt([1000, 2000], third);
    expect(failing).toEqual({ state: "closed", failures: 2, failingSince: 1000 });
    expect(admits(failing, 2000)).toBe(true);
  });

  it("opens by the number of failures", () => {
    expect(failAt([1000, 2000, 3000], third)).toEqual({ state: "open", probeAt: 63_000 });
  });

  it("opens by how long nothing has succeeded", () => {
    const failingForAnHour = (now: number): TripRule => ({
      trips: ({ failingSince }) => failingSince !== null && now - failingSince >= 3_600_000,
      openMs: 60_000,
    });
    const failing = afterFailure(closedBreaker, 1000, failingForAnHour(1000));
    expect(afterFailure(failing, 3_600_999, failingForAnHour(3_600_999)).state).toBe("closed");
    expect(afterFailure(failing, 3_601_000, failingForAnHour(3_601_000)).state).toBe("open");
  });

  it("has no probe to schedule", () => {
    expect(scheduleProbe(closedBreaker, 5)).toBe(closedBreaker);
  });
});

describe("an open circuit breaker", () => {
  const open = failAt([0, 0, 0], third);

  it("admits nothing before its probe is due, and then one probe", () => {
    expect([admits(open, 59_999), admits(open, 60_000)]).toEqual([false, true]);
    const probing = scheduleProbe(open, 65_000);
    expect([admits(probing, 60_000), admits(probing, 64_999)]).toEqual([false, false]);
  });

  it("admits another probe when the first never ended, or ended without saying anything", () => {
    const probing = scheduleProbe(open, 65_000);
    expect(admits(probing, 65_000)).toBe(true);
    expect(admits(scheduleProbe(probing, 61_000), 61_000)).toBe(true);
  });

  it("opens again with a probe that fails, whatever the rule for closed ones", () => {
    const never: TripRule = { trips: () => false, openMs: 60_000 };
    expect(failAt([60_000], never, scheduleProbe(open, 65_000))).toEqual({ state: "open", probeAt: 120_000 });
  });
});
