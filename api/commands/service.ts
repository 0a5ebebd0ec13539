import type { Logger } from "pino";
import type { PlatformOptions, Process } from "../compose.ts";
import { DataFileError } from "../data-dir/file-error.ts";
import { openLogger } from "../process/logger.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { createStopSignal, untilStopped } from "./stop-signal.ts";

export type OpenService = (
  settings: Settings,
  options: Required<Pick<PlatformOptions, "logger" | "stop">>,
) => Promise<Process>;

/**
 * Runs a process that serves until it is told to stop, and ends it: with 0 when it was told to, while it was opening
 * too, and with 1 when it cannot start or cannot go on. Whatever there is to say, Node's own warnings too, is a line of
 * JSON on standard error.
 */
export async function runService(open: OpenService): Promise<never> {
  let log = openLogger("info");
  // In place of the listener that prints them as text.
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
    await serveUntilStopped(settings, log.logger, open);
  } catch (error) {
    end(error);
  }
  log.close();
  // Whatever a part has left behind, such as a connection that does not answer, keeps the process no longer.
  process.exit(0);
}

async function serveUntilStopped(settings: Settings, logger: Logger, open: OpenService): Promise<void> {
  const stop = createStopSignal((text) => logger.info(text));
  try {
    const running = await open(settings, { logger, stop });
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
