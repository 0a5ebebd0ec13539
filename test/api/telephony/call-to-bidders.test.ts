import { describe, expect, it } from "vitest";
import { orgOne } from "../../make.ts";
import { aBid, aBidder, addressOf, aLine, aPlanOf, openSwitchboard, toGroup, toTarget } from "./switchboard.ts";

describe("a call to a group of bidders", () => {
  const group = (more: object = {}) => ({
    id: "grp-1",
    name: "Bidders",
    rtb_formulas: ["low", "high", "none"].map((id) => ({ id: `l-${id}`, rtb_formula_id: id })),
    ...more,
  });
  const documents = (more: object = {}) => ({
    ...aPlanOf(toGroup("grp-1"), toTarget("a")),
    target: [aLine("a")],
    rtb_group: [group(more)],
    rtb_formula: ["low", "high", "none"].map((id) => aBidder(id)),
  });
  const buyers = {
    [addressOf("low")]: aBid(8),
    [addressOf("high")]: aBid(12, "+18885550112"),
    [addressOf("none")]: {},
  };

  it("goes to the highest bid on its terms, then to the next, then to the plan's next route", async () => {
    const board = await openSwitchboard({ documents: documents(), buyers });
    const first = await board.arrive();
    expect(first).toMatchObject({
      action: "dial",
      destination: { type: "number", number: "+18885550112", target_id: "high" },
      terms: { buyer_terms: { revenue: 12, condition: "call_length_connected", condition_seconds: 60 } },
    });
    const next = async (dial: number) =>
      (await board.calls.report(orgOne, first.call_id, { type: "busy", dial }))?.instruction;
    expect(await next(1)).toMatchObject({ destination: { target_id: "low" }, terms: { buyer_terms: { revenue: 8 } } });
    expect(await next(2)).toMatchObject({ destination: { target_id: "a" } });
    expect(board.asked).toHaveLength(3);
    expect(board.signals()[1]).toMatchObject({ kind: "dialing", target: null, rtb_id: "high", rtb_group_id: "grp-1" });
  });

  it("records every buyer that was asked, who won and why the others did not", async () => {
    const board = await openSwitchboard({ documents: documents(), buyers });
    const { call_id } = await board.arrive();
    const summary = board.requests().map(({ rtb_id, outcome, reason, won, bid, score, steps }) => ({
      rtb_id,
      outcome,
      reason,
      won,
      bid,
      score,
      steps: steps?.length,
    }));
    expect(summary.toSorted((one, other) => (one.rtb_id < other.rtb_id ? -1 : 1))).toEqual([
      { rtb_id: "high", outcome: "bid", reason: null, won: true, bid: 12, score: 12, steps: 1 },
      { rtb_id: "low", outcome: "bid", reason: "lost_auction", won: false, bid: 8, score: 8, steps: 1 },
      { rtb_id: "none", outcome: "no_bid", reason: "no_bid", won: false, bid: null, score: null, steps: 1 },
    ]);
    expect(board.requests()[0]).toMatchObject({ call_id, campaign_id: "cmp-1", buyer_name: "Sunny Group" });
    expect(board.way().map(({ event }) => event)).toEqual([
      "plan.selected",
      "ping.sent",
      "ping.sent",
      "ping.sent",
      "ping.result",
      "ping.result",
      "ping.result",
      "auction.won",
      "route.skipped",
      "dial.started",
    ]);
  });

  it("sells to nobody out of bounds, and asks nobody who may not be asked", async () => {
    const links = [
      { id: "l1", rtb_formula_id: "low", minimum_bid_per_target: 9 },
      { id: "l2", rtb_formula_id: "high", maximum_bid_per_target: 10 },
      { id: "l3", rtb_formula_id: "paused" },
    ];
    const board = await openSwitchboard({
      documents: {
        ...documents({ rtb_formulas: links }),
        rtb_formula: [aBidder("low"), aBidder("high"), aBidder("paused", { is_active: false })],
      },
      buyers,
    });
    expect(await board.arrive()).toMatchObject({ destination: { target_id: "a" } });
    expect(board.asked.toSorted()).toEqual([addressOf("high"), addressOf("low")]);
    const skipped = board.way().filter(({ event }) => event === "route.skipped");
    expect(skipped).toMatchObject([
      { id: "paused", reason: "inactive" },
      { id: "low", reason: "bid_below_minimum", bid: 8 },
      { id: "high", reason: "bid_above_maximum", bid: 12 },
    ]);
  });

  it("lets the next bid have it when the winner does not confirm", async () => {
    const win = {
      url: "https://confirm.example/",
      run_on_rtb_group_win: true,
      method: "POST",
      api_response: {},
    } as const;
    const high = aBidder("high");
    const board = await openSwitchboard({
      documents: {
        ...documents(),
        rtb_formula: [aBidder("low"), { ...high, steps: [...(high.steps ?? []), win] }, aBidder("none")],
      },
      buyers: { ...buyers, [win.url]: { bid: "not an amount" } },
    });
    expect(await board.arrive()).toMatchObject({ destination: { target_id: "low" } });
    const lost = board.requests().find(({ rtb_id }) => rtb_id === "high");
    expect(lost).toMatchObject({ won: false, reason: "win_step_failed", effective_bid: null, steps_count: 2 });
    expect(board.requests().find(({ rtb_id }) => rtb_id === "low")).toMatchObject({ won: true, reason: null });
  });

  it("holds a losing bid for a minute and no longer", async () => {
    const board = await openSwitchboard({ documents: documents(), buyers });
    const { call_id } = await board.arrive();
    board.clock.advance(60_001);
    const next = await board.calls.report(orgOne, call_id, { type: "no_answer" });
    expect(next?.instruction).toMatchObject({ destination: { target_id: "a" } });
    expect(board.way()).toContainEqual(expect.objectContaining({ id: "low", reason: "bid_expired" }));
  });
});
