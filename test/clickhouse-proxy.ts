import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { onTestFinished } from "vitest";
import { clickhouseUrl } from "./clickhouse-server.ts";

export interface ClickhouseProxy {
  readonly url: string;
  /** Drops every connection until it is told to come back. */
  goAway(): void;
  comeBack(): void;
}

/** Stands around each statement; without an answer the connection is dropped. */
type Around = (statement: string, send: () => Promise<IncomingMessage>) => Promise<IncomingMessage>;
const plainly: Around = (_statement, send) => send();

/** An address of its own for a ClickHouse server, which can be away while that runs. */
export async function openClickhouseProxy(target?: string, around: Around = plainly): Promise<ClickhouseProxy> {
  const { username, password, hostname, port } = new URL(target ?? (await clickhouseUrl()));
  let isAway = false;

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    if (isAway) throw new Error("The server is away.");
    const { url: path = "/", method, headers } = incoming;
    const statement = new URL(path, "http://proxy").searchParams.get("query") ?? body.toString();
    const answered = await around(statement, async () => {
      const outgoing = request({ hostname, port, path, method, headers });
      response.once("close", () => outgoing.destroy());
      outgoing.end(body);
      const [found] = await once(outgoing, "response");
      return found;
    });
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    await pipeline(answered, response);
  }

  const server = createServer((incoming, response) => void answer(incoming, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return {
    url: `http://${username}:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    goAway() {
      isAway = true;
      server.closeAllConnections();
    },
    comeBack() {
      isAway = false;
    },
  };
}
