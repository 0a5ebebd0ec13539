import { describe, expect, it, onTestFinished } from "vitest";
import { openKafkaLog } from "../../ingest/log/log-kafka.ts";
import { until } from "../ingest/log/kafka/rig.ts";
import { quickSession } from "../ingest/log/kafka/session.ts";
import { testBrokers } from "../kafka-server.ts";
import { startKafka } from "../services/kafka.ts";
import { openOutageRig } from "./loader-outage-rig.ts";
import { loaderStores } from "./loader-stores.ts";

/** A minute by hand: `OUTAGE_MS=60000`. */
const outageMs = Number(process.env["OUTAGE_MS"] ?? 5000);

/** Brokers of their own, and loaders from them into each store. */
async function openRigs() {
  const kafka = await startKafka();
  onTestFinished(() => kafka.stop());
  const brokers = [kafka.environment["TEST_REDPANDA_BROKERS"] ?? ""];
  const about = { brokers, replicationFactor: 1, session: quickSession, closeWithinMs: 5000 };
  const rigs = loaderStores.map(({ engine, openStore }) => {
    const prefix = `${engine}.`;
    const openLog = (given: { partitions: number }) => openKafkaLog({ ...about, ...given, prefix });
    return openOutageRig({ brokers, prefix, openLog, openStore });
  });
  return { kafka, rigs: await Promise.all(rigs) };
}

describe.skipIf(testBrokers === undefined)("loaders whose brokers are away (TEST_REDPANDA_BROKERS)", () => {
  it("drop nothing and store nothing twice, into DuckDB and into ClickHouse", async () => {
    const { kafka, rigs } = await openRigs();
    for (const rig of rigs) {
      expect(await rig.produce(50)).toBe(true);
      await rig.expectAllStored();
      // What is on its way when they go.
      expect(await rig.produce(50)).toBe(true);
    }

    const endOfOutage = Date.now() + outageMs;
    await kafka.kill();
    // At the least once, though each attempt may take longer than the outage.
    do await Promise.all(rigs.map(({ produce }) => produce(1)));
    while (Date.now() < endOfOutage);
    await kafka.startAgain();

    for (const rig of rigs) {
      await until(() => rig.produce(1));
      expect(await rig.produce(20)).toBe(true);
      await rig.expectAllStored();
    }
  }, 480_000);
});
