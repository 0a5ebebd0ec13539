import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { roles } from "../../api/settings/roles.ts";
import type { EventLog, Topic } from "../../ingest/log/log.ts";
import { raw, sql } from "../../warehouse/statement.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { testBrokers } from "../kafka-server.ts";
import { testDatabaseUrl } from "../postgres-server.ts";
import { wholeTopic } from "../whole-topic.ts";
import { createCallLedger, eventsOfCall } from "./call-ledger.ts";
import { awayOf, backlogOf, openOutageRig, readinessOf, type Store, type Worker } from "./outage-rig.ts";

/** Longer than kafkajs tries by itself: a round of the sender 12 s, a question to a coordinator 6 s. A minute by hand: `OUTAGE_MS=60000`. */
const outageMs = Number(process.env["OUTAGE_MS"] ?? 25_000);
/** What is waited for may have to come up first, on a machine that is busy. */
const patience = { timeout: 120_000, interval: 500 };

/** Each of them alive and ready, but for what lacks the store. */
const expectReadiness = (workers: readonly Worker[], away: Store | null) =>
  vi.waitFor(async () => {
    for (const worker of workers) {
      expect(worker.ending(), `${worker.role}: ${JSON.stringify(worker.lines.slice(-5))}`).toBeUndefined();
      const { checks, status } = await readinessOf(worker);
      const lacking = Object.entries(checks).flatMap(([name, state]) => (state === "ok" ? [] : [name]));
      expect(lacking, worker.role).toEqual(awayOf(worker.role, away));
      // Calls are not turned away for want of the warehouse.
      const isReady = lacking.length === 0 || (worker.role === "api" && away === "warehouse");
      expect(status, worker.role).toBe(isReady ? 200 : 503);
    }
  }, patience);

/** What was produced, each thing once by its id, is stored once, or a dead letter. */
async function expectStored(log: EventLog, warehouse: Warehouse, topic: Topic, table: string): Promise<void> {
  const produced = new Set<string>();
  for await (const { value } of wholeTopic(log, topic)) produced.add(JSON.parse(value).id);
  const { rows } = await warehouse.query(sql`SELECT id FROM ${raw(table)}`, { maxRows: 10_000_000, timeoutMs: 60_000 });
  expect(rows.map(({ id }) => id).sort()).toEqual([...produced].sort());
}

describe.skipIf(testBrokers === undefined || testDatabaseUrl === undefined)(
  "two processes of each role, while stores go away and processes are killed (npm run test:services -- kafka)",
  () => {
    it("end with none of them, say what is away, go on by themselves, and what was acknowledged is stored and told once", async ({
      annotate,
    }) => {
      const rig = await openOutageRig();
      let workers = await Promise.all([...roles, ...roles].map(rig.start));
      await expectReadiness(workers, null);
      let asked = 0;
      const address = (): string => {
        const apis = workers.filter((each) => each.role === "api" && each.ending() === undefined);
        return apis[asked++ % apis.length]?.url ?? "";
      };
      const ledger = createCallLedger({ key: rig.key, callers: 4, address });
      const untilCalls = (more: number) => {
        const enough = ledger.acknowledged().length + more;
        return vi.waitFor(() => expect(ledger.acknowledged().length).toBeGreaterThan(enough), patience);
      };
      await untilCalls(20);

      for (const store of ["log", "database", "warehouse", "log"] as const) {
        await rig.stores[store].kill();
        const longEnough = pause(outageMs);
        await expectReadiness(workers, store);
        await longEnough;
        if (store === "warehouse")
          await vi.waitFor(async () => expect(await backlogOf("load", workers)).toBeGreaterThan(0), patience);
        await rig.stores[store].startAgain();
        await expectReadiness(workers, null);
        await untilCalls(20);
      }

      for (const role of roles) {
        const victim = workers.find((each) => each.role === role);
        await victim?.end("SIGKILL");
        workers = workers.filter((each) => each !== victim);
        await untilCalls(20);
        workers.push(await rig.start(role));
      }
      await expectReadiness(workers, null);
      await ledger.stop();

      const { log, warehouse } = await rig.openBooks();
      const calls = ledger.acknowledged();
      await annotate(`${calls.length} calls, ${JSON.stringify(ledger.failed())}`);
      await vi.waitFor(async () => {
        const { rows } = await warehouse.query(sql`SELECT call_id, event FROM call_events ORDER BY call_id, event`, {
          maxRows: 10_000_000,
          timeoutMs: 60_000,
        });
        const facts = rows.map(({ call_id, event }) => `${call_id} ${event}`);
        expect(facts).toEqual([...new Set(facts)]);
        const expected = calls.flatMap((callId) => eventsOfCall.map((event) => `${callId} ${event}`));
        expect(expected.filter((fact) => !new Set(facts).has(fact))).toEqual([]);
        const told = await warehouse.query(
          sql`SELECT call_id, event_type_id FROM outgoing_webhook_requests WHERE outcome = 'delivered' ORDER BY call_id, event_type_id`,
          { maxRows: 10_000_000, timeoutMs: 60_000 },
        );
        expect(told.rows.map(({ call_id, event_type_id }) => `${call_id} ${event_type_id}`)).toEqual(facts);
      }, patience);
      await vi.waitFor(() => expectStored(log, warehouse, "call-events", "call_events"), patience);
      await vi.waitFor(() => expectStored(log, warehouse, "webhook-deliveries", "outgoing_webhook_requests"), patience);
      expect((await log.ends("dead-letters")).every((end) => end === 0)).toBe(true);
      const heard = rig.received.map(({ path, body }) => `${path} ${JSON.parse(body).event}`);
      await annotate(`${heard.length} webhooks heard, ${heard.length - new Set(heard).size} of them twice`);
      for (const role of ["lifecycle", "deliver", "load"] as const)
        await vi.waitFor(async () => expect(await backlogOf(role, workers), role).toBe(0), patience);
      for (const worker of workers) {
        expect(worker.ending(), worker.role).toBeUndefined();
        // Whatever is no line of the log, such as a warning of the runtime.
        expect(worker.lines.filter(({ level }) => level < 0)).toEqual([]);
      }
    }, 1_800_000);
  },
);
