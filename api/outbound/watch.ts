import diagnostics from "node:diagnostics_channel";
import { lookup as systemLookup } from "node:dns";
import type { LookupFunction, Socket } from "node:net";
import { buildConnector, type DiagnosticsChannel } from "undici";

/** What an exchange took, in whole milliseconds, and where it went. */
export interface Timings {
  /** Null where no connection came about. */
  readonly remoteAddress: string | null;
  /** Of the connection, TLS included; null where one was there already, or its address needed no name looked up. */
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  /** From the start to the answer's head; null where none came. */
  readonly firstByteMs: number | null;
}

export const noTimings: Timings = { remoteAddress: null, dnsMs: null, connectMs: null, firstByteMs: null };

interface Connection {
  readonly dnsMs: number | null;
  readonly connectMs: number;
}

/** Of connections that no exchange has used yet: the first one waited for them. */
const made = new WeakMap<object, Connection>();
/** By request of the library, which makes one as it is asked to and names it when it writes it to a socket. */
const watches = new WeakMap<object, Watch>();
let asking: Watch | null = null;

/** Times one exchange. */
export function startWatch() {
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
export type Watch = ReturnType<typeof startWatch>;

/** Asks the library for a request that the watch is of; `ask` must begin it before it returns. */
export function watched<T>(watch: Watch | undefined, ask: () => Promise<T>): Promise<T> {
  asking = watch ?? null;
  try {
    return ask();
  } finally {
    asking = null;
  }
}

diagnostics.subscribe("undici:request:create", (message) => {
  const { request } = message as DiagnosticsChannel.RequestCreateMessage;
  if (asking !== null) watches.set(request, asking);
});
diagnostics.subscribe("undici:client:sendHeaders", (message) => {
  const { request, socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
  watches.get(request)?.noteSocket(socket);
});

/** Makes connections as the library does, and times each. */
export function createTimedConnector(
  lookup: LookupFunction = systemLookup as LookupFunction,
): buildConnector.connector {
  // A connection asks for its name to be looked up before `connect` returns: so this is whose lookup it is.
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
