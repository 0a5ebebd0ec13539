import { describe, expect, it } from "vitest";
import { reserve } from "../../../api/routing/call-stats/reservations.ts";
import { orgOne, startOfTime } from "../../make.ts";
import {
  aBid,
  aBidder,
  addressOf,
  aLine,
  anArriving,
  aPlanOf,
  openSwitchboard,
  toFormula,
  toMenu,
  toTarget,
  withNumber,
} from "./switchboard.ts";

/** Buyers who answer when a test lets them. */
function heldBack(...ids: string[]) {
  const waiting = new Map<string, (body: object) => void>();
  const buyers = Object.fromEntries(
    ids.map((id) => [addressOf(id), () => new Promise<object>((resolve) => waiting.set(id, resolve))]),
  );
  return { buyers, answer: (id: string, body: object) => waiting.get(id)?.(body) };
}

describe("a place", () => {
  const one = { buyer: [{ id: "buy-1", name: "Sunny Group", max_concurrency: 1 }] };

  it("of a buyer is the call's own when it fails over to another target of the same buyer", async () => {
    const board = await openSwitchboard({
      documents: { ...aPlanOf(toTarget("a"), toTarget("b")), ...one, target: [aLine("a"), aLine("b")] },
    });
    const { call_id } = await board.arrive();
    const next = await board.calls.report(orgOne, call_id, { type: "busy" });
    expect(next?.instruction).toMatchObject({ action: "dial", destination: { target_id: "b" } });
  });

  it("is free from the moment its dial has failed", async () => {
    const menu = { id: "ivr-1", name: "Menu", greeting: "Press 1.", menu: [] };
    const board = await openSwitchboard({
      documents: {
        ...aPlanOf(toTarget("a"), toMenu("ivr-1")),
        target: [aLine("a", { max_concurrency: 1 })],
        ivr: [menu],
      },
    });
    const { call_id } = await board.arrive();
    const asked = await board.calls.report(orgOne, call_id, { type: "busy" });
    expect(asked?.instruction).toMatchObject({ action: "gather" });
    expect(await board.arrive({ from: "+12125550124" })).toMatchObject({
      action: "dial",
      destination: { target_id: "a" },
    });
  });

  it("that is lost at the last moment takes nothing of what the caller was to hear", async () => {
    const steps = [
      { id: "s1", type: "say", text: "This call is recorded." },
      { id: "s2", type: "routing_plan", routing_plan_id: "plan-1" },
    ];
    const plan = aPlanOf(toTarget("a"), toTarget("b"));
    const board = await openSwitchboard({
      documents: {
        ...plan,
        target: [aLine("a", { max_concurrency: 1 }), aLine("b")],
        call_flow: [{ id: "flow-1", name: "Flow", steps }],
        campaign: [{ id: "cmp-1", name: "Flow", call_flow_id: "flow-1", ...withNumber }],
      } as never,
      stats: {},
    });
    // Held by another process, of which this one does not know yet.
    await reserve(board.database, { orgId: orgOne, callId: "other", now: startOfTime }, [
      { kind: "target", id: "a", limit: 1 },
    ]);
    expect(await board.arrive()).toMatchObject({
      action: "dial",
      say: ["This call is recorded."],
      destination: { target_id: "b" },
    });
  });
});

describe("a call that is over", () => {
  it("is asked for no further, nobody is told that it has won, and what was asked is recorded", async () => {
    const { buyers, answer } = heldBack("slow");
    const win = {
      url: "https://confirm.example/",
      run_on_rtb_group_win: true,
      method: "POST",
      api_response: {},
    } as const;
    const slow = aBidder("slow");
    const board = await openSwitchboard({
      documents: {
        ...aPlanOf(toFormula("slow"), toFormula("next")),
        rtb_formula: [{ ...slow, steps: [...(slow.steps ?? []), win] }, aBidder("next")],
      },
      buyers: { ...buyers, [addressOf("next")]: aBid(20) },
    });
    const arriving = board.arrive({ call_sid: "CA1" });
    await expect.poll(() => board.asked).toEqual([addressOf("slow")]);
    const { call_id } = board.signals()[0] as { call_id: string };
    await board.calls.report(orgOne, call_id, { type: "hangup" });
    answer("slow", aBid(12));
    await arriving;
    expect(board.asked).toEqual([addressOf("slow")]);
    expect(board.requests()).toMatchObject([{ rtb_id: "slow", outcome: "bid", won: false }]);
  });

  it("after ten dials asks no buyer any more", async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `t${index}`);
    const board = await openSwitchboard({
      documents: {
        ...aPlanOf(...ids.map(toTarget), toFormula("late")),
        target: ids.map((id) => aLine(id)),
        rtb_formula: [aBidder("late")],
      },
      buyers: { [addressOf("late")]: aBid(12) },
    });
    const { call_id } = await board.arrive();
    for (let dial = 1; dial <= 10; dial += 1) await board.calls.report(orgOne, call_id, { type: "fail", dial });
    expect(board.asked).toEqual([]);
    expect(board.signals().at(-1)).toMatchObject({ kind: "failed", reason: "failed" });
  });

  it("is nobody else's: a simulated switch tells nothing of a carrier's call", async () => {
    const board = await openSwitchboard({ documents: { ...aPlanOf(toTarget("a")), target: [aLine("a")] } });
    const { call_id } = await board.arrive({ provider: "twilio", call_sid: "CA1" });
    const answered = { type: "answer", provider: "simulator" } as const;
    expect(await board.calls.report(orgOne, call_id, answered)).toMatchObject({ kind: "stale" });
    expect(board.signals().map(({ kind }) => kind)).toEqual(["incoming", "dialing"]);
  });
});

describe("a call that two processes hear of", () => {
  const arriving = anArriving({ provider: "twilio", call_sid: "CA1" });

  it("is decided on once, though they hear of it at one moment", async () => {
    const { buyers, answer } = heldBack("slow");
    const board = await openSwitchboard({
      documents: { ...aPlanOf(toFormula("slow")), rtb_formula: [aBidder("slow")] },
      buyers,
    });
    const first = board.calls.arrive(orgOne, arriving);
    await expect.poll(() => board.asked).toHaveLength(1);
    const second = board.openProcess().arrive(orgOne, arriving);
    await expect.poll(() => board.clock.sleepers()).toBeGreaterThan(1);
    answer("slow", aBid(12));
    const told = await first;
    board.clock.advance(200);
    expect(await second).toEqual(told);
    expect(board.asked).toHaveLength(1);
  });

  it("is decided on by the second when the first one has died", async () => {
    const { buyers } = heldBack("hung");
    const board = await openSwitchboard({
      documents: { ...aPlanOf(toFormula("hung"), toTarget("a")), rtb_formula: [aBidder("hung")], target: [aLine("a")] },
      buyers,
    });
    void board.calls.arrive(orgOne, arriving);
    await expect.poll(() => board.asked).toHaveLength(1);
    board.put({ rtb_formula: [aBidder("hung", { is_active: false })] });
    const second = board.openProcess().arrive(orgOne, arriving);
    await expect.poll(() => board.clock.sleepers()).toBeGreaterThan(1);
    board.clock.advance(36_000);
    expect(await second).toMatchObject({ action: "dial", destination: { target_id: "a" } });
  });
});
