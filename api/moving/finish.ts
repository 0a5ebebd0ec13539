import { type Clock, systemClock } from "../../ingest/clock.ts";
import type { EventLog, Topic } from "../../ingest/log/log.ts";
import { loadedTopics } from "../../warehouse/tables.ts";
import { type PlatformOptions, type Process, startPlatform, startWorker } from "../compose.ts";
import { openLogger } from "../process/logger.ts";
import type { Role } from "../settings/roles.ts";
import type { Settings } from "../settings/settings.ts";
import { createWatch, type Reading } from "./watch.ts";

const lookEveryMs = 50;
/** Six times what it takes a group to miss a process that died. */
const assignedWithinMs = 60_000;

interface Stage {
  readonly roles: readonly Role[];
  start(settings: Settings, options: PlatformOptions): Promise<Process>;
  readonly readings: readonly Reading[];
}

const readingOf = (group: string, topic: Topic): Reading => ({ group, topic });

/**
 * One after the other, so that nothing is added behind whoever has finished: what was accepted goes to the log and is
 * folded, webhooks are told of it or wait in the database, and all of that is stored.
 */
const stages: readonly Stage[] = [
  { roles: ["api", "lifecycle"], start: startPlatform, readings: [readingOf("lifecycle", "call-signals")] },
  { roles: ["deliver"], start: startWorker, readings: [readingOf("deliver", "call-events")] },
  { roles: ["load"], start: startWorker, readings: loadedTopics.map((topic) => readingOf("loader", topic)) },
];

const othersRead = (roles: readonly Role[]) =>
  new Error(`Another process does ${roles.join(" or ")} here: stop all processes of the installation first.`);

export interface FinishOptions {
  readonly clock?: Clock;
  /** Ends it early; what was finished by then stays so. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does what an installation that is not running has accepted and not finished, as its processes would, but takes nothing
 * new. Throws when a part of it cannot go on, or when it was ended.
 */
export async function finishAccepted(
  settings: Settings,
  { clock = systemClock, signal }: FinishOptions = {},
): Promise<void> {
  for (const { roles, start, readings } of stages) {
    signal?.throwIfAborted();
    const watch = createWatch(readings);
    const { logger } = openLogger(settings.LOG_LEVEL === "silent" ? "silent" : "error");
    const through = (log: EventLog) => watch.through(log);
    const process = await start({ ...settings, ROLES: [...roles] }, { clock, logger, through, leavesRetention: true });
    const failed = process.failure.then((error) => Promise.reject(error));
    failed.catch(() => undefined);
    try {
      const begun = clock.now();
      while (!(await Promise.race([watch.isAtEnd(), failed]))) {
        signal?.throwIfAborted();
        if (clock.now() - begun > assignedWithinMs && !(await watch.isReading())) throw othersRead(roles);
        await clock.sleep(lookEveryMs, signal);
      }
    } finally {
      await process.stop();
    }
  }
}
