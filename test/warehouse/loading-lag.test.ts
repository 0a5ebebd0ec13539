import { expect, it } from "vitest";
import type { Topic } from "../../ingest/log/log.ts";
import { createLoadingLag } from "../../warehouse/loading-lag.ts";
import { openTemporaryLog } from "../ingest/log/temporary-log.ts";
import { createManualClock } from "../manual-clock.ts";

const now = Date.parse("2026-11-09T15:30:00.000Z");

/** A log of two partitions; `stored` is how far the warehouse has come in each topic, in every partition. */
async function openLag() {
  const clock = createManualClock(now);
  const { log } = await openTemporaryLog({ partitions: 2, clock });
  const stored = new Map<Topic, number>();
  const looks: Topic[] = [];
  const warehouse = {
    position: async (topic: Topic) => {
      looks.push(topic);
      return stored.get(topic) ?? 0;
    },
  };
  const publish = (topic: Topic) => log.publish([{ topic, key: "call-1", value: "{}" }]);
  return { clock, log, stored, looks, warehouse, publish, lag: createLoadingLag({ log, warehouse, clock }) };
}

it("tells since when what came in is not stored", async () => {
  const { clock, stored, publish, lag } = await openLag();
  expect(await lag()).toBeNull();
  await publish("call-events");
  clock.advance(3000);
  await publish("call-events");
  clock.advance(3000);
  expect([await lag(), await lag("calls"), await lag("call_events")]).toEqual([now, now, now]);
  expect(await lag("outgoing_webhook_requests")).toBeNull();
  stored.set("call-events", 1);
  clock.advance(3000);
  expect(await lag("calls")).toBe(now + 3000);
  stored.set("call-events", 2);
  clock.advance(3000);
  expect(await lag()).toBeNull();
});

it("takes a few seconds for the usual way", async () => {
  const { clock, publish, lag } = await openLag();
  await publish("audit-log");
  clock.advance(4999);
  expect(await lag("audit_logs")).toBeNull();
  clock.advance(1);
  expect(await lag("audit_logs")).toBe(now);
});

it("asks the store once for all who ask within two seconds", async () => {
  const { clock, looks, lag } = await openLag();
  await Promise.all([lag("calls"), lag("call_events"), lag("calls")]);
  expect(looks).toEqual(["call-events", "call-events"]);
  clock.advance(2000);
  await lag("calls");
  expect(looks).toHaveLength(4);
});

it("tells nothing where the store, or the log, does not answer", async () => {
  const { clock, log, publish } = await openLag();
  await publish("call-events");
  clock.advance(60_000);
  const failing = { position: () => Promise.reject(new Error("The warehouse is away.")) };
  expect(await createLoadingLag({ log, warehouse: failing, clock })("calls")).toBeNull();
  const silent = { position: () => new Promise<number>(() => undefined) };
  const asked = createLoadingLag({ log, warehouse: silent, clock })("calls");
  clock.advance(500);
  expect(await asked).toBeNull();
});
