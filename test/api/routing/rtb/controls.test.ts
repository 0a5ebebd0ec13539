import { describe, expect, it } from "vitest";
import { type Admission, createPingControls } from "../../../../api/routing/rtb/controls.ts";
import type { EndpointHealth } from "../../../../api/routing/rtb/pinger.ts";
import { secondsIn, startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { aFormula } from "./formula.ts";

const failing: EndpointHealth = { kind: "failing", retryAfter: null };
const healthy: EndpointHealth = { kind: "healthy" };
const asked = (retryAfter: string): EndpointHealth => ({ kind: "failing", retryAfter });

function openControls(given: Parameters<typeof aFormula>[0] = {}) {
  const clock = createManualClock(startOfTime);
  const controls = createPingControls({ clock });
  const enter = (more: Parameters<typeof aFormula>[0] = {}) => controls.enter(aFormula({ ...given, ...more }));
  const tryOnce = (health: EndpointHealth) => leave(enter(), health);
  return { clock, controls, enter, tryOnce };
}

/** How an entry went: what it was refused for, or null. */
const reasonOf = (entry: Admission) => (entry.kind === "refused" ? entry.reason : null);
function leave(entry: Admission, health: EndpointHealth) {
  if (entry.kind === "entered") entry.leave(health);
  return reasonOf(entry);
}

describe("a formula without controls", () => {
  it.each([{}, { outbound_ping_rate_limit: 0, outbound_ping_max_inflight: 0 }])("(%j) is always asked", (given) => {
    const { controls, enter } = openControls(given);
    expect(Array.from({ length: 2000 }, () => reasonOf(enter())).every((reason) => reason === null)).toBe(true);
    expect(controls.size()).toBe(0);
  });
});

describe("a rate", () => {
  it.each([
    [undefined, 60_000],
    ["min", 60_000],
    ["hour", 3_600_000],
    ["day", 86_400_000],
  ] as const)("a period of %s slides over %i ms", (outbound_ping_rate_period, ms) => {
    const { clock, tryOnce } = openControls({
      outbound_ping_rate_limit: 2,
      ...(outbound_ping_rate_period ? { outbound_ping_rate_period } : {}),
    });
    expect([tryOnce(healthy), tryOnce(failing), tryOnce(healthy)]).toEqual([null, null, "ping_rate_limited"]);
    clock.advance(ms - 1);
    expect(tryOnce(healthy)).toBe("ping_rate_limited");
    clock.advance(1);
    expect([tryOnce(healthy), tryOnce(healthy), tryOnce(healthy)]).toEqual([null, null, "ping_rate_limited"]);
  });

  it("is of one formula, whatever others do", () => {
    const { enter } = openControls({ outbound_ping_rate_limit: 1 });
    expect([{}, {}, { id: "rtb-2" }].map((more) => reasonOf(enter(more)))).toEqual([null, "ping_rate_limited", null]);
  });
});

describe("executions at once", () => {
  it("are as many as may be, and one more once one has ended, which ends once only", () => {
    const { enter } = openControls({ outbound_ping_max_inflight: 2 });
    const first = enter();
    enter();
    expect(reasonOf(enter())).toBe("ping_inflight_limited");
    leave(first, healthy);
    leave(first, healthy);
    expect([reasonOf(enter()), reasonOf(enter())]).toEqual([null, "ping_inflight_limited"]);
  });
});

describe("a backoff", () => {
  const backoff = { outbound_ping_backoff_enabled: true };
  const opened = (given: Parameters<typeof aFormula>[0] = {}) => {
    const rig = openControls({ ...backoff, ...given });
    for (let failures = 0; failures < 3; failures++) rig.tryOnce(failing);
    return rig;
  };

  it("opens with the third failure and lets exactly one of ten through when its time is over", () => {
    const { clock, enter } = opened();
    expect(reasonOf(enter())).toBe("ping_backoff");
    clock.advance(59_999);
    expect(reasonOf(enter())).toBe("ping_backoff");
    clock.advance(1);
    const reasons = Array.from({ length: 10 }, () => reasonOf(enter()));
    expect(reasons.filter((reason) => reason === null)).toHaveLength(1);
    expect(reasons.filter((reason) => reason === "ping_backoff")).toHaveLength(9);
  });

  it("closes with a probe that is answered, its count at zero", () => {
    const { clock, tryOnce } = opened();
    clock.advance(60_000);
    expect([tryOnce(healthy), tryOnce(failing), tryOnce(failing), tryOnce(failing), tryOnce(healthy)]).toEqual([
      null,
      null,
      null,
      null,
      "ping_backoff",
    ]);
  });

  it("opens again for as long with a probe that fails", () => {
    const { clock, tryOnce } = opened();
    clock.advance(60_000);
    tryOnce(failing);
    clock.advance(59_999);
    expect(tryOnce(failing)).toBe("ping_backoff");
    clock.advance(1);
    expect(tryOnce(failing)).toBeNull();
  });

  it("lets another probe through where one told nothing", () => {
    const { clock, tryOnce } = opened();
    clock.advance(60_000);
    expect([tryOnce({ kind: "unknown" }), tryOnce(healthy), tryOnce(healthy)]).toEqual([null, null, null]);
  });

  it("counts failures in a row: an answer between them begins anew, what tells nothing does not", () => {
    const { tryOnce } = openControls(backoff);
    for (const health of [failing, failing, healthy, failing, failing]) expect(tryOnce(health)).toBeNull();
    expect([tryOnce({ kind: "unknown" }), tryOnce(failing), tryOnce(healthy)]).toEqual([null, null, "ping_backoff"]);
  });

  it("is not touched by executions that began before it opened", () => {
    const { clock, enter, tryOnce } = openControls(backoff);
    const early = [enter(), enter()];
    for (let failures = 0; failures < 3; failures++) tryOnce(failing);
    early.forEach((entry) => void leave(entry, healthy));
    expect(tryOnce(healthy)).toBe("ping_backoff");
    clock.advance(60_000);
    expect(tryOnce(healthy)).toBeNull();
  });

  it.each([
    ["120", 120_000],
    ["5", 60_000],
    ["999999", 3_600_000],
    ["soon", null],
    [new Date(startOfTime + 90_000).toUTCString(), 90_000],
  ])("heeds a 429 with Retry-After %s at once", (retryAfter, ms) => {
    const { clock, tryOnce } = openControls(backoff);
    tryOnce(asked(retryAfter));
    if (ms === null) return expect(tryOnce(healthy)).toBeNull();
    clock.advance(ms - 1);
    expect(tryOnce(healthy)).toBe("ping_backoff");
    clock.advance(1);
    expect(tryOnce(healthy)).toBeNull();
  });

  it("closes when its settings change, and with no other change", () => {
    const { enter } = opened();
    expect(reasonOf(enter({ rtb_name: "Renamed" }))).toBe("ping_backoff");
    expect(reasonOf(enter({ outbound_ping_backoff_seconds: 61 }))).toBeNull();
  });

  /** What config keeps of a formula's pauses, beside its own fields. */
  const paused = (seconds: number) => ({
    pause: { paused_at: secondsIn(seconds), paused_until: secondsIn(seconds + 1), paused_by: "api_key:k" },
  });
  const resumed = (seconds: number) => ({ pause: null, resumed_at: secondsIn(seconds) });
  /** What an entry comes to, and three failures after each that was let in. */
  function askThrough({ controls }: ReturnType<typeof opened>, states: readonly object[]) {
    return states.map((state) => {
      const enterAs = () => controls.enter({ ...aFormula(backoff), ...state });
      const reason = reasonOf(enterAs());
      if (reason === null) for (let failures = 0; failures < 3; failures++) leave(enterAs(), failing);
      return reason;
    });
  }

  it("closes when the formula is resumed, once for each time, though nobody asked it meanwhile", () => {
    const states = [{}, resumed(1), resumed(1), resumed(2), { ...resumed(2), rtb_name: "Renamed" }];
    expect(askThrough(opened(), states)).toEqual(["ping_backoff", null, "ping_backoff", null, "ping_backoff"]);
  });

  it("closes when a pause is over by its time, once, whether it is cleared then or not", () => {
    const states = [paused(1), paused(1), { pause: null }, paused(5), resumed(7), resumed(7)];
    expect(askThrough(opened(), states)).toEqual([null, "ping_backoff", "ping_backoff", null, null, "ping_backoff"]);
  });

  it("that was closed by a resume is not opened by what had begun before", () => {
    const { controls, enter } = openControls({ ...backoff, outbound_ping_backoff_threshold: 1 });
    const early = [enter(), enter()];
    const later = () =>
      controls.enter({ ...aFormula({ ...backoff, outbound_ping_backoff_threshold: 1 }), ...resumed(1) });
    expect(leave(later(), healthy)).toBeNull();
    early.forEach((entry) => void leave(entry, failing));
    expect(reasonOf(later())).toBeNull();
  });

  it("comes before the rate, and the rate before what is under way", () => {
    const { clock, enter } = opened({ outbound_ping_rate_limit: 4, outbound_ping_max_inflight: 1 });
    expect(reasonOf(enter())).toBe("ping_backoff");
    clock.advance(60_000);
    expect([reasonOf(enter()), reasonOf(enter({ outbound_ping_backoff_enabled: false }))]).toEqual([
      null,
      "ping_inflight_limited",
    ]);
  });
});

it("rates are forgotten when nothing of them counts any more, and not a millisecond earlier", () => {
  const clock = createManualClock(startOfTime);
  const controls = createPingControls({ clock });
  const enter = (id: string, outbound_ping_rate_period: "min" | "day" = "min") =>
    controls.enter(aFormula({ id, outbound_ping_rate_limit: 1, outbound_ping_rate_period }));
  for (const id of ["a", "b"]) leave(enter(id), healthy);
  leave(enter("daily", "day"), healthy);
  clock.advance(59_999);
  expect(controls.forget()).toBe(3);
  expect(reasonOf(enter("a"))).toBe("ping_rate_limited");
  clock.advance(1);
  expect(controls.forget()).toBe(1);
  expect(reasonOf(enter("daily", "day"))).toBe("ping_rate_limited");
});

it("formulas that nobody asks any more are forgotten, those under way are not", () => {
  const clock = createManualClock(startOfTime);
  const controls = createPingControls({ clock, maxFormulas: 3 });
  const enter = (id: string) => controls.enter(aFormula({ id, outbound_ping_max_inflight: 1 }));
  enter("busy");
  for (const id of ["a", "b", "c", "d"]) leave(enter(id), healthy);
  expect(controls.size()).toBe(3);
  expect(reasonOf(enter("busy"))).toBe("ping_inflight_limited");
});
