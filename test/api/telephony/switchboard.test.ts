import { describe, expect, it, vi } from "vitest";
import { callIdOf } from "../../../api/telephony/call-sid.ts";
import { orgOne, secondsIn } from "../../make.ts";
import {
  aBid,
  aBidder,
  addressOf,
  aLine,
  anArriving,
  aPlanOf,
  openSwitchboard,
  toFormula,
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
      "incoming",
      "dialing",
      "dial_failed",
      "dialing",
      "dial_failed",
      "failed",
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

  it.each([
    ["that no buyer is asked for is decided, stored and published at once", toTarget("a"), ["incoming dialing"]],
    ["is stored and published before a buyer is asked for it", toFormula("asked"), ["incoming", "outbound dialing"]],
  ])("%s", async (_what, route, expected) => {
    const groups: string[] = [];
    const board = await openSwitchboard({
      documents: { ...aPlanOf(route), target: [aLine("a")], rtb_formula: [aBidder("asked")] },
      buyers: { [addressOf("asked")]: aBid(12) },
      beforePublishing: (told) =>
        void groups.push(told.flatMap(({ value }) => ("kind" in value ? [value.kind] : [])).join(" ")),
    });
    expect(await board.arrive()).toMatchObject({ action: "dial" });
    expect(groups).toEqual(expected);
  });

  it("that a switch tells twice by its name is one call, with the same instruction", async () => {
    const board = await openSwitchboard({ documents: { ...aPlanOf(toTarget("a")), target: [aLine("a")] } });
    const told = await Promise.all([1, 2, 3].map(() => board.arrive({ call_sid: "CA1" })));
    expect(told).toEqual([told[0], told[0], told[0]]);
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
      "incoming",
      "dialing",
      "dial_failed",
      "dialing",
      "answered",
      "hung_up",
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

describe("what a switch is told", () => {
  it("waits for the log, and later reports for what was told before them", async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const board = await openSwitchboard({
      documents: { ...aPlanOf(toTarget("a"), toTarget("b")), target: [aLine("a"), aLine("b")] },
      beforePublishing: (told) =>
        told.some(({ value }) => "kind" in value && value.kind === "dialing") ? gate : undefined,
    });
    const arriving = board.arrive({ call_sid: "CA1" });
    const call_id = callIdOf(orgOne, anArriving({ call_sid: "CA1" }));
    await vi.waitFor(async () => expect(await board.openCalls.find(orgOne, call_id)).not.toBeNull());
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
