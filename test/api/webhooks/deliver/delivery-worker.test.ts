import { describe, expect, it } from "vitest";
import { insertPending, type PendingRow } from "../../../../api/webhooks/deliver/pending-rows.ts";
import type { Exchange } from "../../../../api/webhooks/deliver/send.ts";
import type { OutgoingRequest } from "../../../../ingest/delivery.ts";
import { orgOne, startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { delivered, eventually, failed, hook, openConfig, openRig, told } from "./delivery-rig.ts";
import { advanceUntil, openTimedRig, pass, path, polled, recorded } from "./retry-rig.ts";

const attemptsOf = (records: readonly OutgoingRequest[]) =>
  records.map(({ attempt, outcome, next_attempt_at }) => [attempt, outcome, next_attempt_at !== null]);

describe("a delivery that failed", () => {
  it("is tried again when it is due, not earlier, until it is delivered", async () => {
    const rig = await openTimedRig((asked, times) => (asked === path && times < 3 ? failed(503) : delivered));
    await rig.publish(told("call.completed"));
    await recorded(rig, 1);
    await pass(rig, 4999);
    await rig.publish(told("call.completed", { call: "call-2" }));
    await eventually(() => expect(rig.receivers.times("call-2/call.completed")).toBe(1));
    expect(rig.receivers.times(path)).toBe(1);
    await pass(rig, 1001);
    await eventually(() => expect(rig.receivers.times(path)).toBe(2));
    await eventually(async () =>
      expect((await rig.waiting()).every(({ leasedUntil }) => leasedUntil === 0)).toBe(true),
    );
    await pass(rig, 31_000);
    await eventually(async () => expect(await rig.waitingCount()).toBe(0));
    const records = (await rig.records()).filter(({ call_id }) => call_id === "call-1");
    expect(attemptsOf(records)).toEqual([
      [1, "refused", true],
      [2, "refused", true],
      [3, "delivered", false],
    ]);
    expect(new Set(records.map(({ delivery_id }) => delivery_id)).size).toBe(1);
    expect(new Set(records.map(({ id }) => id)).size).toBe(3);
    expect(records[0]?.next_attempt_at).toBe(new Date(startOfTime + 5000).toISOString());
  });

  it("goes through the whole schedule, and then has failed for good", async () => {
    const rig = await openTimedRig(() => failed(500));
    await rig.publish(told("call.completed"));
    for (const [attempt, seconds] of [5, 30, 120, 600, 3600, 21_600, 86_400].entries()) {
      await recorded(rig, attempt + 1);
      await pass(rig, (seconds + 1) * 1000);
    }
    const records = await recorded(rig, 8);
    expect(attemptsOf(records)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => [attempt, "refused", attempt < 8]));
    await eventually(async () => expect(await rig.waitingCount()).toBe(0));
    expect(rig.alerts.filter(({ kind }) => kind === "exhausted")).toHaveLength(1);
  });

  it("for what another attempt would fail of, too, is not tried again", async () => {
    const rig = await openTimedRig(() => failed(404));
    await rig.publish(told("call.completed"));
    expect(attemptsOf(await recorded(rig, 1))).toEqual([[1, "refused", false]]);
    expect(await rig.waitingCount()).toBe(0);
  });

  it("does not hold back the next event of its call", async () => {
    const rig = await openTimedRig((asked) => (asked.endsWith("call.incoming") ? failed(500) : delivered), {
      config: await openConfig([hook("call.incoming"), hook("call.completed")]),
    });
    await rig.publish(told("call.incoming"), told("call.completed"));
    await recorded(rig, 2);
    expect(rig.receivers.asked).toEqual(["call-1/call.incoming", "call-1/call.completed"]);
  });

  it("that cannot be read holds back no other of its call, is told of and stays", async () => {
    const config = await openConfig([hook("call.completed")]);
    const event = told("call.completed");
    const row = (id: string, given: Pick<PendingRow, "event" | "version">): PendingRow => ({
      id,
      deliveryId: id,
      orgId: orgOne,
      webhookId: hook("call.completed").id,
      callId: event.call_id,
      endpoint: "https://crm.example",
      manual: false,
      redeliveryId: null,
      attempt: 0,
      held: false,
      ended: false,
      queuedAt: startOfTime,
      dueAt: startOfTime,
      leasedUntil: 0,
      unpublished: null,
      ...given,
    });
    await insertPending(config.database, [
      row("odd", { event: '{"v":99}', version: 1 }),
      row("good", { event: JSON.stringify(event), version: 2 }),
    ]);
    const rig = await openTimedRig(() => delivered, { config });
    await advanceUntil(rig, async () => expect((await rig.waiting()).map(({ id }) => id)).toEqual(["odd"]), 1000);
    expect(rig.receivers.asked).toEqual([path]);
    expect(rig.troubles.map(String)).toEqual([
      expect.stringMatching(/^UnreadableError: pending_deliveries odd cannot be read/),
    ]);
  });

  it("is tried again after a restart, by its webhook's template as it then stands", async () => {
    const rig = await openTimedRig((_path, times) => (times === 1 ? failed(500) : delivered));
    await rig.publish(told("call.completed"));
    await recorded(rig, 1);
    await rig.restart();
    await rig.config.save([{ ...hook("call.completed"), url: "https://crm.example/moved/[CALL_ID]" }]);
    await pass(rig, 6000);
    await eventually(() => expect(rig.receivers.asked).toEqual([path, "moved/call-1"]));
    await recorded(rig, 2);
  });

  it("to a webhook that was deleted meanwhile is cancelled, with a record", async () => {
    const rig = await openTimedRig(() => failed(500));
    await rig.publish(told("call.completed"));
    await recorded(rig, 1);
    const { database, snapshot } = rig.config;
    await database.query("DELETE FROM documents WHERE id = 'call.completed'");
    await database.notify([{ orgId: "org_one", type: "outgoing_webhook", id: "call.completed" }]);
    await snapshot.settled();
    await pass(rig, 6000);
    expect(attemptsOf(await recorded(rig, 2)).at(-1)).toEqual([1, "cancelled", false]);
    await eventually(async () => expect(await rig.waitingCount()).toBe(0));
  });
});

