import type { Aggregate, Measure } from "./field.ts";

interface Taken {
  readonly column: string;
  readonly words: readonly [string, ...string[]];
  /** The condition of requests that count. */
  readonly where?: string;
  readonly except: string;
  /** Phrases that ask for the mean. */
  readonly asked?: readonly string[];
}

/** Wordings of the response time, for pings of either direction and for webhooks. */
export const answerTimes = ["response time", "latency"] as const;

/** Measures of response times: the mean and the usual percentiles; others are statistics of the quantity. */
export function times({ column, words, where, except, asked = [] }: Taken): readonly Measure[] {
  const counted = where === undefined ? {} : { where };
  const measure = (name: string, said: readonly string[], aggregate: Aggregate): Measure => ({
    name,
    unit: "ms",
    aggregate,
    words: [
      `${said[0] ?? ""} ${words[0]}`,
      ...said.flatMap((each) => words.map((word) => `${each} ${word}`)).slice(1),
      ...(name === "avg_time" ? [...words, "how long", ...asked] : []),
    ],
    definition: `The ${said[0]} time taken, in milliseconds${except}.`,
  });
  return [
    measure("avg_time", ["average", "mean"], { kind: "average", column, ...counted }),
    measure("median_time", ["median", "p50"], { kind: "quantile", column, level: 0.5, ...counted }),
    measure("p95_time", ["p95", "95th percentile"], { kind: "quantile", column, level: 0.95, ...counted }),
    measure("p99_time", ["p99", "99th percentile"], { kind: "quantile", column, level: 0.99, ...counted }),
  ];
}
