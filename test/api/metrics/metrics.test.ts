import { describe, expect, it } from "vitest";
import type { Backlog } from "../../../api/metrics/backlog.ts";
import { createMetrics } from "../../../api/metrics/metrics.ts";
import type { LoadedBatch } from "../../../warehouse/loader.ts";
import { startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";

function createRig() {
  const clock = createManualClock(startOfTime);
  const metrics = createMetrics(clock);
  const lines = async (name: string) =>
    (await metrics.registry.metrics()).split("\n").filter((line) => line.startsWith(`trunkline_${name}`));
  return { clock, metrics, lines };
}

const batch = (more: Partial<LoadedBatch>): LoadedBatch => ({
  topic: "call-events",
  partition: 0,
  consumed: 0,
  stored: 0,
  duplicate: 0,
  deadLettered: 0,
  oldestAgeMs: 0,
  ...more,
});

it("the age of peer state is counted from the last exchange, and is none before the first", async () => {
  const { clock, metrics, lines } = createRig();
  expect(await lines("peers_age")).toEqual([]);
  metrics.exchanged();
  clock.advance(1500);
  expect(await lines("peers_age")).toEqual(["trunkline_peers_age_seconds 1.5"]);
  metrics.exchanged();
  expect(await lines("peers_age")).toEqual(["trunkline_peers_age_seconds 0"]);
});

it("of organizations only those that use most have a series, and the rest share one", async () => {
  const { metrics } = createRig();
  const usage = { input_tokens: 10, output_tokens: 1, cost_usd: 0.5 };
  metrics.readOrganizations(async (most) => ({
    greatest: Array.from({ length: most }, (_, index) => ({ orgId: `org-${index}`, ...usage })),
    all: { input_tokens: 5000, output_tokens: 200, cost_usd: 60 },
  }));
  const lines = (await metrics.organizations.metrics()).split("\n").filter((line) => line.includes("cost_dollars{"));
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toBe('trunkline_assistant_model_month_cost_dollars{org_id="other"} 10');
});

describe("the loader's metrics", () => {
  it("add up for each topic, over its partitions and batches", async () => {
    const { metrics, lines } = createRig();
    metrics.loaded(batch({ consumed: 10, stored: 7, duplicate: 2, deadLettered: 1 }));
    metrics.loaded(batch({ partition: 1, consumed: 5, stored: 5 }));
    metrics.loaded(batch({ topic: "audit-log", consumed: 1, stored: 1 }));
    expect(await lines("loader_consumed")).toEqual([
      'trunkline_loader_consumed_messages_total{topic="call-events"} 15',
      'trunkline_loader_consumed_messages_total{topic="audit-log"} 1',
    ]);
    expect(await lines("loader_messages_total")).toEqual([
      'trunkline_loader_messages_total{topic="call-events",fate="stored"} 12',
      'trunkline_loader_messages_total{topic="call-events",fate="duplicate"} 2',
      'trunkline_loader_messages_total{topic="call-events",fate="dead_lettered"} 1',
      'trunkline_loader_messages_total{topic="audit-log",fate="stored"} 1',
      'trunkline_loader_messages_total{topic="audit-log",fate="duplicate"} 0',
      'trunkline_loader_messages_total{topic="audit-log",fate="dead_lettered"} 0',
    ]);
  });

  it("sort the ages at storage by size", async () => {
    const { metrics, lines } = createRig();
    metrics.loaded(batch({ consumed: 1, stored: 1, oldestAgeMs: 700 }));
    const within = async (le: string) =>
      (await lines("loader_age_at_storage_seconds_bucket")).find((line) => line.includes(`le="${le}"`));
    expect(await within("0.5")).toMatch(/ 0$/);
    expect(await within("1")).toMatch(/ 1$/);
  });
});

describe("the backlog's metrics", () => {
  const topic = "call-events";

  it("sum up the partitions of each role, and tell how old the oldest message has become by the time they are asked", async () => {
    const { clock, metrics, lines } = createRig();
    expect(await lines("backlog")).toEqual([]);
    metrics.backlogFrom(() => [
      { consumer: "load", topic, messages: 3, oldestAt: startOfTime - 1000 },
      { consumer: "load", topic, messages: 4, oldestAt: startOfTime },
      { consumer: "load", topic: "audit-log", messages: 0, oldestAt: null },
      { consumer: "deliver", topic, messages: 5, oldestAt: null },
    ]);
    clock.advance(4000);
    expect(await lines("backlog_messages")).toEqual([
      'trunkline_backlog_messages{consumer="load",topic="call-events"} 7',
      'trunkline_backlog_messages{consumer="load",topic="audit-log"} 0',
      'trunkline_backlog_messages{consumer="deliver",topic="call-events"} 5',
    ]);
    expect(await lines("backlog_oldest_seconds")).toEqual([
      'trunkline_backlog_oldest_seconds{consumer="load",topic="call-events"} 5',
      'trunkline_backlog_oldest_seconds{consumer="load",topic="audit-log"} 0',
    ]);
  });

  it("leave out partitions that have gone to another process", async () => {
    const { metrics, lines } = createRig();
    const all = [{ consumer: "deliver", topic, messages: 5, oldestAt: null }] as Backlog[];
    metrics.backlogFrom(() => all);
    expect(await lines("backlog_messages")).toHaveLength(1);
    all.pop();
    expect(await lines("backlog")).toEqual([]);
  });
});

describe("the lifecycle's metrics", () => {
  it("tell signals that could not be used from the others", async () => {
    const { metrics, lines } = createRig();
    metrics.signalsProcessed({ taken: 3, deadLettered: 2, rekeyed: 1, held: 0 });
    expect(await lines("lifecycle")).toEqual([
      'trunkline_lifecycle_signals_total{fate="dead_lettered"} 2',
      'trunkline_lifecycle_signals_total{fate="taken"} 3',
      'trunkline_lifecycle_signals_total{fate="rekeyed"} 1',
      'trunkline_lifecycle_signals_total{fate="held"} 0',
    ]);
  });
});
