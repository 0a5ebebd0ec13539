import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Settings } from "../settings/settings.ts";

/** Requests that are still running this long after a stop are cut off. */
const drainMs = 10_000;

/** Serves on the address of the settings; throws in words when it cannot be had. */
export async function serve(app: RequestListener, settings: Pick<Settings, "HOST" | "PORT">) {
  const server = createServer(app);
  await listening(server, settings);
  return { url: addressOf(server, settings.HOST), close: (): Promise<void> => drain(server) };
}

function listening(server: Server, { HOST, PORT }: Pick<Settings, "HOST" | "PORT">): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      reject(taken ? new Error(`Port ${PORT} is in use: set PORT to another one, or to 0 for a free one.`) : error);
    });
    server.listen(PORT, HOST, resolve);
  });
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Takes no new request, lets those that run end, and cuts off what is left at the deadline. */
async function drain(server: Server): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearTimeout(deadline);
}
