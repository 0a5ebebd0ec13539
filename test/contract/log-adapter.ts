import { afterEach, beforeEach } from "vitest";
import type { EventLog } from "../../ingest/log/log.ts";

/** Storage for one test, empty at first. */
export interface LogStorage {
  /** Opens the log on this storage, again after it was closed. */
  open(options?: { maxMessageBytes: number }): Promise<EventLog>;
  remove(): Promise<void>;
}

export interface LogAdapter {
  readonly name: string;
  readonly partitions: number;
  makeStorage(): Promise<LogStorage>;
}

/** Opens a log for each test; `reopen` closes it and opens it again. */
export function openForEach(adapter: LogAdapter, options?: { maxMessageBytes: number }) {
  const opened: { log?: EventLog; storage?: LogStorage } = {};
  const log = (): EventLog => {
    if (!opened.log) throw new Error("The log is open only while a test runs.");
    return opened.log;
  };
  const open = async () => {
    const next = await opened.storage?.open(options);
    if (next) opened.log = next;
  };
  beforeEach(async () => {
    opened.storage = await adapter.makeStorage();
    await open();
  });
  afterEach(async () => {
    await opened.log?.close();
    await opened.storage?.remove();
  });
  const reopen = async () => {
    await log().close();
    await open();
  };
  return { log, reopen };
}
