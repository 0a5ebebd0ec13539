import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { openAuctionBench } from "./auctions.ts";
import { openBackfillBench } from "./backfill.ts";
import type { OpenBench } from "./bench.ts";
import { openCallBench } from "./calls.ts";
import { openClickhouseBench } from "./clickhouse.ts";
import { compare, type Result } from "./compare.ts";
import { openConfigBench } from "./config.ts";
import { openDeliveryBench } from "./deliveries.ts";
import { openExportBench } from "./exports.ts";
import { openFreshnessBench } from "./freshness.ts";
import { openGrowthBench } from "./growth.ts";
import { openHistoryBench } from "./history.ts";
import { openLoaderBench } from "./loader.ts";
import { openLoader } from "./processes/processes.ts";
import { openQuestionBench } from "./questions.ts";
import { compareRates, type LoadTiming } from "./rates.ts";
import { openRequestBench } from "./requests.ts";
import { openStartBench } from "./start.ts";

const benches: Readonly<Record<string, OpenBench>> = {
  start: openStartBench,
  clickhouse: openClickhouseBench,
  config: openConfigBench,
  requests: openRequestBench,
  auctions: openAuctionBench,
  backfill: openBackfillBench,
  freshness: openFreshnessBench,
  growth: openGrowthBench,
  history: openHistoryBench,
  deliveries: openDeliveryBench,
  calls: openCallBench,
  exports: openExportBench,
  loader: openLoaderBench,
  questions: openQuestionBench,
};
/** Run when it is named: it needs brokers. */
const onlyNamed = "loader";

const usage = `npm run bench -- [NAME…] [--only TEXT] [--out FILE]

Runs benchmarks, each in turns with a baseline in the same run: read the ratios, not the times,
which are this machine's. Where requests are made, the service, its baseline and the load are
processes of their own, and the figures are rates. There are:

  ${Object.keys(benches).join(", ")}

Without names all but ${onlyNamed} are run: that one starts a Kafka broker (Java and Maven), or uses
REDPANDA_BROKERS.

  --only TEXT  comparisons alone whose title has the text, in any case
  --out FILE   the results as JSON [bench.json]`;

async function runAll(names: readonly string[], { only, out }: { only: string; out: string }): Promise<void> {
  const isWanted = ({ title }: { readonly title: string }) => title.toLowerCase().includes(only.toLowerCase());
  // One process makes all load, so that no comparison meets the callers of an earlier one.
  const loader = openLoader();
  const results: ((Result | { title: string; loads: readonly LoadTiming[] }) & { bench: string })[] = [];
  try {
    for (const name of names) {
      const bench = await benches[name]?.();
      if (bench === undefined) continue;
      try {
        for (const comparison of bench.comparisons.filter(isWanted)) {
          const result = await compare(comparison);
          results.push({ bench: name, ...result });
          print(result);
        }
        for (const comparison of (bench.loads ?? []).filter(isWanted)) {
          const loads = await compareRates(comparison, loader);
          results.push({ bench: name, title: comparison.title, loads });
          printLoads(comparison.title, loads);
        }
      } finally {
        await bench.close();
      }
    }
  } finally {
    loader.close();
  }
  const [cpu] = cpus();
  const machine = { node: process.version, cpu: cpu?.model ?? "unknown", cores: cpus().length };
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, `${JSON.stringify({ machine, results }, null, 2)}\n`);
  console.log(`\nWritten to ${out}.`);
}

function print({ title, rounds, timings }: Result): void {
  console.log(`\n${title} (${rounds} rounds)`);
  const width = Math.max(...timings.map(({ name }) => name.length));
  for (const { name, unit, medianUs, p95Us, ratio, peakMb, slope } of timings) {
    const rate = Math.round(1_000_000 / medianUs).toLocaleString("en");
    const figures = `${toMs(medianUs)} ms  p95 ${toMs(p95Us)} ms  a ${unit}  ${rate} a second${peakMb === undefined ? "" : `  peak +${peakMb.toFixed(0)} MiB`}`;
    const growth = slope === undefined ? "" : `  slope ${slope.toFixed(2)}`;
    console.log(`  ${name.padEnd(width)}  ${ratio.toFixed(2).padStart(6)} x  ${figures}${growth}`);
  }
}

function printLoads(title: string, loads: readonly LoadTiming[]): void {
  console.log(`\n${title}`);
  const width = Math.max(...loads.map(({ name }) => name.length));
  for (const { name, rate, share, p50, p95, p99, most, shed, failed, atLeast } of loads) {
    const goal = atLeast === undefined ? "" : `  (to reach: ${atLeast})`;
    const others = `${shed === 0 ? "" : `  ${shed} shed`}${failed === 0 ? "" : `  ${failed} FAILED`}`;
    console.log(
      `  ${name.padEnd(width)}  ${share.toFixed(3)} of it  ${Math.round(rate).toLocaleString("en")}/s  p50 ${p50} ms  p95 ${p95} ms  p99 ${p99} ms  most ${Math.round(most)} ms${goal}${others}`,
    );
  }
}

const toMs = (us: number): string => (us / 1000).toFixed(us < 1000 ? 4 : 2).padStart(9);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    out: { type: "string", default: "bench.json" },
    help: { type: "boolean" },
  },
});
const usual = Object.keys(benches).filter((name) => name !== onlyNamed);
const unknown = positionals.find((name) => !(name in benches));
if (values.help) console.log(usage);
else if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}; there are: ${Object.keys(benches).join(", ")}.`);
  process.exitCode = 1;
} else await runAll(positionals.length > 0 ? positionals : usual, values);
