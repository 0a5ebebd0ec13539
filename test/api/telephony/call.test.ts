import { describe, expect, it, vi } from "vitest";
import { type CallEvent, callEventNames, callEventSchema } from "../../../ingest/event.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import { sql, text } from "../../../warehouse/statement.ts";
import { exampleConfig, lineOf, openPlatform, openTestReceiver, trackingNumber } from "../../platform.ts";
import { wholeTopic } from "../../whole-topic.ts";

const calls = "/telephony/simulator/calls";

async function openRig() {
  const receiver = await openTestReceiver();
  const platform = await openPlatform({ documents: (org) => exampleConfig(receiver.url, callEventNames, org) });
  const place = async (more: object = {}) => {
    const placed = await platform.post(calls, platform.one.key, {
      from: "(212) 555-0123",
      to: trackingNumber,
      ...more,
    });
    return {
      ...placed,
      tell: (event: object) => platform.post(`${calls}/${placed.body.call_id}/events`, platform.one.key, event),
    };
  };
  const log = platform.platform.log;
  const stored = async (callId: string) =>
    (
      await platform.platform.warehouse.query(
        sql`SELECT event FROM call_events WHERE call_id = ${text(callId)} ORDER BY version`,
      )
    ).rows.map(({ event }) => event);
  return { ...platform, receiver, place, stored, published: (callId: string) => publishedOf(log, callId) };
}

async function publishedOf(log: EventLog, callId: string): Promise<CallEvent[]> {
  const events: CallEvent[] = [];
  for await (const { key, value } of wholeTopic(log, "call-events")) {
    if (key === callId) events.push(callEventSchema.parse(JSON.parse(value)));
  }
  return events;
}

describe("a call through the simulator", () => {
  it("connected for 16 seconds has the same seven events in the log, in the warehouse and at its webhooks", async () => {
    const rig = await openRig();
    const connected = Date.now() - 20_000;
    const at = (seconds: number) => new Date(connected + seconds * 1000).toISOString();
    const call = await rig.place({ at: at(-2) });
    expect(call).toMatchObject({
      status: 201,
      body: {
        action: "dial",
        destination: { type: "number", number: lineOf("first") },
        terms: { buyer_terms: { revenue: 30 }, publisher_terms: { payout: 20 } },
      },
    });
    expect(await call.tell({ type: "answer", at: at(0) })).toMatchObject({ status: 200, body: { action: "none" } });
    expect(await call.tell({ type: "hangup", by: "caller", at: at(16) })).toMatchObject({ status: 200 });

    const expected = [
      "call.incoming",
      "call.connected",
      "call.on_5_secs_mark",
      "call.on_15_secs_mark",
      "call.hangup",
      "call.converted",
      "call.completed",
    ];
    const { call_id } = call.body;
    await vi.waitFor(async () => {
      expect((await rig.published(call_id)).map(({ event }) => event)).toEqual(expected);
      expect(await rig.stored(call_id)).toEqual(expected);
      expect(rig.receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual(expected);
    }, 10_000);
    expect(JSON.parse(rig.receiver.received.at(-1)?.body ?? "")).toEqual({
      event: "call.completed",
      caller: "+12125550123",
      payout: 20,
    });
    expect(rig.receiver.received[0]?.path).toBe(`/${call_id}`);
  });

  it("is in the history as soon as it has been hung up, told and loaded", async () => {
    const rig = await openRig();
    const call = await rig.place();
    await call.tell({ type: "answer" });
    await call.tell({ type: "hangup" });
    await vi.waitFor(async () => {
      const { body } = await rig.get("/api/v1/webhooks/outgoing-requests", rig.one.key);
      expect(body.data.map(({ event_type_id }: { event_type_id: string }) => event_type_id)).toContain(
        "call.completed",
      );
    }, 5000);
  });

  it("fails over to the next target, and ends when none is left", async () => {
    const rig = await openRig();
    const call = await rig.place();
    expect(await call.tell({ type: "busy" })).toMatchObject({
      body: { action: "dial", destination: { number: lineOf("second") } },
    });
    expect(await call.tell({ type: "no_answer" })).toMatchObject({ body: { action: "hangup", reason: "no_answer" } });
    await vi.waitFor(async () => {
      expect(await rig.stored(call.body.call_id)).toEqual(["call.incoming", "call.failure", "call.completed"]);
      // Not every store fills all tables at once.
      const { rows } = await rig.platform.warehouse.query(sql`SELECT status, attempts, failure_reason FROM calls`);
      expect(rows).toEqual([{ status: "failed", attempts: 2, failure_reason: "no_answer" }]);
    });
  });

  it("to a number that nobody has is rejected with a reason, and kept", async () => {
    const rig = await openRig();
    const call = await rig.place({ to: "+18005550199" });
    expect(call).toMatchObject({ status: 201, body: { action: "reject", reason: "number_not_found" } });
    await vi.waitFor(async () => expect(await rig.stored(call.body.call_id)).toContain("call.failure"));
  });

  it("takes no event of a year that nobody can mean", async () => {
    const rig = await openRig();
    const call = await rig.place();
    for (const type of ["answer", "hangup"]) {
      const refused = await call.tell({ type, at: "0001-01-01T00:00:00Z" });
      expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "at"] }] } });
    }
    expect((await call.tell({ type: "answer" })).status).toBe(200);
  });

  it("that has ended takes no more events", async () => {
    const rig = await openRig();
    const call = await rig.place();
    await call.tell({ type: "hangup" });
    expect(await call.tell({ type: "answer" })).toMatchObject({ status: 409, body: { detail: { code: "conflict" } } });
  });

  it("is another organization's secret", async () => {
    const rig = await openRig();
    const call = await rig.place();
    const foreign = await rig.post(`${calls}/${call.body.call_id}/events`, rig.two.key, { type: "hangup" });
    expect(foreign).toMatchObject({ status: 404, body: { detail: { code: "not_found" } } });
    expect(await call.tell({ type: "answer" })).toMatchObject({ status: 200 });
  });

  it.each([
    [{ to: trackingNumber }, ["body", "from"], "missing"],
    [{ from: 5, to: trackingNumber }, ["body", "from"], "string_type"],
    [{ from: "+12125550123", to: trackingNumber, at: "yesterday" }, ["body", "at"], undefined],
    [{ from: "+12125550123", to: trackingNumber, at: "2999-01-01T00:00:00Z" }, ["body", "at"], "value_error"],
    [{ from: "+12125550123", to: trackingNumber, at: "0001-01-01T00:00:00Z" }, ["body", "at"], "value_error"],
    [{ from: "+12125550123", to: trackingNumber, at: "2015-01-01T00:00:00Z" }, ["body", "at"], "value_error"],
    [{ from: "+12125550123", to: trackingNumber, tags: { a: 1 } }, ["body", "tags", "a"], "string_type"],
  ])("that says %j is refused where it is wrong", async (body, loc, type) => {
    const rig = await openRig();
    const refused = await rig.post(calls, rig.one.key, body);
    expect(refused.status).toBe(422);
    expect(refused.body.detail[0]).toMatchObject({ loc, ...(type === undefined ? {} : { type }) });
  });
});
