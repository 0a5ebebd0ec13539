import { describe, expect, it } from "vitest";
import { orgOne } from "../../make.ts";
import { aLine, aPlanOf, openSwitchboard, toMenu, toTarget, withNumber } from "./switchboard.ts";

describe("a call to a menu", () => {
  const menu = (more: object = {}) => ({
    id: "ivr-1",
    name: "Solar or roofing",
    greeting: "Press 1 for solar.",
    max_retries: 1,
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
    target: [aLine("a"), aLine("b"), aLine("last")],
    ivr: [menu(more)],
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
