import { expect, test } from "vitest";
import { redpandaOptions } from "../../../../api/settings/redpanda.ts";
import { readSettings } from "../../../../api/settings/settings.ts";
import { defaultSession, shareForWork, takeOverMs } from "../../../../ingest/log/kafka/session.ts";

/** For the questions that a member asks when it has joined. */
const askingMs = 500;

test("the default settings have another member go on within ten seconds of one's death", async () => {
  const options = await redpandaOptions(readSettings({ REDPANDA_BROKERS: "a:1" }));
  const session = { ...defaultSession, ...options?.session };
  expect(takeOverMs(session) + askingMs).toBeLessThanOrEqual(10_000);
});

test("a member is heard of several times in a session, and has a fifth of a rebalance left to join in when it has waited for its work", () => {
  const { timeoutMs, heartbeatMs, rebalanceMs } = defaultSession;
  expect(timeoutMs / heartbeatMs).toBeGreaterThanOrEqual(3);
  expect(heartbeatMs + rebalanceMs * shareForWork).toBeLessThanOrEqual(rebalanceMs * 0.8);
});
