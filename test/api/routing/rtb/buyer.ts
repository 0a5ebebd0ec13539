import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { createPinger, type PingerOptions } from "../../../../api/routing/rtb/pinger.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answering {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A buyer's endpoint: remembers what it was asked, and answers as it is told to. */
export async function openBuyer(answer: (asked: Asked) => Answering = () => ({})) {
  const asked: Asked[] = [];
  const url = await openHandler(async (request, response) => {
    const one = { method: request.method ?? "", path: request.url ?? "", headers: request.headers };
    asked.push({ ...one, body: await text(request) });
    const { status = 200, type = "application/json", headers = {}, body = "" } = answer(asked.at(-1) as Asked);
    response.writeHead(status, { "Content-Type": type, ...headers }).end(body);
  });
  return { url, asked };
}

export async function openHandler(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  onTestFinished(() => void server.close().closeAllConnections());
  return listen(server);
}

/** A buyer below HTTP: what it does with a connection is all that happens. */
export async function openSocketBuyer(accept: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    accept(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

/** An address at which nobody listens. */
export async function closedAddress(): Promise<string> {
  const server = createTcpServer();
  const url = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

/** The real way out, to this machine; by a clock that stands still unless one is given. */
export function openPinger(given: Partial<PingerOptions> = {}) {
  const pinger = createPinger({ allowPrivateDestinations: true, clock: createManualClock(startOfTime), ...given });
  onTestFinished(() => pinger.close());
  return pinger;
}
