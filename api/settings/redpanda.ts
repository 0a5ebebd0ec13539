import { readFile } from "node:fs/promises";
import { z } from "zod";
import { count, flag } from "./value-types.ts";

const file = (what: string) => z.string().min(1).optional().describe(`PEM file of ${what}.`);

/** Settings of the event log on Redpanda or Kafka. */
export const redpandaFields = {
  REDPANDA_BROKERS: z
    .string()
    .transform((text) => text.split(",").map((broker) => broker.trim()))
    .pipe(z.array(z.string().regex(/^(\[[\da-fA-F:]+\]|[^\s:/]+):\d{1,5}$/, "must be host:port,host:port")))
    .optional()
    .describe(
      "Brokers of Redpanda or Kafka that keep the event log for several processes: host:port, several by commas. Without them it is kept under DATA_DIR.",
    ),
  REDPANDA_TOPIC_PREFIX: z
    .string()
    .regex(/^[\w.-]{0,100}$/, "must be letters, digits, dots, dashes and underscores")
    .default("trunkline.")
    .describe("Event log: what the names of its topics and groups begin with."),
  REDPANDA_PARTITIONS: count(1, 1000)
    .default(6)
    .describe(
      "Event log: partitions of each topic that is missing, so how many processes can share the work. Fixed from then on.",
    ),
  REDPANDA_REPLICATION: count(1, 9)
    .optional()
    .describe("Event log: copies of each topic that is missing; without it, what the brokers are set to."),
  REDPANDA_RETENTION_HOURS: count(1, 87_600)
    .default(168)
    .describe("Event log: how long a topic that is missing will keep messages, consumed or not."),
  REDPANDA_RETENTION_MB: count(1, 1_000_000_000)
    .optional()
    .describe("Event log: how much a topic that is missing will keep; without it, only the age counts."),
  REDPANDA_SESSION_SECONDS: count(6, 300)
    .default(6)
    .describe(
      "Event log: after how long the work of a process that is not heard of goes to others; with 6 they have it within 10 s. Brokers set to nothing else take 6 or more.",
    ),
  REDPANDA_TLS: flag.default(false).describe("Event log: whether connections to the brokers are encrypted."),
  REDPANDA_TLS_CA: file(
    "the authority of the brokers' certificates, where the system does not know it; implies REDPANDA_TLS",
  ),
  REDPANDA_TLS_CERT: file("the certificate that this client shows; implies REDPANDA_TLS, needs REDPANDA_TLS_KEY"),
  REDPANDA_TLS_KEY: file("that certificate's key; needs REDPANDA_TLS_CERT"),
  REDPANDA_SASL: z
    .enum(["plain", "scram-sha-256", "scram-sha-512"])
    .default("scram-sha-256")
    .describe("Event log: how REDPANDA_USERNAME signs in."),
  REDPANDA_USERNAME: z
    .string()
    .optional()
    .describe("Event log: user that signs in at the brokers; needs REDPANDA_PASSWORD."),
  REDPANDA_PASSWORD: z.string().optional().describe("Event log: that user's password; needs REDPANDA_USERNAME."),
};

/** Settings that need another one. */
export const redpandaDependencies = [
  { name: "REDPANDA_TLS_CERT", needs: "REDPANDA_TLS_KEY", as: "the file of the certificate's key" },
  { name: "REDPANDA_TLS_KEY", needs: "REDPANDA_TLS_CERT", as: "the file of the key's certificate" },
  { name: "REDPANDA_USERNAME", needs: "REDPANDA_PASSWORD", as: "that user's password" },
  { name: "REDPANDA_PASSWORD", needs: "REDPANDA_USERNAME", as: "the user whose password it is" },
] as const;

const fields = z.object(redpandaFields);
type RedpandaSettings = z.infer<typeof fields>;

const mebibyte = 1024 * 1024;
const hourMs = 60 * 60 * 1000;

/** Returns the options of the event log on Redpanda, null without brokers. Reads the certificate files. */
export async function redpandaOptions(settings: RedpandaSettings) {
  const { REDPANDA_BROKERS: brokers, REDPANDA_USERNAME: username, REDPANDA_PASSWORD: password } = settings;
  if (brokers === undefined) return null;
  const { REDPANDA_TLS_CA: ca, REDPANDA_TLS_CERT: cert } = settings;
  const { REDPANDA_REPLICATION: replicationFactor, REDPANDA_RETENTION_MB: retentionMb } = settings;
  return {
    brokers,
    prefix: settings.REDPANDA_TOPIC_PREFIX,
    partitions: settings.REDPANDA_PARTITIONS,
    retention: {
      maxAgeMs: settings.REDPANDA_RETENTION_HOURS * hourMs,
      ...(retentionMb === undefined ? {} : { maxBytesPerTopic: retentionMb * mebibyte }),
    },
    session: { timeoutMs: settings.REDPANDA_SESSION_SECONDS * 1000 },
    ...(replicationFactor === undefined ? {} : { replicationFactor }),
    ...(settings.REDPANDA_TLS || ca !== undefined || cert !== undefined ? { tls: await readTls(settings) } : {}),
    ...(username === undefined || password === undefined
      ? {}
      : { sasl: { mechanism: settings.REDPANDA_SASL, username, password } }),
  };
}

async function readTls({ REDPANDA_TLS_CA: ca, REDPANDA_TLS_CERT: cert, REDPANDA_TLS_KEY: key }: RedpandaSettings) {
  return {
    ...(ca === undefined ? {} : { ca: await readFile(ca, "utf8") }),
    ...(cert === undefined || key === undefined
      ? {}
      : { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") }),
  };
}
