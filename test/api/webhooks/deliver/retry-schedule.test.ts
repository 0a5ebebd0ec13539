import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextAttemptAt, type Result } from "../../../../api/webhooks/deliver/retry-schedule.ts";
import { deliveryOutcomes } from "../../../../ingest/delivery.ts";
import { startOfTime } from "../../../make.ts";

const pausesMs = [5000, 30_000, 120_000];
const now = startOfTime;
const refused = (status: number, retryAfter?: string): Result => ({
  outcome: status === 410 ? "gone" : "refused",
  status,
  headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
});
const pauseAfter = (result: Result, { attempt = 1, random = 0.5 } = {}): number | null => {
  const next = nextAttemptAt(result, { pausesMs, random: () => random }, { attempt, now });
  return next && next - now;
};

describe("another attempt", () => {
  it.each([
    [408, true],
    [425, true],
    [429, true],
    [500, true],
    [503, true],
    [599, true],
    [301, false],
    [307, false],
    [400, false],
    [401, false],
    [404, false],
    [410, false],
    [422, false],
    [499, false],
  ])("after %i: %s", (status, follows) => {
    expect(pauseAfter(refused(status)) !== null).toBe(follows);
  });

  it("follows what did not come about or did not end in time, and no other end", () => {
    const follows = deliveryOutcomes.filter((outcome) => pauseAfter({ outcome, status: null, headers: {} }) !== null);
    expect(follows).toEqual(["timeout", "network_error"]);
  });

  it("follows after each pause of the schedule in turn, and none after the last", () => {
    expect([1, 2, 3, 4].map((attempt) => pauseAfter(refused(500), { attempt }))).toEqual([...pausesMs, null]);
  });

  it("comes up to a fifth earlier or later", () => {
    expect(pauseAfter(refused(500), { random: 0 })).toBe(4000);
    expect(pauseAfter(refused(500), { random: 1 - 1e-9 })).toBe(6000);
  });
});

describe("a receiver's Retry-After", () => {
  it.each([
    ["60", 60_000],
    [" 60 ", 60_000],
    ["7200", 3_600_000],
    ["999999999", 3_600_000],
    [new Date(now + 90_000).toUTCString(), 90_000],
    [new Date(now - 90_000).toUTCString(), 5000],
    ["0", 5000],
    ["-5", 5000],
    ["soon", 5000],
    ["", 5000],
  ])("of %j waits %i ms", (header, ms) => {
    expect(pauseAfter(refused(429, header))).toBe(ms);
    expect(pauseAfter(refused(503, header))).toBe(ms);
  });

  it("waits at least a second where the schedule would not", () => {
    const schedule = { pausesMs: [0], random: () => 0.5 };
    expect(nextAttemptAt(refused(429, "0"), schedule, { attempt: 1, now })).toBe(now + 1000);
  });

  it("brings no attempt earlier than the schedule, nor one beyond its end", () => {
    expect(pauseAfter(refused(429, "1"), { attempt: 3 })).toBe(120_000);
    expect(pauseAfter(refused(429, "1"), { attempt: 4 })).toBeNull();
    expect(pauseAfter(refused(404, "1"))).toBeNull();
  });

  it("of any text keeps the next attempt between the schedule's and an hour", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.nat().map(String), fc.date().map(String)), (header) => {
        const pause = pauseAfter(refused(429, header)) ?? Number.NaN;
        expect(pause).toBeGreaterThanOrEqual(5000);
        expect(pause).toBeLessThanOrEqual(3_600_000);
      }),
    );
  });
});
