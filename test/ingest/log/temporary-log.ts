import { onTestFinished } from "vitest";
import type { EventLog } from "../../../ingest/log/log.ts";
import { type LmdbLogOptions, openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import { makeTemporaryDirectory } from "../../temporary-directory.ts";

type Options = Omit<LmdbLogOptions, "dir">;

/** A log in a directory of its own; all that is opened is closed and removed after the test. */
export async function openTemporaryLog(options: Options = {}) {
  const directory = await makeTemporaryDirectory();
  const opened: EventLog[] = [];
  onTestFinished(async () => {
    await Promise.all(opened.map((log) => log.close()));
    await directory.remove();
  });
  const reopen = async (again: Options = options): Promise<EventLog> => {
    const log = await openLmdbLog({ dir: directory.path, ...again });
    opened.push(log);
    return log;
  };
  return { dir: directory.path, log: await reopen(), reopen };
}
