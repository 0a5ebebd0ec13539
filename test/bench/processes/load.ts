import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { Pool } from "undici";

/** Requests that this process makes, of one kind, for some seconds. */
export interface Load {
  readonly url: string;
  readonly method?: "GET" | "POST" | "PATCH";
  readonly headers?: Readonly<Record<string, string>>;
  /** Each `{caller}` in the path and the body is a telephone number that nobody has called from before. */
  readonly body?: string;
  readonly connections: number;
  /** Requests a second, whether or not they are answered; as fast as they are answered where it is not given. */
  readonly rate?: number;
  readonly seconds: number;
}

/** What came of it; times in milliseconds, from when a request was due. */
export interface LoadResult {
  /** Answers of 2xx a second. */
  readonly rate: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
  /** Answers of 503, by which a server says that it has too much to do. */
  readonly shed: number;
  /** Other answers, and none. */
  readonly failed: number;
}

/** Numbers of ten digits that could be called, from 310-200-0000 on. */
let caller = 3_102_000_000;
const fill = (text: string): string => text.replaceAll("{caller}", () => String(++caller));

/** As fast as the requests are answered: each connection sends its next one when it has an answer. */
async function runClosed({ url, method = "GET", headers = {}, body, connections, seconds }: Load): Promise<LoadResult> {
  const { origin, pathname, search } = new URL(url);
  const path = decodeURI(`${pathname}${search}`);
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    timeout: 30,
    requests: [
      {
        method,
        headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
        setupRequest: (request) => ({
          ...request,
          path: fill(path),
          ...(body !== undefined && { body: fill(body) }),
        }),
      },
    ],
  });
  const shed = result.statusCodeStats?.["503"]?.count ?? 0;
  return {
    rate: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p95: result.latency.p97_5,
    p99: result.latency.p99,
    most: result.latency.max,
    shed,
    failed: result.non2xx - shed + result.errors + result.timeouts,
  };
}

/** Answers that are waited for when the time is over. */
const lateMs = 30_000;

/**
 * At a rate, whether or not they are answered, in gaps as chance has them: autocannon sends what is due in a second all at
 * once. What has no free connection waits, and its time counts.
 */
async function runOpen({ url, method = "GET", headers = {}, body, connections, seconds }: Load, rate: number) {
  const { origin, pathname, search } = new URL(url);
  const path = decodeURI(`${pathname}${search}`);
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: lateMs, bodyTimeout: lateMs });
  const sent = { ...headers, ...(body !== undefined && { "content-type": "application/json" }) };
  // A busy server accepts one connection at each turn of its event loop: they are open before the time begins.
  const opening = Array.from({ length: connections }, () => pool.request({ path: "/", method: "OPTIONS" }));
  for (const opened of opening) await (await opened).body.dump();
  const began = performance.now();
  const ends = began + seconds * 1000;
  const latencies: number[] = [];
  let [inTime, shed, failed, pending] = [0, 0, 0, 0];

  async function send(due: number): Promise<void> {
    pending += 1;
    try {
      const request = { path: fill(path), method, headers: sent, body: body === undefined ? null : fill(body) };
      const { statusCode, body: answer } = await pool.request(request);
      await answer.dump();
      const now = performance.now();
      if (statusCode === 503) shed += 1;
      else if (statusCode >= 300) failed += 1;
      else {
        latencies.push(now - due);
        if (now <= ends) inTime += 1;
      }
    } catch {
      failed += 1;
    }
    pending -= 1;
  }

  const gapMs = () => (-Math.log(1 - Math.random()) * 1000) / rate;
  let due = began + gapMs();
  while (due < ends) {
    await sleep(Math.max(0, due - performance.now()));
    for (; due <= performance.now() && due < ends; due += gapMs()) void send(due);
  }
  while (pending > 0 && performance.now() < ends + lateMs) await sleep(10);
  await pool.destroy();
  latencies.sort((one, other) => one - other);
  const quantile = (share: number) => Math.round(10 * (latencies[Math.floor(latencies.length * share)] ?? 0)) / 10;
  const quantiles = { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), most: latencies.at(-1) ?? 0 };
  return { rate: inTime / seconds, ...quantiles, shed, failed: failed + pending };
}

const run = (load: Load): Promise<LoadResult> => (load.rate === undefined ? runClosed(load) : runOpen(load, load.rate));

process.on("message", (load: Load) => {
  run(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
