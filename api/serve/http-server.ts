import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Settings } from "../settings/settings.ts";
import { createConnections } from "./connection-draining.ts";
import { toErrorAnswer } from "./error-answers.ts";
import { ApiError } from "./errors.ts";

/** Listens on the address of the settings; closing finishes pending requests. Throws a readable error if the port is taken. */
export async function serve(app: RequestListener, settings: Pick<Settings, "HOST" | "PORT">, setting = "PORT") {
  const connections = createConnections(refusingTwoHosts(app));
  const server = createServer(connections.answer).on("connection", connections.add);
  await listening(server, settings, setting);
  return { url: addressOf(server, settings.HOST), close: (): Promise<void> => connections.drain(server) };
}

const twoHosts = JSON.stringify(
  toErrorAnswer(new ApiError(400, "bad_request", "The request has two Host headers: send one.")).body,
);

/** Refuses requests with two Host headers: a proxy may have checked the other one (RFC 9112, 3.2). */
const refusingTwoHosts =
  (app: RequestListener): RequestListener =>
  (request, response) => {
    const hosts = request.rawHeaders.filter(
      (name, place) => place % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
    );
    if (hosts.length < 2) return app(request, response);
    response.writeHead(400, { "Content-Type": "application/json; charset=utf-8", Connection: "close" }).end(twoHosts);
  };

function listening(server: Server, { HOST, PORT }: Pick<Settings, "HOST" | "PORT">, setting: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      reject(
        taken ? new Error(`Port ${PORT} is in use: set ${setting} to another one, or to 0 for a free one.`) : error,
      );
    });
    server.listen(PORT, HOST, resolve);
  });
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
