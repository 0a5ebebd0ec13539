import { mkdirSync } from "node:fs";
import type { EventLog } from "../../ingest/log/log.ts";
import { countRows } from "../../warehouse/stored-messages.ts";
import { loadedTopics } from "../../warehouse/tables.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import type { Database } from "../database/database.ts";
import { type CarriedTable, carriedTables, rowsOf } from "./config-tables.ts";
import { appendLines } from "./gzip-lines.ts";
import { configFile, historyFile, type Manifest, readManifest, writeManifest } from "./manifest.ts";
import { countedTables, sources } from "./sources.ts";

export interface ExportOptions {
  readonly log: Pick<EventLog, "ends">;
  readonly warehouse: Pick<Warehouse, "query" | "position">;
  readonly database: Database;
  readonly folder: string;
  /** Where the warehouse's clock stands still: rows that are hidden in the meantime are counted and written. */
  readonly at: Date;
  /** Rows of history written so far, and how many there are. */
  onProgress?(written: number, total: number): void;
  /** Ends it between two pages; the next run goes on there. */
  readonly signal?: AbortSignal;
}

/**
 * Writes config and history of an installation that is not running into a folder. A run that was stopped is gone on with
 * as long as nothing has happened in between. Throws in words when it cannot be whole.
 */
export async function exportAll(options: ExportOptions): Promise<Manifest> {
  const { folder, onProgress, signal } = options;
  await requireTold(options.database);
  const state = await stateOf(options);
  const known = readManifest(folder);
  if (known !== null && known.state !== state) {
    throw new Error(
      `${folder} holds an export from another time or installation, and the two would not fit together: choose an empty folder.`,
    );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let manifest = known ?? (await begin(options, state));
  if (manifest.config === null) manifest = await exportConfig(options, manifest);
  const total = sources.reduce((sum, { table }) => sum + (manifest.history[table] ?? 0), 0);
  for (const { table: name, read } of sources) {
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
  requireWhole(manifest);
  manifest = { ...manifest, complete: true };
  writeManifest(folder, manifest);
  return manifest;
}

const writtenOf = ({ files }: Manifest): number => Object.values(files).reduce((sum, { rows }) => sum + rows, 0);

const finishFirst = "start the platform, let it finish, and stop it again.";

/** Throws while what a call has brought about is in the database alone. */
async function requireTold(database: Database): Promise<void> {
  const [row] = await database.query("SELECT count(*) AS calls FROM open_calls WHERE untold IS NOT NULL");
  const calls = Number(row?.["calls"] ?? 0);
  if (calls > 0) throw new Error(`What ${calls} calls have told is not in the log yet: ${finishFirst}`);
}

/**
 * How far the warehouse has stored the log, and how many signals that has: they move whenever anything happens. Throws
 * while something waits to be stored.
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

async function begin({ warehouse, at }: ExportOptions, state: string): Promise<Manifest> {
  const history: Record<string, number> = {};
  for (const table of countedTables) history[table] = await countRows(warehouse, table);
  return { format: 1, state, at: at.toISOString(), complete: false, config: null, history, files: {} };
}

const linesPerMember = 500;

/** All anew: it is small. */
async function exportConfig({ database, folder }: ExportOptions, manifest: Manifest): Promise<Manifest> {
  const config: Record<string, number> = {};
  let lines: string[] = [];
  let bytes = await appendLines(configFile(folder), 0, []);
  for (const table of Object.keys(carriedTables) as CarriedTable[]) {
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

function requireWhole({ history, files }: Manifest): void {
  for (const { table } of sources) {
    const [written, there] = [files[table]?.rows ?? 0, history[table] ?? 0];
    if (written === there) continue;
    throw new Error(
      `${table} had ${there} rows when the export began and ${written} were written: export into an empty folder.`,
    );
  }
}
