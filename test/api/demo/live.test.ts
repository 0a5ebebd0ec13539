import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LiveOptions, liveRate, startLive } from "../../../api/demo/live.ts";
import { createRandom } from "../../../api/demo/random.ts";
import type { Clock } from "../../../ingest/clock.ts";

interface Heard {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
}

interface Reply {
  readonly status: number;
  readonly body: object;
}

/** A simulator that answers as it is told and writes down what it heard. */
async function openSimulator(reply: (heard: Heard) => Reply) {
  const heard: Heard[] = [];
  const server: Server = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => {
      text += part.toString();
    });
    request.on("end", () => {
      const one = { path: request.url ?? "", key: request.headers["x-api-key"]?.toString(), body: JSON.parse(text) };
      heard.push(one);
      const { status, body } = reply(one);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { heard, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Time that runs as fast as the work: every sleep ends in the next turn of the event loop. */
function createFastClock(): Clock & { slept: number[] } {
  const slept: number[] = [];
  let time = 0;
  return {
    slept,
    now: () => time,
    sleep(ms) {
      slept.push(ms);
      time += ms;
      return new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const dial = { status: 201, body: { call_id: "", action: "dial", destination: { type: "number" }, terms: {} } };
let calls = 0;
const takesAll = ({ path }: Heard): Reply =>
  path.endsWith("/calls")
    ? { ...dial, body: { ...dial.body, call_id: `call-${++calls}` } }
    : { status: 200, body: { action: "none" } };

let aborted = new AbortController();
const problems: string[] = [];
let simulator: Awaited<ReturnType<typeof openSimulator>> | undefined;

beforeEach(() => {
  aborted = new AbortController();
  problems.length = 0;
  calls = 0;
});
afterEach(() => simulator?.close());

function begin(more: Partial<LiveOptions> & { baseUrl: string }) {
  return startLive({
    organizations: [
      { api_key: "key-one", numbers: ["+12125550100", "+13105550101"], endpoints: [] },
      { api_key: "key-two", numbers: ["+13035550102"], endpoints: [] },
    ],
    callsPerSecond: () => 2,
    random: createRandom(1),
    clock: createFastClock(),
    signal: aborted.signal,
    onTrouble: (error) => problems.push(String(error)),
    ...more,
  });
}

const eventsOf = (heard: readonly Heard[], id: string) =>
  heard.filter(({ path }) => path.endsWith(`/calls/${id}/events`)).map(({ body }) => body["type"]);

describe("live traffic", () => {
  it("shows calls at once, then comes about twice as often as in the history", () => {
    const rate = liveRate(30_000);
    expect(rate(0)).toBe(1);
    const aDay = 24 * 60 * 60;
    expect(rate(60_000) * aDay).toBeCloseTo((2 * 30_000) / 90);
  });

  it("places calls to each organization's own numbers with its key, and ends every one of them", async () => {
    simulator = await openSimulator((heard) => {
      if (calls >= 60) aborted.abort();
      return takesAll(heard);
    });
    const live = begin({ baseUrl: simulator.url });
    await live.finished;
    const placed = simulator.heard.filter(({ path }) => path === "/telephony/simulator/calls");
    expect(placed.length).toBeGreaterThanOrEqual(60);
    for (const { key, body } of placed) {
      expect(body["from"]).toMatch(/^\+1\d{3}555\d{4}$/);
      expect(key).toBe(body["to"] === "+13035550102" ? "key-two" : "key-one");
    }
    expect(new Set(placed.map(({ key }) => key)).size).toBe(2);
    for (let index = 1; index <= placed.length; index++) {
      const events = eventsOf(simulator.heard, `call-${index}`);
      expect([["answer", "hangup"], ["hangup"], ["no_answer"], ["busy"], ["fail"]]).toContainEqual(events);
    }
    expect(live.openCalls()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("dials again when it is told to fail over", async () => {
    simulator = await openSimulator((heard) => {
      if (calls >= 80) aborted.abort();
      const failed = ["busy", "no_answer", "fail"].includes(String(heard.body["type"]));
      return failed ? { status: 200, body: { action: "dial", destination: {}, terms: {} } } : takesAll(heard);
    });
    await begin({ baseUrl: simulator.url }).finished;
    const { heard } = simulator;
    const told = Array.from({ length: calls }, (_, index) => eventsOf(heard, `call-${index + 1}`));
    expect(told.some((events) => events.length > 2)).toBe(true);
    for (const events of told) expect(events.at(-1)).toBe("hangup");
  });

  it("leaves a rejected call alone", async () => {
    simulator = await openSimulator(() => {
      if (++calls >= 5) aborted.abort();
      return { status: 201, body: { call_id: "no", action: "reject", reason: "no_eligible_route" } };
    });
    await begin({ baseUrl: simulator.url }).finished;
    expect(simulator.heard.every(({ path }) => path === "/telephony/simulator/calls")).toBe(true);
  });

  it("tells of errors and goes on", async () => {
    let answered = 0;
    simulator = await openSimulator((heard) => {
      if (++answered > 60) aborted.abort();
      return answered % 3 === 0 ? { status: 503, body: { detail: "busy" } } : takesAll(heard);
    });
    await begin({ baseUrl: simulator.url }).finished;
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toMatch(/answered 503/);
    expect(simulator.heard.length).toBeGreaterThan(60);
  });

  it("survives a service that is not there", async () => {
    simulator = await openSimulator(takesAll);
    const { url } = simulator;
    simulator.close();
    const live = begin({
      baseUrl: url,
      onTrouble: (error) => {
        problems.push(String(error));
        if (problems.length === 3) aborted.abort();
      },
    });
    await live.finished;
    expect(problems.length).toBeGreaterThanOrEqual(3);
  });

  it("keeps no more calls open than it may, and hangs up those that are when it is stopped", async () => {
    const clock = createFastClock();
    let waits = 0;
    // Only the waits between calls end: whoever rings or talks does so until the abort.
    const patient: Clock = {
      now: clock.now,
      sleep(ms, signal) {
        if (signal?.aborted) return Promise.resolve();
        if (ms < 450 && ++waits < 300) return clock.sleep(ms);
        return new Promise((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
      },
    };
    simulator = await openSimulator((heard) => {
      const reply = takesAll(heard);
      if (calls === 4) setImmediate(() => setImmediate(() => aborted.abort()));
      return reply;
    });
    const live = begin({ baseUrl: simulator.url, clock: patient, callsPerSecond: () => 100, maxOpenCalls: 4 });
    await live.finished;
    expect(calls).toBe(4);
    for (let index = 1; index <= 4; index++) expect(eventsOf(simulator.heard, `call-${index}`)).toEqual(["hangup"]);
    expect(live.openCalls()).toBe(0);
  });
});
