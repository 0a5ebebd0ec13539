import { describe, expect, test } from "vitest";
import { openKafkaLog } from "../../../../ingest/log/log-kafka.ts";
import { codeOf, someMessages } from "../../../contract/log-work.ts";
import { testBrokers } from "../../../kafka-server.ts";
import { startKafka } from "../../../services/kafka.ts";
import { until } from "./rig.ts";
import { quickSession } from "./session.ts";

describe.skipIf(testBrokers === undefined)("an outage of the brokers (TEST_REDPANDA_BROKERS)", () => {
  test("refuses publishes, is told, and loses nothing: consumers go on by themselves", async () => {
    const kafka = await startKafka();
    try {
      const troubles: unknown[] = [];
      const kinds: string[] = [];
      const log = await openKafkaLog({
        brokers: [kafka.environment["TEST_REDPANDA_BROKERS"] ?? ""],
        partitions: 2,
        replicationFactor: 1,
        session: quickSession,
        closeWithinMs: 5_000,
        onTrouble: (error) => troubles.push(error),
        onGroupEvent: ({ kind }) => kinds.push(kind),
      });
      const seen: string[] = [];
      const consumer = log.consume({
        group: "loader",
        topic: "call-events",
        async work(reader) {
          while (!reader.signal.aborted) {
            const { messages } = await reader.next({ maxMessages: 100, maxBytes: 1_000_000, waitMs: 500 });
            seen.push(...messages.map(({ value }) => value));
          }
        },
      });
      await log.publish(someMessages(2));
      await until(() => seen.length >= 2);
      await kafka.kill();
      const [publish, ends] = await Promise.all([
        codeOf(() => log.publish(someMessages(1, { from: 2 }))),
        codeOf(() => log.ends("call-events")),
      ]);
      expect([publish, ends]).toEqual(["log_unavailable", "log_unavailable"]);
      await until(() => troubles.length > 0);
      await until(() => kinds.includes("unreachable"));
      await kafka.startAgain();
      await until(async () => (await codeOf(() => log.publish(someMessages(1, { from: 3 })))) === "no error");
      await until(() => seen.includes('{"n":3}'));
      expect(kinds.slice(0, 3)).toEqual(["assigned", "unreachable", "assigned"]);
      expect(await Promise.race([consumer.finished.then(() => "over"), Promise.resolve("at work")])).toBe("at work");
      await log.close();
    } finally {
      await kafka.stop();
    }
  }, 480_000);
});
