import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";

/** Time that running requests have after a stop before they are cut off. */
const drainMs = 10_000;
/** Longest time to accept connections that were queued when the stop began. */
const queuedMs = 2000;
/** Longest time that a request is in transit which was sent before the client saw the connection's end. */
const onTheWayMs = 100;
/** Time that a client has to close its side of an ended connection. */
const endingMs = 1000;

/**
 * The open connections of a server, each with its pending responses in order. While the server drains, the last response
 * of a connection has `Connection: close`, and a connection ends as soon as it has no pending response. Requests after
 * such a response are not started.
 */
export function createConnections(listener: RequestListener) {
  const pending = new Map<Socket, ServerResponse[]>();
  let accepted = 0;
  let phase: "open" | "lingering" | "ending" = "open";

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const before = pending.get(socket) ?? [];
    if (phase !== "open") {
      const last = before.at(-1);
      if (socket.writableEnded || (last?.headersSent && saysClose(last))) return;
      if (last?.headersSent === false) last.removeHeader("Connection");
      sayClose(response);
    }
    pending.set(socket, [...before, response]);
    // This listener comes on top of the usual ones: a response that is compressed while it is sent has as many as allowed.
    response.setMaxListeners(response.getMaxListeners() + 1).once("close", () => finish(socket, response));
    listener(request, response);
  }

  function finish(socket: Socket, response: ServerResponse): void {
    const left = pending.get(socket)?.filter((each) => each !== response);
    if (left === undefined) return;
    pending.set(socket, left);
    if (phase === "ending" && left.length === 0) endConnection(socket);
  }

  function endIdle(): void {
    phase = "ending";
    for (const [socket, responses] of pending) if (responses.length === 0) endConnection(socket);
  }

  /**
   * Resolves when the kernel's queue of connections is empty: closing the listener would reset those. The event loop
   * accepts one a turn, and the first turn that accepts none may have begun earlier. `queuedMs` bounds the time, and a
   * client that connects in the instant before the close is reset still.
   */
  async function acceptQueued(): Promise<void> {
    let isOver = false;
    const bound = setTimeout(() => {
      isOver = true;
    }, queuedMs);
    for (let quiet = 0; quiet < 2 && !isOver; ) {
      const before = accepted;
      await new Promise((resolve) => setImmediate(resolve));
      quiet = accepted === before ? quiet + 1 : 0;
    }
    clearTimeout(bound);
  }

  return {
    answer,

    add(socket: Socket): void {
      accepted += 1;
      pending.set(socket, []);
      socket.once("close", () => pending.delete(socket));
    },

    /** Accepts queued connections and no later ones, finishes the pending responses, and cuts off the rest at the deadline. */
    async drain(server: Server): Promise<void> {
      phase = "lingering";
      await acceptQueued();
      // The HTTP server's own close would reset idle connections, even with a request in transit.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      for (const responses of pending.values()) sayClose(responses.at(-1));
      const lingering = setTimeout(endIdle, onTheWayMs);
      const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearTimeout(lingering);
      clearTimeout(deadline);
      server.close();
    },
  };
}

const saysClose = (response: ServerResponse): boolean => response.getHeader("Connection") === "close";

function sayClose(response: ServerResponse | undefined): void {
  if (response?.headersSent === false) response.setHeader("Connection", "close");
}

/** Ends a connection gracefully: a reset would discard responses that the client has not read yet. */
function endConnection(socket: Socket): void {
  socket.end();
  const gone = setTimeout(() => socket.destroy(), endingMs);
  socket.once("close", () => clearTimeout(gone));
}
