import { describe, expect, it } from "vitest";
import { createKafkaLogs } from "../ingest/log/kafka/rig.ts";
import { brokersOf, testBrokers } from "../kafka-server.ts";
import { faultyStores } from "./faulty-stores.ts";
import { openOutageRig } from "./loader-outage-rig.ts";

describe.skipIf(testBrokers === undefined).each(faultyStores)(
  "loaders that $engine takes nothing from (TEST_REDPANDA_BROKERS)",
  ({ openStore }) => {
    it("commit nothing past the failure, drop nothing, and go on by themselves when it is over", async () => {
      const { prefix, open } = createKafkaLogs();
      const rig = await openOutageRig({ brokers: brokersOf(), prefix, openLog: open, openStore });
      await rig.produce(50);
      await rig.expectAllStored();
      for (const { name, begin, came, end } of rig.store.faults) {
        const before = await rig.committed();
        await begin();
        await rig.produce(50);
        await came?.();
        // Each partition's loader tries again and again.
        await rig.untilTroubled(5);
        expect(await rig.committed(), name).toEqual(before);
        await end();
        await rig.produce(50);
        await rig.expectAllStored();
      }
    }, 480_000);
  },
);
