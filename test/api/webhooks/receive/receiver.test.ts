import { describe, expect, it } from "vitest";
import { aCall, laterMs, noneKnown, openRig } from "./rig.ts";

const caller_id = "+12125550123";
const add = { a: "1" };
const day = 86_400;

describe("a request finds the call", () => {
  it("by its id, however long ago, and else the caller's most recent one", async () => {
    const rig = await openRig();
    const { ask } = rig.openProcess();
    await rig.take(aCall({ id: "old", begins: -20 * day }));
    await rig.take(aCall({ id: "new", begins: -60 }));
    await rig.take(aCall({ id: "newest of another", from: "+12125550199" }));
    expect(await ask("update_tags", { call_id: "old", add })).toMatchObject({ matched: true, call_id: "old" });
    expect(await ask("update_tags", { caller_id, add })).toMatchObject({ call_id: "new" });
    expect(await ask("update_tags", { call_id: "old", caller_id, add })).toMatchObject({ call_id: "old" });
    expect(await ask("update_tags", { call_id: "none", caller_id, add })).toEqual({ success: true, matched: false });
  });

  it("of so many days back and no more, in memory and in the warehouse", async () => {
    const rig = await openRig();
    const { ask } = rig.openProcess();
    await rig.take(aCall({ id: "call", begins: -15 * day + 3600 }));
    expect(await ask("update_tags", { caller_id, add })).toMatchObject({ matched: true });
    rig.clock.advance(1);
    expect(await ask("update_tags", { caller_id, add })).toMatchObject({ matched: false });
    expect(await ask("update_tags", { caller_id, add }, { caller_id_match_days: 16 })).toMatchObject({ matched: true });
  });

  it("that routing remembers no more", async () => {
    const rig = await openRig();
    await rig.take(aCall({ id: "call", begins: -80 * day }));
    const forgetful = rig.openProcess({ statsOf: noneKnown });
    const ask = (days: number) => forgetful.ask("update_tags", { caller_id, add }, { caller_id_match_days: days });
    await rig.loaded("call");
    expect(await ask(90)).toMatchObject({ call_id: "call" });
    expect(await ask(79)).toMatchObject({ matched: false });
    expect((await rig.folded("call", 1)).tags).toEqual(add);
  });

  it("unless routing knows that there is none", async () => {
    const rig = await openRig();
    await rig.take(aCall({ id: "call", begins: -5 * day }));
    await rig.loaded("call");
    const sinceDays = (days: number) =>
      rig
        .openProcess({
          statsOf: () => ({ earlierCalls: () => [], callsKnownSince: () => rig.clock.now() - days * day * 1000 }),
        })
        .ask("update_tags", { caller_id, add }, { caller_id_match_days: 15 });
    expect(await sinceDays(15)).toMatchObject({ matched: false });
    expect(await sinceDays(14)).toMatchObject({ call_id: "call" });
  });

  it("in progress, but for its money only once it was answered, and never where it failed", async () => {
    const rig = await openRig();
    const { ask } = rig.openProcess();
    const money = { caller_id, revenue: 5 };
    await rig.take(aCall({ id: "failed", begins: -90, until: "failed" }));
    expect(await ask("update_revenue", money)).toMatchObject({ matched: false });
    expect(await ask("update_revenue", { call_id: "failed", revenue: 5 })).toMatchObject({ matched: false });
    await rig.take(aCall({ id: "done", begins: -60 }));
    await rig.take(aCall({ id: "live", begins: laterMs / 1000, until: "incoming" }));
    expect(await ask("update_revenue", money)).toMatchObject({ call_id: "done" });
    expect(await ask("update_tags", { caller_id, add })).toMatchObject({ call_id: "live" });
    expect((await rig.folded("live", 1)).tags).toEqual(add);
  });
});

