import { mkdirSync } from "node:fs";
import { type Clock, systemClock } from "../../ingest/clock.ts";
import type { EventLog } from "../../ingest/log/log.ts";
import { countRows } from "../../warehouse/stored-messages.ts";
import { loadedTopics } from "../../warehouse/tables.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { openDatabase, openLog, openWarehouse } from "../adapters.ts";
import type { Database } from "../database/database.ts";
import type { Settings } from "../settings/settings.ts";
import { type ExportedTable, exportedTables, rowsOf } from "./config-tables.ts";
import { drainInstallation } from "./drain.ts";
import { appendLines } from "./gzip-lines.ts";
import { countedTables, historyTables } from "./history-tables.ts";
import { configFile, historyFile, type Manifest, readManifest, writeManifest } from "./manifest.ts";

export interface ExportOptions {
  readonly log: Pick<EventLog, "ends">;
  readonly warehouse: Pick<Warehouse, "query" | "position">;
  readonly database: Database;
  readonly folder: string;
  /** Time at which the warehouse's clock stands still: rows that retention hides meanwhile are counted and written. */
  readonly at: Date;
  /** Called with the rows of history written so far and their total. */
  onProgress?(written: number, total: number): void;
  /** Stops the export between two pages; the next run resumes there. */
  readonly signal?: AbortSignal;
}

export interface ExportInstallationOptions extends Pick<ExportOptions, "folder" | "onProgress" | "signal"> {
  readonly clock?: Clock;
}

export interface Exported extends Manifest {
  /** Calls that had not ended: their history up to now is exported, and nobody continues them. */
  readonly callsInProgress: number;
}

/**
 * Drains the installation of these settings and writes config and history into a folder. A folder that holds part of an
 * export is resumed without draining: that would make it an export of another state.
 */
export async function exportInstallation(
  settings: Settings,
  { clock = systemClock, ...options }: ExportInstallationOptions,
): Promise<Exported> {
  if (!settings.ANALYTICS) throw new Error("There is no history to export: ANALYTICS is false in this installation.");
  const startedAt = readManifest(options.folder)?.at;
  if (startedAt === undefined) await drainInstallation(settings, { clock, signal: options.signal });
  const at = startedAt === undefined ? new Date(clock.now()) : new Date(startedAt);
  // Retention moves with the day: with a moving clock, rows that were counted could be hidden before they are written.
  const stoppedClock = { ...clock, now: () => at.getTime() };
  const opened: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(store: T): T => {
    opened.unshift(store);
    return store;
  };
  try {
    const database = keep(await openDatabase(settings, { clock }));
    const warehouse = keep(await openWarehouse(settings, { clock: stoppedClock, leavesRetention: true }));
    const log = keep(await openLog(settings, { clock }));
    const manifest = await exportAll({ log, warehouse, database, at, ...options });
    return { ...manifest, callsInProgress: await countCallsInProgress(database) };
  } finally {
    for (const store of opened) await store.close();
  }
}

async function countCallsInProgress(database: Database): Promise<number> {
  const [row] = await database.query("SELECT count(*) AS calls FROM open_calls WHERE (doc->>'state') <> 'ended'");
  return Number(row?.["calls"] ?? 0);
}

/**
 * Writes config and history of a stopped installation into a folder. A stopped run is resumed as long as nothing has
 * happened in between. Throws when the export cannot be complete.
 */
