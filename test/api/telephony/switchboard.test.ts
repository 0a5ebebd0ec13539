import { describe, expect, it, vi } from "vitest";
import { reserve } from "../../../api/routing/figures/reservations.ts";
import { orgOne, secondsIn, startOfTime } from "../../make.ts";
import {
  aBid,
  aBidder,
  addressOf,
  aLine,
  aPlanOf,
  openSwitchboard,
  toFormula,
  toGroup,
  toMenu,
  toTarget,
  withNumber,
} from "./switchboard.ts";

describe("a call", () => {
  it("goes through its plan: routes in their order, each destination once, until none is left", async () => {
    const board = await openSwitchboard({
      documents: {
        ...aPlanOf(toTarget("a"), toTarget("a"), toTarget("b")),
        target: [aLine("a"), aLine("b", { number: "+18885550102" })],
      },
    });
    const first = await board.arrive();
    expect(first).toMatchObject({ action: "dial", dial: 1, record: true, destination: { target_id: "a" } });
    const second = await board.calls.report(orgOne, first.call_id, { type: "busy", dial: 1 });
    expect(second?.instruction).toMatchObject({ action: "dial", dial: 2, destination: { target_id: "b" } });
    const last = await board.calls.report(orgOne, first.call_id, { type: "no_answer" });
    expect(last?.instruction).toEqual({ action: "hangup", say: [], reason: "no_answer" });
    expect(board.signals().map(({ kind }) => kind)).toEqual([
      ...["incoming", "dialing", "dial_failed", "dialing", "dial_failed", "failed"],
    ]);
  });

  it("tells its way: the plan, who was left out and why, each dial", async () => {
    const board = await openSwitchboard({
      documents: {
        ...aPlanOf(toTarget("off"), toTarget("gone"), { action: "route-to-moon" }, toTarget("a")),
        target: [aLine("off", { is_active: false }), aLine("a")],
      },
    });
    const { call_id } = await board.arrive();
    await board.calls.report(orgOne, call_id, { type: "ringing" });
    await board.calls.report(orgOne, call_id, { type: "ringing" });
    await board.calls.report(orgOne, call_id, { type: "busy" });
    expect(board.way()).toMatchObject([
      { event: "plan.selected", id: "plan-1" },
      { event: "route.skipped", route_id: "r0", id: "off", reason: "inactive" },
      { event: "route.skipped", route_id: "r1", id: "gone", reason: "destination_missing" },
      { event: "route.skipped", route_id: "r2", reason: "unsupported_action" },
      { event: "dial.started", dial: 1, id: "a", revenue: 30 },
      { event: "dial.ringing", dial: 1 },
      { event: "dial.failed", dial: 1, status: "busy" },
    ]);
  });

  it("that a switch tells twice by its name is one call, with the same instruction", async () => {
    const board = await openSwitchboard({ documents: { ...aPlanOf(toTarget("a")), target: [aLine("a")] } });
    const told = await Promise.all([1, 2, 3].map(() => board.arrive({ call_sid: "CA1" })));
    expect(new Set(told.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(board.signals().map(({ kind }) => kind)).toEqual(["incoming", "dialing"]);
  });

  it("heeds no report on a dial that is over, nor one that comes twice", async () => {
    const board = await openSwitchboard({
      documents: { ...aPlanOf(toTarget("a"), toTarget("b")), target: [aLine("a"), aLine("b")] },
    });
    const { call_id } = await board.arrive();
    const report = (type: "busy" | "answer" | "hangup", dial?: number) =>
      board.calls.report(orgOne, call_id, type === "hangup" ? { type } : { type, dial });
    await report("busy", 1);
    for (const late of ["busy", "answer"] as const) {
      expect(await report(late, 1)).toMatchObject({ kind: "stale", instruction: { action: "dial", dial: 2 } });
    }
    expect(await report("answer", 2)).toMatchObject({ kind: "taken", instruction: { action: "none" } });
    expect(await report("busy", 2)).toMatchObject({ kind: "stale", instruction: { action: "none" } });
    expect(await report("hangup")).toMatchObject({ kind: "taken" });
    expect(await report("hangup")).toMatchObject({ kind: "stale" });
    expect(board.signals().map(({ kind }) => kind)).toEqual([
      ...["incoming", "dialing", "dial_failed", "dialing", "answered", "hung_up"],
    ]);
  });

  it("is dialed ten times at the most", async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `t${index}`);
    const board = await openSwitchboard({
      documents: { ...aPlanOf(...ids.map(toTarget)), target: ids.map((id) => aLine(id)) },
    });
    const { call_id } = await board.arrive();
    let last: unknown;
    for (let dial = 1; dial <= 10; dial += 1)
      last = (await board.calls.report(orgOne, call_id, { type: "fail", dial }))?.instruction;
    expect(last).toMatchObject({ action: "hangup", reason: "failed" });
  });

  it("finds exactly one of fifty at once a place where there is one", async () => {
    const board = await openSwitchboard({
      documents: { ...aPlanOf(toTarget("a")), target: [aLine("a", { max_concurrency: 1 })] },
    });
    const callers = Array.from({ length: 50 }, (_, index) => `+1212555${1000 + index}`);
    const told = await Promise.all(callers.map((from) => board.arrive({ from })));
    expect(told.filter(({ action }) => action === "dial")).toHaveLength(1);
    expect(told.filter(({ action }) => action === "reject")).toHaveLength(49);
    const placed = told.find(({ action }) => action === "dial");
    await board.calls.report(orgOne, placed?.call_id ?? "", { type: "hangup" });
    expect(await board.arrive()).toMatchObject({ action: "dial" });
  });

  it.each([
    ["caller_blocked", { blocked_caller: [{ id: "b", number: "+12125550123" }] }],
    ["campaign_inactive", { campaign: [{ id: "cmp-1", name: "Off", is_active: false, ...withNumber }] }],
    ["no_routing_plan", { campaign: [{ id: "cmp-1", name: "No plan", ...withNumber }] }],
    ["routing_plan_inactive", { routing_plan: [{ id: "plan-1", name: "East", is_active: false }] }],
    ["publisher_not_allowed", { routing_plan: [{ id: "plan-1", name: "East", allowed_publishers: ["other"] }] }],
    ["no_call_flow", { campaign: [{ id: "cmp-1", name: "Flow", execution_mode: "call_flow", ...withNumber }] }],
    ["no_eligible_route", { routing_plan: [{ id: "plan-1", name: "East", routes: [] }] }],
  ] as const)("is turned away as %s", async (reason, documents) => {
    const board = await openSwitchboard({
      documents: { ...aPlanOf(toTarget("a")), target: [aLine("a")], ...documents } as never,
    });
    expect(await board.arrive()).toMatchObject({ action: "reject", reason });
    expect(board.signals().at(-1)).toMatchObject({ kind: "failed", reason });
    expect(board.asked).toEqual([]);
  });

  it("of a scrubbed caller is turned away, with what scrubbing found", async () => {
    const documents = { ...aPlanOf(toTarget("a")), target: [aLine("a")] };
    const board = await openSwitchboard({ documents, tcpa: "tcpa_blocked" });
    expect(await board.arrive()).toMatchObject({ action: "reject", reason: "tcpa_blocked" });
    expect(board.way()).toEqual([{ event: "tcpa.checked", result: "tcpa_blocked" }]);
    expect(board.signals()[0]).toMatchObject({ kind: "incoming", tcpa_result: "tcpa_blocked" });
  });

  it("that ends while buyers are asked is not dialed", async () => {
    let answer: (body: object) => void = () => undefined;
    const buyers = {
      [addressOf("slow")]: () =>
        new Promise<object>((resolve) => {
          answer = resolve;
        }),
    };
    const board = await openSwitchboard({
      documents: { ...aPlanOf(toFormula("slow")), rtb_formula: [aBidder("slow")] },
      buyers,
    });
    const arriving = board.arrive({ call_sid: "CA1" });
    await expect.poll(() => board.asked).toEqual([addressOf("slow")]);
    const { call_id } = board.signals()[0] as { call_id: string };
    expect(await board.calls.report(orgOne, call_id, { type: "hangup" })).toMatchObject({ kind: "taken" });
    answer(aBid(12));
    expect(await arriving).toMatchObject({ action: "none" });
    expect(board.signals().map(({ kind }) => kind)).toEqual(["incoming", "hung_up"]);
  });
});

