import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../../api/demo/random.ts";
import { toKillReport } from "../api/webhooks/deliver/kill-report.ts";
import { runKills } from "../api/webhooks/deliver/kill-run.ts";

const usage = `npm run test:kills -- [--deliveries N] [--kills N] [--endpoints N] [--seed N]

Kills a process with kill -9 at random instants while it delivers, and compares what receivers were
sent with the history.

  --deliveries N   [10000]
  --kills N        [6]
  --endpoints N    receivers of the four webhooks; with one, most of a burst goes through the
                   database [4]
  --seed N         of the instants [1]`;

const number = (byDefault: number) => ({ type: "string", default: String(byDefault) }) as const;
const { values } = parseArgs({
  options: {
    deliveries: number(10_000),
    kills: number(6),
    endpoints: number(4),
    seed: number(1),
    help: { type: "boolean" },
  },
});

async function run(dataDir: string): Promise<void> {
  const [deliveries, kills, endpoints] = [Number(values.deliveries), Number(values.kills), Number(values.endpoints)];
  const random = createRandom(Number(values.seed));
  const outcome = await runKills({ dataDir, deliveries, kills, endpoints, random, withinMs: 3_600_000 });
  const { faults, ...figures } = toKillReport(outcome);
  const seconds = outcome.tookMs / 1000;
  const shown = { ...figures, seconds, deliveriesPerSecond: Math.round(deliveries / seconds) };
  process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
  for (const fault of faults.slice(0, 50)) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

if (values.help) process.stdout.write(`${usage}\n`);
else {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-kills-"));
  try {
    await run(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
