import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type FallbackDeps, openCallStoreWithFallback } from "../../../../api/routing/call-stats/log-fallback.ts";
import type { CallId } from "../../../../ingest/primitives.ts";
import { type Warehouse, WarehouseError } from "../../../../warehouse/warehouse.ts";
import { openTemporaryLog } from "../../../ingest/log/temporary-log.ts";
import { anEvent, orgOne, signalsOfCall, startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { openEmptyWarehouse } from "../../../migrated-files.ts";
import { hour } from "./records.ts";

const topic = "call-events";
const target = { kind: "target", id: "tgt-1" } as const;

/** How the warehouse is away; where it answers the first question all the same, it is no more than slow. */
interface Fault {
  readonly code?: "unavailable" | "query_timeout" | "query_invalid";
  readonly answersFirst?: boolean;
}

/** Two calls that are stored, of which the log still has the second, and a warehouse that is away until it is told. */
async function openRig({ code = "unavailable", answersFirst = false }: Fault = {}) {
  const { log } = await openTemporaryLog();
  const stored = await openEmptyWarehouse();
  onTestFinished(() => stored.close());
  const events = ["old", "new"].map((id) => anEvent("call.completed", signalsOfCall(16, { call_id: id as CallId })));
  const values = events.map((event) => JSON.stringify(event));
  await stored.store({ topic, partition: 1, firstOffset: 0, nextOffset: 2, values });
  const publish = (id: string) => {
    const event = anEvent("call.completed", signalsOfCall(16, { call_id: id as CallId }));
    return log.publish([{ topic, key: "key", value: JSON.stringify(event) }]);
  };
  await publish("new");
  const clock = createManualClock(startOfTime + hour);
  const told: string[] = [];
  let isAway = true;
  let asked = 0;
  const unlessAway = <T>(work: () => Promise<T>): Promise<T> =>
    isAway ? Promise.reject(new WarehouseError(code, "gone")) : work();
  const warehouse: Warehouse = {
    ...stored,
    query(...question) {
      asked += 1;
      const isFirst = answersFirst && question[0].parts.join("") === "SELECT 1 AS one";
      return isFirst ? stored.query(...question) : unlessAway(() => stored.query(...question));
    },
    position: (...place) => unlessAway(() => stored.position(...place)),
  };
  return {
    log,
    clock,
    told,
    publish,
    asked: () => asked,
    comeBack: () => {
      isAway = false;
    },
    async open(given: Partial<FallbackDeps> = {}) {
      const stats = await openCallStoreWithFallback({
        log,
        warehouse,
        clock,
        lookbackDays: () => 30,
        onTrouble: (error) => told.push(error instanceof Error ? error.message : String(error)),
        onWarehouse: () => told.push("there"),
        ...given,
      });
      onTestFinished(() => stats.close());
      const calls = () => stats.ofOrganization(orgOne).sumSince(target, "calls", 0);
      return { stats, calls };
    },
  };
}

describe("call stats that are opened while the warehouse is away", () => {
  it("count what the log still has, and all that is stored once it comes, however often it was asked", async () => {
    const { clock, told, publish, comeBack, open } = await openRig();
    const { stats, calls } = await open();
    expect(calls()).toBe(1);
    await publish("third");
    await vi.waitFor(() => expect(calls()).toBe(2));
    const asking = async (wakes: number) => {
      for (let wake = 0; wake < wakes; wake += 1) {
        await vi.waitFor(() => expect(clock.sleepers()).toBe(2));
        clock.advance(5000);
      }
    };
    await asking(4);
    expect(calls()).toBe(2);
    expect(told).toEqual([expect.stringContaining("The warehouse does not answer")]);
    expect(stats.callsKnownSince(orgOne)).toBe(Number.POSITIVE_INFINITY);
    comeBack();
    await asking(1);
    await vi.waitFor(() => expect(calls()).toBe(3));
    await vi.waitFor(() => expect(told).toEqual([expect.stringContaining("does not answer"), "there"]));
    expect(stats.callsKnownSince(orgOne)).toBeLessThan(clock.now() - 30 * 24 * hour);
    await publish("fourth");
    await vi.waitFor(() => expect(calls()).toBe(4));
    await stats.close();
    await stats.finished;
  });

  it("keep what telephony noted of calls that ring", async () => {
    const { clock, comeBack, open } = await openRig();
    const { stats, calls } = await open();
    const started_at = new Date(startOfTime + hour).toISOString();
    const ringing = { org_id: orgOne, call_id: "rings" as CallId, started_at, caller_id: "+12125550123" };
    stats.note({ ...ringing, target_id: "tgt-1" });
    expect(calls()).toBe(2);
    comeBack();
    await vi.waitFor(() => expect(clock.sleepers()).toBe(2));
    clock.advance(5000);
    await vi.waitFor(() => expect(calls()).toBe(3));
    expect(stats.earlierCalls(orgOne, "+12125550123").map(({ call_id }) => call_id)).toContain("rings");
  });

  it.each([
    ["that does not answer at all", false, "The warehouse does not answer"],
    ["that answers, but too slowly to be read", true, "The warehouse answers too slowly"],
  ])("tell once of one %s", async (_what, answersFirst, words) => {
    const { told, clock, comeBack, open } = await openRig({ code: "query_timeout", answersFirst });
    const { calls } = await open();
    expect(calls()).toBe(1);
    for (let wake = 0; wake < 3; wake += 1) {
      await vi.waitFor(() => expect(clock.sleepers()).toBe(2));
      clock.advance(5000);
    }
    await vi.waitFor(() => expect(clock.sleepers()).toBe(2));
    expect(told).toEqual([expect.stringContaining(words)]);
    comeBack();
    clock.advance(5000);
    await vi.waitFor(() => expect(told).toEqual([expect.stringContaining(words), "there"]));
    expect(calls()).toBe(2);
  });

  it("end while the warehouse is still away, and nobody asks it any more", async () => {
    const { open, told, asked, clock } = await openRig();
    const { stats } = await open();
    await stats.close();
    await expect(stats.finished).resolves.toBeUndefined();
    const askedBefore = asked();
    clock.advance(hour);
    expect([asked() - askedBefore, clock.sleepers()]).toEqual([0, 0]);
    expect(told).toEqual([expect.stringContaining("does not answer")]);
  });

  it("do not open when what they asked was wrong", async () => {
    const { open } = await openRig({ code: "query_invalid" });
    await expect(open()).rejects.toThrow("gone");
  });
});
