import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "../../ingest/clock.ts";
import { bidAt, bidderOf } from "./bidder.ts";
import { fold } from "./random.ts";

export interface Receiver {
  /** Base address, without a slash at the end. */
  readonly url: string;
  /** Requests answered so far. */
  received(): number;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly clock?: Clock;
}

const maxBodyBytes = 1_048_576;
/** Requests whose tries are counted. */
const rememberedRequests = 10_000;
/** Well under the ten seconds that a delivery waits. */
const slowMs = 3000;

/**
 * Plays the customers' systems on this machine: takes every request, and a few of a hundred with 500, 429 or slowly.
 * What happens to a request follows from its content and from how often it has come, so a retry is mostly taken. Under
 * `/bids/` it plays the buyers that bid for calls.
 */
export async function openReceiver({ port, clock = systemClock }: ReceiverOptions): Promise<Receiver> {
  const tries = new Map<number, number>();
  const closing = new AbortController();
  let received = 0;

  const server = createServer((request, response) => {
    readBody(request)
      .then(async (body) => {
        const bidder = bidderOf(request.url ?? "");
        if (bidder !== null) return await bidAt(bidder, body, { response, clock, closing: closing.signal });
        const content = fold(`${request.method} ${request.url} ${body}`);
        const reaction = reactionTo(content, countTry(tries, content));
        if (reaction.slow) await clock.sleep(slowMs, closing.signal);
        received += 1;
        answer(response, reaction);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: taken } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${taken}`,
    received: () => received,
    close() {
      closing.abort();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}

/** The receiver at that address again; where somebody else has its port meanwhile, or there was none, at a free one. */
export async function openReceiverAt(url: string | undefined): Promise<Receiver> {
  if (url === undefined) return openReceiver({ port: 0 });
  return openReceiver({ port: Number(new URL(url).port) }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    return openReceiver({ port: 0 });
  });
}

export interface Reaction {
  readonly status: 200 | 429 | 500;
  readonly slow: boolean;
}

/** Answers 2 % with 500, 1.5 % with 429 and 1.5 % slowly. */
export function reactionTo(content: number, tried: number): Reaction {
  const perMille = (fold(`${content}/${tried}`) >>> 0) % 1000;
  if (perMille < 20) return { status: 500, slow: false };
  if (perMille < 35) return { status: 429, slow: false };
  return { status: 200, slow: perMille < 50 };
}

/** Counts a request by its content; the oldest contents are forgotten first. */
function countTry(tries: Map<number, number>, content: number): number {
  const tried = (tries.get(content) ?? 0) + 1;
  tries.set(content, tried);
  const oldest = tries.size > rememberedRequests ? tries.keys().next().value : undefined;
  if (oldest !== undefined) tries.delete(oldest);
  return tried;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBodyBytes) throw new RangeError(`a body of more than ${maxBodyBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function answer(response: ServerResponse, { status }: Reaction): void {
  const headers = { "content-type": "application/json", ...(status === 429 ? { "retry-after": "5" } : {}) };
  response.writeHead(status, headers).end(JSON.stringify(status === 200 ? { ok: true } : { error: status }));
}