describe("an answer", () => {
  it("shows what was and what is, update after update", async () => {
    const rig = await openRig();
    const { ask } = rig.openProcess();
    await rig.take(aCall({ id: "call", tags: { kept: "yes", gone: "soon" } }));
    const amounts = { revenue: 30, payout: 20, converted: true };
    expect(await ask("update_revenue", { call_id: "call", payout: 0 })).toMatchObject({
      before: amounts,
      after: { ...amounts, payout: 0 },
    });
    await rig.folded("call", 1);
    expect(await ask("update_revenue", { call_id: "call", revenue: "0.00" })).toMatchObject({
      before: { ...amounts, payout: 0 },
      after: { revenue: 0, payout: 0, converted: false },
    });
    expect(await ask("update_tags", { call_id: "call", tags: { b: 5 }, add: { b: true }, remove: ["gone"] })).toEqual({
      success: true,
      matched: true,
      call_id: "call",
      before: { gone: "soon", b: null },
      after: { gone: null, b: "true" },
    });
    const fields = { notes: "x", disposition: null, caller_zip: null, external_id: 5, revenue: 1 };
    expect(await ask("update_fields", { call_id: "call", fields })).toMatchObject({
      after: { caller_zip: null, external_id: "5", disposition: null, notes: "x" },
      ignored: ["revenue"],
    });
    const call = await rig.folded("call", 4);
    expect(call.tags).toEqual({ kept: "yes", b: "true", notes: "x", external_id: "5" });
    expect(call).toMatchObject({ revenue: 0, payout: 0, profit: 0, payable: false, receivable: false });
  });

  it("is of a call worth nothing where it has not converted, also beside a zero", async () => {
    const rig = await openRig();
    const { ask } = rig.openProcess();
    await rig.take(aCall({ id: "call" }));
    const nothing = { revenue: 0, payout: 0, converted: false };
    expect(await ask("update_revenue", { call_id: "call", converted: false, revenue: 0 })).toMatchObject({
      before: { revenue: 30, payout: 20, converted: true },
      after: nothing,
    });
    expect(await rig.folded("call", 1)).toMatchObject({ ...nothing, payable: false, receivable: false });
  });

  it("names tags that are not of their type, and does nothing for them", async () => {
    const rig = await openRig();
    const { ask } = rig.openProcess();
    await rig.take(aCall({ id: "call" }));
    expect(await ask("call_data", { caller_id, lead_score: "many" })).toEqual({
      success: true,
      matched: true,
      call_id: "call",
      before: {},
      after: {},
      ignored: ["lead_score"],
    });
    const given = { call_id: "call", add: { LEAD_SCORE: "1e2", is_owner: "perhaps", retired: "1" } };
    expect(await ask("update_tags", given)).toMatchObject({
      after: { lead_score: "100", retired: "1" },
      ignored: ["is_owner"],
    });
    expect((await rig.folded("call", 1)).tags).toEqual({ lead_score: "100", retired: "1" });
  });
});

describe("an answer names what was ignored", () => {
  it.each([
    ["call_data", { caller_id, lead_type: "solar", colour: "red", custom_data: { form: "a" } }, ["form", "colour"]],
    ["call_data", { caller_id, colour: "red" }, ["colour"]],
    ["update_tags", { caller_id, add, colour: "red" }, ["colour"]],
    ["update_revenue", { caller_id, revenue: 5, amount: 6 }, ["amount"]],
    ["update_fields", { caller_id, fields: { notes: "x", colour: "red" }, notes: "y" }, ["colour", "notes"]],
  ] as const)("of %s, whether a call was found or not", async (type, body, ignored) => {
    const rig = await openRig();
    const { ask } = rig.openProcess();
    const outside = type === "update_fields" ? ["notes"] : ignored;
    expect(await ask(type, body)).toEqual({ success: true, matched: false, ignored: outside });
    await rig.take(aCall({ id: "call" }));
    expect(await ask(type, body)).toMatchObject({ matched: true, call_id: "call", ignored });
  });

  it("within bounds", async () => {
    const { ask } = (await openRig()).openProcess();
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${n}${"x".repeat(500)}`, 1]));
    const { ignored } = (await ask("call_data", { caller_id, ...many })) as { ignored: string[] };
    expect([ignored.length, Math.max(...ignored.map(({ length }) => length)) < 80]).toEqual([100, true]);
  });
});

it("data of a caller is the latest call's, also where nobody answered that one", async () => {
  const rig = await openRig();
  const { ask } = rig.openProcess();
  await rig.take(aCall({ id: "answered", begins: -90 }));
  await rig.take(aCall({ id: "failed", begins: -60, until: "failed" }));
  expect(await ask("call_data", { caller_id, lead_type: "solar" })).toMatchObject({ call_id: "failed" });
});
