import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { redpandaOptions } from "../../../api/settings/redpanda.ts";
import { readSettings } from "../../../api/settings/settings.ts";
import { temporaryFolder } from "../../temporary.ts";

const optionsOf = (environment: Record<string, string>) => redpandaOptions(readSettings(environment));

describe("the settings of the log on Redpanda", () => {
  test("leave it where it is without brokers", async () => {
    expect(await optionsOf({})).toBeNull();
    expect(await optionsOf({ REDPANDA_PARTITIONS: "3" })).toBeNull();
  });

  test("need no more than brokers", async () => {
    expect(await optionsOf({ REDPANDA_BROKERS: "red-1:9092, [::1]:9093" })).toEqual({
      brokers: ["red-1:9092", "[::1]:9093"],
      prefix: "trunkline.",
      partitions: 6,
      retention: { maxAgeMs: 604_800_000 },
      session: { timeoutMs: 6_000 },
    });
  });

  test("say how topics are made, and who signs in", async () => {
    const options = await optionsOf({
      REDPANDA_BROKERS: "a:1",
      REDPANDA_REPLICATION: "3",
      REDPANDA_RETENTION_MB: "10",
      REDPANDA_TLS: "true",
      REDPANDA_SESSION_SECONDS: "45",
      REDPANDA_USERNAME: "u",
      REDPANDA_PASSWORD: "p",
      REDPANDA_SASL: "plain",
    });
    expect(options).toMatchObject({
      replicationFactor: 3,
      retention: { maxBytesPerTopic: 10_485_760 },
      tls: {},
      session: { timeoutMs: 45_000 },
      sasl: { mechanism: "plain", username: "u", password: "p" },
    });
  });

  test("name files of certificates, which imply encryption", async () => {
    const ca = join(temporaryFolder(), "ca.pem");
    await writeFile(ca, "an authority");
    const options = await optionsOf({ REDPANDA_BROKERS: "a:1", REDPANDA_TLS_CA: ca });
    expect(options?.tls).toEqual({ ca: "an authority" });
  });

  test.each([
    [{ REDPANDA_BROKERS: "kafka://a:1" }, /REDPANDA_BROKERS.*must be host:port/],
    [{ REDPANDA_BROKERS: "a:1,,b:2" }, /REDPANDA_BROKERS.*must be host:port/],
    [{ REDPANDA_USERNAME: "u" }, /REDPANDA_PASSWORD: must be set beside REDPANDA_USERNAME/],
    [{ REDPANDA_TLS_CERT: "c.pem" }, /REDPANDA_TLS_KEY: must be set beside REDPANDA_TLS_CERT/],
    [{ REDPANDA_TOPIC_PREFIX: "a b" }, /REDPANDA_TOPIC_PREFIX/],
    [{ REDPANDA_SESSION_SECONDS: "5" }, /REDPANDA_SESSION_SECONDS/],
  ])("refuse %j", (environment, sentence) => {
    expect(() => readSettings(environment)).toThrow(sentence);
  });
});
