import { describe, expect, it } from "vitest";
import { pausedBySystem, type WebhookState } from "../../../../api/config/delivery-state.ts";
import { type AttemptEnd, assess, type HealthTerms } from "../../../../api/webhooks/deliver/health.ts";
import { secondsIn, startOfTime } from "../../../make.ts";

const hour = 3600;
const terms: HealthTerms = { pauseAfterMs: 24 * hour * 1000, probeEveryMs: 600_000 };
const seen = (seconds: number, given: Partial<AttemptEnd> = {}): AttemptEnd => ({
  result: "failed",
  exhausted: false,
  failingSince: startOfTime,
  now: startOfTime + seconds * 1000,
  ...given,
});
const failing = { failing_since: secondsIn(0), exhausted: false, paused: false, next_probe_at: null };
const pausedFor = (reason: string): WebhookState["pause"] => ({
  paused_at: secondsIn(0),
  paused_until: null,
  paused_by: pausedBySystem,
  reason,
});

describe("what an attempt means for its webhook", () => {
  it("is nothing while all is well, or has failed for less than a minute", () => {
    expect(assess({}, seen(0, { result: "delivered" }), terms)).toEqual({ kind: "none" });
    expect(assess({}, seen(59), terms)).toEqual({ kind: "none" });
  });

  it("is worth noting after a minute of failures, and again when it works", () => {
    expect(assess({}, seen(60), terms)).toEqual({ kind: "note", health: failing });
    expect(assess({ health: failing }, seen(61), terms)).toEqual({ kind: "none" });
    expect(assess({ health: failing }, seen(62, { result: "delivered" }), terms)).toEqual({
      kind: "note",
      health: null,
    });
  });

  it("is a pause when nothing has worked for a day and a delivery has failed for good, not before", () => {
    const day = 24 * hour;
    const exhausted = { ...failing, exhausted: true };
    expect(assess({ health: failing }, seen(day), terms)).toEqual({ kind: "none" });
    expect(assess({ health: failing }, seen(day - 1, { exhausted: true }), terms)).toMatchObject({
      kind: "note",
      health: { exhausted: true },
    });
    expect(assess({ health: exhausted }, seen(day - 1), terms)).toEqual({ kind: "none" });
    expect(assess({ health: exhausted }, seen(day), terms)).toEqual({
      kind: "pause",
      reason: "failing",
      health: { ...exhausted, paused: true, next_probe_at: secondsIn(day + 600) },
    });
  });

  it("is a pause at once when the receiver is gone", () => {
    expect(assess({}, seen(0, { result: "gone" }), terms)).toEqual({ kind: "pause", reason: "gone", health: null });
  });

  it("is a resume when a probe works, of a webhook that was paused for failing alone", () => {
    const delivered = seen(100, { result: "delivered" });
    const health = { ...failing, paused: true, next_probe_at: secondsIn(50) };
    expect(assess({ pause: pausedFor("failing"), health }, delivered, terms)).toEqual({ kind: "resume" });
    expect(assess({ pause: pausedFor("gone"), health: null }, delivered, terms)).toEqual({ kind: "none" });
    const byOwner = { paused_at: secondsIn(0), paused_until: null, paused_by: "api_key:k", reason: "failing" };
    expect(assess({ pause: byOwner, health: null }, delivered, terms)).toEqual({ kind: "none" });
  });

  it("is nothing more while it is paused", () => {
    const health = { ...failing, exhausted: true, paused: true };
    for (const result of ["failed", "gone"] as const) {
      const found = assess(
        { pause: pausedFor("failing"), health },
        seen(48 * hour, { result, exhausted: true }),
        terms,
      );
      expect(found).toEqual({ kind: "none" });
    }
  });

  it("counts anew once its owner has resumed it", () => {
    const health = { ...failing, exhausted: true, paused: true, next_probe_at: secondsIn(600) };
    const at = 72 * hour;
    const again = seen(at, { exhausted: true, failingSince: startOfTime + (at - 120) * 1000 });
    expect(assess({ pause: null, health }, again, terms)).toEqual({
      kind: "note",
      health: { ...failing, failing_since: secondsIn(at - 120), exhausted: true },
    });
  });
});
