import { Counter, Histogram, Registry } from "prom-client";
import type { Clock } from "../../ingest/clock.ts";

/** Buckets of response times in seconds, ours or other servers'. */
const answerBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the instruments of a process in one registry, prefixed with the service's name. */
export function createInstruments({ now }: Pick<Clock, "now">) {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    now,
    counter: <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
      new Counter({ name: `trunkline_${name}`, help, labelNames, registers }),
    seconds: <L extends string>(name: string, help: string, { labelNames = [], buckets = answerBuckets }: Seconds<L>) =>
      new Histogram({ name: `trunkline_${name}`, help, labelNames, buckets, registers }),
  };
}
export type Instruments = ReturnType<typeof createInstruments>;

interface Seconds<L> {
  readonly labelNames?: readonly L[];
  /** Default: those of response times. */
  readonly buckets?: number[];
}
