import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { openPlatform } from "../platform.ts";
import { usePlatform } from "./use-platform.ts";

describe("/metrics with a token of its own", () => {
  const token = "prometheus-8f2c";
  const { rig } = usePlatform({ settings: { METRICS_TOKEN: token, FAILED_SIGN_INS_PER_MIN: "3" } });
  const read = async (authorization?: string) => {
    const response = await fetch(`${rig().url}/metrics`, {
      headers: authorization === undefined ? {} : { Authorization: authorization },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it("is for whoever sends it, and for nobody who has sent too many others", async () => {
    const without = await read();
    expect([without.status, without.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(without.text).not.toContain("trunkline_");
    const right = await read(`Bearer ${token}`);
    expect([right.status, right.text.includes("trunkline_http_request_seconds")]).toEqual([200, true]);
    for (const wrong of [`Bearer ${token}x`, "Bearer wrong-one", `Basic ${token}`, "Bearer wrong-two"])
      expect((await read(wrong)).status).toBe(401);
    expect((await read("Bearer wrong-three")).status).toBe(429);
    expect((await read(`Bearer ${token}`)).status).toBe(429);
    expect((await fetch(`${rig().url}/healthz`)).status).toBe(200);
  });
});

/** A port that nobody had a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it("/metrics on a port of its own is on no other, and alone there", async () => {
  const port = await freePort();
  const { url, platform } = await openPlatform({ settings: { METRICS_PORT: String(port) } });
  const apart = `http://127.0.0.1:${port}`;
  const response = await fetch(`${apart}/metrics`);
  expect([response.status, (await response.text()).includes("nodejs_eventloop_lag_seconds")]).toEqual([200, true]);
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  for (const path of ["/", "/healthz", "/api/v1/buyers"]) expect((await fetch(apart + path)).status).toBe(404);
  await platform.stop();
  await expect(fetch(`${apart}/metrics`)).rejects.toThrow();
});
