import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Serves an application on a free port until the test is over; returns its base address. */
export async function openServer(app: RequestListener, host = "127.0.0.1"): Promise<string> {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
