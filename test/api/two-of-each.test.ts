import { describe, expect, it, vi } from "vitest";
import { roles } from "../../api/settings/roles.ts";
import { callEventNames } from "../../ingest/event.ts";
import type { EventLog, Topic } from "../../ingest/log/log.ts";
import { raw, sql } from "../../warehouse/statement.ts";
import { newClickhouseUrl } from "../clickhouse-server.ts";
import { brokersOf, testBrokers } from "../kafka-server.ts";
import { createClient, exampleConfig, openPlatform, openTestReceiver, trackingNumber } from "../platform.ts";
import { testDatabaseUrl } from "../postgres-server.ts";
import { wholeTopic } from "../whole-topic.ts";
import { startProcess } from "./start-process.ts";
import { watchTakeOver, workRoles } from "./take-over.ts";

const simulator = "/telephony/simulator/calls";
const callsAtFirst = 20;

/** Shown by every reporter, unlike notes on a test that passes. */
const print = (line: string): void => void process.stdout.write(`two of each role: ${line}\n`);

interface Told {
  readonly id: string;
  readonly key: string;
  readonly publishedAt: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON was published; the test asserts on it.
  readonly value: any;
}

/** What was produced, once by its id: a process that dies may have told the same thing twice. */
async function toldIn(log: EventLog, topic: Topic): Promise<readonly Told[]> {
  const told = new Map<string, Told>();
  for await (const { key, value: text, publishedAt } of wholeTopic(log, topic)) {
    const value = JSON.parse(text);
    if (!told.has(value.id)) told.set(value.id, { id: value.id, key, publishedAt, value });
  }
  return [...told.values()];
}

async function openRig() {
  const receiver = await openTestReceiver();
  const CLICKHOUSE_URL = await newClickhouseUrl();
  const settings = { CLICKHOUSE_URL, ROLES: "api", API_RATE_LIMIT_PER_MIN: "1000000" };
  const documents = (org: Parameters<typeof exampleConfig>[2]) => exampleConfig(receiver.url, callEventNames, org);
  const rig = await openPlatform({ documents, settings });
  const { key } = rig.one;
  const whole = async () => {
    const { url, end } = await startProcess({ ...rig.environment, ROLES: roles.join(",") });
    const { post } = createClient(url);
    const place = async (): Promise<string> => {
      const { status, body } = await post(simulator, key, { from: "+12125550123", to: trackingNumber });
      expect(status).toBe(201);
      return body.call_id;
    };
    const tell = async (callId: string, event: object) =>
      expect((await post(`${simulator}/${callId}/events`, key, event)).status).toBe(200);
    return { url, end, place, tell };
  };
  /** By call and event. */
  const received = (): ReadonlySet<string> =>
    new Set(receiver.received.map(({ path, body }) => `${path.slice(1)} ${JSON.parse(body).event}`));
  const environment: Readonly<Record<string, string>> = rig.environment;
  const { REDPANDA_TOPIC_PREFIX: prefix = "", REDPANDA_PARTITIONS: partitions } = environment;
  const takeOver = await watchTakeOver({ brokers: brokersOf(), prefix, partitions: Number(partitions) });
  const storedIn = async (table: string): Promise<readonly unknown[]> =>
    (await rig.platform.warehouse.query(sql`SELECT id FROM ${raw(table)}`)).rows.map(({ id }) => id);
  return { ...rig, key, whole, received, storedIn, takeOver };
}

/** Marks are of their second, however late they are told; returns how late that was at the most. */
function latestMark(events: readonly Told[]): number {
  let latestMs = 0;
  for (const { value, publishedAt } of events) {
    const [, seconds] = /^call\.on_(\d+)_secs_mark$/.exec(value.event) ?? [];
    if (seconds === undefined) continue;
    const due = Date.parse(value.connected_at) + Number(seconds) * 1000;
    expect(Date.parse(value.occurred_at)).toBe(due);
    expect(publishedAt).toBeGreaterThanOrEqual(due);
    latestMs = Math.max(latestMs, publishedAt - due);
  }
  return latestMs;
}

describe.skipIf(testBrokers === undefined || testDatabaseUrl === undefined)(
  "two of each role on brokers, ClickHouse and PostgreSQL (TEST_REDPANDA_BROKERS, TEST_DATABASE_URL)",
  () => {
    it("are one when the other is killed under load: it takes over, marks are of their second, webhooks go out, all is stored once", async () => {
      const rig = await openRig();
      const first = await rig.whole();
      const members = await rig.takeOver.members();
      const second = await rig.whole();
      const parts = await rig.takeOver.shared(members);
      const calls: string[] = [];
      // A call may be taken in by one process and reported on by the other.
      const begin = async (one = second, other = second) => {
        const callId = await one.place();
        await other.tell(callId, { type: "answer" });
        calls.push(callId);
      };
      for (let round = 0; round < callsAtFirst; round += 1)
        await begin(round % 2 === 0 ? first : second, round % 3 === 0 ? first : second);
      // What is on its way ends first, so that a whole turn of each role's work is measured.
      await rig.takeOver.firstWork(parts, begin);
      const usualMs = await rig.takeOver.firstWork(parts, begin);

      const killedAt = Date.now();
      await first.end("SIGKILL");
      const tookMs = await rig.takeOver.firstWork(parts, begin, killedAt);
      // How long it may take at the most follows from the settings (session.test.ts): here it is measured, as this machine has it.
      for (const role of workRoles)
        print(`${role}: taken over ${tookMs[role]} ms after the kill; work takes ${usualMs[role]} ms otherwise`);

      const hasAll = (event: string) =>
        vi.waitFor(() => {
          for (const callId of calls) expect(rig.received()).toContain(`${callId} ${event}`);
        });
      await hasAll("call.on_5_secs_mark");
      await Promise.all(calls.map((callId) => second.tell(callId, { type: "hangup", by: "caller" })));
      await hasAll("call.completed");
      const events = await toldIn(rig.platform.log, "call-events");
      const facts = events.map(({ key, value }) => `${key} ${value.event}`).sort();
      expect(facts).toEqual([...new Set(facts)]);
      await vi.waitFor(() => expect([...rig.received()].sort()).toEqual(facts));
      print(`marks: told ${latestMark(events)} ms after their second at the latest`);
      expect(await second.end("SIGTERM")).toBe(0);

      // What the last one left in the log, a third finds there.
      const third = await rig.whole();
      for (const [topic, table] of [
        ["call-events", "call_events"],
        ["webhook-deliveries", "outgoing_webhook_requests"],
      ] as const) {
        const produced = new Set((await toldIn(rig.platform.log, topic)).map(({ id }) => id));
        await vi.waitFor(async () => expect(new Set(await rig.storedIn(table))).toEqual(produced));
        expect(await rig.storedIn(table)).toHaveLength(produced.size);
      }
      expect(await toldIn(rig.platform.log, "dead-letters")).toEqual([]);
      expect(await third.end("SIGTERM")).toBe(0);
    }, 480_000);
  },
);
