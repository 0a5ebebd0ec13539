import type { Comparison } from "./compare.ts";

/** A file's benchmarks: made when they are run, closed afterwards. */
export interface Bench {
  readonly comparisons: readonly Comparison[];
  close(): Promise<void>;
}
export type OpenBench = () => Promise<Bench>;
