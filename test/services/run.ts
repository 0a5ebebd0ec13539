import { spawn } from "node:child_process";
import { type Brokers, startKafka } from "./kafka.ts";
import { startPostgres } from "./postgres.ts";

/** Suites that do more, or the same by other means, where the service is there. */
const suites = {
  postgres: [
    "test/api/config/",
    "test/api/serve/",
    "test/api/telephony/call.test.ts",
    "test/api/webhooks/history.test.ts",
  ],
  kafka: ["test/ingest/log/"],
} as const;
type Service = keyof typeof suites;

const [named, ...rest] = process.argv.slice(2);
const isService = (text: string | undefined): text is Service => text === "postgres" || text === "kafka";
const service: Service = isService(named) ? named : "postgres";
const given = isService(named) ? rest : process.argv.slice(2);

const { TEST_DATABASE_URL, REDPANDA_BROKERS } = process.env;
// A terminal's Ctrl-C reaches vitest too: it ends, then the services are stopped.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
const stops: (() => void | Promise<void>)[] = [];
try {
  const started = service === "postgres" ? startDatabase() : await startBrokers();
  stops.push(started.stop);
  process.exitCode = await runVitest({ ...process.env, ...started.environment });
} finally {
  for (const stop of stops.reverse()) await stop();
}

function startDatabase() {
  const { url, stop } = TEST_DATABASE_URL ? { url: TEST_DATABASE_URL, stop: () => undefined } : startPostgres();
  return { environment: { TEST_DATABASE_URL: url }, stop };
}

async function startBrokers(): Promise<Brokers> {
  if (REDPANDA_BROKERS === undefined) return startKafka();
  return { environment: { TEST_REDPANDA_BROKERS: REDPANDA_BROKERS }, stop: async () => undefined };
}

function runVitest({ REDPANDA_BROKERS: _, ...env }: NodeJS.ProcessEnv): Promise<number> {
  const vitest = spawn("npx", ["vitest", "run", ...suites[service], ...given], { env, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    vitest.once("error", reject);
    vitest.once("close", (code) => resolve(code ?? 1));
  });
}
