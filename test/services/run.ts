import { spawn } from "node:child_process";
import { startPostgres } from "./postgres.ts";

/** Suites that do more, or the same by other means, where the services are there. */
const suites = ["test/api/config/", "test/api/serve/", "test/api/telephony/", "test/api/webhooks/history.test.ts"];

const { TEST_DATABASE_URL } = process.env;
const postgres = TEST_DATABASE_URL ? { url: TEST_DATABASE_URL, stop: () => undefined } : startPostgres();
// A terminal's Ctrl-C reaches vitest too: it ends, then the server is stopped.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
try {
  process.exitCode = await runVitest({ ...process.env, TEST_DATABASE_URL: postgres.url });
} finally {
  postgres.stop();
}

function runVitest(env: NodeJS.ProcessEnv): Promise<number> {
  const vitest = spawn("npx", ["vitest", "run", ...suites, ...process.argv.slice(2)], { env, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    vitest.once("error", reject);
    vitest.once("close", (code) => resolve(code ?? 1));
  });
}
