import { describe, expect, it, vi } from "vitest";
import { callEventNames } from "../../ingest/event.ts";
import { sql } from "../../warehouse/statement.ts";
import { testBrokers } from "../kafka-server.ts";
import { exampleConfig, openPlatform, openTestReceiver, trackingNumber } from "../platform.ts";
import { testDatabaseUrl } from "../postgres-server.ts";
import { startProcess } from "./start-process.ts";

const simulator = "/telephony/simulator/calls";
const marks = ["call.on_5_secs_mark", "call.on_15_secs_mark"];
const expected = ["call.incoming", "call.connected", ...marks, "call.hangup", "call.converted", "call.completed"];
const isThere = testBrokers !== undefined && testDatabaseUrl !== undefined;

/** This process serves the API and loads the warehouse; the other roles are for others. */
async function openRig() {
  const receiver = await openTestReceiver();
  const rig = await openPlatform({
    documents: (org) => [...exampleConfig(receiver.url, callEventNames, org), incomingWebhook(org)],
    settings: { ROLES: "api,load", API_RATE_LIMIT_PER_MIN: "1000000" },
  });
  const key = rig.one.key;
  const worker = () => startProcess({ ...rig.environment, ROLES: "lifecycle,deliver" });
  const place = async (at?: number): Promise<string> => {
    const since = at === undefined ? {} : { at: new Date(at).toISOString() };
    const { status, body } = await rig.post(simulator, key, { from: "+12125550123", to: trackingNumber, ...since });
    expect(status).toBe(201);
    return body.call_id;
  };
  const tell = async (callId: string, event: object) =>
    expect((await rig.post(`${simulator}/${callId}/events`, key, event)).status).toBe(200);
  const toldOf = (callId: string) =>
    receiver.received.filter(({ path }) => path === `/${callId}`).map(({ body }) => JSON.parse(body).event);
  return { ...rig, key, worker, place, tell, toldOf };
}

const incomingWebhook = (org: string) => ({
  type: "incoming_webhook" as const,
  doc: {
    org_id: org as never,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    id: `${org}-data`,
    name: "CRM",
    type: "update_tags" as const,
    auth_key: `key-of-${org}`,
  },
});

describe.skipIf(!isThere)("a platform in several processes (TEST_REDPANDA_BROKERS, TEST_DATABASE_URL)", () => {
  it("takes a call from its first ring to its history, tells of it and hears of it", async () => {
    const rig = await openRig();
    const worker = await rig.worker();
    const ready = await fetch(`${worker.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: "ready", checks: { log: "ok", database: "ok" } },
    ]);
    expect((await fetch(`${worker.url}/api/v1/targets`)).status).toBe(404);

    const connected = Date.now() - 20_000;
    const at = (seconds: number) => new Date(connected + seconds * 1000).toISOString();
    const callId = await rig.place(connected - 2000);
    await rig.tell(callId, { type: "answer", at: at(0) });
    await rig.tell(callId, { type: "hangup", by: "caller", at: at(16) });
    await vi.waitFor(() => expect(rig.toldOf(callId)).toEqual(expected));
    const heard = await rig.call(
      "POST",
      `/update-tags?svc_auth_key=key-of-${rig.one.id}`,
      {},
      {
        call_id: callId,
        add: { crm: "yes" },
      },
    );
    expect(heard).toMatchObject({ status: 200, body: { success: true, matched: true } });
    await vi.waitFor(async () => {
      const ofCall = `?call_id=${callId}&limit=100`;
      const sent = await rig.get(`/api/v1/webhooks/outgoing-requests${ofCall}`, rig.key);
      const names = sent.body.data.map((each: { event_type_id: string }) => each.event_type_id);
      expect(names.sort()).toEqual([...expected, "call.updated"].sort());
      const received = await rig.get(`/api/v1/webhooks/incoming-requests${ofCall}`, rig.key);
      expect(received.body.data).toHaveLength(1);
      const { body } = await rig.get(`/api/v1/reports/calls/${callId}`, rig.key);
      expect(body).toMatchObject({ converted: true, tags: { crm: "yes" } });
    });
    const metrics = await (await fetch(`${worker.url}/metrics`)).text();
    expect(metrics).toContain('trunkline_deliveries_total{outcome="delivered"} 8');
    for (const place of ['consumer="lifecycle",topic="call-signals"', 'consumer="deliver",topic="call-events"'])
      expect(metrics).toContain(`trunkline_backlog_messages{${place}}`);
    expect(await worker.end("SIGTERM")).toBe(0);
  }, 480_000);

  it("goes on when one of two that do the same is killed: marks fire, and every event is told and stored once", async () => {
    const rig = await openRig();
    const [first, second] = await Promise.all([rig.worker(), rig.worker()]);
    const calls: string[] = [];
    for (let round = 0; round < 30; round += 1) calls.push(await rig.place());
    await Promise.all(calls.map((callId) => rig.tell(callId, { type: "answer" })));
    await first.end("SIGKILL");
    // Calls go on arriving while nobody has the partitions of the one that is gone.
    for (let round = 0; round < 30; round += 1) {
      const callId = await rig.place();
      calls.push(callId);
      await rig.tell(callId, { type: "answer" });
    }
    // The one that is killed is missed after its session, and then its partitions are shared out.
    await vi.waitFor(() => {
      for (const callId of calls) expect(rig.toldOf(callId)).toContain("call.on_5_secs_mark");
    });
    await Promise.all(calls.map((callId) => rig.tell(callId, { type: "hangup", by: "caller" })));
    await vi.waitFor(async () => {
      for (const callId of calls) {
        const { body } = await rig.get(`/api/v1/webhooks/outgoing-requests?call_id=${callId}&limit=100`, rig.key);
        const names: string[] = body.data.map((each: { event_type_id: string }) => each.event_type_id);
        const told = new Set(names);
        for (const name of ["call.incoming", "call.connected", "call.on_5_secs_mark", "call.hangup", "call.completed"])
          expect(told, `${callId} ${name}`).toContain(name);
      }
    });
    // What was told need not be stored yet.
    await vi.waitFor(async () => {
      const { rows } = await rig.platform.warehouse.query(
        sql`SELECT count(*) AS events, count(DISTINCT call_id || event) AS facts FROM call_events`,
      );
      expect(rows[0]?.["events"]).toBe(rows[0]?.["facts"]);
      expect(rows[0]?.["events"]).toBeGreaterThanOrEqual(5 * calls.length);
    });
    expect(await second.end("SIGTERM")).toBe(0);
  }, 480_000);
});
