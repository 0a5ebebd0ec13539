import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  /** host:port that it listens on. */
  readonly address: string;
  /** How many pieces clients have sent so far: for the wire of PostgreSQL one or two a statement. */
  sent(): number;
  /** Connections that clients have open. */
  open(): number;
  /** From this piece of a client's on, counted from 1, every connection is cut and none is let in. */
  cutAt(piece: number): void;
  /** Likewise, but connections stay open, and nothing is answered any more. */
  muteAt(piece: number): void;
  close(): Promise<void>;
}

/** Stands between a client and a server of a test, and can go away in the middle of what they say. */
export async function openTcpProxy(target: string): Promise<TcpProxy> {
  const [host = "127.0.0.1", port = ""] = target.split(":");
  const clients = new Set<Socket>();
  let sent = 0;
  let [cutAt, muteAt] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];

  const server = createServer((client) => {
    if (sent >= cutAt) return void client.destroy();
    const behind = connect(Number(port), host);
    clients.add(client);
    const end = () => {
      clients.delete(client);
      client.destroy();
      behind.destroy();
    };
    for (const socket of [client, behind]) socket.on("error", end).on("close", end);
    client.on("data", (bytes) => {
      sent += 1;
      if (sent >= cutAt) for (const each of clients) each.destroy();
      else if (sent < muteAt) behind.write(bytes);
    });
    behind.on("data", (bytes) => void (sent < muteAt && client.write(bytes)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    open: () => clients.size,
    cutAt(piece) {
      cutAt = piece;
    },
    muteAt(piece) {
      muteAt = piece;
    },
    async close() {
      for (const each of clients) each.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