describe("what a process that died has left", () => {
  it("is claimed when its lease has ended, and what it had attempted is told before anything is sent", async () => {
    const rig = await openTimedRig(() => failed(500));
    await rig.publish(told("call.completed"));
    const [record] = await recorded(rig, 1);
    await rig.stop();
    const untold = JSON.stringify({
      ...record,
      id: "the second's",
      attempt: 2,
      outcome: "delivered",
      next_attempt_at: null,
    });
    const until = new Date(startOfTime + 60_000).toISOString();
    await rig.config.database.query(
      "UPDATE pending_deliveries SET untold = $1, ended = TRUE, attempt = 2, leased_until = $2, due_at = $2",
      [untold, until],
    );
    await rig.restart();
    await pass(rig, 59_000);
    await polled(rig);
    expect(await rig.records()).toHaveLength(1);
    await pass(rig, 2000);
    expect((await recorded(rig, 2))[1]?.id).toBe("the second's");
    await eventually(async () => expect(await rig.waitingCount()).toBe(0));
    expect(rig.receivers.times(path)).toBe(1);
  });

  it("is made once by two processes that share the database", async () => {
    const config = await openConfig([hook("call.completed")]);
    const clock = createManualClock(startOfTime);
    const one = await openRig([], { clock, config, answer: () => failed(500) });
    const calls = Array.from({ length: 40 }, (_, index) => told("call.completed", { call: `call-${index}` }));
    await one.publish(...calls);
    await recorded(one, 40);
    await one.stop();
    const [two, three] = [await openRig([], { clock, config }), await openRig([], { clock, config })];
    await advanceUntil({ clock }, async () => expect(await two.waitingCount()).toBe(0), 5000);
    const asked = [...two.receivers.asked, ...three.receivers.asked];
    expect(asked).toHaveLength(40);
    expect(new Set(asked).size).toBe(40);
    expect((await two.records()).length + (await three.records()).length).toBe(40);
  });
});

describe("an endpoint that does not answer", () => {
  it("has what comes wait in the database after a while, and holds up neither another endpoint nor a stop", async () => {
    const silent = { ...hook("call.completed"), url: "https://silent.example/[CALL_ID]/silent" };
    const asked: string[] = [];
    const ends: (() => void)[] = [];
    const send = ({ url }: { url: string }) => {
      asked.push(url);
      if (!url.includes("silent")) return Promise.resolve(delivered);
      return new Promise<Exchange>((resolve) => ends.push(() => resolve(failed(500))));
    };
    const clock = createManualClock(startOfTime);
    const config = await openConfig([silent, hook("call.completed", "other")]);
    const rig = await openRig([], { config, clock, sender: { send } });
    const tell = (first: number, count: number) =>
      rig.publish(
        ...Array.from({ length: count }, (_, index) =>
          told("call.completed", { call: `call-${first + index}`, campaign: ["call.completed", "other"] }),
        ),
      );
    const others = () => asked.filter((url) => url.includes("/other")).length;
    await tell(0, 100);
    await eventually(() => expect(others()).toBe(100));
    expect(await rig.waitingCount()).toBe(0);
    clock.advance(3000);
    await tell(100, 100);
    await eventually(async () => expect([others(), await rig.waitingCount()]).toEqual([200, 100]));
    expect(asked.filter((url) => url.includes("silent"))).toHaveLength(10);
    const stopped = rig.stop();
    for (const end of ends) end();
    await stopped;
    expect(asked.filter((url) => url.includes("silent"))).toHaveLength(10);
    expect(await rig.waitingCount()).toBe(110);
  });
});
