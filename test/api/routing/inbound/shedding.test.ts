import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { withPingRoute } from "../../../../api/routing/inbound/ping-route.ts";
import { openPings } from "./pings.ts";

/** Pings over HTTP whose buyers answer when they are told to. */
async function openSlow() {
  const outcomes: string[] = [];
  const answers: (() => void)[] = [];
  const rig = await openPings({
    revenues: [30],
    deps: {
      onAnswered: (outcome) => void outcomes.push(outcome),
      quote: () =>
        new Promise((resolve) => {
          answers.push(() => resolve({ quotes: [], unquoted: [], tags: {} }));
        }),
    },
  });
  let received = 0;
  const find = () => {
    received += 1;
    const inboundRtb = rig.config.inboundRtb("public");
    return inboundRtb && { config: rig.config, inboundRtb };
  };
  const route = { pings: rig.pings, find, limiters: new Map(), logger: pino({ level: "silent" }) };
  const server = createServer(withPingRoute(route, (_request, response) => void response.writeHead(404).end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/inbound_rtb/public`;
  let caller = 2_125_550_100;
  const pingOnce = () => fetch(`${url}?cid=${caller++}`);
  const asked = async (count: number): Promise<void> => {
    while (answers.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  const answerAll = (): void => {
    for (const answer of answers.splice(0)) answer();
  };
  const arrived = async (count: number): Promise<void> => {
    while (received < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...rig, url, pingOnce, arrived, asked, answerAll, outcomes };
}

it("while the event loop is late, a ping beyond those in flight gets 503 at once, is counted and not recorded", async () => {
  const { pingOnce, pings, asked, answerAll, outcomes, records } = await openSlow();
  const held = Array.from({ length: 32 }, pingOnce);
  await asked(32);
  for (let times = 0; times < 10; times += 1) pings.observeDelay(1000);
  const shed = await pingOnce();
  expect([shed.status, shed.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await shed.json()).toEqual({ detail: { code: "overloaded", message: expect.stringContaining("try again") } });
  expect(outcomes).toEqual(["shed"]);
  answerAll();
  for (const each of held) expect((await each).status).toBe(200);
  const next = pingOnce();
  await asked(1);
  answerAll();
  expect((await next).status).toBe(200);
  expect(await records()).toHaveLength(33);
});

it("a client that sends its ping slowly takes nobody's place", async () => {
  const { url, pingOnce, pings, arrived, asked, answerAll } = await openSlow();
  for (let times = 0; times < 10; times += 1) pings.observeDelay(1000);
  const slow = Array.from({ length: 32 }, () => request(url, { method: "POST" }));
  for (const each of slow) each.on("error", () => undefined).write('{"cid": ');
  onTestFinished(() => slow.forEach((each) => void each.destroy()));
  await arrived(slow.length);
  const quick = pingOnce();
  await Promise.race([asked(1), quick]);
  answerAll();
  expect((await quick).status).toBe(200);
});

it("a stop waits for the pings in flight, and records them", async () => {
  const { pingOnce, pings, asked, answerAll, records } = await openSlow();
  const held = pingOnce();
  await asked(1);
  let isClosed = false;
  const closed = pings.close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  answerAll();
  await held;
  await closed;
  expect(await records()).toHaveLength(1);
});
