import type { Comparison } from "./compare.ts";
import type { LoadComparison } from "./rates.ts";

/** A file's benchmarks: made when they are run, closed afterwards. */
export interface Bench {
  readonly comparisons: readonly Comparison[];
  readonly loads?: readonly LoadComparison[];
  close(): Promise<void>;
}
export type OpenBench = () => Promise<Bench>;
