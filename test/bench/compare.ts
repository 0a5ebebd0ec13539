/** Something to time: one round of it, and how many of what a round does. */
export interface Subject {
  readonly name: string;
  /** Units of work in a round, such as requests or rows. */
  readonly units: number;
  readonly unit: string;
  round(): Promise<unknown>;
  /** What a round needs and what it leaves: neither is timed. */
  before?(): Promise<unknown>;
  after?(): Promise<unknown>;
  /** Mebibytes that the process held at the most in any round, beyond what it held before. */
  peakMb?(): number;
  /** How much there is of what grows: the slope says by which power of it the times grow, from the baseline's size on. */
  readonly size?: number;
}

export interface Comparison {
  /** What the figures show, in a sentence. */
  readonly title: string;
  readonly baseline: Subject;
  readonly subjects: readonly Subject[];
  readonly rounds?: number;
  /** Rounds that are not timed; 3 unless given. */
  readonly warmUps?: number;
}

/** Microseconds of one unit: the median of the rounds, the slowest twentieth, and the median's ratio to the baseline's. */
export interface Timing {
  readonly name: string;
  readonly unit: string;
  readonly medianUs: number;
  readonly p95Us: number;
  readonly ratio: number;
  readonly peakMb?: number;
  /** 0 where times stay the same, 1 where they grow as the size does. */
  readonly slope?: number;
}
export interface Result {
  readonly title: string;
  readonly rounds: number;
  readonly timings: readonly Timing[];
}

const warmUpRounds = 3;

/**
 * Times the subjects in turns with their baseline, so that whatever else the machine does meets all of them alike; the
 * order is turned from round to round, as what one leaves to be done falls to the next.
 */
export async function compare(comparison: Comparison): Promise<Result> {
  const { title, baseline, subjects, rounds = 30, warmUps = warmUpRounds } = comparison;
  const all = [baseline, ...subjects].map((subject) => ({ subject, times: [] as number[] }));
  for (let round = -warmUps; round < rounds; round += 1) {
    const first = (round + warmUps) % all.length;
    for (const { subject, times } of [...all.slice(first), ...all.slice(0, first)]) {
      await subject.before?.();
      const began = performance.now();
      await subject.round();
      if (round >= 0) times.push(((performance.now() - began) * 1000) / subject.units);
      await subject.after?.();
    }
  }
  const base = quantile(all[0]?.times ?? [], 0.5);
  const timings = all.map(({ subject: { name, unit, peakMb, size }, times }) => {
    const medianUs = quantile(times, 0.5);
    return {
      name,
      unit,
      medianUs,
      p95Us: quantile(times, 0.95),
      ratio: medianUs / base,
      ...(peakMb && { peakMb: peakMb() }),
      ...(size !== undefined &&
        baseline.size !== undefined &&
        size !== baseline.size && { slope: Math.log(medianUs / base) / Math.log(size / baseline.size) }),
    };
  });
  return { title, rounds, timings };
}

/** The value that a share `q` of the values does not exceed; NaN of none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}
