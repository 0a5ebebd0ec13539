import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server whose address is known before what it serves; closed after the test. */
export async function openLater() {
  let serve: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    begin(listener: RequestListener): void {
      serve = listener;
    },
  };
}