export async function exportAll(options: ExportOptions): Promise<Manifest> {
  const { folder, onProgress, signal } = options;
  await requireEmptyOutbox(options.database);
  const state = await stateOf(options);
  const known = readManifest(folder);
  if (known !== null && known.state !== state) {
    throw new Error(
      `${folder} holds an export from another time or installation, and the two would not fit together: choose an empty folder.`,
    );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let manifest = known ?? (await createManifest(options, state));
  if (manifest.config === null) manifest = await exportConfig(options, manifest);
  const total = historyTables.reduce((sum, { table }) => sum + (manifest.history[table] ?? 0), 0);
  for (const { table: name, read } of historyTables) {
    const path = historyFile(folder, name);
    const start = manifest.files[name] ?? { rows: 0, bytes: 0, place: null };
    for await (const { values, place } of read(options.warehouse, start)) {
      const done = manifest.files[name] ?? start;
      const bytes = await appendLines(path, done.bytes, values);
      manifest = {
        ...manifest,
        files: { ...manifest.files, [name]: { rows: done.rows + values.length, bytes, place } },
      };
      writeManifest(folder, manifest);
      onProgress?.(writtenOf(manifest), total);
      if (signal?.aborted) return manifest;
    }
  }
  requireComplete(manifest);
  manifest = { ...manifest, complete: true };
  writeManifest(folder, manifest);
  return manifest;
}

const writtenOf = ({ files }: Manifest): number => Object.values(files).reduce((sum, { rows }) => sum + rows, 0);

const finishFirst = "start the platform, let it finish, and stop it again.";

/** Throws while the database holds events of calls that are not published to the log. */
async function requireEmptyOutbox(database: Database): Promise<void> {
  const [row] = await database.query("SELECT count(*) AS calls FROM open_calls WHERE untold IS NOT NULL");
  const calls = Number(row?.["calls"] ?? 0);
  if (calls > 0) throw new Error(`Events of ${calls} calls are not published to the log yet: ${finishFirst}`);
}

/**
 * Returns how far the warehouse has stored the log, and how many signals the log has: both move whenever anything
 * happens. Throws while messages wait to be stored.
 */
async function stateOf({ log, warehouse }: ExportOptions): Promise<string> {
  const state = (await log.ends("call-signals")).map((end, partition) => `call-signals:${partition}:${end}`);
  let waiting = 0;
  for (const topic of loadedTopics) {
    for (const [partition, end] of (await log.ends(topic)).entries()) {
      const stored = await warehouse.position(topic, partition);
      waiting += Math.max(0, end - stored);
      state.push(`${topic}:${partition}:${stored}`);
    }
  }
  if (waiting === 0) return state.join(" ");
  throw new Error(`${waiting} messages of the log are not stored yet: ${finishFirst}`);
}

async function createManifest({ warehouse, at }: ExportOptions, state: string): Promise<Manifest> {
  const history: Record<string, number> = {};
  for (const table of countedTables) history[table] = await countRows(warehouse, table);
  return { format: 1, state, at: at.toISOString(), complete: false, config: null, history, files: {} };
}

const linesPerMember = 500;

/** Writes all config tables; a run that was stopped on the way starts them over, as they are small. */
async function exportConfig({ database, folder }: ExportOptions, manifest: Manifest): Promise<Manifest> {
  const config: Record<string, number> = {};
  let lines: string[] = [];
  let bytes = await appendLines(configFile(folder), 0, []);
  for (const table of Object.keys(exportedTables) as ExportedTable[]) {
    config[table] = 0;
    for await (const row of rowsOf(database, table)) {
      config[table] += 1;
      if (lines.push(JSON.stringify({ table, row })) < linesPerMember) continue;
      bytes = await appendLines(configFile(folder), bytes, lines);
      lines = [];
    }
  }
  bytes = await appendLines(configFile(folder), bytes, lines);
  const rows = Object.values(config).reduce((sum, each) => sum + each, 0);
  const next = { ...manifest, config, files: { ...manifest.files, config: { rows, bytes, place: null } } };
  writeManifest(folder, next);
  return next;
}

function requireComplete({ history, files }: Manifest): void {
  for (const { table } of historyTables) {
    const [written, counted] = [files[table]?.rows ?? 0, history[table] ?? 0];
    if (written === counted) continue;
    throw new Error(
      `${table} had ${counted} rows when the export began and ${written} were written: export into an empty folder.`,
    );
  }
}
