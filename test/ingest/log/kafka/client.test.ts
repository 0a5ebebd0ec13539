import { getEventListeners, once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSocket } from "../../../../ingest/log/kafka/client.ts";
import { unlessAborted } from "../../../../ingest/log/kafka/partition-workers.ts";

async function listen(serve = (socket: Socket): void => void socket.end("gone")): Promise<number> {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it("a socket that is gone gets no listener each time that kafkajs lets go of it", async () => {
  let isConnected = false;
  const socket = createSocket({
    host: "127.0.0.1",
    port: await listen(),
    ssl: undefined as never,
    onConnect: () => {
      isConnected = true;
    },
  });
  socket.resume();
  await once(socket, "close");
  const before = socket.listenerCount("connect");
  for (let round = 0; round < 20; round += 1) {
    socket.end();
    socket.unref();
  }
  expect([isConnected, socket.listenerCount("connect")]).toEqual([true, before]);
});

const aResponse = (length: number): Buffer => {
  const response = Buffer.alloc(4 + length, length);
  response.writeInt32BE(length);
  return response;
};

/** What kafkajs gets of a connection on which a broker sends those pieces, one after the other, and ends it. */
async function received(pieces: readonly Buffer[]) {
  const port = await listen(async (socket) => {
    socket.setNoDelay(true);
    for (const piece of pieces) {
      await new Promise((resolve) => socket.write(piece, resolve));
      await once(socket, "data");
    }
    socket.end();
  });
  const socket = createSocket({ host: "127.0.0.1", port, ssl: undefined as never, onConnect: () => undefined });
  const got: Buffer[] = [];
  const errors: Error[] = [];
  socket.on("error", (error) => errors.push(error));
  socket.on("data", (bytes) => got.push(bytes));
  // So that the next piece is not sent before this one has come.
  socket.addListener("data", () => socket.write("go on"));
  await new Promise((resolve) => socket.once("close", resolve));
  return { got: got.map((each) => each.toString("hex")), errors };
}

describe("responses of a broker", () => {
  const hex = (...responses: readonly Buffer[]) => Buffer.concat(responses).toString("hex");
  const [short, long, empty] = [aResponse(3), aResponse(70_000), aResponse(0)];

  it("are handed on whole, whatever pieces they come in", async () => {
    const all = Buffer.concat([short, long, empty, short]);
    const cuts = [0, 2, 7, 9, 40_000, 70_011, 70_016, all.length];
    const { got } = await received(cuts.slice(1).map((end, index) => all.subarray(cuts[index], end)));
    expect(got.join("")).toBe(all.toString("hex"));
    expect(got).toEqual([hex(short), hex(long), hex(empty), hex(short)]);
  });

  it("are not handed on where the connection ends in the middle of one", async () => {
    expect((await received([Buffer.concat([short, long]).subarray(0, 5000)])).got).toEqual([hex(short)]);
    expect((await received([Buffer.concat([short, long]).subarray(0, 9)])).got).toEqual([hex(short)]);
  });

  it("of another protocol end the connection", async () => {
    const { got, errors } = await received([Buffer.from([0xff, 0xff, 0xff, 0xfe, 1, 2])]);
    expect([got, errors.map(String)]).toEqual([[], [expect.stringContaining("not of Kafka's protocol")]]);
  });
});

it("a signal that nobody waits on any more has no listeners", async () => {
  const stopping = new AbortController();
  const { signal } = stopping;
  for (let round = 0; round < 20; round += 1) expect(await unlessAborted(signal, Promise.resolve(round))).toBe(round);
  await expect(unlessAborted(signal, Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(getEventListeners(signal, "abort")).toEqual([]);
  const waiting = unlessAborted(signal, new Promise(() => undefined));
  stopping.abort();
  expect([await waiting, await unlessAborted(signal, new Promise(() => undefined))]).toEqual([undefined, undefined]);
});
