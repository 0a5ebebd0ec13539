import type { ConfigContext } from "../../config/open-config.ts";
import { startBackgroundTask } from "../../process/background-task.ts";
import { sweepSessions } from "./session-rows.ts";

const hourMs = 60 * 60 * 1000;

/** Deletes sessions that are too old, every hour; several processes may do it side by side. */
export function tendSessions({ database, clock, shutdown, onTrouble }: ConfigContext): void {
  const work = () => database.transaction((db) => sweepSessions(db, clock.now()));
  shutdown.add(
    "sweep of sessions",
    startBackgroundTask({ clock, everyMs: hourMs, work, onTrouble: onTrouble("assistant") }),
  );
}
