import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { quantile } from "../compare.ts";
import type { LoadResult } from "./load.ts";

/** Messages to the process of a customer's system, which receives deliveries. */
export type ReceiverMessage =
  /** Listens; answers each request at once, or takes it and never does. Answered with the address. */
  | { readonly kind: "listen"; readonly answers: boolean }
  /** Answered with the rate, and the time of each in flight, of so many requests from the first on. */
  | { readonly kind: "hear"; readonly count: number }
  /** Makes requests at a rate, and is answered with the delay of the deliveries that they cause, from when each was due. */
  | ({ readonly kind: "cause" } & Cause);

export interface Cause {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of JSON; each `{caller}` is a number, which the path of the delivery's address is. */
  readonly body: string;
  readonly rate: number;
  readonly seconds: number;
}

let onHeard: (path: string) => void = () => undefined;

function answer(request: IncomingMessage, response: ServerResponse): void {
  onHeard(request.url ?? "");
  request.resume();
  response.end("ok");
}

function listen(answers: boolean): Promise<string> {
  const server = answers ? createServer(answer) : createTcpServer((socket) => void socket.on("error", () => undefined));
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

function hear(count: number): Promise<LoadResult> {
  return new Promise((resolve) => {
    let [first, heard] = [0, 0];
    onHeard = () => {
      if (heard === 0) first = performance.now();
      heard += 1;
      if (heard !== count) return;
      const rate = (count - 1) / ((performance.now() - first) / 1000);
      resolve({ rate, p50: 0, p95: 0, p99: 0, most: 0, shed: 0, failed: 0 });
    };
  });
}

/** Deliveries that have not come so long after the last request are missing. */
const waitMs = 10_000;
/** Numbers that could be called, with their country's code. */
let caller = 14_102_000_000;

async function cause({ url, headers, body, rate, seconds }: Cause): Promise<LoadResult> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 64, pipelining: 1 });
  const due = new Map<string, number>();
  const delays: number[] = [];
  let refused = 0;
  onHeard = (path) => {
    const at = due.get(path.slice(1));
    if (at === undefined) return;
    due.delete(path.slice(1));
    delays.push(performance.now() - at);
  };
  async function ask(number: string): Promise<void> {
    const { statusCode, body: answered } = await pool.request({
      path: pathname,
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: body.replaceAll("{caller}", number),
    });
    await answered.dump();
    if (statusCode >= 300) refused += 1;
  }
  const began = performance.now();
  const asked: Promise<void>[] = [];
  for (let index = 0; index < rate * seconds; index++) {
    const at = began + (index * 1000) / rate;
    if (at > performance.now()) await pause(at - performance.now());
    const number = String(++caller);
    due.set(number, at);
    asked.push(
      ask(number).catch(() => {
        refused += 1;
      }),
    );
  }
  await Promise.all(asked);
  for (const until = performance.now() + waitMs; due.size > 0 && performance.now() < until; ) await pause(10);
  await pool.destroy();
  const at = (q: number) => Math.round(quantile(delays, q) * 10) / 10;
  const failed = Math.max(due.size, refused);
  return { rate: delays.length / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1), shed: 0, failed };
}

function work(message: ReceiverMessage): Promise<unknown> {
  switch (message.kind) {
    case "listen":
      return listen(message.answers);
    case "hear":
      return hear(message.count);
    case "cause":
      return cause(message);
  }
}

process.on("message", (message: ReceiverMessage) => {
  work(message).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit());
