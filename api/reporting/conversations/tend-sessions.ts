import type { ConfigParts } from "../../config/open-config.ts";
import { repeat } from "../../process/repeat.ts";
import { sweepSessions } from "./session-rows.ts";

const hourMs = 60 * 60 * 1000;

/** Deletes sessions that are too old, every hour; several processes may do it side by side. */
export function tendSessions({ database, clock, closers, onTrouble }: ConfigParts): void {
  const work = () => database.transaction((db) => sweepSessions(db, clock.now()));
  closers.add("sweep of sessions", repeat({ clock, everyMs: hourMs, work, onTrouble: onTrouble("assistant") }));
}
