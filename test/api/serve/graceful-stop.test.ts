// @module-tag slow
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, vi } from "vitest";
import { orgOne } from "../../make.ts";
import { exampleConfig, openPlatform, trackingNumber } from "../../platform.ts";
import { testDatabaseUrl } from "../../postgres-server.ts";
import { temporaryFolder } from "../../temporary.ts";
import { startProcess } from "../start-process.ts";
import { type Outcome, sendForEver } from "./keep-alive-client.ts";

/** A process that serves an organization with a campaign, an endpoint for pings and an incoming webhook. */
async function startServing() {
  const dataDir = temporaryFolder();
  const before = await openPlatform({ dataDir, documents: (org) => exampleConfig("https://nobody.example", [], org) });
  const { key } = before.one;
  const made = async (path: string, body: object) => (await before.post(path, key, body)).body;
  const webhook = await made("/api/v1/incoming-webhooks", { name: "Leads", type: "call_data" });
  const endpoint = await made("/api/v1/inbound-rtb", {
    campaign_id: `${orgOne}-campaign`,
    publisher_id: `${orgOne}-publisher`,
    rate_limit: 1_000_000,
  });
  await before.platform.stop();
  const many = "10000000";
  const limits = { API_RATE_LIMIT_PER_MIN: many, WEBHOOK_RATE_LIMIT_PER_MIN: many, RTB_RATE_LIMIT_PER_MIN: many };
  const running = await startProcess({ ...before.environment, ...limits, LOG_LEVEL: "info" });
  const { host } = new URL(running.url);
  const requestOf = (method: string, path: string, { headers = [] as string[], body = "" } = {}) =>
    [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers, `Content-Length: ${body.length}`, "", body].join(
      "\r\n",
    );
  const json = "Content-Type: application/json";
  const withKey = [json, `X-API-Key: ${key}`];
  const call = JSON.stringify({ from: "+12125550123", to: trackingNumber });
  return {
    ...running,
    key,
    dataDir,
    environment: before.environment,
    requestOf,
    requests: {
      ping: requestOf("GET", `/inbound_rtb/${endpoint.inbound_rtb_id}?caller_id=2125550123`),
      webhook: requestOf("POST", `/call-data?svc_auth_key=${webhook.auth_key}`, {
        headers: [json],
        body: JSON.stringify({ caller_id: "+12125550123", form: "spring" }),
      }),
      list: requestOf("GET", "/api/v1/buyers", { headers: withKey }),
      call: requestOf("POST", "/telephony/simulator/calls", { headers: withKey, body: call }),
    },
  };
}

const expected: Readonly<Record<string, number>> = { ping: 200, webhook: 200, list: 200, call: 201 };
const each = 6;

describe.skipIf(testDatabaseUrl !== undefined)("a process that is stopped by SIGTERM", () => {
  it("answers what was sent on every connection, says that it closes them, and exits in a few seconds", async () => {
    const { url, requests, end, lines, ...rest } = await startServing();
    const answered = new Map<string, number>();
    const count = (name: string) => () => void answered.set(name, (answered.get(name) ?? 0) + 1);
    const running: Promise<[string, Outcome]>[] = Object.entries(requests).flatMap(([name, request]) =>
      Array.from(
        { length: each },
        async () => [name, await sendForEver(url, request, count(name))] as [string, Outcome],
      ),
    );
    const idle = sendForEver(url, "");
    await vi.waitFor(() => {
      for (const name of Object.keys(requests)) if ((answered.get(name) ?? 0) < 3 * each) throw new Error(name);
    }, 60_000);
    expect(await end("SIGTERM")).toBe(0);
    const outcomes = await Promise.all(running);
    for (const [name, { statuses, announced, end: how }] of outcomes) {
      expect(new Set(statuses), name).toEqual(new Set([expected[name]]));
      expect([name, how, announced]).toEqual([name, "between", 1]);
    }
    expect((await idle).end).toBe("unanswered");
    expect(lines.filter(({ level }) => level >= 40)).toEqual([]);

    // Every call that was answered is there.
    const { get } = await openPlatform({ dataDir: rest.dataDir });
    const calls = outcomes.filter(([name]) => name === "call").flatMap(([, { statuses }]) => statuses).length;
    await vi.waitFor(async () => {
      expect((await get("/api/v1/reports/calls?limit=1", rest.key)).body.meta.total).toBeGreaterThanOrEqual(calls);
    }, 10_000);
  });

  it("answers a request whose body arrives while it stops", async () => {
    const { url, end, key } = await startServing();
    const { hostname, port } = new URL(url);
    const slow = httpRequest({
      host: hostname,
      port,
      method: "POST",
      path: "/api/v1/buyers",
      headers: { "X-API-Key": key, "Content-Type": "application/json", Expect: "100-continue" },
    });
    const answer = new Promise<{ status: number; connection: unknown; body: string }>((resolve, reject) => {
      slow.on("error", reject);
      slow.on("response", async (response) => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, connection: headers.connection, body: await text(response) });
      });
    });
    const accepted = new Promise((resolve) => slow.once("continue", resolve));
    slow.flushHeaders();
    await accepted;
    const ended = end("SIGTERM");
    // Nobody new is let in by then.
    await vi.waitFor(async () => {
      const refused = await new Promise((resolve) => {
        const socket = connect(Number(port), hostname);
        socket.once("error", () => resolve(true)).once("connect", () => resolve(false));
        socket.once("close", () => socket.destroy());
        socket.end();
      });
      if (refused !== true) throw new Error("it still listens");
    }, 5000);
    slow.end(JSON.stringify({ name: "Late" }));
    expect(await answer).toMatchObject({ status: 201, connection: "close", body: expect.stringContaining("Late") });
    expect(await ended).toBe(0);
  });

  it("answers all of the requests that one connection had sent before", async () => {
    const { url, end, requests } = await startServing();
    const { hostname, port } = new URL(url);
    const read = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(requests.call.repeat(20)));
      let all = "";
      let isStopped = false;
      socket.setEncoding("latin1").on("error", reject);
      socket.on("data", (chunk) => {
        all += chunk;
        if (isStopped) return;
        isStopped = true;
        void end("SIGTERM");
      });
      socket.on("close", () => resolve(all));
    });
    expect(read.match(/HTTP\/1\.1 201 /g)).toHaveLength(20);
    // None where all were answered before the signal came.
    expect(read.match(/^connection: close\r$/gim)?.length ?? 0).toBeLessThanOrEqual(1);
  });
});
