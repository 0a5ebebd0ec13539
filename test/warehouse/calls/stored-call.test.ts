import { expect, it, onTestFinished } from "vitest";
import { toCall } from "../../../ingest/lifecycle/due-events.ts";
import type { CallId, OrgId } from "../../../ingest/primitives.ts";
import { findStoredCall, readStoredCall } from "../../../warehouse/calls/stored-call.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";
import { foldSignals } from "../../ingest/lifecycle/signals.ts";
import { anAdjusted, anEvent, aRetagged, orgOne, orgTwo, secondsIn, signalsOfCall, startOfTime } from "../../make.ts";
import { openEmptyWarehouse } from "../../migrated-files.ts";

async function openWarehouse() {
  const warehouse: Warehouse = await openEmptyWarehouse();
  onTestFinished(() => warehouse.close());
  let next = 0;
  const store = async (events: readonly object[]) => {
    const range = { firstOffset: next, nextOffset: next + events.length };
    next = range.nextOffset;
    const values = events.map((event) => JSON.stringify(event));
    await warehouse.store({ topic: "call-events", partition: 0, ...range, values });
  };
  return { warehouse, store };
}

const aCall = (call_id: string, given: { org_id?: OrgId; seconds?: number } = {}) => ({
  ...anEvent("call.completed"),
  id: `${call_id}:x`,
  call_id: call_id as CallId,
  ...given,
  started_at: secondsIn(given.seconds ?? 0),
});

it("a call is read as it was told last, but for its place in the log", async () => {
  const { warehouse, store } = await openWarehouse();
  const signals = [...signalsOfCall(16, { tags: { 'it"s': "ä\n1" } }), anAdjusted({ id: "one", revenue: 12.3456 })];
  const { call, events } = foldSignals([...signals, aRetagged({ id: "two", tags: { a: "1" } })]);
  await store(events);
  const place = { last_signal: -1, last_signal_at: null, lag_ms: 0 };
  expect(await readStoredCall(warehouse, orgOne, "call-1")).toEqual({ ...call, ...place });
  expect(call.updates).toEqual(["one", "two"]);
  expect(await readStoredCall(warehouse, orgTwo, "call-1")).toBeNull();
  expect(await readStoredCall(warehouse, orgOne, "call-2")).toBeNull();
});

it("a call that was stored before there were updates and terms can be gone on with", async () => {
  const { warehouse, store } = await openWarehouse();
  const { terms: _terms, updates: _updates, ...old } = anEvent("call.completed");
  await store([old]);
  const read = await readStoredCall(warehouse, orgOne, "call-1");
  expect(read).toMatchObject({ revenue: 30, updates: [], terms: { buyer: null, adjusted: null } });
  expect(read && toCall(anEvent("call.completed")).tags).toEqual(read?.tags);
});

it("a caller's call is found by when it came in, by how far it has come and in its organization", async () => {
  const { warehouse, store } = await openWarehouse();
  const failed = { ...aCall("failed", { seconds: 30 }), status: "failed" };
  await store([aCall("old", { seconds: -86_400 }), aCall("b"), aCall("a"), failed, aCall("c", { org_id: orgTwo })]);
  const find = (given: Partial<Parameters<typeof findStoredCall>[1]> = {}) =>
    findStoredCall(warehouse, {
      orgId: orgOne,
      caller: "+12125550123",
      campaigns: null,
      since: startOfTime - 1000,
      statuses: ["completed", "failed"],
      ...given,
    });
  expect(await find()).toBe("failed");
  expect(await find({ statuses: ["completed"] })).toBe("b");
  expect(await find({ statuses: ["connected"] })).toBeNull();
  expect(await find({ caller: "+12125550124" })).toBeNull();
  expect(await find({ orgId: orgTwo })).toBe("c");
  const { campaign_id } = anEvent("call.completed");
  expect(await find({ campaigns: new Set(["another", campaign_id ?? ""]) })).toBe("failed");
  expect(await find({ campaigns: new Set(["another"]) })).toBeNull();
  expect(await find({ since: startOfTime + 30_001 })).toBeNull();
  expect(await find({ since: startOfTime + 30_000 })).toBe("failed");
});
