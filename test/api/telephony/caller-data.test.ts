import { describe, expect, it } from "vitest";
import { aBid, aBidder, addressOf, aLine, aPlanOf, openSwitchboard, toFormula, toTarget } from "./switchboard.ts";

describe("what was sent about a caller before the call", () => {
  it("tags the call, beneath what the call itself is told with", async () => {
    const documents = { ...aPlanOf(toTarget("a")), target: [aLine("a")] };
    const callerData = { lead_type: "solar", source: "form" };
    const { arrive, signals } = await openSwitchboard({ documents, callerData });
    await arrive({ tags: { source: "switch" } });
    expect(signals()[0]).toMatchObject({ kind: "incoming", tags: { lead_type: "solar", source: "switch" } });
  });

  it("stays behind where the number is nobody's or the caller is anonymous", async () => {
    const documents = { ...aPlanOf(toTarget("a")), target: [aLine("a")] };
    const { arrive, signals } = await openSwitchboard({ documents, callerData: { lead_type: "solar" } });
    await arrive({ to: "+18005559999" });
    await arrive({ from: "anonymous" });
    expect(signals().flatMap((signal) => (signal.kind === "incoming" ? [signal.tags] : []))).toEqual([{}, {}]);
  });

  it("is seen by the filters of the first decision", async () => {
    const isSolar = { conditions: [{ field: "lead_type", operator: "equals", values: ["solar"] }] };
    const filters = { enabled: true, groups: [isSolar] };
    const documents = { ...aPlanOf(toTarget("a"), toTarget("b")), target: [aLine("a", { filters }), aLine("b")] };
    const dialed = async (callerData: Record<string, string>) => {
      const { arrive, signals } = await openSwitchboard({ documents, callerData });
      await arrive();
      return signals().flatMap((signal) => (signal.kind === "dialing" ? [signal.target?.id] : []));
    };
    expect([await dialed({ lead_type: "solar" }), await dialed({})]).toEqual([["a"], ["b"]]);
  });
});

it("tags that come from outside while buyers are asked stay, beside those of the buyer's answer", async () => {
  const retag = async () => {
    const [row] = await switchboard.database.query("SELECT doc FROM open_calls");
    const doc = JSON.parse(String(row?.doc));
    const tags = { outside: "new" };
    await switchboard.database.query("UPDATE open_calls SET doc = $1", [JSON.stringify({ ...doc, tags })]);
    return aBid(30);
  };
  const switchboard = await openSwitchboard({
    documents: { ...aPlanOf(toFormula("f")), rtb_formula: [aBidder("f")] },
    buyers: { [addressOf("f")]: retag },
  });
  await switchboard.arrive({ tags: { outside: "old", gone: "soon" } });
  const [row] = await switchboard.database.query("SELECT doc FROM open_calls");
  expect(JSON.parse(String(row?.doc))).toMatchObject({ state: "dialing", tags: { outside: "new" } });
  expect(JSON.parse(String(row?.doc)).tags).not.toHaveProperty("gone");
  const dialing = switchboard.signals().find((signal) => signal.kind === "dialing");
  expect(dialing?.kind === "dialing" && dialing.tags).not.toHaveProperty("outside");
});
