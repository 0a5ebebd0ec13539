import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { serve } from "../../../api/serve/http-server.ts";

const listener: RequestListener = (_request, response) => void response.end("done");

/** How one connection with one request went: what was read of it, or the code of its error. */
function askOnce(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let read = "";
    const socket = connect(Number(port), hostname);
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    socket.setEncoding("latin1").on("data", (chunk) => {
      read += chunk;
    });
    socket.once("end", () => resolve(read));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(String(error.code)));
  });
}

describe("a server that stops listening", () => {
  it("answers connections that the kernel has queued and nobody has accepted", async () => {
    const { url, close } = await serve(listener, { HOST: "127.0.0.1", PORT: 0 });
    const asked = Array.from({ length: 20 }, () => askOnce(url));
    // Their connections are begun behind this turn's JavaScript, and accepted by the loop's next look at its sockets.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const closed = close();
    for (const answer of await Promise.all(asked)) {
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(answer).toMatch(/^Connection: close\r$/im);
    }
    await closed;
    expect(await askOnce(url)).toBe("ECONNREFUSED");
  });
});
