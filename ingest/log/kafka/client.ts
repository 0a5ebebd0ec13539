import { type Cluster, Kafka, logLevel, PartitionAssigners, type SASLOptions } from "kafkajs";
import { systemClock } from "../../clock.ts";
import { toLogError } from "./errors.ts";
import { createSocket } from "./sockets.ts";

export interface KafkaAddress {
  /** host:port of some brokers; the others are learned from them. */
  readonly brokers: readonly string[];
  /** Encrypted; `ca`, `cert` and `key` are PEM texts. Without `ca` the system's authorities are trusted. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly sasl?: {
    readonly mechanism: "plain" | "scram-sha-256" | "scram-sha-512";
    readonly username: string;
    readonly password: string;
  };
}

/** Of each step by itself: steps are part of others, which have their own pauses, and whoever waits is to be told. */
const retry = { retries: 2, initialRetryTime: 100, maxRetryTime: 1000 } as const;

export function createClient({ brokers, tls, sasl }: KafkaAddress): Kafka {
  const security = { ...(tls ? { ssl: { ...tls } } : {}), ...(sasl ? { sasl: toSaslOptions(sasl) } : {}) };
  return new Kafka({
    ...{ clientId: "trunkline", brokers: [...brokers], retry, connectionTimeout: 3000, ...security },
    socketFactory: createSocket,
    // Errors reach whoever asked, and trouble the callback for it: kafkajs would also print them.
    logLevel: logLevel.NOTHING,
  });
}

/** kafkajs' types want to know each mechanism apart. */
function toSaslOptions({ mechanism, ...login }: NonNullable<KafkaAddress["sasl"]>): SASLOptions {
  if (mechanism === "plain") return { mechanism, ...login };
  return mechanism === "scram-sha-256" ? { mechanism, ...login } : { mechanism, ...login };
}

/**
 * The connections of one consumer or reader; not connected yet. kafkajs has consumers that push, which cannot be given
 * partitions by hand; but it hands its connections to an assigner, and fetching by them is all that pulling needs.
 */
function createConnections(kafka: Kafka): Cluster {
  const found: Cluster[] = [];
  kafka.consumer({
    groupId: "none",
    allowAutoTopicCreation: false,
    partitionAssigners: [
      (config) => {
        found.push(config.cluster);
        return PartitionAssigners.roundRobin(config);
      },
    ],
  });
  const [cluster] = found;
  if (cluster === undefined) throw new Error("This release of kafkajs does not hand its connections to assigners.");
  return cluster;
}

/** Throws `log_unavailable`. */
export async function openConnections(kafka: Kafka, topics: readonly string[]): Promise<Cluster> {
  const cluster = createConnections(kafka);
  try {
    await cluster.connect();
    await cluster.addMultipleTargetTopics([...topics]);
    return cluster;
  } catch (error) {
    await cluster.disconnect();
    throw toLogError(error);
  }
}

/** How often a question is put; the pauses between add up to 1.5 s, in which most partitions find a new leader. */
const attempts = 5;

/**
 * Asks again with fresh knowledge of who leads what, where an answer may be due to a broker that has gone or handed its
 * partitions on. Throws a LogError.
 */
export async function withFreshLeaders<T>(cluster: Cluster, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const known = toLogError(error);
      if (attempt === attempts || known.code !== "log_unavailable") throw known;
    }
    await systemClock.sleep(50 * 2 ** attempt);
    // Where that fails, asking again fails too, and tells why.
    await cluster.refreshMetadata().catch(() => undefined);
  }
}
