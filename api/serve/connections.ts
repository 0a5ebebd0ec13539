import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";

/** Requests that are still running this long after a stop are cut off. */
const drainMs = 10_000;
/** Connections that were queued when the stop began are accepted by then; those who come after them need not be. */
const queuedMs = 2000;
/** A request that was sent before its client could see the end of its connection is on its way no longer than this. */
const onTheWayMs = 100;
/** A client that has not seen the end of its connection by then has gone. */
const endingMs = 1000;

/**
 * The open connections of a server, with what is being answered on each, in the order of its requests. While it drains,
 * the last answer of a connection says that it closes it, and a connection ends as soon as it has nothing in hand. What
 * comes after an answer that said so is not begun.
 */
export function createConnections(listener: RequestListener) {
  const inHand = new Map<Socket, ServerResponse[]>();
  let accepted = 0;
  let phase: "open" | "lingering" | "ending" = "open";

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const before = inHand.get(socket) ?? [];
    if (phase !== "open") {
      const last = before.at(-1);
      if (socket.writableEnded || (last?.headersSent && saysClose(last))) return;
      if (last?.headersSent === false) last.removeHeader("Connection");
      sayClose(response);
    }
    inHand.set(socket, [...before, response]);
    // One more than others count on: a file that is packed while it is sent has all that are usual.
    response.setMaxListeners(response.getMaxListeners() + 1).once("close", () => finish(socket, response));
    listener(request, response);
  }

  function finish(socket: Socket, response: ServerResponse): void {
    const left = inHand.get(socket)?.filter((each) => each !== response);
    if (left === undefined) return;
    inHand.set(socket, left);
    if (phase === "ending" && left.length === 0) endConnection(socket);
  }

  function endIdle(): void {
    phase = "ending";
    for (const [socket, responses] of inHand) if (responses.length === 0) endConnection(socket);
  }

  /**
   * Resolves when the kernel has queued no connection: closing the listener would reset those. The event loop accepts one
   * a turn; the first turn that accepts none may have begun before. Where they keep coming there is a bound, and who comes
   * in the instant before the close is reset still.
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
      inHand.set(socket, []);
      socket.once("close", () => inHand.delete(socket));
    },

    /**
     * Accepts who has come already and nobody after them, answers what is in hand, and cuts off what is left at the
     * deadline.
     */
    async drain(server: Server): Promise<void> {
      phase = "lingering";
      await acceptQueued();
      // The HTTP server's own close resets idle connections, also those on which a request is on its way.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      for (const responses of inHand.values()) sayClose(responses.at(-1));
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

/** By a plain end: a reset would take away answers that the client has not read yet. */
function endConnection(socket: Socket): void {
  socket.end();
  const gone = setTimeout(() => socket.destroy(), endingMs);
  socket.once("close", () => clearTimeout(gone));
}
