import { describe } from "vitest";
import { openKafkaLog } from "../../../ingest/log/log-kafka.ts";
import { describeEventLog } from "../../contract/event-log.ts";
import { brokersOf, createPrefix, testBrokers } from "../../kafka-server.ts";
import { quickSession } from "./kafka/session.ts";

describe.skipIf(testBrokers === undefined)("on real brokers (TEST_REDPANDA_BROKERS)", () => {
  for (const partitions of [1, 3]) {
    describeEventLog({
      name: `Kafka's protocol with ${partitions} partition${partitions === 1 ? "" : "s"}`,
      partitions,
      async makeStorage() {
        const { prefix, remove } = createPrefix();
        const given = { brokers: brokersOf(), prefix, partitions, replicationFactor: 1, session: quickSession };
        return { open: (options) => openKafkaLog({ ...given, ...options }), remove };
      },
    });
  }
});
