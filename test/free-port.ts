import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below those that Linux (32768 and up) and others give to connections that go out, above what services are known by. */
const [from, to] = [15_000, 32_000];
let last = randomInt(from, to);

/**
 * A port of this machine that is free, another one each time, and that no connection is given meanwhile: a server may begin on it later, and
 * come back to it after it was away.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    last = last + 1 < to ? last + 1 : from;
    const port = last;
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
