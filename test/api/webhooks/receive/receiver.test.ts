import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallId } from "../../../../ingest/primitives.ts";
import { orgOne, orgTwo } from "../../../make.ts";
import { aCall, laterMs, openRig } from "./rig.ts";

const caller_id = "+12125550123";
const add = { a: "1" };
const day = 86_400;
const lease = 30_000;

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
    const forgetful = rig.openProcess({ earlierCalls: () => [] });
    const ask = (days: number) => forgetful.ask("update_tags", { caller_id, add }, { caller_id_match_days: days });
    await rig.loaded("call");
    expect(await ask(90)).toMatchObject({ call_id: "call" });
    expect(await ask(79)).toMatchObject({ matched: false });
    expect((await rig.folded("call", 1)).tags).toEqual(add);
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
      ...{ before: amounts, after: { ...amounts, payout: 0 } },
    });
    await rig.folded("call", 1);
    expect(await ask("update_revenue", { call_id: "call", revenue: "0.00" })).toMatchObject({
      ...{ before: { ...amounts, payout: 0 }, after: { revenue: 0, payout: 0, converted: false } },
    });
    expect(await ask("update_tags", { call_id: "call", tags: { b: 5 }, add: { b: true }, remove: ["gone"] })).toEqual({
      ...{ success: true, matched: true, call_id: "call" },
      ...{ before: { gone: "soon", b: null }, after: { gone: null, b: "true" } },
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

  it("names tags that are not of their type, and does nothing for them", async () => {
    const rig = await openRig();
    const { ask } = rig.openProcess();
    await rig.take(aCall({ id: "call" }));
    expect(await ask("call_data", { caller_id, lead_score: "many" })).toEqual({
      ...{ success: true, matched: true, call_id: "call", before: {}, after: {}, ignored: ["lead_score"] },
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

describe("data of a caller who has not called", () => {
  const data = { caller_id, lead_type: "solar" };
  const calling = (callId: string, given: object = {}) => ({ orgId: orgOne, caller: caller_id, callId, ...given });

  it("is kept for the seconds of the webhook's lifespan", async () => {
    const rig = await openRig();
    const { ask, receiver } = rig.openProcess();
    expect(await ask("call_data", data, { lifespan: 10 })).toEqual({ success: true, matched: false });
    rig.clock.advance(9_999);
    expect(await receiver.takeCallerData(calling("in time"))).toEqual({ lead_type: "solar" });
    await ask("call_data", data, { lifespan: 10 });
    rig.clock.advance(10_000);
    expect(await receiver.takeCallerData(calling("late"))).toEqual({});
  });

  it("is given to one call, as often as that is told, and to nobody else's", async () => {
    const rig = await openRig();
    const { ask, receiver } = rig.openProcess();
    await ask("call_data", data);
    rig.clock.advance(1);
    await ask("call_data", { caller_id, lead_type: "roof", is_owner: "Yes" });
    expect(await receiver.takeCallerData(calling("x", { orgId: orgTwo }))).toEqual({});
    expect(await receiver.takeCallerData(calling("x", { caller: "+12125550199" }))).toEqual({});
    const took = await Promise.all(["one", "two", "one"].map((id) => receiver.takeCallerData(calling(id))));
    expect(took).toEqual([{ lead_type: "roof", is_owner: "true" }, {}, { lead_type: "roof", is_owner: "true" }]);
  });

  it("is for the call that has come in but is not known yet, once, and told in its order", async () => {
    const rig = await openRig({ loads: false });
    const unknowing = { earlierCalls: () => [] };
    const [one, other] = [rig.openProcess(unknowing), rig.openProcess(unknowing)];
    await rig.begin(one.openCalls, "coming");
    expect(await other.ask("call_data", data)).toEqual({ success: true, matched: false });
    expect((await one.openCalls.find(orgOne, "coming"))?.tags).toEqual({ b: "2", lead_type: "solar" });
    const arriving = { orgId: orgOne, caller: caller_id, callId: "coming" as CallId };
    expect(await one.receiver.giveLateData(arriving)).toBeNull();
    await rig.end(one.openCalls, "coming");
    expect((await rig.folded("coming", 0)).tags).toEqual({ b: "2", lead_type: "solar" });
    expect(await one.receiver.takeCallerData(calling("next"))).toEqual({});
  });

  it("is for the call that looked for it a moment before, and for nobody else's", async () => {
    const rig = await openRig({ loads: false });
    const { ask, receiver, openCalls } = rig.openProcess({ earlierCalls: () => [] });
    expect(await receiver.takeCallerData(calling("coming"))).toEqual({});
    await ask("call_data", data);
    await rig.begin(openCalls, "coming");
    const arriving = { orgId: orgOne, caller: caller_id, callId: "coming" as CallId };
    expect(await receiver.giveLateData({ ...arriving, orgId: orgTwo })).toBeNull();
    expect(await receiver.giveLateData({ ...arriving, caller: "+12125550199" })).toBeNull();
    const given = await Promise.all([0, 1, 2].map(() => receiver.giveLateData(arriving)));
    expect(given.flatMap((call) => call?.tags["lead_type"] ?? [])).toContain("solar");
    await rig.end(openCalls, "coming");
    expect((await rig.folded("coming", 0)).tags).toEqual({ b: "2", lead_type: "solar" });
  });

  it("waits for the next call where the caller's last one is over, and not known yet", async () => {
    const rig = await openRig({ loads: false });
    const { ask, receiver, openCalls } = rig.openProcess({ earlierCalls: () => [] });
    await rig.begin(openCalls, "over");
    await rig.end(openCalls, "over");
    await ask("call_data", data);
    expect(await receiver.takeCallerData(calling("next"))).toEqual({ lead_type: "solar" });
  });

  it("is not kept of the other types, nor where none of it is a tag", async () => {
    const rig = await openRig();
    const { ask, receiver } = rig.openProcess();
    await ask("update_tags", { caller_id, add });
    await ask("update_fields", { caller_id, fields: { notes: "x" } });
    await ask("call_data", { caller_id, unknown: "x", retired: "x" });
    expect(await receiver.takeCallerData(calling("next"))).toEqual({});
    expect(await rig.database.query("SELECT id FROM caller_data")).toEqual([]);
  });

  it("is kept once of a transaction that comes again", async () => {
    const rig = await openRig();
    const { send, receiver } = rig.openProcess();
    const bodies = [await send("call_data", { ...data, transaction_id: "t" })];
    expect(await receiver.takeCallerData(calling("first"))).toEqual({ lead_type: "solar" });
    bodies.push(await send("call_data", { ...data, transaction_id: "t" }));
    expect(bodies.map(({ isReplayed }) => isReplayed)).toEqual([false, true]);
    expect(await receiver.takeCallerData(calling("second"))).toEqual({});
  });

  it("is forgotten a day after it has expired", async () => {
    const rig = await openRig();
    const { ask, receiver } = rig.openProcess();
    await ask("call_data", data, { lifespan: 1 });
    rig.clock.advance(day * 1000);
    await receiver.tidy();
    expect(await rig.database.query("SELECT caller FROM caller_data")).toHaveLength(1);
    rig.clock.advance(1001);
    await receiver.tidy();
    expect(await rig.database.query("SELECT caller FROM caller_data")).toEqual([]);
  });
});

describe("a transaction", () => {
  const body = { transaction_id: "t-1", call_id: "call", add };

  it("is answered a day long as it was first, whatever comes with it, and by any process", async () => {
    const rig = await openRig();
    const [one, two] = [rig.openProcess(), rig.openProcess()];
    await rig.take(aCall({ id: "call" }));
    const first = await one.send("update_tags", body);
    rig.clock.advance(day * 1000 - 1);
    const again = await two.send("update_revenue", { transaction_id: "t-1", call_id: "other", revenue: 5 });
    expect(again).toEqual({ ...first, isReplayed: true });
    rig.clock.advance(1);
    expect(await two.send("update_tags", { ...body, add: { a: "2" } })).toMatchObject({ isReplayed: false });
    expect((await rig.folded("call", 2)).tags).toEqual({ a: "2" });
    rig.clock.advance(day * 1000);
    await one.receiver.tidy();
    expect(await rig.database.query("SELECT doc FROM webhook_receipts")).toEqual([]);
  });

  it("that came to nothing is answered so again, though a call has come since", async () => {
    const rig = await openRig();
    const { send } = rig.openProcess();
    const first = await send("update_tags", body);
    expect(first.body).toBe('{"success":true,"matched":false}');
    await rig.take(aCall({ id: "call" }));
    expect(await send("update_tags", body)).toEqual({ ...first, isReplayed: true });
  });

  it.each(["before telling", "after telling"] as const)(
    "whose process died %s the log waits for a lease, and is then finished once",
    async (dies) => {
      const rig = await openRig();
      const [mortal, other] = [rig.openProcess({ dies }), rig.openProcess()];
      await rig.take(aCall({ id: "call" }));
      await expect(mortal.send("update_tags", body)).rejects.toThrow("gone");
      await expect(other.send("update_tags", body)).rejects.toMatchObject({ status: 409, code: "conflict" });
      // Meanwhile another update comes, which the first one must not take back.
      await rig.folded("call", dies === "after telling" ? 1 : 0);
      if (dies === "after telling") await other.send("update_tags", { call_id: "call", add: { a: "later" } });
      rig.clock.advance(lease - 1);
      await expect(other.send("update_tags", body)).rejects.toMatchObject({ status: 409 });
      rig.clock.advance(1);
      const answers = await Promise.all([0, 1, 2].map(() => other.send("update_tags", body).catch(() => null)));
      const finished = answers.filter((answer) => answer !== null);
      expect(finished.map((answer) => JSON.parse(answer.body).after)).toContainEqual(add);
      expect(new Set(finished.map((answer) => answer.body)).size).toBe(1);
      const expected = dies === "after telling" ? { a: "later" } : add;
      expect((await rig.folded("call", dies === "after telling" ? 2 : 1)).tags).toEqual(expected);
    },
  );

  it("that nobody asks for again is finished by whoever tidies up", async () => {
    const rig = await openRig();
    const [mortal, other] = [rig.openProcess({ dies: "before telling" }), rig.openProcess()];
    await rig.take(aCall({ id: "call" }));
    await expect(mortal.send("update_tags", body)).rejects.toThrow("gone");
    await other.receiver.tidy();
    await rig.folded("call", 0);
    rig.clock.advance(lease);
    await other.receiver.tidy();
    expect((await rig.folded("call", 1)).tags).toEqual(add);
    expect(await other.send("update_tags", body)).toMatchObject({ isReplayed: true });
  });

  it("that could not be told may be tried again at once", async () => {
    const rig = await openRig();
    let isFull = true;
    const { send } = rig.openProcess({ refusesToTell: () => isFull });
    await rig.take(aCall({ id: "call" }));
    await expect(send("update_tags", body)).rejects.toMatchObject({ code: "log_full" });
    isFull = false;
    expect(await send("update_tags", body)).toMatchObject({ status: 200 });
    expect((await rig.folded("call", 1)).tags).toEqual(add);
  });

  it("is each organization's own", async () => {
    const rig = await openRig();
    const { send } = rig.openProcess();
    await rig.take(aCall({ id: "call" }));
    await send("update_tags", body);
    await rig.database.query("UPDATE webhook_receipts SET org_id = $1", [orgTwo]);
    expect(await send("update_tags", body)).toMatchObject({ isReplayed: false });
  });
});

describe("updates of one call at once", () => {
  it("are each in its last version, from two processes and with repeats", { timeout: 240_000 }, async () => {
    const rig = await openRig();
    const processes = [rig.openProcess(), rig.openProcess()];
    let calls = 0;
    const anUpdate = fc.record({
      process: fc.nat({ max: 1 }),
      kind: fc.constantFrom("tag", "field", "money"),
      repeats: fc.integer({ min: 1, max: 2 }),
    });
    const property = fc.asyncProperty(fc.array(anUpdate, { minLength: 1, maxLength: 8 }), async (updates) => {
      const id = `call-${++calls}`;
      await rig.take(aCall({ id, begins: calls, until: calls % 2 === 0 ? "connected" : "completed" }));
      const sent = updates.flatMap(({ process, kind, repeats }, index) => {
        const about = { call_id: id, transaction_id: `${id} ${index}` };
        return Array.from({ length: repeats }, async (_, repeat) => {
          const { send } = processes[(process + repeat) % 2] ?? processes[0] ?? rig.openProcess();
          if (kind === "tag") return send("update_tags", { ...about, add: { [`t${index}`]: "x" } });
          if (kind === "field") return send("update_fields", { ...about, fields: { notes: `by ${index}` } });
          return send("update_revenue", { ...about, revenue: index });
        });
      });
      const outcomes = await Promise.allSettled(sent);
      const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.status] : []));
      expect(failures.every((status) => status === 409)).toBe(true);
      const call = await rig.folded(id, updates.length);
      const tags = updates.flatMap(({ kind }, index) => (kind === "tag" ? [`t${index}`] : []));
      expect(Object.keys(call.tags)).toEqual(expect.arrayContaining(tags));
      expect("notes" in call.tags).toBe(updates.some(({ kind }) => kind === "field"));
      expect(call.revenue_overridden).toBe(updates.some(({ kind }) => kind === "money"));
    });
    await fc.assert(property, { numRuns: 5 });
    expect(rig.troubles).toEqual([]);
  });

  it("are told in the order of the call's own reports where its switch still speaks of it", async () => {
    const rig = await openRig();
    const { ask, openCalls } = rig.openProcess();
    await rig.begin(openCalls, "live");
    expect(await ask("update_tags", { call_id: "live", add })).toMatchObject({ matched: true, after: add });
    expect((await openCalls.find(orgOne, "live"))?.tags).toEqual({ b: "2", ...add });
    await ask("update_tags", { call_id: "live", remove: ["b"] });
    expect((await openCalls.find(orgOne, "live"))?.tags).toEqual(add);
    expect((await rig.folded("live", 2)).tags).toEqual(add);
  });

  it("are what a live call is routed by next: its tags, its ZIP and its state, those alone that were named", async () => {
    const rig = await openRig();
    const { ask, openCalls } = rig.openProcess();
    await rig.begin(openCalls, "live");
    const known = async () => {
      const { zip, state_code, tags } = (await openCalls.find(orgOne, "live")) ?? {};
      return { zip, state_code, tags };
    };
    await ask("update_fields", { call_id: "live", fields: { caller_zip: "07001-12", notes: "moved" } });
    expect(await known()).toEqual({ zip: "07001", state_code: "NY", tags: { b: "2", notes: "moved" } });
    await ask("update_fields", { call_id: "live", fields: { caller_state: "new jersey", notes: null } });
    expect(await known()).toEqual({ zip: "07001", state_code: "NJ", tags: { b: "2" } });
    await ask("update_fields", { call_id: "live", fields: { caller_zip: null, caller_state: "" } });
    expect(await known()).toEqual({ zip: null, state_code: null, tags: { b: "2" } });
    expect(await rig.folded("live", 3)).toMatchObject({ caller_zip: null, caller_state: null, tags: { b: "2" } });
  });
});
