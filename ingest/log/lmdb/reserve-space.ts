import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { LogError } from "../log.ts";
import type { Store } from "./store.ts";

/** Space in addition to messages: tree pages, free pages and pages that retention rewrites. */
const slackBytes = 2 * 1024 * 1024;
const timesMessages = 4;
const chunk = Buffer.alloc(512 * 1024);

/**
 * Gives the file room on the disk before a transaction needs it. For the engine must meet no full disk: where a page
 * cannot be written, LMDB as lmdb-js brings it writes over memory of the process, which ends a moment later. Only within a
 * write transaction, as no other process writes then; throws `log_unavailable` where there is no room.
 */
export function reserveSpace({ dir, root }: Store, bytes: number): void {
  const { lastPageNumber, pageSize } = root.getStats() as {
    readonly lastPageNumber: number;
    readonly pageSize: number;
  };
  const needed = (lastPageNumber + 1) * pageSize + timesMessages * bytes + slackBytes;
  const path = join(dir, "data.mdb");
  let { size } = statSync(path);
  if (size >= needed) return;
  const file = openSync(path, "r+");
  try {
    while (size < needed) size += writeSync(file, chunk, 0, chunk.length, size);
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new LogError(
      "log_unavailable",
      `The log in ${dir} has no room: ${text}. Nothing of it counts as published; make room on the disk, then try again.`,
      { cause },
    );
  } finally {
    closeSync(file);
  }
}
