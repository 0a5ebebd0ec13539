import type { Parts } from "../../parts.ts";
import { repeat } from "../../process/repeat.ts";
import { createNoticeBoard, type NoticeBoard } from "./notice-board.ts";

/**
 * Between two rounds of a process. What one tells, it tells within such a time, and another one hears it within the next:
 * some 400 ms, and as long as the database takes.
 */
const roundEveryMs = 200;

/** The notices of processes that share a database; null for one that has its own. */
export function createSharedBoard({ settings, database, clock, metrics, onTrouble }: Parts): NoticeBoard | null {
  if (settings.DATABASE_URL === undefined) return null;
  return createNoticeBoard({ database, clock, onTrouble: onTrouble("notices"), onExchanged: metrics.exchanged });
}

/** Begins when all who listen do: before it asks anybody, the process has heard what the others know. */
export async function exchangeNotices(board: NoticeBoard, { clock, closers, onTrouble }: Parts): Promise<void> {
  closers.add("notice board", board);
  await board.round();
  closers.add("notices", repeat({ clock, everyMs: roundEveryMs, work: board.round, onTrouble: onTrouble("notices") }));
}
