import { quantile } from "./compare.ts";
import type { Load, LoadResult } from "./processes/load.ts";
import type { Loader } from "./processes/processes.ts";

/** A server under load from another process. */
export interface LoadSubject {
  readonly name: string;
  /** The requests, or work that measures by itself. */
  readonly load: Load | (() => Promise<LoadResult>);
  /** The rate that it should have, as a share of the baseline's. */
  readonly atLeast?: number;
  /** It is asked twice as often as this subject could answer, and its share is that of this subject's rate. */
  readonly twice?: string;
}

export interface LoadComparison {
  /** What the figures show, in a sentence. */
  readonly title: string;
  readonly baseline: LoadSubject;
  readonly subjects: readonly LoadSubject[];
  readonly rounds?: number;
}

export interface LoadTiming extends LoadResult {
  readonly name: string;
  /** The rate's share of the baseline's. */
  readonly share: number;
  readonly atLeast?: number;
}

/** Loads the servers in turns with their baseline, each for some seconds; the figures are medians of the rounds. */
export async function compareRates(comparison: LoadComparison, loader: Loader): Promise<readonly LoadTiming[]> {
  const { baseline, subjects, rounds = 3 } = comparison;
  const all = [baseline, ...subjects].map((subject) => ({ subject, results: [] as LoadResult[] }));
  const median = (results: readonly LoadResult[], figure: keyof LoadResult) =>
    quantile(
      results.map((result) => result[figure]),
      0.5,
    );
  const rateOf = (name: string) => median(all.find(({ subject }) => subject.name === name)?.results ?? [], "rate");
  const toAsk = (load: Load, round: number, best: number | undefined): Load => ({
    ...load,
    seconds: round < 0 ? Math.min(3, load.seconds) : load.seconds,
    ...(best !== undefined && { rate: 2 * best }),
  });
  // The first round warms up; what is asked at a multiple of another's rate waits until that is known.
  for (let round = -1; round < rounds; round++) {
    for (const { subject, results } of all) {
      const { load, twice } = subject;
      if (round < 0 && (twice !== undefined || typeof load === "function")) continue;
      const result =
        typeof load === "function"
          ? await load()
          : await loader.run(toAsk(load, round, twice === undefined ? undefined : rateOf(twice)));
      if (round >= 0) results.push(result);
    }
  }
  return all.map(({ subject: { name, atLeast, twice = baseline.name }, results }) => ({
    name,
    rate: median(results, "rate"),
    share: median(results, "rate") / rateOf(twice),
    p50: median(results, "p50"),
    p95: median(results, "p95"),
    p99: median(results, "p99"),
    most: Math.max(...results.map(({ most }) => most)),
    shed: results.reduce((sum, { shed }) => sum + shed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    ...(atLeast !== undefined && { atLeast }),
  }));
}
