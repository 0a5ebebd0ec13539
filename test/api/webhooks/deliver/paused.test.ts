import { describe, expect, it } from "vitest";
import { pausedBySystem } from "../../../../api/config/delivery-state.ts";
import { outgoingWebhook } from "../../../../api/config/resources/outgoing-webhook.ts";
import { allRights } from "../../../../api/serve/rights.ts";
import type { CallEvent } from "../../../../ingest/event.ts";
import { anExchange, delivered, eventually, failed, hook, hourMs, openConfig, told } from "./delivery-rig.ts";
import { advanceUntil, openTimedRig, pass, recorded } from "./retry-rig.ts";

describe("a webhook that is paused", () => {
  const pause = { paused_at: "2026-01-01T00:00:00.000Z", paused_until: null, paused_by: "api_key:k" };

  it("has its events wait, in their order, until it is resumed", async () => {
    const webhook = hook("call.updated");
    const rig = await openTimedRig(() => delivered, { config: await openConfig([webhook]) });
    const { service } = rig.config;
    const caller = {
      orgId: webhook.org_id,
      actor: { type: "api_key", id: "k", name: null },
      admin: false,
      rights: allRights,
    } as const;
    const actor = { caller, requestId: null, sourceIp: null };
    await service.pause(outgoingWebhook, actor, { id: webhook.id, request: {} });
    const update = (version: number): CallEvent => ({
      ...told("call.completed", { campaign: ["call.updated"] }),
      event: "call.updated",
      version,
      id: `call-1:${version}` as CallEvent["id"],
    });
    await rig.publish(...[7, 8, 9].map(update));
    await eventually(async () => expect(await rig.waitingCount()).toBe(3));
    rig.clock.advance(10_000);
    await rig.publish(update(10));
    await eventually(async () => expect(await rig.waitingCount()).toBe(4));
    expect(rig.receivers.asked).toEqual([]);
    await service.resume(outgoingWebhook, actor, webhook.id);
    rig.clock.advance(10_000);
    await eventually(async () => {
      rig.clock.advance(1000);
      expect(await rig.waitingCount()).toBe(0);
    });
    expect((await rig.records()).map(({ event_id }) => event_id)).toEqual(
      [7, 8, 9, 10].map((each) => `call-1:${each}`),
    );
  });

  it("has what has waited for too long expire, with a record", async () => {
    const rig = await openTimedRig(() => delivered, {
      config: await openConfig([hook("call.incoming")]),
      stored: { ...hook("call.completed"), pause },
      terms: { keepMs: 48 * hourMs },
    });
    await rig.publish(told("call.completed"));
    await eventually(async () => expect(await rig.waitingCount()).toBe(1));
    rig.clock.advance(48 * hourMs);
    await eventually(async () => {
      rig.clock.advance(1000);
      expect(await rig.waitingCount()).toBe(0);
    });
    expect(await rig.records()).toMatchObject([{ outcome: "expired", error_class: "expired", next_attempt_at: null }]);
    expect(rig.receivers.asked).toEqual([]);
  });

  it("because its receiver was gone stays so for its owner to resume, with an audit record", async () => {
    const rig = await openTimedRig(() => anExchange({ outcome: "gone", status: 410 }));
    await rig.publish(told("call.completed"));
    await eventually(() => expect(rig.config.webhook("call.completed")?.pause?.reason).toBe("gone"));
    expect(rig.config.webhook("call.completed")?.pause?.paused_by).toBe(pausedBySystem);
    expect(await rig.config.audited()).toEqual(["system pause call.completed"]);
    await eventually(() =>
      expect(rig.alerts).toContainEqual(expect.objectContaining({ kind: "paused", reason: "gone" })),
    );
    await rig.publish(told("call.completed", { call: "call-2" }));
    await eventually(async () => expect(await rig.waitingCount()).toBe(1));
    for (let hours = 0; hours < 48; hours += 1) rig.clock.advance(hourMs);
    expect(rig.receivers.asked).toHaveLength(1);
  });

  it("for its failures is probed by one delivery at a time, and resumed by the first that works", async () => {
    let isUp = false;
    const rig = await openTimedRig(() => (isUp ? delivered : failed(500)), {
      terms: { pausesMs: [1000], pauseAfterMs: 0, probeEveryMs: 5000 },
    });
    await rig.publish(told("call.completed"));
    await recorded(rig, 1);
    await pass(rig, 2000);
    await eventually(() => expect(rig.config.webhook("call.completed")?.pause?.reason).toBe("failing"));
    const events = ["call-2", "call-3", "call-4"].map((call) => told("call.completed", { call }));
    await rig.publish(...events);
    await eventually(async () => expect(await rig.waitingCount()).toBe(3));
    const before = rig.receivers.asked.length;
    await advanceUntil(rig, () => expect(rig.receivers.asked).toHaveLength(before + 1), 2000);
    await recorded(rig, 3);
    expect(rig.config.webhook("call.completed")?.pause).not.toBeNull();
    isUp = true;
    await advanceUntil(rig, async () => expect(await rig.waitingCount()).toBe(0), 2000);
    await eventually(() =>
      expect(rig.alerts.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["paused", "resumed"])),
    );
    expect(rig.config.webhook("call.completed")).toMatchObject({ pause: null, health: null });
    expect(await rig.config.audited()).toEqual(["system pause call.completed", "system resume call.completed"]);
    const records = await rig.records();
    const outcomesBy = (trigger: string) =>
      new Set(records.filter((each) => each.trigger === trigger).map(({ outcome }) => outcome));
    expect([...outcomesBy("probe")]).toEqual(["refused", "delivered"]);
    expect(outcomesBy("automatic").size).toBe(2);
    const ends = records.filter(({ next_attempt_at }) => next_attempt_at === null);
    expect(ends.map(({ call_id, outcome }) => `${call_id} ${outcome}`).sort()).toEqual([
      "call-1 refused",
      "call-2 delivered",
      "call-3 delivered",
      "call-4 delivered",
    ]);
  });
});
