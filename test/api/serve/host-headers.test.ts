import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { usePlatform } from "../use-platform.ts";

const { rig } = usePlatform();

/** All that is answered to lines as they stand. */
async function send(lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(rig().url);
  const socket = connect(Number(port), hostname);
  socket.end(`${[...lines, "Connection: close", "Content-Length: 0"].join("\r\n")}\r\n\r\n`);
  return text(socket);
}

describe("a request", () => {
  it.each(["GET /healthz", "GET /api/v1/buyers", "GET /inbound_rtb/nobody", "POST /call-data", "GET /"])(
    "with two Host headers is refused: %s",
    async (line) => {
      const answer = await send([`${line} HTTP/1.1`, "Host: one.example", "HOST: two.example"]);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toMatch(/^Connection: close\r$/m);
      expect(answer).toContain('{"detail":{"code":"bad_request"');
    },
  );

  it("with one is served", async () => {
    expect(await send(["GET /healthz HTTP/1.1", "Host: one.example"])).toMatch(/^HTTP\/1\.1 200 /);
  });
});
