import { connect, isIP, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { type ISocketFactory, Kafka, logLevel, type SASLOptions } from "kafkajs";

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

/**
 * Retries of each step: steps belong to operations with retries of their own, whose callers must learn of failures
 * soon.
 */
const retry = { retries: 2, initialRetryTime: 100, maxRetryTime: 1000 } as const;

export function createClient({ brokers, tls, sasl }: KafkaAddress): Kafka {
  const security = { ...(tls ? { ssl: { ...tls } } : {}), ...(sasl ? { sasl: toSaslOptions(sasl) } : {}) };
  return new Kafka({
    clientId: "trunkline",
    brokers: [...brokers],
    retry,
    connectionTimeout: 3000,
    ...security,
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

const keepAliveMs = 60_000;

/**
 * Sockets as kafkajs makes them, but for one thing. It lets go of a broker's connections each time that it cannot reach
 * it, also of the one for fetches, which it does not try to open again until a broker is there: `unref` of a socket that
 * is gone waits for it to connect, so an outage would leave one more listener on it with each attempt.
 */
export const createSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  const socket: Socket = ssl
    ? connectSecurely({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}), ...ssl }, onConnect)
    : connect({ host, port }, onConnect);
  socket.setKeepAlive(true, keepAliveMs);
  const unref = socket.unref.bind(socket);
  socket.unref = () => (socket.destroyed ? socket : unref());
  return socket;
};
