import { describe, expect, it, vi } from "vitest";
import { roles } from "../../api/roles.ts";
import { callEventNames } from "../../ingest/event.ts";
import type { EventLog, Topic } from "../../ingest/log/log.ts";
import { raw, sql } from "../../warehouse/statement.ts";
import { startClickhouse } from "../clickhouse-server.ts";
import { testBrokers } from "../kafka-server.ts";
import { createClient, exampleConfig, openPlatform, openTestReceiver, trackingNumber } from "../platform.ts";
import { testDatabaseUrl } from "../postgres-server.ts";
import { startProcess } from "./start-process.ts";

const simulator = "/telephony/simulator/calls";
const callsPerRound = 20;

/** What was produced, by its ids: a process that dies may have told the same thing twice. */
async function idsIn(log: EventLog, topic: Topic): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const partition of (await log.ends(topic)).keys())
    for await (const { value } of log.read({ topic, partition, offset: 0 })) ids.add(JSON.parse(value).id);
  return ids;
}

async function openRig() {
  const receiver = await openTestReceiver();
  const { url: CLICKHOUSE_URL } = await startClickhouse();
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
  const toldOf = (callId: string): string[] =>
    receiver.received.filter(({ path }) => path === `/${callId}`).map(({ body }) => JSON.parse(body).event);
  const storedIn = async (table: string): Promise<readonly unknown[]> =>
    (await rig.platform.warehouse.query(sql`SELECT id FROM ${raw(table)}`)).rows.map(({ id }) => id);
  return { ...rig, key, whole, toldOf, storedIn };
}

describe.skipIf(testBrokers === undefined || testDatabaseUrl === undefined)(
  "two of each role on brokers, ClickHouse and PostgreSQL (TEST_REDPANDA_BROKERS, TEST_DATABASE_URL)",
  () => {
    it("are one when the other is killed under load: marks fire, webhooks go out, all is stored once", async () => {
      const rig = await openRig();
      const [first, second] = await Promise.all([rig.whole(), rig.whole()]);
      const calls: string[] = [];
      for (let round = 0; round < callsPerRound; round += 1) {
        // A call may be taken in by one process and reported on by the other.
        const callId = await (round % 2 === 0 ? first : second).place();
        await (round % 3 === 0 ? first : second).tell(callId, { type: "answer" });
        calls.push(callId);
      }
      await first.end("SIGKILL");
      for (let round = 0; round < callsPerRound; round += 1) {
        const callId = await second.place();
        await second.tell(callId, { type: "answer" });
        calls.push(callId);
      }
      // The one that is killed is missed after its session of 10 s, and then its partitions are shared out.
      await vi.waitFor(() => {
        for (const callId of calls) expect(rig.toldOf(callId)).toContain("call.on_5_secs_mark");
      });
      await Promise.all(calls.map((callId) => second.tell(callId, { type: "hangup", by: "caller" })));
      await vi.waitFor(() => {
        for (const callId of calls) expect(rig.toldOf(callId)).toContain("call.completed");
      });
      expect(await second.end("SIGTERM")).toBe(0);

      // What the last one left in the log, a third finds there.
      const third = await rig.whole();
      for (const [topic, table] of [
        ["call-events", "call_events"],
        ["webhook-deliveries", "outgoing_webhook_requests"],
      ] as const) {
        const produced = await idsIn(rig.platform.log, topic);
        await vi.waitFor(async () => expect(new Set(await rig.storedIn(table))).toEqual(produced));
        expect(await rig.storedIn(table)).toHaveLength(produced.size);
      }
      expect((await idsIn(rig.platform.log, "dead-letters")).size).toBe(0);
      expect(await third.end("SIGTERM")).toBe(0);
    }, 240_000);
  },
);
