import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { type PingRouteDeps, withPingRoute } from "../../../../api/routing/inbound/ping-route.ts";
import { openPings } from "./pings.ts";

/** Pings whose buyers answer when they are told to. */
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
  let caller = 2_125_550_100;
  const pingOnce = () => rig.pingWith([["cid", String(caller++)]]);
  const asked = async (count: number): Promise<void> => {
    while (answers.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  const answerAll = (): void => {
    for (const answer of answers.splice(0)) answer();
  };
  return { ...rig, pingOnce, asked, outcomes, answerAll };
}

it("while the event loop is late, a ping beyond those in flight is answered at once, counted and not recorded", async () => {
  const { pingOnce, pings, asked, answerAll, outcomes, records } = await openSlow();
  const held = Array.from({ length: 4 }, pingOnce);
  await asked(4);
  for (let times = 0; times < 10; times += 1) pings.observeDelay(1000);
  expect(await pingOnce()).toEqual({ kind: "shed" });
  expect(outcomes).toEqual(["shed"]);
  answerAll();
  for (const each of held) expect(await each).toMatchObject({ kind: "answered" });
  const next = pingOnce();
  await asked(1);
  answerAll();
  expect(await next).toMatchObject({ kind: "answered" });
  expect(await records()).toHaveLength(5);
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

it("over HTTP it is 503 with a code and a time to try again", async () => {
  const deps = {
    pings: { ping: async () => ({ kind: "shed" }) },
    find: () => ({ config: { organization: { id: "org" } }, inboundRtb: {} }),
    limiters: new Map(),
    logger: pino({ level: "silent" }),
  } as unknown as PingRouteDeps;
  const server = createServer(withPingRoute(deps, (_request, response) => void response.end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const answer = await fetch(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/inbound_rtb/public?cid=2125550100`,
  );
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await answer.json()).toEqual({
    detail: { code: "overloaded", message: expect.stringContaining("try again") },
  });
});
