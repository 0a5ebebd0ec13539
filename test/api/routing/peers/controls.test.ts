import { describe, expect, it } from "vitest";
import { type Admission, createPingControls } from "../../../../api/routing/rtb/controls.ts";
import type { EndpointHealth } from "../../../../api/routing/rtb/pinger.ts";
import { orgTwo, secondsIn } from "../../../make.ts";
import { aFormula } from "../rtb/formula.ts";
import { openPeers } from "./open-peers.ts";

type Given = Partial<ReturnType<typeof aFormula>>;
const failing: EndpointHealth = { kind: "failing", retryAfter: null };
const healthy: EndpointHealth = { kind: "healthy" };
const reasonOf = (entry: Admission | undefined) => (entry?.kind === "refused" ? entry.reason : null);

function open(given: Given, processes = 2) {
  const rig = openPeers(processes);
  const controls = rig.processes.map(({ peers }) => createPingControls({ clock: rig.clock, peers }));
  const enter = (process: number, more: Given = {}) => controls[process]?.enter({ ...aFormula(), ...given, ...more });
  const leave = (entry: Admission | undefined, health: EndpointHealth) => {
    if (entry?.kind === "entered") entry.leave(health);
    return reasonOf(entry);
  };
  const forget = (process: number) => controls[process]?.forget();
  return {
    ...rig,
    enter,
    leave,
    forget,
    tryOnce: (process: number, health: EndpointHealth) => leave(enter(process), health),
  };
}
const backoff = { outbound_ping_backoff_enabled: true };

async function openBackoff() {
  const rig = open(backoff);
  for (let failures = 0; failures < 3; failures += 1) rig.tryOnce(0, failing);
  expect(rig.tryOnce(1, healthy)).toBeNull();
  await rig.exchange();
  return rig;
}

describe("a formula's rate in two processes", () => {
  it("is one as soon as each has heard what the other counts", async () => {
    const { tryOnce, exchange, enter } = open({ outbound_ping_rate_limit: 3 });
    expect([tryOnce(0, healthy), tryOnce(0, healthy)]).toEqual([null, null]);
    await exchange();
    expect([tryOnce(1, healthy), tryOnce(1, healthy)]).toEqual([null, "ping_rate_limited"]);
    await exchange();
    expect(tryOnce(0, healthy)).toBe("ping_rate_limited");
    expect(reasonOf(enter(0, { org_id: orgTwo }))).toBeNull();
  });

  it("is forgotten by the one that only heard of it, too, once nothing of it counts", async () => {
    const { tryOnce, exchange, clock, forget } = open({ outbound_ping_rate_limit: 3 });
    tryOnce(0, healthy);
    await exchange();
    clock.advance(60_249);
    expect(forget(1)).toBe(1);
    clock.advance(1);
    expect(forget(1)).toBe(0);
  });
});

describe("executions at once in two processes", () => {
  it("are all one process's while it alone runs, and shared out while both do", async () => {
    const { enter, exchange, clock } = open({ outbound_ping_max_inflight: 5 });
    const mayEnter = (process: number) => {
      const entered = Array.from({ length: 6 }, () => enter(process)).filter((entry) => entry?.kind === "entered");
      for (const entry of entered) if (entry?.kind === "entered") entry.leave(healthy);
      return entered.length;
    };
    expect(mayEnter(0)).toBe(5);
    await exchange();
    expect([mayEnter(0), mayEnter(1)]).toEqual([2, 2]);
    clock.advance(30_000);
    expect(mayEnter(0)).toBe(5);
  });

  it("are one for each where there are more processes than may be asked at once", async () => {
    const { enter, exchange } = open({ outbound_ping_max_inflight: 1 });
    await exchange();
    expect([enter(0), enter(1), enter(1)].map(reasonOf)).toEqual([null, null, "ping_inflight_limited"]);
  });
});

describe("a backoff in two processes", () => {
  it("that one opens holds in the other, and closes there when a probe is answered here", async () => {
    const { clock, enter, leave, tryOnce, exchange } = await openBackoff();
    clock.advance(59_999);
    expect([tryOnce(0, healthy), tryOnce(1, healthy)]).toEqual(["ping_backoff", "ping_backoff"]);
    clock.advance(1);
    const probe = enter(1);
    expect(reasonOf(probe)).toBeNull();
    await exchange();
    expect(reasonOf(enter(0))).toBe("ping_backoff");
    leave(probe, healthy);
    await exchange();
    expect([tryOnce(0, failing), tryOnce(0, failing), tryOnce(0, healthy)]).toEqual([null, null, null]);
  });

  it("opens again in both for as long with a probe that fails in one", async () => {
    const { clock, tryOnce, exchange } = await openBackoff();
    clock.advance(60_000);
    expect(tryOnce(1, failing)).toBeNull();
    await exchange();
    clock.advance(59_999);
    expect([tryOnce(0, healthy), tryOnce(1, healthy)]).toEqual(["ping_backoff", "ping_backoff"]);
    clock.advance(1);
    expect(tryOnce(0, healthy)).toBeNull();
  });

  it("whose probe died with its process is probed by the other, when the answer is long due", async () => {
    const { clock, enter, exchange } = await openBackoff();
    clock.advance(60_000);
    enter(1);
    await exchange();
    clock.advance(aFormula().rtb_timeout + 999);
    expect(reasonOf(enter(0))).toBe("ping_backoff");
    clock.advance(1);
    expect([reasonOf(enter(0)), reasonOf(enter(0))]).toEqual([null, "ping_backoff"]);
  });

  it("is each organization's own", async () => {
    const { enter } = await openBackoff();
    expect([reasonOf(enter(1)), reasonOf(enter(1, { org_id: orgTwo }))]).toEqual(["ping_backoff", null]);
  });

  it("does not hold against a formula whose terms were changed, or that was resumed since", async () => {
    const { clock, enter } = await openBackoff();
    clock.advance(1000);
    expect(reasonOf(enter(1, { outbound_ping_backoff_seconds: 61 }))).toBeNull();
    expect(reasonOf(enter(1, { resumed_at: secondsIn(1) }))).toBeNull();
  });

  it("that has opened since it was resumed holds in a process that asks for the first time", async () => {
    const rig = open({ ...backoff, resumed_at: secondsIn(-1) });
    for (let failures = 0; failures < 3; failures += 1) rig.tryOnce(0, failing);
    await rig.exchange();
    expect(rig.tryOnce(1, healthy)).toBe("ping_backoff");
  });

  it("is not touched by what began in the other before it heard, while it holds", async () => {
    const { enter, leave, tryOnce, exchange, clock } = open(backoff);
    const early = enter(1);
    for (let failures = 0; failures < 3; failures += 1) tryOnce(0, failing);
    await exchange();
    expect(tryOnce(1, healthy)).toBe("ping_backoff");
    leave(early, healthy);
    expect(tryOnce(1, healthy)).toBe("ping_backoff");
    clock.advance(60_000);
  });

  it.each([
    ["is healthy", [failing, healthy], null],
    ["fails", [healthy, failing], "ping_backoff"],
  ] as const)("that both probe before they hear of each other goes by the later answer: it %s", async (...given) => {
    const [, answers, reason] = given;
    const { clock, enter, leave, exchange } = await openBackoff();
    clock.advance(60_000);
    const probes = [enter(0), enter(1)];
    expect(probes.map(reasonOf)).toEqual([null, null]);
    for (const [process, probe] of probes.entries()) {
      clock.advance(5);
      leave(probe, answers[process] ?? healthy);
    }
    await exchange();
    expect([enter(0), enter(1)].map(reasonOf)).toEqual([reason, reason]);
  });
});
