import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { codeOf, onPartition, someMessages } from "../../../contract/log-work.ts";
import { createKafkaLogs } from "./rig.ts";

const {
  TEST_REDPANDA_SECURE_BROKERS: brokers = "",
  TEST_REDPANDA_CA: ca = "",
  TEST_REDPANDA_USERNAME: username = "",
  TEST_REDPANDA_PASSWORD: password = "",
} = process.env;

const sasl = { mechanism: "scram-sha-256", username, password } as const;

describe.skipIf(brokers === "")("brokers with TLS, where users sign in (TEST_REDPANDA_SECURE_BROKERS)", () => {
  test("are used with their authority and a user of theirs", async () => {
    const tls = { ca: await readFile(ca, "utf8") };
    const log = await createKafkaLogs().open({ brokers: brokers.split(","), tls, sasl });
    const [position] = await log.publish(someMessages(3));
    const at = { group: "loader", topic: "call-events", partition: position?.partition ?? -1 } as const;
    const batch = await onPartition(log, at, (reader) =>
      reader.next({ maxMessages: 10, maxBytes: 1_000, waitMs: 60_000 }),
    );
    expect(batch.messages).toHaveLength(3);
  });

  test("refuse a wrong password, and are refused without their authority", async () => {
    const tls = { ca: await readFile(ca, "utf8") };
    const { open } = createKafkaLogs();
    const given = { brokers: brokers.split(",") };
    expect(await codeOf(() => open({ ...given, tls, sasl: { ...sasl, password: "wrong" } }))).toBe("log_unavailable");
    expect(await codeOf(() => open({ ...given, tls: {}, sasl }))).toBe("log_unavailable");
  });
});
