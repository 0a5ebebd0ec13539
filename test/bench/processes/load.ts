import autocannon from "autocannon";

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

async function run({ url, method = "GET", headers = {}, body, connections, rate, seconds }: Load): Promise<LoadResult> {
  const { origin, pathname, search } = new URL(url);
  const path = decodeURI(`${pathname}${search}`);
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    timeout: 30,
    ...(rate === undefined ? {} : { overallRate: rate }),
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
    // Not among the quantiles that are counted: the next one above it.
    p95: result.latency.p97_5,
    p99: result.latency.p99,
    most: result.latency.max,
    shed,
    failed: result.non2xx - shed + result.errors + result.timeouts,
  };
}

process.on("message", (load: Load) => {
  run(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
