import { createServer, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createSender, type Sender } from "../../../../api/webhooks/deliver/send.ts";
import { hook, openConfig, openRig, told } from "./delivery-rig.ts";

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

/** A receiver below HTTP. */
function socketReceiver(accept: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    accept(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

function httpReceiver(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  onTestFinished(() => void server.close().closeAllConnections());
  return listen(server);
}

const megabyte = 1024 * 1024;
const chunk = Buffer.alloc(64 * 1024, "x");

function pour(response: ServerResponse, bytes: number): void {
  let left = bytes;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      if (!response.write(chunk)) return;
    }
    if (left <= 0) response.end();
  };
  response.on("drain", more);
  more();
}

async function closedPort(): Promise<string> {
  const server = createTcpServer();
  const url = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

/** What goes wrong, and how the delivery ends once the schedule has been gone through. */
const receivers: readonly (readonly [fault: string, open: () => Promise<string>, end: string])[] = [
  ["refuse", closedPort, "network_error"],
  ["hang", () => socketReceiver(() => undefined), "timeout"],
  ["reset", () => socketReceiver((socket) => socket.once("data", () => socket.resetAndDestroy())), "network_error"],
  [
    "break",
    () =>
      socketReceiver((socket) =>
        socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")),
      ),
    "network_error",
  ],
  [
    "drip",
    () =>
      socketReceiver((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
        const drip = setInterval(() => socket.write("."), 10);
        socket.on("close", () => clearInterval(drip));
      }),
    "timeout",
  ],
  ["redirect", () => httpReceiver((response) => response.writeHead(307, { location: "/" }).end()), "refused"],
  ["gone", () => httpReceiver((response) => response.writeHead(410).end()), "gone"],
  ["busy", () => httpReceiver((response) => response.writeHead(429, { "retry-after": "0" }).end()), "refused"],
  ["error", () => httpReceiver((response) => response.writeHead(500).end()), "refused"],
  ["flood", () => httpReceiver((response) => pour(response, 100 * megabyte)), "delivered"],
  ["well", () => httpReceiver((response) => response.end("ok")), "delivered"],
];

/** Only who never ends an answer is late: the others are waited for, however busy the machine is. */
function openSender(hooks: readonly { readonly id: string; readonly url: string }[]): Pick<Sender, "send"> {
  const [hasty, patient] = [1500, 100_000].map((deadlineMs) => {
    const sender = createSender({ allowPrivateDestinations: true, deadlineMs });
    onTestFinished(() => sender.close());
    return sender;
  }) as [Sender, Sender];
  const endless = new Set(
    hooks.filter(({ id }) => id === "hang" || id === "drip").map(({ url }) => new URL(url).origin),
  );
  return { send: (request) => (endless.has(new URL(request.url).origin) ? hasty : patient).send(request) };
}

const calls = 6;

describe("whatever receivers do", () => {
  it("every event ends in exactly one final state, and memory stays flat", { tags: ["slow"] }, async () => {
    const hooks = await Promise.all(
      receivers.map(async ([fault, open]) => ({ ...hook("call.completed", fault), url: `${await open()}/[CALL_ID]` })),
    );
    const rig = await openRig([], {
      config: await openConfig(hooks),
      sender: openSender(hooks),
      // The webhook that is gone has what waits expire at once.
      terms: { pausesMs: [0, 50], keepMs: 15_000, pauseAfterMs: 3_600_000 },
    });
    const before = process.memoryUsage();
    const campaign = hooks.map(({ id }) => id);
    const events = Array.from({ length: calls }, (_, index) =>
      told("call.completed", { call: `call-${index}`, campaign }),
    );
    await rig.publish(...events);
    const finals = async () => (await rig.records()).filter(({ next_attempt_at }) => next_attempt_at === null);
    await vi.waitFor(async () => expect(await finals()).toHaveLength(calls * receivers.length), {
      timeout: 50_000,
      interval: 200,
    });
    await vi.waitFor(async () => expect(await rig.waitingCount()).toBe(0), 5000);

    const ends = await finals();
    expect(new Set(ends.map(({ delivery_id }) => delivery_id)).size).toBe(calls * receivers.length);
    for (const [fault, , end] of receivers) {
      const outcomes = new Set(
        ends.filter((each) => each.outgoing_webhook_config_id === fault).map((each) => each.outcome),
      );
      outcomes.delete(fault === "gone" ? "expired" : "cancelled");
      expect([...outcomes], fault).toEqual([end]);
    }
    const retried = ["refuse", "hang", "reset", "break", "drip", "busy", "error"];
    for (const fault of receivers.map(([name]) => name)) {
      const attempts = (await rig.records()).filter(
        (each) => each.outgoing_webhook_config_id === fault && each.outcome !== "expired",
      );
      const deliveries = new Set(attempts.map(({ delivery_id }) => delivery_id)).size;
      expect(attempts.length / deliveries, fault).toBe(retried.includes(fault) ? 3 : 1);
    }
    const { external, arrayBuffers } = process.memoryUsage();
    // Of 600 MB that were poured, at most what is read of each answer is kept.
    expect(external + arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(100 * megabyte);
    expect(rig.troubles).toEqual([]);
  });
});
