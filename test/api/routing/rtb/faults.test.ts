import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { execute } from "../../../../api/routing/rtb/ping.ts";
import type { PingSender } from "../../../../api/routing/rtb/pinger.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { closedAddress, openBuyer, openHandler, openPinger, openSocketBuyer } from "./buyer.ts";
import { aFormula, aFormulaOfBefore, aPingContext, aStep } from "./formula.ts";

const bid = JSON.stringify({ bid: 5, phone: "+18885550101" });
type Given = Parameters<typeof aFormula>[0];

const ask = (url: string, given: Given = {}, sender: PingSender = openPinger()) =>
  execute(aFormula({ steps: [aStep({ url })], ...given }), aPingContext(), {
    limits: {},
    sender,
    clock: createManualClock(startOfTime),
  });

/** Asks by a clock that stands still until the buyer has been asked, and is then moved to the deadline. */
async function askUntilDeadline(open: (heard: () => void) => Promise<string>, given: Given = {}) {
  const clock = createManualClock(startOfTime);
  let heard: () => void = () => undefined;
  const isHeard = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const url = await open(() => heard());
  const formula = aFormula({ steps: [aStep({ url }), aStep({ url: `${url}/second` })], rtb_timeout: 700, ...given });
  const execution = execute(formula, aPingContext(), { limits: {}, sender: openPinger({ clock }), clock });
  await isHeard;
  clock.advance(699);
  expect(clock.sleepers()).toBe(1);
  clock.advance(1);
  return { execution: await execution, clock };
}

describe("a buyer that is too slow", () => {
  const late = { kind: "refused", reason: "ping_timeout", bid: null, total_ms: 700 };
  const hung = (heard: () => void) => openSocketBuyer((socket) => socket.once("data", heard));

  it("says nothing at all: the deadline ends it", async () => {
    const { execution, clock } = await askUntilDeadline(hung);
    expect(execution).toMatchObject({ ...late, health: { kind: "failing" }, steps: [{ status_code: null }] });
    expect(clock.sleepers()).toBe(0);
  });

  it("drips its answer: the deadline ends it, however often a byte comes", async () => {
    const { execution } = await askUntilDeadline((heard) =>
      openSocketBuyer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
        const drip = setInterval(() => socket.write("."), 5);
        socket.once("data", heard).on("close", () => clearInterval(drip));
      }),
    );
    expect(execution).toMatchObject(late);
  });

  it("packs its answer and never ends it", async () => {
    const { execution } = await askUntilDeadline((heard) =>
      openHandler((_request, response) => {
        response.writeHead(200, { "Content-Encoding": "gzip" }).write(gzipSync(bid).subarray(0, 12));
        heard();
      }),
    );
    expect(execution).toMatchObject(late);
  });

  it("leaves no time for a second step, though the first one may fail", async () => {
    const { execution } = await askUntilDeadline(hung, { misc_settings: { retryCount: 3 } });
    expect(execution.steps).toHaveLength(1);
  });

  it("has no time to begin with: nothing is sent, and nothing said of it", async () => {
    const { url, asked } = await openBuyer();
    const clock = createManualClock(startOfTime);
    const execution = await execute(aFormula({ steps: [aStep({ url, continue_on_failure: true })] }), aPingContext(), {
      sender: openPinger(),
      clock,
      limits: { callerDeadlineAt: startOfTime + 44 },
    });
    expect(execution).toMatchObject({ reason: "ping_timeout", health: { kind: "unknown" }, steps: [{ index: 0 }] });
    expect(execution.steps[0]?.error).toContain("Not sent");
    expect(asked).toEqual([]);
  });

  it("leaves less than is needed for the next step: that is not sent", async () => {
    const clock = createManualClock(startOfTime);
    const { url, asked } = await openBuyer(() => {
      clock.advance(481);
      return { body: bid };
    });
    const steps = [aStep({ url }), aStep({ url, continue_on_failure: true })];
    const sender = openPinger();
    const execution = await execute(aFormula({ steps, rtb_timeout: 500 }), aPingContext(), {
      limits: {},
      sender,
      clock,
    });
    expect(execution).toMatchObject({ kind: "refused", reason: "ping_timeout", health: { kind: "healthy" } });
    expect([asked.length, execution.steps.length]).toEqual([1, 2]);
  });
});

