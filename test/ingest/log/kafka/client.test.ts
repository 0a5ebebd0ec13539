import { getEventListeners, once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createSocket } from "../../../../ingest/log/kafka/client.ts";
import { unlessAborted } from "../../../../ingest/log/kafka/partition-workers.ts";

async function listen(): Promise<number> {
  const server = createServer((socket) => socket.end("gone"));
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
