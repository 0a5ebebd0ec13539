import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { expect, it, onTestFinished } from "vitest";
import { notFound } from "../../../api/serve/errors.ts";
import { toJsonAnswer, withRawRoute } from "../../../api/serve/raw-route.ts";

/** A route of `/things/{name}`; everything else is answered 418. */
async function openRoute() {
  const lines: string[] = [];
  const listener = withRawRoute(
    {
      match: (url) => /^\/things\/(\w+)/.exec(url)?.[1],
      methods: ["GET", "POST"],
      async answer({ response }, name) {
        response.setHeader("X-Name", name);
        if (name === "none") throw notFound("The thing");
        if (name === "broken") throw new Error("broken inside");
        return toJsonAnswer({ name: `${name} ä` });
      },
      logger: pino({}, { write: (line: string) => void lines.push(line) }),
      errorMessage: "thing failed",
    },
    (_request, response) => void response.writeHead(418).end(),
  );
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);
  return { ask, lines };
}

it("a raw route answers its own URLs, and leaves all others to the next listener", async () => {
  const { ask } = await openRoute();
  const found = await ask("/things/one", { headers: { "x-request-id": "mine" } });
  expect(await found.json()).toEqual({ name: "one ä" });
  expect(found.headers.get("x-request-id")).toBe("mine");
  expect(found.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(found.headers.get("content-length")).toBe(String(Buffer.byteLength('{"name":"one ä"}')));
  expect((await ask("/other")).status).toBe(418);
});

it("a raw route answers OPTIONS, and 405 for methods that it does not have", async () => {
  const { ask } = await openRoute();
  const options = await ask("/things/one", { method: "OPTIONS" });
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, POST, OPTIONS"]);
  const refused = await ask("/things/one?a=b", { method: "DELETE" });
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, POST, OPTIONS"]);
  expect(await refused.json()).toMatchObject({ detail: { message: expect.stringContaining("DELETE /things/one") } });
});

it("a raw route answers errors with the headers set so far, and logs its own alone", async () => {
  const { ask, lines } = await openRoute();
  const missing = await ask("/things/none");
  expect([missing.status, missing.headers.get("x-name")]).toEqual([404, "none"]);
  expect(lines).toEqual([]);
  const broken = await ask("/things/broken", { headers: { "x-request-id": "r-1" } });
  expect(broken.status).toBe(500);
  expect(await broken.text()).not.toContain("broken inside");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    id: "r-1",
    msg: "thing failed",
    err: { message: "broken inside" },
  });
});