describe("a buyer that", () => {
  const unreachable = { kind: "refused", reason: "ping_unreachable", health: { kind: "failing", retryAfter: null } };

  it("is not there is unreachable, and tried again where that is set", async () => {
    const execution = await ask(await closedAddress(), { misc_settings: { retryCount: 2 } });
    expect(execution).toMatchObject(unreachable);
    expect(execution.steps).toHaveLength(3);
    expect(execution.steps[0]?.error).toContain("ECONNREFUSED");
  });

  it("resets the connection is unreachable, and not asked twice: it may have taken the request", async () => {
    const url = await openSocketBuyer((socket) => socket.once("data", () => socket.resetAndDestroy()));
    const execution = await ask(url, { misc_settings: { retryCount: 2 } });
    expect(execution).toMatchObject(unreachable);
    expect(execution.steps).toHaveLength(1);
  });

  it("breaks off in the middle of its answer is unreachable", async () => {
    const url = await openSocketBuyer((socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")),
    );
    expect(await ask(url)).toMatchObject(unreachable);
  });

  it("speaks something else than HTTP is unreachable", async () => {
    const url = await openSocketBuyer((socket) => socket.end("220 mail.example ESMTP\r\n"));
    expect(await ask(url)).toMatchObject(unreachable);
  });

  it("redirects is not followed", async () => {
    const { url, asked } = await openBuyer(({ path }) =>
      path === "/" ? { status: 307, headers: { Location: "/elsewhere" } } : { body: bid },
    );
    expect(await ask(url)).toMatchObject({ reason: "ping_http_error", steps: [{ status_code: 307 }] });
    expect(asked).toHaveLength(1);
  });

  it("answers with more than 64 KiB is not read to the end", async () => {
    const { url } = await openBuyer(() => ({ body: `${bid}${" ".repeat(64 * 1024)}` }));
    const execution = await ask(url);
    expect(execution).toMatchObject({ reason: "ping_parse_error", steps: [{ status_code: 200, truncated: true }] });
    expect(execution.steps[0]?.error).toContain("64 KiB");
  });

  it("answers with a little that unpacks to a lot is not unpacked to the end", async () => {
    const packed = { headers: { "Content-Encoding": "gzip" }, body: gzipSync(Buffer.alloc(50 * 1024 * 1024)) };
    const { url } = await openBuyer(() => packed);
    expect(await ask(url)).toMatchObject({ reason: "ping_parse_error", steps: [{ truncated: true }] });
  });

  it("answers with what only says that it is packed cannot be understood", async () => {
    const { url } = await openBuyer(() => ({ headers: { "Content-Encoding": "gzip" }, body: bid }));
    expect(await ask(url)).toMatchObject({ reason: "ping_parse_error", health: { kind: "healthy" } });
  });

  it("is inside the network is not asked without leave", async () => {
    const { url, asked } = await openBuyer(() => ({ body: bid }));
    for (const address of [url, url.replace("127.0.0.1", "localhost"), url.replace("127.0.0.1", "0x7f.1")]) {
      const execution = await ask(address, {}, openPinger({ allowPrivateDestinations: false }));
      expect(execution).toMatchObject({ reason: "ping_unreachable", health: { kind: "unknown" } });
      expect(execution.steps[0]?.error).toContain("public addresses only");
    }
    expect(asked).toEqual([]);
  });
});

describe("a step that no request can be made of", () => {
  it.each(["{{host}}/x", "not an address", "ftp://bids.example/", "javascript:alert(1)", "http://100%@bids.example/"])(
    "for its address %s says so",
    async (url) => {
      const execution = await execute(aFormulaOfBefore(url), aPingContext(), {
        limits: {},
        sender: openPinger(),
        clock: createManualClock(startOfTime),
      });
      expect(execution).toMatchObject({ reason: "ping_unreachable", health: { kind: "unknown" } });
      expect(execution.steps[0]?.error).toContain("no valid request");
    },
  );

  it.each([
    ["a name with a space", { key: "bad name", value: "x" }],
    ["what would change the connection", { key: "transfer-encoding", value: "chunked" }],
  ])("for %s in its headers says so", async (_what, header) => {
    const { url, asked } = await openBuyer();
    const execution = await ask(url, { steps: [aStep({ url, headers: [header], body_type: "raw", raw_body: "x" })] });
    expect(execution).toMatchObject({ reason: "ping_unreachable" });
    expect(asked).toEqual([]);
  });
});

it("a connection is kept for later calls", async () => {
  const ports = new Set<unknown>();
  const url = await openHandler((request, response) => {
    ports.add(request.socket.remotePort);
    response.end(bid);
  });
  const sender = openPinger();
  for (let calls = 0; calls < 5; calls++) expect(await ask(url, {}, sender)).toMatchObject({ kind: "bid" });
  // A call may come before the last one's connection is seen to be free.
  expect(ports.size).toBeLessThanOrEqual(2);
});