describe("a call to a group of bidders", () => {
  const group = (more: object = {}) => ({
    id: "grp-1",
    name: "Bidders",
    rtb_formulas: ["low", "high", "none"].map((id) => ({ id: `l-${id}`, rtb_formula_id: id })),
    ...more,
  });
  const documents = (more: object = {}) => ({
    ...aPlanOf(toGroup("grp-1"), toTarget("a")),
    ...{
      target: [aLine("a")],
      rtb_group: [group(more)],
      rtb_formula: ["low", "high", "none"].map((id) => aBidder(id)),
    },
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
      ...{ action: "dial", destination: { type: "number", number: "+18885550112", target_id: "high" } },
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
      ...{ rtb_id, outcome, reason, won, bid, score, steps: steps?.length },
    }));
    expect(summary.toSorted((one, other) => (one.rtb_id < other.rtb_id ? -1 : 1))).toEqual([
      { rtb_id: "high", outcome: "bid", reason: null, won: true, bid: 12, score: 12, steps: 1 },
      { rtb_id: "low", outcome: "bid", reason: "lost_auction", won: false, bid: 8, score: 8, steps: 1 },
      { rtb_id: "none", outcome: "no_bid", reason: "no_bid", won: false, bid: null, score: null, steps: 1 },
    ]);
    expect(board.requests()[0]).toMatchObject({ call_id, campaign_id: "cmp-1", buyer_name: "Sunny Group" });
    expect(board.way().map(({ event }) => event)).toEqual([
      ...["plan.selected", "ping.sent", "ping.sent", "ping.sent", "ping.result", "ping.result", "ping.result"],
      ...["auction.won", "route.skipped", "dial.started"],
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

describe("a call to a menu", () => {
  const menu = (more: object = {}) => ({
    ...{ id: "ivr-1", name: "Solar or roofing", greeting: "Press 1 for solar.", max_retries: 1 },
    menu: [
      { id: "m1", digit: "1", label: "solar", destination: { target_id: "a" } },
      { id: "m2", digit: "2", destination: { routing_plan_id: "plan-2" } },
    ],
    ...more,
  });
  const documents = (more: object = {}) => ({
    ...aPlanOf(toMenu("ivr-1"), toTarget("last")),
    routing_plan: [
      {
        id: "plan-1",
        name: "Menu",
        routes: [
          { id: "r0", priority: 0, ...toMenu("ivr-1") },
          { id: "r1", priority: 1, ...toTarget("last") },
        ],
      },
      { id: "plan-2", name: "Roofing", routes: [{ id: "r9", ...toTarget("b") }] },
    ],
    ...{ target: [aLine("a"), aLine("b"), aLine("last")], ivr: [menu(more)] },
  });
  const press = (board: Awaited<ReturnType<typeof openSwitchboard>>, id: string, digits: string, turn?: number) =>
    board.calls.report(orgOne, id, { type: "digits", digits, turn });

  it("is asked, and goes where the digit leads with the choice as its tag", async () => {
    const board = await openSwitchboard({ documents: documents() as never });
    const asked = await board.arrive();
    expect(asked).toMatchObject({ action: "gather", say: ["Press 1 for solar."], turn: 1, timeout_seconds: 5 });
    const next = await press(board, asked.call_id, "1", 1);
    expect(next?.instruction).toMatchObject({ action: "dial", destination: { target_id: "a" } });
    expect(board.signals().slice(1)).toMatchObject([
      { kind: "tagged", tags: { ivr_choice: "solar" } },
      { kind: "dialing", after_menu: true },
    ]);
    expect(await press(board, asked.call_id, "2", 1)).toMatchObject({ kind: "stale", instruction: { action: "dial" } });
  });

  it("goes on with the plan when the choice comes to nothing", async () => {
    const board = await openSwitchboard({ documents: documents() as never });
    const { call_id } = await board.arrive();
    expect((await press(board, call_id, "2"))?.instruction).toMatchObject({ destination: { target_id: "b" } });
    const next = await board.calls.report(orgOne, call_id, { type: "busy" });
    expect(next?.instruction).toMatchObject({ destination: { target_id: "last" } });
  });

  it("is asked again after a wrong digit or none, and then goes where the menu says", async () => {
    const board = await openSwitchboard({ documents: documents({ invalid_input: { target_id: "b" } }) as never });
    const { call_id } = await board.arrive();
    expect((await press(board, call_id, "", 1))?.instruction).toMatchObject({ action: "gather", turn: 2 });
    expect((await press(board, call_id, "9", 2))?.instruction).toMatchObject({
      action: "dial",
      destination: { target_id: "b" },
    });
  });

  it("is hung up when nothing is chosen and nobody takes it then", async () => {
    const board = await openSwitchboard({ documents: documents() as never });
    const { call_id } = await board.arrive();
    await press(board, call_id, "");
    expect((await press(board, call_id, ""))?.instruction).toEqual({
      action: "hangup",
      say: [],
      reason: "menu_no_input",
    });
  });

  it("is asked by menus that lead to each other for so long and no longer", async () => {
    const board = await openSwitchboard({
      documents: documents({ menu: [{ id: "m1", digit: "1", destination: { ivr_id: "ivr-1" } }] }) as never,
    });
    let instruction = (await board.arrive()) as object;
    const { call_id } = board.signals()[0] as { call_id: string };
    for (let turn = 1; turn <= 25; turn += 1) instruction = (await press(board, call_id, "1", turn))?.instruction ?? {};
    expect(instruction).toMatchObject({ action: "hangup", reason: "menu_limit" });
  });

  it("hears what its flow says, goes through its plan, and is hung up at its end", async () => {
    const steps = [
      { id: "s1", type: "say", text: "This call may be recorded." },
      { id: "s2", type: "ivr", ivr_id: "ivr-1" },
      { id: "s3", type: "say", text: "Nobody is here." },
      { id: "s4", type: "hangup" },
      { id: "s5", type: "routing_plan", routing_plan_id: "plan-1" },
    ];
    const board = await openSwitchboard({
      documents: {
        ...documents(),
        campaign: [{ id: "cmp-1", name: "Flow", call_flow_id: "flow-1", ...withNumber }],
        call_flow: [{ id: "flow-1", name: "Greeting", steps }],
      } as never,
    });
    const asked = await board.arrive();
    expect(asked).toMatchObject({ action: "gather", say: ["This call may be recorded.", "Press 1 for solar."] });
    await press(board, asked.call_id, "1");
    const over = await board.calls.report(orgOne, asked.call_id, { type: "busy" });
    expect(over?.instruction).toEqual({ action: "hangup", say: ["Nobody is here."], reason: "busy" });
  });
});

describe("the money of a call", () => {
  it("is that of the destination that took it, whatever a dial before it would have paid", async () => {
    const board = await openSwitchboard({
      documents: {
        ...aPlanOf(toTarget("a"), toTarget("b")),
        campaign: [{ id: "cmp-1", name: "No payout", routing_plan_id: "plan-1", ...withNumber }],
        target: [aLine("a", { payout: 25 }), aLine("b", { revenue: 5 })],
      },
    });
    const { call_id } = await board.arrive();
    await board.calls.report(orgOne, call_id, { type: "busy" });
    const dialed = board.signals().filter(({ kind }) => kind === "dialing");
    expect(dialed).toMatchObject([{ publisher_terms: { payout: 25 } }, { publisher_terms: { payout: 0 } }]);
  });

  it("counts as many connected seconds as the carrier did, however late it is told", async () => {
    const board = await openSwitchboard({ documents: { ...aPlanOf(toTarget("a")), target: [aLine("a")] } });
    const { call_id } = await board.arrive();
    await board.calls.report(orgOne, call_id, { type: "answer" });
    board.clock.advance(61_000);
    await board.calls.report(orgOne, call_id, { type: "hangup", connected_seconds: 52 });
    expect(board.signals().at(-1)).toMatchObject({ kind: "hung_up", at: secondsIn(52) });
  });
});

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
        ...{
          target: [aLine("a", { max_concurrency: 1 }), aLine("b")],
          call_flow: [{ id: "flow-1", name: "Flow", steps }],
        },
        campaign: [{ id: "cmp-1", name: "Flow", call_flow_id: "flow-1", ...withNumber }],
      } as never,
      facts: {},
    });
    // Held by another process, of which this one does not know yet.
    await reserve(board.database, { orgId: orgOne, callId: "other", now: startOfTime }, [
      { kind: "target", id: "a", limit: 1 },
    ]);
    expect(await board.arrive()).toMatchObject({
      ...{ action: "dial", say: ["This call is recorded."], destination: { target_id: "b" } },
    });
  });
});

