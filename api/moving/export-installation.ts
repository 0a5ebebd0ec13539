import { type Clock, systemClock } from "../../ingest/clock.ts";
import type { Database } from "../database/database.ts";
import { openDatabase, openLog, openWarehouse } from "../open-stores.ts";
import type { Settings } from "../settings/settings.ts";
import { type ExportOptions, exportAll } from "./export.ts";
import { finishAccepted } from "./finish.ts";
import { type Manifest, readManifest } from "./manifest.ts";

export interface ExportInstallationOptions extends Pick<ExportOptions, "folder" | "onProgress" | "signal"> {
  readonly clock?: Clock;
}

export interface Exported extends Manifest {
  /** Calls that had not ended: their history is there up to now, and nobody goes on with them. */
  readonly callsInProgress: number;
}

/**
 * Finishes what the installation of these settings has accepted, and writes all into a folder. One that holds a part of
 * an export already is gone on with as it is: finishing anything more would make it another state's.
 */
export async function exportInstallation(
  settings: Settings,
  { clock = systemClock, ...options }: ExportInstallationOptions,
): Promise<Exported> {
  if (!settings.ANALYTICS) throw new Error("There is no history to export: ANALYTICS is false in this installation.");
  const begun = readManifest(options.folder)?.at;
  if (begun === undefined) await finishAccepted(settings, { clock, signal: options.signal });
  const at = begun === undefined ? new Date(clock.now()) : new Date(begun);
  // What is shown moves with the day, and would move between what was counted and what is written.
  const still = { ...clock, now: () => at.getTime() };
  const opened: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(store: T): T => {
    opened.unshift(store);
    return store;
  };
  try {
    const database = keep(await openDatabase(settings, { clock }));
    const warehouse = keep(await openWarehouse(settings, { clock: still, leavesRetention: true }));
    const log = keep(await openLog(settings, { clock }));
    const manifest = await exportAll({ log, warehouse, database, at, ...options });
    return { ...manifest, callsInProgress: await countInProgress(database) };
  } finally {
    for (const store of opened) await store.close();
  }
}

async function countInProgress(database: Database): Promise<number> {
  const [row] = await database.query("SELECT count(*) AS calls FROM open_calls WHERE (doc->>'state') <> 'ended'");
  return Number(row?.["calls"] ?? 0);
}
