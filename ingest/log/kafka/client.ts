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
 * Sockets as kafkajs makes them, but for two things. It lets go of a broker's connections each time that it cannot reach
 * it, also of the one for fetches, which it does not try to open again until a broker is there: `unref` of a socket that
 * is gone waits for it to connect, so an outage would leave one more listener on it with each attempt. And it keeps what
 * it has of a response when a connection ends, and takes the first bytes of the next connection for its rest: all later
 * responses are misread, until one throws where nobody catches. So it is handed whole responses alone.
 */
export const createSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  const socket: Socket = ssl
    ? connectSecurely({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}), ...ssl }, onConnect)
    : connect({ host, port }, onConnect);
  socket.setKeepAlive(true, keepAliveMs);
  const unref = socket.unref.bind(socket);
  socket.unref = () => (socket.destroyed ? socket : unref());
  const on = socket.on.bind(socket);
  socket.on = ((event: string, listener: (bytes: Buffer) => void) =>
    on(event, event === "data" ? wholeResponses(socket, listener) : listener)) as Socket["on"];
  return socket;
};

/** Bytes before each response that tell its length. */
const headerBytes = 4;

/** Collects bytes and hands on responses once they are whole, one or several together. */
function wholeResponses(socket: Socket, handOn: (responses: Buffer) => void): (bytes: Buffer) => void {
  let pieces: Buffer[] = [];
  let collected = 0;
  let needed = headerBytes;
  return (bytes) => {
    pieces.push(bytes);
    collected += bytes.length;
    if (collected < needed) return;
    const all = pieces.length === 1 ? bytes : Buffer.concat(pieces, collected);
    let whole = 0;
    for (; ; whole += needed) {
      needed = headerBytes;
      if (all.length - whole < needed) break;
      const length = all.readInt32BE(whole);
      if (length < 0)
        return void socket.destroy(new Error(`A response of ${length} bytes is not of Kafka's protocol.`));
      needed += length;
      if (all.length - whole < needed) break;
    }
    pieces = [all.subarray(whole)];
    collected = all.length - whole;
    if (whole > 0) handOn(all.subarray(0, whole));
  };
}
