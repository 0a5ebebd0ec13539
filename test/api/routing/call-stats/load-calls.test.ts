import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { countsOf, holdersOf, toRecord } from "../../../../api/routing/call-stats/call-record.ts";
import { loadCalls, loadOlder, loadOrganizations } from "../../../../api/routing/call-stats/load-calls.ts";
import { refusedReason } from "../../../../ingest/call.ts";
import type { CallEvent } from "../../../../ingest/event.ts";
import type { CallId, OrgId } from "../../../../ingest/primitives.ts";
import type { Warehouse } from "../../../../warehouse/warehouse.ts";
import { anEvent, orgOne, orgTwo, signalsOfCall } from "../../../make.ts";
import { openEmptyWarehouse } from "../../../migrated-files.ts";
import { day, hour, today } from "./records.ts";

async function openWarehouse() {
  const warehouse = await openEmptyWarehouse();
  onTestFinished(() => warehouse.close());
  let nextOffset = 0;
  const store = async (events: readonly CallEvent[]) => {
    const firstOffset = nextOffset;
    nextOffset += events.length;
    const values = events.map((event) => JSON.stringify(event));
    await warehouse.store({ topic: "call-events", partition: 0, firstOffset, nextOffset, values });
  };
  return { warehouse, store };
}

const template = anEvent("call.completed", signalsOfCall(16));
const aCall = (id: string, at: number, org: OrgId = orgOne): CallEvent => ({
  ...template,
  call_id: id as CallId,
  id: `${id}:end` as CallEvent["id"],
  org_id: org,
  started_at: new Date(at).toISOString(),
});

async function idsOf(warehouse: Warehouse, span: Parameters<typeof loadCalls>[1], pageRows: number) {
  const ids: string[] = [];
  for await (const page of loadCalls(warehouse, span, { pageRows })) {
    expect(page.length).toBeLessThanOrEqual(pageRows);
    ids.push(...page.map(({ call_id }) => call_id));
  }
  return ids;
}

describe("calls from the warehouse", () => {
  it("are those of the organization", async () => {
    const { warehouse, store } = await openWarehouse();
    await store([aCall("mine", today), aCall("theirs", today, orgTwo)]);
    expect(await loadOrganizations(warehouse)).toEqual([orgOne, orgTwo]);
    expect(await idsOf(warehouse, { orgId: orgOne, from: 0, to: Number.POSITIVE_INFINITY }, 10)).toEqual(["mine"]);
  });

  it("are read as their last event told them", async () => {
    const { warehouse, store } = await openWarehouse();
    await store([aCall("call-1", today)]);
    const { value: page } = await loadCalls(warehouse, { orgId: orgOne, from: 0, to: today + 1 }).next();
    expect(page).toEqual([toRecord(aCall("call-1", today))]);
  });

  it("come once each and newest first, however they crowd or lie apart and wherever a page ends", {
    tags: ["slow"],
  }, async () => {
    const { warehouse, store } = await openWarehouse();
    const offsets = fc.array(
      fc.oneof(
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 40 * day }),
        fc.integer({ min: 0, max: hour }),
      ),
      { maxLength: 30 },
    );
    let round = 0;
    const property = fc.asyncProperty(offsets, fc.integer({ min: 1, max: 7 }), async (all, pageRows) => {
      round += 1;
      const orgId = `org_${round}` as OrgId;
      const calls = all.map((offset, index) => aCall(`call-${round}-${index}`, today - offset, orgId));
      await store(calls);
      const [from, to] = [today - 30 * day, today];
      const wanted = calls
        .map(({ call_id, started_at }) => ({ call_id, at: Date.parse(started_at) }))
        .filter(({ at }) => from <= at && at < to)
        .sort((one, other) => other.at - one.at || (one.call_id < other.call_id ? 1 : -1));
      expect(await idsOf(warehouse, { orgId, from, to }, pageRows)).toEqual(wanted.map(({ call_id }) => call_id));
    });
    await fc.assert(property, { numRuns: 25 });
  });
});

describe("sums from the warehouse", () => {
  it("are those of each holder, by day and later by hour, of calls that come before", async () => {
    const { warehouse, store } = await openWarehouse();
    const times = [today - day, today - 1, today, today + hour - 1, today + hour, today + day - 1, today + day];
    const calls = times.map((at, index) => aCall(`call-${index}`, at));
    const refused = { ...aCall("refused", today), failure_reason: refusedReason };
    await store([...calls, aCall("theirs", today, orgTwo), refused]);
    const sums = await loadOlder(warehouse, { orgId: orgOne, hoursFrom: today, callsFrom: today + day });
    const startOf = (at: number) => at - (at % (at < today ? day : hour));
    const older = calls.map(toRecord).filter(({ at }) => at < today + day);
    const starts = [...new Set(older.map(({ at }) => startOf(at)))];
    expect(starts).toEqual([today - day, today, today + hour, today + day - hour]);
    const holders = holdersOf(toRecord(template));
    expect(holders).toHaveLength(4);
    expect(sums).toHaveLength(holders.length * starts.length);
    for (const holder of holders) {
      for (const at of starts) {
        const counted = older.filter((call) => startOf(call.at) === at);
        const one = countsOf(toRecord(template));
        const counts = Object.fromEntries(Object.entries(one).map(([name, value]) => [name, value * counted.length]));
        expect(sums).toContainEqual({ holder, at, counts });
      }
    }
  });

  it("are none without calls", async () => {
    const { warehouse } = await openWarehouse();
    expect(await loadOlder(warehouse, { orgId: orgOne, hoursFrom: today, callsFrom: today })).toEqual([]);
  });
});
