import { describe, expect, it } from "vitest";
import { executeWin } from "../../../../api/routing/rtb/execute-win.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { type Answering, openBuyer, openPinger, openSocketBuyer } from "./buyer.ts";
import { aFormula, aPingContext, aStep } from "./formula.ts";

const won = {
  bid: 12.5,
  duration: 90,
  phone_number: "+18885550101",
  captured: { token: "t1" },
  tags: { tier: "gold" },
};

async function win(
  answer: Answering,
  { step = {}, given = {}, minimumBid = 0 }: WinGiven = {},
): Promise<{ result: Awaited<ReturnType<typeof executeWin>>; asked: readonly { path: string }[] }> {
  const { url, asked } = await openBuyer(() => answer);
  const steps = [
    aStep({ url: `${url}/bid` }),
    aStep({ url: `${url}/won?bid={{bid}}&t=[TOKEN]&tier={{tier}}`, run_on_rtb_group_win: true, ...step }),
  ];
  const options = { won, minimumBid, sender: openPinger(), clock: createManualClock(startOfTime) };
  return { result: await executeWin(aFormula({ steps, ...given }), aPingContext(), options), asked };
}
interface WinGiven {
  readonly step?: Parameters<typeof aStep>[0];
  readonly given?: Parameters<typeof aFormula>[0];
  readonly minimumBid?: number;
}

const said = (value: unknown): Answering => ({ body: JSON.stringify(value) });
const unchanged = { kind: "won", bid: 12.5, duration: 90, phone_number: "+18885550101" };

describe("a winner", () => {
  it("is told by its own steps alone, filled with the bid and what its bidding gave", async () => {
    const { result, asked } = await win(said({ ok: true }));
    expect(result).toMatchObject({ ...unchanged, steps: [{ index: 1, status_code: 200 }] });
    expect(asked.map(({ path }) => path)).toEqual(["/won?bid=12.5&t=t1&tier=gold"]);
  });

  it("without such steps is told nothing", async () => {
    const options = { won, minimumBid: 0, sender: openPinger(), clock: createManualClock(startOfTime) };
    expect(await executeWin(aFormula(), aPingContext(), options)).toMatchObject({ ...unchanged, steps: [] });
  });

  it.each([[{ status: 204 }], [{ body: "" }], [{ body: "OK" }], [said({})], [said({ bid: "$12.50", phone: "?" })]])(
    "that answers %j has confirmed its terms",
    async (answer) => {
      expect((await win(answer)).result).toMatchObject(unchanged);
    },
  );

  it.each([
    [{ phone: "8885550199" }, { phone_number: "+18885550199", bid: 12.5 }],
    [{ bid: 10 }, { bid: 10 }],
    [{ bid: 99 }, { bid: 12.5 }],
    [{ duration: 5 }, { duration: 90 }],
  ])("that answers %j has %j", async (answer, expected) => {
    expect((await win(said(answer))).result).toMatchObject({ ...unchanged, ...expected });
  });

  it("keeps a number that is static", async () => {
    const given = { use_static_phone_number: true };
    expect((await win(said({ phone: "8885550199" }), { given })).result).toMatchObject(unchanged);
  });

  it.each([
    [10, "won"],
    [9.99, "refused"],
  ])("that lowers its bid to %d, where 10 is the least, is %s", async (bid, kind) => {
    const { result } = await win(said({ bid }), { minimumBid: 10 });
    expect(result).toMatchObject(kind === "won" ? { kind, bid } : { kind, reason: "lost_auction" });
  });

  it.each([
    ["status 500", { status: 500 }],
    ["a bid of 0", said({ bid: 0 })],
    ["a bid that is none", said({ bid: "no" })],
  ])("that answers with %s has not confirmed", async (_what, answer) => {
    expect((await win(answer)).result).toMatchObject({ kind: "refused", reason: "win_step_failed" });
  });

  it("that fails where it may keeps its terms", async () => {
    const step = { continue_on_failure: true };
    expect((await win({ status: 500 }, { step })).result).toMatchObject(unchanged);
  });

  it("that does not fulfil its criteria has not confirmed", async () => {
    const step = { target_selection_criteria: { field: "accepted", value: "true" } };
    expect((await win(said({ accepted: true }), { step })).result).toMatchObject(unchanged);
    expect((await win({ status: 204 }, { step })).result).toMatchObject({ reason: "win_step_failed" });
  });
});

it("a winner's steps have three seconds of their own, though its bidding may have five", async () => {
  const clock = createManualClock(startOfTime);
  let heard: () => void = () => undefined;
  const isHeard = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const url = await openSocketBuyer((socket) => socket.once("data", () => heard()));
  const formula = aFormula({ steps: [aStep({ url, run_on_rtb_group_win: true, continue_on_failure: true })] });
  const result = executeWin(formula, aPingContext(), { won, minimumBid: 0, sender: openPinger({ clock }), clock });
  await isHeard;
  clock.advance(2999);
  expect(clock.sleepers()).toBe(1);
  clock.advance(1);
  expect(await result).toMatchObject({ kind: "refused", reason: "win_step_failed", total_ms: 3000 });
});