describe("a call that is over", () => {
  /** Buyers who answer when a test lets them. */
  function heldBack(...ids: string[]) {
    const waiting = new Map<string, (body: object) => void>();
    const buyers = Object.fromEntries(
      ids.map((id) => [addressOf(id), () => new Promise<object>((resolve) => waiting.set(id, resolve))]),
    );
    return { buyers, answer: (id: string, body: object) => waiting.get(id)?.(body) };
  }

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
        ...{ target: ids.map((id) => aLine(id)), rtb_formula: [aBidder("late")] },
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

  it("is decided on once by two processes that hear of it at one moment", async () => {
    const { buyers, answer } = heldBack("slow");
    const board = await openSwitchboard({
      documents: { ...aPlanOf(toFormula("slow")), rtb_formula: [aBidder("slow")] },
      buyers,
    });
    const arriving = {
      provider: "twilio",
      call_sid: "CA1",
      from: "+12125550123",
      to: "+18005550100",
      tags: {},
    } as const;
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

  it("is decided on by another process when the first one has died", async () => {
    const { buyers } = heldBack("hung");
    const board = await openSwitchboard({
      documents: { ...aPlanOf(toFormula("hung"), toTarget("a")), rtb_formula: [aBidder("hung")], target: [aLine("a")] },
      buyers,
    });
    const arriving = {
      provider: "twilio",
      call_sid: "CA1",
      from: "+12125550123",
      to: "+18005550100",
      tags: {},
    } as const;
    void board.calls.arrive(orgOne, arriving);
    await expect.poll(() => board.asked).toHaveLength(1);
    board.put({ rtb_formula: [aBidder("hung", { is_active: false })] });
    const second = board.openProcess().arrive(orgOne, arriving);
    await expect.poll(() => board.clock.sleepers()).toBeGreaterThan(1);
    board.clock.advance(36_000);
    expect(await second).toMatchObject({ action: "dial", destination: { target_id: "a" } });
  });
});

describe("what a switch is told", () => {
  it("waits for the log, and later reports for what was told before them", async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const board = await openSwitchboard({
      documents: { ...aPlanOf(toTarget("a"), toTarget("b")), target: [aLine("a"), aLine("b")] },
      beforeTelling: (told) =>
        told.some(({ value }) => "kind" in value && value.kind === "dialing") ? gate : undefined,
    });
    const arriving = board.arrive({ call_sid: "CA1" });
    const { call_id } = await vi.waitFor(() => {
      const [incoming] = board.signals();
      if (incoming === undefined) throw new Error("not yet");
      return incoming;
    });
    const repeated = board.arrive({ call_sid: "CA1" });
    const busy = board.calls.report(orgOne, call_id, { type: "busy", dial: 1 });
    open();
    expect(await arriving).toMatchObject({ action: "dial", dial: 1 });
    expect((await repeated).action).toBe("dial");
    const after = await busy;
    if (after?.kind === "taken") expect(after.instruction).toMatchObject({ action: "dial", dial: 2 });
    const kinds = board.signals().map((signal) => (signal.kind === "dialing" ? signal.target?.id : signal.kind));
    expect(kinds.slice(0, 2)).toEqual(["incoming", "a"]);
  });
});
