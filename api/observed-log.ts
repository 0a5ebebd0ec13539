import type { EventLog, NewMessage } from "../ingest/log/log.ts";
import { type Place, watchProgress } from "../ingest/log/progress.ts";
import { logSystemOf, openLog } from "./adapters.ts";
import { logDeadLetters, logGroupEvents } from "./logging/event-log.ts";
import { createBacklog } from "./metrics/backlog.ts";
import { startBackgroundTask } from "./process/background-task.ts";
import type { ProcessContext } from "./process/context.ts";
import { tracePublishing } from "./tracing/trace-publishing.ts";

/**
 * Opens the log that the settings name, for all parts of a process: what is published and how far its consumers are shows in
 * metrics, log lines and traces.
 */
export async function openObservedLog(
  parts: Omit<ProcessContext, "log">,
  through: (log: EventLog) => EventLog,
): Promise<EventLog> {
  const { settings, clock, logger, shutdown, metrics, tracing, onTrouble } = parts;
  const deps = { clock, onTrouble: onTrouble("log"), onGroupEvent: logGroupEvents(logger) };
  const opened = shutdown.add("event log", await openLog(settings, deps));
  const traced = tracePublishing(through(opened), tracing, logSystemOf(settings));
  const { log, places } = watchProgress(observePublishing(traced, [metrics.published, logDeadLetters(logger)]));
  startBacklogTask({ ...parts, log }, places);
  return log;
}

/** Wraps the log so that the observers receive the messages that were published. */
const observePublishing = (
  log: EventLog,
  observers: readonly ((messages: readonly NewMessage[]) => void)[],
): EventLog => ({
  ...log,
  async publish(messages) {
    const positions = await log.publish(messages);
    for (const observe of observers) observe(messages);
    return positions;
  },
});

/** Half of a usual scrape interval. */
const backlogEveryMs = 5000;

function startBacklogTask({ log, clock, shutdown, metrics }: ProcessContext, places: () => readonly Place[]): void {
  const { refresh, current } = createBacklog({ log, places });
  metrics.backlogFrom(current);
  // The consumers report a log that cannot be reached.
  const onTrouble = (): void => undefined;
  shutdown.add("backlog", startBackgroundTask({ clock, everyMs: backlogEveryMs, work: refresh, onTrouble }));
}
