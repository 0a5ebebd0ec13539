import { describe } from "vitest";
import { openKafkaLog } from "../../../ingest/log/log-kafka.ts";
import { describeEventLog } from "../../contract/event-log.ts";
import { brokersOf, createPrefix, testBrokers } from "../../kafka-server.ts";

/** Of a single broker on this machine: it need not wait long to see that a member is gone. */
const session = { timeoutMs: 6_000, heartbeatMs: 200, rebalanceMs: 10_000 };

describe.skipIf(testBrokers === undefined)("on real brokers (TEST_REDPANDA_BROKERS)", () => {
  for (const partitions of [1, 3]) {
    describeEventLog({
      name: `Kafka's protocol with ${partitions} partition${partitions === 1 ? "" : "s"}`,
      partitions,
      async makeStorage() {
        const { prefix, remove } = createPrefix();
        const given = { brokers: brokersOf(), prefix, partitions, replicationFactor: 1, session };
        return { open: (options) => openKafkaLog({ ...given, ...options }), remove };
      },
    });
  }
});
