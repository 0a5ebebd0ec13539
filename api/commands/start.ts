import { resolve } from "node:path";
import type { Logger } from "pino";
import type { PlatformOptions, Process } from "../compose.ts";
import { DataFileError } from "../data-dir/data-file-error.ts";
import { openLogger } from "../logging/logger.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { runCommand } from "./command.ts";
import { createStopSignal, untilStopped } from "./stop-signal.ts";

const usage = `npm start
npm start -- --on DIR

Runs the platform, or with ROLES a part of it, until it is stopped. SIGTERM and Ctrl+C finish the
work in progress first. Log lines are JSON on standard error. The first API key of an empty DATA_DIR
is made by npm run keys.

  --on DIR   serves the API and the page over a folder of npm run fixtures instead, read-only;
             prints the address and a key. Of the settings count HOST, PORT, LOG_LEVEL, TRUST_PROXY,
             PUBLIC_URL, those of the assistant and its model, of metrics and of rate limits.

It fails when it cannot start or cannot go on.`;

/**
 * Runs the process until it is stopped, and ends it: with 0 when it was stopped, also while it was opening, and with 1 when
 * it cannot start or go on. Everything on standard error is a line of JSON, Node's own warnings too.
 */
async function runService(): Promise<never> {
  let log = openLogger("info");
  // Replaces the listener that prints them as text.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.logger.warn({ err: warning }, `Node.js warns: ${warning.message}`));
  const end = (error: unknown): never => {
    log.close();
    if (error instanceof DataFileError) log.logger.fatal({ file: error.file }, error.message);
    else log.logger.fatal({ err: error }, error instanceof Error ? error.message : String(error));
    process.exit(1);
  };
  process.on("uncaughtException", end);
  try {
    const settings = readSettings(process.env);
    log = openLogger(settings.LOG_LEVEL);
    await serveUntilStopped(settings, log.logger);
  } catch (error) {
    end(error);
  }
  log.close();
  // A part may have left something open, such as a connection that does not answer.
  process.exit(0);
}

async function serveUntilStopped(settings: Settings, logger: Logger): Promise<void> {
  const stop = createStopSignal((text) => logger.info(text));
  try {
    const running = await openProcess(settings, { logger, stop });
    try {
      const url = await running.listen();
      logger.info({ url, roles: settings.ROLES }, `Trunkline serves ${url} (${settings.ROLES.join(", ")})`);
      await untilStopped(stop, running);
    } finally {
      await running.stop();
    }
  } catch (error) {
    if (error !== stop.reason) throw error;
  }
}

/** Opens the API with everything beside it, or a worker, by the roles of the settings. */
async function openProcess(
  settings: Settings,
  options: Required<Pick<PlatformOptions, "logger" | "stop">>,
): Promise<Process> {
  // Imported late, so that warnings of loading it are logged as JSON, too.
  const { startPlatform, startWorker } = await import("../compose.ts");
  return (settings.ROLES.includes("api") ? startPlatform : startWorker)(settings, {
    ...options,
    warehouseThread: true,
  });
}

await runCommand({
  usage,
  options: { on: { type: "string" } },
  reads: ["service"],
  // A part may have left something open, such as a connection that does not answer.
  exits: true,
  async run({ values: { on } }) {
    if (on === undefined) return runService();
    const { serveFixtures } = await import("./serve-fixtures.ts");
    await serveFixtures(resolve(on));
  },
});
