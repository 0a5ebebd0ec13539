import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orgOne, orgTwo } from "../../../make.ts";
import { aCall, openRig } from "./rig.ts";

const add = { a: "1" };
const day = 86_400;
const lease = 30_000;

describe("a transaction", () => {
  const body = { transaction_id: "t-1", call_id: "call", add };

  it("is answered a day long as it was first, to another type as replayed, and by any process", async () => {
    const rig = await openRig();
    const [one, two] = [rig.openProcess(), rig.openProcess()];
    await rig.take(aCall({ id: "call" }));
    const first = await one.send("update_tags", body);
    rig.clock.advance(day * 1000 - 1);
    const again = await two.send("update_revenue", { transaction_id: "t-1", call_id: "other", revenue: 5 });
    const replayed = JSON.stringify({ ...JSON.parse(first.body), replayed: true });
    expect(again).toEqual({ ...first, body: replayed, isReplayed: true });
    expect(await two.send("update_tags", { ...body, add: { a: "3" } })).toEqual({ ...first, isReplayed: true });
    rig.clock.advance(1);
    expect(await two.send("update_tags", { ...body, add: { a: "2" } })).toMatchObject({ isReplayed: false });
    expect((await rig.folded("call", 2)).tags).toEqual({ a: "2" });
    rig.clock.advance(day * 1000);
    await one.receiver.sweep();
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
    await other.receiver.sweep();
    await rig.folded("call", 0);
    rig.clock.advance(lease);
    await other.receiver.sweep();
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
  it("are each in its last version, from two processes and with repeats", { tags: ["slow"] }, async () => {
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
