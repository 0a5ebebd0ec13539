import { describe, expect, it } from "vitest";
import type { CallId } from "../../../../ingest/primitives.ts";
import { orgOne, orgTwo } from "../../../make.ts";
import { noneKnown, openRig } from "./rig.ts";

const caller_id = "+12125550123";
const add = { a: "1" };
const day = 86_400;

describe("data of a caller who has not called", () => {
  const data = { caller_id, lead_type: "solar" };
  const calling = (callId: string, given: object = {}) => ({
    orgId: orgOne,
    caller: caller_id,
    callId,
    campaignId: "campaign-1",
    ...given,
  });

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

  it("is found behind a thousand newer that have expired", async () => {
    const rig = await openRig();
    const { ask, receiver } = rig.openProcess();
    await ask("call_data", data);
    const inMs = (ms: number) => new Date(rig.clock.now() + ms).toISOString();
    const rows = Array.from({ length: 1000 }, (_, n) => `('n${n}', $1, $2, '{}', $3, $4)`).join(", ");
    const sql = `INSERT INTO caller_data (id, org_id, caller, tags, received_at, expires_at) VALUES ${rows}`;
    await rig.database.query(sql, [orgOne, caller_id, inMs(1000), inMs(-1000)]);
    expect(await receiver.takeCallerData(calling("next"))).toEqual({ lead_type: "solar" });
  });

  it("is left out where its campaigns cannot be read, and all else is given", async () => {
    const rig = await openRig();
    const { ask, receiver } = rig.openProcess();
    await ask("call_data", { caller_id, lead_type: "damaged" });
    await rig.database.query("UPDATE caller_data SET campaign_ids = $1", ["{"]);
    rig.clock.advance(1);
    await ask("call_data", data);
    expect(await receiver.takeCallerData(calling("next"))).toEqual({ lead_type: "solar" });
  });

  it("waits for the next call again when the one that took it was refused", async () => {
    const rig = await openRig();
    const { ask, receiver } = rig.openProcess();
    await ask("call_data", data);
    await receiver.takeCallerData(calling("refused"));
    await receiver.giveBackCallerData(rig.database, calling("another"));
    expect(await receiver.takeCallerData(calling("next"))).toEqual({});
    await receiver.giveBackCallerData(rig.database, calling("refused"));
    expect(await receiver.takeCallerData(calling("next"))).toEqual({ lead_type: "solar" });
  });

  it("is for the call that has come in but is not known yet, once, and told in its order", async () => {
    const rig = await openRig({ loads: false });
    const unknowing = { statsOf: noneKnown };
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
    const { ask, receiver, openCalls } = rig.openProcess({ statsOf: noneKnown });
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
    const { ask, receiver, openCalls } = rig.openProcess({ statsOf: noneKnown });
    await rig.begin(openCalls, "over");
    await rig.end(openCalls, "over");
    await ask("call_data", data);
    expect(await receiver.takeCallerData(calling("next"))).toEqual({ lead_type: "solar" });
  });

  it("is for the call that came and went while it was on its way", async () => {
    const rig = await openRig({ loads: false });
    const { openCalls } = rig.openProcess();
    const comesAndGoes = async () => {
      await rig.begin(openCalls, "quick");
      rig.clock.advance(1);
      await rig.end(openCalls, "quick");
    };
    // The call is nobody's yet when it is looked for, and over when the data are written down.
    let coming: Promise<unknown> | undefined;
    const { ask, receiver } = rig.openProcess({
      statsOf() {
        coming ??= comesAndGoes();
        return noneKnown(orgOne);
      },
      handle: {
        ...rig.database,
        async query(...given) {
          await coming;
          return rig.database.query(...given);
        },
      },
    });
    expect(await ask("call_data", data)).toEqual({ success: true, matched: false });
    expect((await rig.folded("quick", 0)).tags).toEqual({ b: "2", lead_type: "solar" });
    expect(await receiver.takeCallerData(calling("next"))).toEqual({});
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
    await receiver.sweep();
    expect(await rig.database.query("SELECT caller FROM caller_data")).toHaveLength(1);
    rig.clock.advance(1001);
    await receiver.sweep();
    expect(await rig.database.query("SELECT caller FROM caller_data")).toEqual([]);
  });
});
