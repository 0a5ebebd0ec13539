import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../ingest/clock.ts";
import { openKafkaLog } from "../../ingest/log/log-kafka.ts";
import { type LoadedBatch, runLoader } from "../../warehouse/loader.ts";
import { sql } from "../../warehouse/statement.ts";
import { WarehouseError } from "../../warehouse/warehouse.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { until } from "../ingest/log/kafka/rig.ts";
import { quickSession } from "../ingest/log/kafka/session.ts";
import { testBrokers } from "../kafka-server.ts";
import { anOutgoingRequest } from "../make.ts";
import { startKafka } from "../services/kafka.ts";

const topic = "webhook-deliveries";
/** A minute by hand: `OUTAGE_MS=60000`. */
const outageMs = Number(process.env["OUTAGE_MS"] ?? 5000);

/** A broker of its own, a loader on it and a warehouse that can be told to refuse. */
async function openRig() {
  const kafka = await startKafka();
  onTestFinished(() => kafka.stop());
  const brokers = [kafka.environment["TEST_REDPANDA_BROKERS"] ?? ""];
  const about = { partitions: 2, replicationFactor: 1, session: quickSession, closeWithinMs: 5000 };
  const log = await openKafkaLog({ brokers, ...about });
  const warehouse = await openDuckdbWarehouse({ path: ":memory:" });
  const state = { refuses: false, refused: 0, produced: new Set<string>() };
  const batches: LoadedBatch[] = [];
  const loaders = runLoader({
    ...{ log, clock: systemClock, lingerMs: 0, onTrouble: () => undefined },
    onBatch: (batch) => batches.push(batch),
    warehouse: {
      ...warehouse,
      async store(range) {
        if (!state.refuses) return warehouse.store(range);
        state.refused += 1;
        throw new WarehouseError("unavailable", "no such table");
      },
    },
  });
  onTestFinished(async () => {
    for (const loader of loaders) await loader.stop();
    await log.close();
    await warehouse.close();
  });
  let next = 0;
  /** Whether it was acknowledged. */
  async function produce(): Promise<boolean> {
    const id = `out-${next++}`;
    const value = JSON.stringify(anOutgoingRequest({ id }));
    const isTaken = await log.publish([{ topic, key: id, value }]).then(
      () => true,
      () => false,
    );
    if (isTaken) state.produced.add(id);
    return isTaken;
  }
  const stored = async () =>
    (await warehouse.query(sql`SELECT id FROM outgoing_webhook_requests`)).rows.map(({ id }) => String(id));
  const sum = (name: "consumed" | "stored" | "duplicate" | "deadLettered") =>
    batches.reduce((total, batch) => total + batch[name], 0);
  return { kafka, state, produce, stored, sum };
}

describe.skipIf(testBrokers === undefined)("a loader while its stores are away (TEST_REDPANDA_BROKERS)", () => {
  it("drops nothing and stores nothing twice, whether the brokers or the warehouse were", async () => {
    const { kafka, state, produce, stored, sum } = await openRig();
    for (let round = 0; round < 50; round += 1) expect(await produce()).toBe(true);
    await until(async () => (await stored()).length === 50);

    state.refuses = true;
    for (let round = 0; round < 50; round += 1) expect(await produce()).toBe(true);
    await until(() => state.refused > 2);
    expect(await stored()).toHaveLength(50);
    state.refuses = false;
    await until(async () => (await stored()).length === 100);

    const endOfOutage = Date.now() + outageMs;
    await kafka.kill();
    // At the least once, though each attempt may take longer than the outage.
    do await produce();
    while (Date.now() < endOfOutage);
    await kafka.startAgain();
    await until(produce);
    for (let round = 0; round < 20; round += 1) await produce();

    await until(async () => {
      const ids = new Set(await stored());
      return [...state.produced].every((id) => ids.has(id));
    });
    const ids = await stored();
    expect(new Set(ids).size).toBe(ids.length);
    // What was stored is told once it is committed, or cannot be.
    await until(() => sum("stored") === ids.length);
    expect(sum("consumed")).toBe(sum("stored") + sum("duplicate") + sum("deadLettered"));
    expect(sum("deadLettered")).toBe(0);
  }, 300_000);
});
