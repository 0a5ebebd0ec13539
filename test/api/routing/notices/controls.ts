import { describe, expect, it } from "vitest";
import type { Notice } from "../../../../api/routing/notices/notices.ts";
import { createPingControls, type Entry } from "../../../../api/routing/rtb/controls.ts";
import type { Health } from "../../../../api/routing/rtb/health.ts";
import { orgTwo, secondsIn, startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { aFormula } from "../rtb/formula.ts";
import type { UsedBoards } from "./boards.ts";

type Given = Partial<ReturnType<typeof aFormula>>;
const ill: Health = { kind: "ill", retryAfter: null };
const well: Health = { kind: "well" };
const reasonOf = (entry: Entry | undefined) => (entry?.kind === "refused" ? entry.reason : null);

/** What a formula's controls do where several processes ask its buyer (semantics 8.7). */
export function describeSharedControls({ openBoards }: UsedBoards): void {
  function open(given: Given, processes = 2) {
    const rig = openBoards(processes);
    const controls = rig.boards.map(({ notices }) => createPingControls({ clock: rig.clock, notices }));
    const enter = (process: number, more: Given = {}) => controls[process]?.enter({ ...aFormula(), ...given, ...more });
    const leave = (entry: Entry | undefined, health: Health) => {
      if (entry?.kind === "entered") entry.leave(health);
      return reasonOf(entry);
    };
    const forget = (process: number) => controls[process]?.forget();
    return {
      ...rig,
      enter,
      leave,
      forget,
      tryOnce: (process: number, health: Health) => leave(enter(process), health),
    };
  }
  const backoff = { outbound_ping_backoff_enabled: true };

  async function openBackoff() {
    const rig = open(backoff);
    for (let failures = 0; failures < 3; failures += 1) rig.tryOnce(0, ill);
    expect(rig.tryOnce(1, well)).toBeNull();
    await rig.exchange();
    return rig;
  }

  describe("a formula's rate in two processes", () => {
    it("is one as soon as each has heard what the other counts", async () => {
      const { tryOnce, exchange, enter } = open({ outbound_ping_rate_limit: 3 });
      expect([tryOnce(0, well), tryOnce(0, well)]).toEqual([null, null]);
      await exchange();
      expect([tryOnce(1, well), tryOnce(1, well)]).toEqual([null, "ping_rate_limited"]);
      await exchange();
      expect(tryOnce(0, well)).toBe("ping_rate_limited");
      expect(reasonOf(enter(0, { org_id: orgTwo }))).toBeNull();
    });

    it("is forgotten by the one that only heard of it, too, once nothing of it counts", async () => {
      const { tryOnce, exchange, clock, forget } = open({ outbound_ping_rate_limit: 3 });
      tryOnce(0, well);
      await exchange();
      clock.advance(60_249);
      expect(forget(1)).toBe(1);
      clock.advance(1);
      expect(forget(1)).toBe(0);
    });
  });

  describe("executions at once in two processes", () => {
    it("are all one process's while it alone asks, and shared out while both do", async () => {
      const { enter, leave, exchange, clock } = open({ outbound_ping_max_inflight: 5 });
      const entered = Array.from({ length: 5 }, () => enter(0));
      expect(entered.map(reasonOf)).toEqual([null, null, null, null, null]);
      expect(reasonOf(enter(0))).toBe("ping_inflight_limited");
      for (const entry of entered) leave(entry, well);
      await exchange();
      expect([enter(1), enter(1), enter(1)].map(reasonOf)).toEqual([null, null, "ping_inflight_limited"]);
      await exchange();
      expect([enter(0), enter(0), enter(0)].map(reasonOf)).toEqual([null, null, "ping_inflight_limited"]);
      clock.advance(30_000);
      expect([enter(0), enter(0), enter(0), enter(0)].map(reasonOf)).toEqual([
        null,
        null,
        null,
        "ping_inflight_limited",
      ]);
    });

    it("are one for each where there are more processes than may be asked at once", async () => {
      const { enter, exchange } = open({ outbound_ping_max_inflight: 1 });
      enter(0);
      await exchange();
      expect([enter(1), enter(1)].map(reasonOf)).toEqual([null, "ping_inflight_limited"]);
    });
  });

  describe("failures in a row in several processes", () => {
    const third = { outbound_ping_backoff_enabled: true };

    it("open the backoff of all at the threshold, whoever saw them, for as long as from the last of them", async () => {
      const { tryOnce, exchange, clock } = open(third, 3);
      for (const process of [0, 1, 2]) {
        clock.advance(1000);
        expect(tryOnce(process, ill)).toBeNull();
      }
      await exchange();
      const tried = () => [0, 1, 2].map((process) => tryOnce(process, well));
      expect(tried()).toEqual(["ping_backoff", "ping_backoff", "ping_backoff"]);
      await exchange();
      clock.advance(59_999);
      expect(tried()).toEqual(["ping_backoff", "ping_backoff", "ping_backoff"]);
      clock.advance(1);
      expect(tryOnce(0, well)).toBeNull();
    });

    it("that others have seen count with the next one here", async () => {
      const { tryOnce, exchange } = open(third);
      expect([tryOnce(0, ill), tryOnce(0, ill)]).toEqual([null, null]);
      await exchange();
      expect([tryOnce(1, ill), tryOnce(1, well)]).toEqual([null, "ping_backoff"]);
      await exchange();
      expect(tryOnce(0, well)).toBe("ping_backoff");
    });

    it("begin anew with an answer that any of them has heard of them", async () => {
      const { tryOnce, exchange } = open(third);
      for (let round = 0; round < 4; round += 1) {
        expect([tryOnce(0, ill), tryOnce(0, ill)]).toEqual([null, null]);
        await exchange();
        expect(tryOnce(1, well)).toBeNull();
        await exchange();
      }
      expect([tryOnce(0, ill), tryOnce(1, ill), tryOnce(0, ill)]).toEqual([null, null, null]);
      await exchange();
      expect([tryOnce(0, well), tryOnce(1, well)]).toEqual(["ping_backoff", "ping_backoff"]);
    });

    it("begin anew for one that still asks while it hears of the answer", async () => {
      const { tryOnce, enter, leave, exchange } = open(third);
      expect([tryOnce(0, ill), tryOnce(0, ill)]).toEqual([null, null]);
      await exchange();
      const asking = enter(0);
      expect(tryOnce(1, well)).toBeNull();
      await exchange();
      expect(leave(asking, ill)).toBeNull();
      expect([tryOnce(0, ill), tryOnce(0, well)]).toEqual([null, null]);
    });

    it("that a backoff has answered count for nothing once it has closed", async () => {
      const { tryOnce, exchange, clock } = open(third);
      for (const process of [0, 1, 0]) tryOnce(process, ill);
      await exchange();
      expect(tryOnce(1, well)).toBe("ping_backoff");
      clock.advance(60_000);
      expect(tryOnce(0, well)).toBeNull();
      await exchange();
      expect([tryOnce(1, ill), tryOnce(1, ill), tryOnce(1, well)]).toEqual([null, null, null]);
    });

    it("are each organization's and formula's own, and of the same terms", async () => {
      const { tryOnce, exchange, enter } = open(third);
      expect([tryOnce(0, ill), tryOnce(0, ill)]).toEqual([null, null]);
      await exchange();
      const others = [{ org_id: orgTwo }, { id: "another" }, { outbound_ping_backoff_seconds: 61 }];
      for (const other of others) {
        for (let failures = 0; failures < 2; failures += 1) {
          const entry = enter(1, other);
          expect(reasonOf(entry)).toBeNull();
          if (entry?.kind === "entered") entry.leave(ill);
        }
      }
    });

    it("are told by those alone that have seen or heard of any: a buyer that is well costs nothing", () => {
      const kinds: string[] = [];
      const notices = {
        process: "one",
        tell: ({ kind }: Notice) => void kinds.push(kind),
        onHeard: () => undefined,
      };
      const { enter } = createPingControls({ clock: createManualClock(startOfTime), notices });
      const tryOnce = (health: Health) => {
        const entry = enter(aFormula(third));
        if (entry.kind === "entered") entry.leave(health);
      };
      for (let asked = 0; asked < 100; asked += 1) tryOnce(well);
      expect(kinds).toEqual([]);
      for (const health of [ill, well, well, well]) tryOnce(health);
      expect(kinds).toEqual(["failures", "failures"]);
    });
  });

  describe("a backoff in two processes", () => {
    it("that one opens holds in the other, and closes there when a probe is answered here", async () => {
      const { clock, enter, leave, tryOnce, exchange } = await openBackoff();
      clock.advance(59_999);
      expect([tryOnce(0, well), tryOnce(1, well)]).toEqual(["ping_backoff", "ping_backoff"]);
      clock.advance(1);
      const probe = enter(1);
      expect(reasonOf(probe)).toBeNull();
      await exchange();
      expect(reasonOf(enter(0))).toBe("ping_backoff");
      leave(probe, well);
      await exchange();
      expect([tryOnce(0, ill), tryOnce(0, ill), tryOnce(0, well)]).toEqual([null, null, null]);
    });

    it("opens again in both for as long with a probe that fails in one", async () => {
      const { clock, tryOnce, exchange } = await openBackoff();
      clock.advance(60_000);
      expect(tryOnce(1, ill)).toBeNull();
      await exchange();
      clock.advance(59_999);
      expect([tryOnce(0, well), tryOnce(1, well)]).toEqual(["ping_backoff", "ping_backoff"]);
      clock.advance(1);
      expect(tryOnce(0, well)).toBeNull();
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
      for (let failures = 0; failures < 3; failures += 1) rig.tryOnce(0, ill);
      await rig.exchange();
      expect(rig.tryOnce(1, well)).toBe("ping_backoff");
    });

    it("is not touched by what began in the other before it heard, while it holds", async () => {
      const { enter, leave, tryOnce, exchange, clock } = open(backoff);
      const early = enter(1);
      for (let failures = 0; failures < 3; failures += 1) tryOnce(0, ill);
      await exchange();
      expect(tryOnce(1, well)).toBe("ping_backoff");
      leave(early, well);
      expect(tryOnce(1, well)).toBe("ping_backoff");
      clock.advance(60_000);
    });

    it.each([
      ["is well", [ill, well], null],
      ["fails", [well, ill], "ping_backoff"],
    ] as const)("that both probe before they hear of each other goes by the later answer: it %s", async (...given) => {
      const [, answers, reason] = given;
      const { clock, enter, leave, exchange } = await openBackoff();
      clock.advance(60_000);
      const probes = [enter(0), enter(1)];
      expect(probes.map(reasonOf)).toEqual([null, null]);
      for (const [process, probe] of probes.entries()) {
        clock.advance(5);
        leave(probe, answers[process] ?? well);
      }
      await exchange();
      expect([enter(0), enter(1)].map(reasonOf)).toEqual([reason, reason]);
    });
  });
}
