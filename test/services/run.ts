import { spawn } from "node:child_process";
import { type Brokers, startKafka } from "./kafka.ts";
import { startPostgres } from "./postgres.ts";

/** Suites that do more, or the same by other means, where the services are there. */
const suites = [
  ...["test/api/config/", "test/api/serve/", "test/api/telephony/", "test/api/webhooks/history.test.ts"],
  "test/ingest/log/",
];

const { TEST_DATABASE_URL, REDPANDA_BROKERS } = process.env;
// A terminal's Ctrl-C reaches vitest too: it ends, then the services are stopped.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
const stops: (() => void | Promise<void>)[] = [];
try {
  const postgres = TEST_DATABASE_URL ? { url: TEST_DATABASE_URL, stop: () => undefined } : startPostgres();
  stops.push(postgres.stop);
  const brokers: Brokers = REDPANDA_BROKERS ? given(REDPANDA_BROKERS) : await startKafka();
  stops.push(brokers.stop);
  process.exitCode = await runVitest({ ...process.env, TEST_DATABASE_URL: postgres.url, ...brokers.environment });
} finally {
  for (const stop of stops.reverse()) await stop();
}

function given(brokers: string): Brokers {
  return { environment: { TEST_REDPANDA_BROKERS: brokers }, stop: async () => undefined };
}

function runVitest({ REDPANDA_BROKERS: _, ...env }: NodeJS.ProcessEnv): Promise<number> {
  const vitest = spawn("npx", ["vitest", "run", ...suites, ...process.argv.slice(2)], { env, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    vitest.once("error", reject);
    vitest.once("close", (code) => resolve(code ?? 1));
  });
}
