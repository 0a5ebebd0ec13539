import diagnostics from "node:diagnostics_channel";
import { lookup as systemLookup } from "node:dns";
import type { LookupFunction, Socket } from "node:net";
import { buildConnector, type DiagnosticsChannel } from "undici";

/** The durations of an exchange in whole milliseconds, and its remote address. */
export interface Timings {
  /** Null without a connection. */
  readonly remoteAddress: string | null;
  /** Null for a connection that was open already, or an address without a name. */
  readonly dnsMs: number | null;
  /** TLS handshake included; null for a connection that was open already. */
  readonly connectMs: number | null;
  /** The time from the start to the answer's head; null without an answer. */
  readonly firstByteMs: number | null;
}

export const noTimings: Timings = { remoteAddress: null, dnsMs: null, connectMs: null, firstByteMs: null };

interface Connection {
  readonly dnsMs: number | null;
  readonly connectMs: number;
}

/** Durations of connections that no exchange has used yet. */
const made = new WeakMap<object, Connection>();
/** The timer of the request that the library is about to write to a socket. */
let current: ExchangeTimer | null = null;

/** Times one exchange. */
export function startTimer() {
  const began = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - began);
  let timings = noTimings;
  return {
    elapsedMs,
    timings: (): Timings => timings,
    noteSocket(socket: Pick<Socket, "remoteAddress">): void {
      const connection = made.get(socket);
      made.delete(socket);
      const { dnsMs, connectMs } = connection ?? noTimings;
      timings = { ...timings, remoteAddress: socket.remoteAddress ?? null, dnsMs, connectMs };
    },
    noteFirstByte(): void {
      timings = { ...timings, firstByteMs: elapsedMs() };
    },
  };
}
export type ExchangeTimer = ReturnType<typeof startTimer>;

/** Tells the timer the socket of the request that is starting: the library names it before anything else starts. */
export function withSocketOf(timer: ExchangeTimer | undefined): void {
  current = timer ?? null;
}

diagnostics.subscribe("undici:client:sendHeaders", (message) => {
  const { socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
  current?.noteSocket(socket);
  current = null;
});

/** Creates the library's connector, which times each connection. */
export function createTimedConnector(
  lookup: LookupFunction = systemLookup as LookupFunction,
): buildConnector.connector {
  // The lookup of a connection's name begins before `connect` returns, so it belongs to this one.
  let connecting: { dnsMs: number | null } | null = null;
  const connect = buildConnector({
    lookup(hostname, options, callback) {
      const [mine, began] = [connecting, performance.now()];
      lookup(hostname, options, (...found) => {
        if (mine !== null) mine.dnsMs = Math.round(performance.now() - began);
        callback(...found);
      });
    },
  });
  return (options, callback) => {
    const [mine, began]: [{ dnsMs: number | null }, number] = [{ dnsMs: null }, performance.now()];
    connecting = mine;
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const connectMs = Math.max(0, Math.round(performance.now() - began) - (mine.dnsMs ?? 0));
      made.set(socket, { dnsMs: mine.dnsMs, connectMs });
      callback(null, socket);
    });
    connecting = null;
  };
}
