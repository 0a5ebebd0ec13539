import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../api/demo/random.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { toKillReport } from "./kill-report.ts";
import { type KillOutcome, runKills } from "./kill-run.ts";

const heard = (delivery: string, at: number, status = 200) => ({ delivery, at, status });
const told = (event_id: string, given: object = {}) => ({
  outgoing_webhook_config_id: "hook-0",
  event_id,
  outcome: "delivered",
  next_attempt_at: null,
  response_status_code: 200,
  ...given,
});
const well: KillOutcome = {
  acknowledged: 1,
  killedAt: [],
  waiting: 0,
  tookMs: 1,
  heard: [heard("hook-0 c:7", 1), heard("hook-0 c:8", 2)],
  history: [told("c:7"), told("c:8")],
};

describe("the report of a run with kills", () => {
  it("has no fault where the history is what receivers were sent", () => {
    expect(toKillReport(well)).toMatchObject({ faults: [], requests: 2, records: 2, repeated: 0, unrecorded: 0 });
  });

  it("measures how long what has no record had been under way at the kill after it", () => {
    const repeated = { ...well, killedAt: [4], heard: [heard("hook-0 c:7", 1), ...well.heard, heard("hook-0 c:8", 9)] };
    expect(toKillReport({ ...repeated, heard: repeated.heard.slice(0, 3) })).toMatchObject({
      faults: [],
      repeated: 1,
      unrecorded: 1,
      longestUnderWayMs: 3,
    });
  });

  it.each<[string, Partial<KillOutcome>]>([
    ["a delivery that nobody heard of", { heard: well.heard.slice(1) }],
    ["one that did not end", { history: [told("c:7"), told("c:8", { next_attempt_at: "2026-01-01T00:00:00.000Z" })] }],
    ["one that ended twice", { history: [...well.history, told("c:8")] }],
    ["one that ended badly", { history: [told("c:7"), told("c:8", { outcome: "refused" })] }],
    ["a record of what was not sent", { history: [...well.history, told("c:9")] }],
    ["an attempt that was not made", { history: [...well.history, told("c:8", { response_status_code: 500 })] }],
    ["a request without a record that no kill explains", { heard: [...well.heard, heard("hook-0 c:8", 9)] }],
    ["what still waits", { waiting: 1 }],
    ["an event that overtook another one", { heard: well.heard.toReversed() }],
  ])("names %s", (_, given) => {
    expect(toKillReport({ ...well, ...given }).faults).not.toEqual([]);
  });
});

it("kill -9 while deliveries are made loses none and repeats only what was under way", { tags: ["slow"] }, async () => {
  const kills = 2;
  const run = { dataDir: temporaryFolder(), deliveries: 600, kills, endpoints: 2, random: createRandom(1) };
  const report = toKillReport(await runKills({ ...run, withinMs: 220_000 }));
  expect(report.faults).toEqual([]);
  // Ten places at each of two endpoints for each of two organizations, and what was claimed to be tried again.
  expect(report.unrecorded).toBeLessThanOrEqual(kills * (2 * 2 * 10 + 60));
});
