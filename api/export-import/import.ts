import { systemClock } from "../../ingest/clock.ts";
import { type PastCalls, pastCallsSchema, pastCallsTable } from "../../warehouse/past-calls.ts";
import { sql } from "../../warehouse/statement.ts";
import { countRows, type MessageTable, messageTables } from "../../warehouse/stored-messages.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { openDatabase, openWarehouse } from "../adapters.ts";
import type { Database, DatabaseRow } from "../database/database.ts";
import type { Settings } from "../settings/settings.ts";
import { countOf, type ExportedTable, exportedTables, insertRow } from "./config-tables.ts";
import { readGzipLines } from "./gzip-lines.ts";
import { countedTables } from "./history-tables.ts";
import { configFile, historyFile, type Manifest, readManifest } from "./manifest.ts";

export interface ImportOptions {
  readonly warehouse: Warehouse;
  readonly database: Database;
  readonly folder: string;
  /** Called with the messages of history stored so far and their total. */
  onProgress?(stored: number, total: number): void;
  /** Stops the import between two inserts; the next run resumes there. */
  readonly signal?: AbortSignal;
}

/** Row counts of one table in the export and in the installation. */
export interface Compared {
  readonly table: string;
  readonly exported: number;
  readonly imported: number;
}

const deps = { clock: systemClock };

/**
 * Imports a folder into the installation of these settings. All rows that come in are counted on both sides, those that
 * retention will hide included, so retention is set only after the import. A stopped import leaves it unset: nothing is
 * deleted that the next run counts.
 */
export async function importInstallation(
  settings: Settings,
  options: Omit<ImportOptions, "warehouse" | "database">,
): Promise<readonly Compared[]> {
  const database = await openDatabase(settings, deps);
  try {
    const keepAll = { ...settings, WAREHOUSE_RETENTION_DAYS: undefined };
    const compared = await withWarehouse(keepAll, (warehouse) => importAll({ ...options, warehouse, database }));
    // The first query sets the retention where opening did not.
    await withWarehouse(settings, (warehouse) => warehouse.query(sql`SELECT 1 AS one`));
    return compared;
  } finally {
    await database.close();
  }
}

async function withWarehouse<T>(settings: Settings, work: (warehouse: Warehouse) => Promise<T>) {
  const warehouse = await openWarehouse(settings, deps);
  try {
    return await work(warehouse);
  } finally {
    await warehouse.close();
  }
}

/**
 * Imports an export into the stores of another installation, which has no organizations of its own. Rows imported before
 * stay: config by its keys, history by its offset in the file, which the warehouse keeps as it does the log's. Returns
 * the row counts of both sides.
 */
export async function importAll(options: ImportOptions): Promise<readonly Compared[]> {
  const manifest = readManifest(options.folder);
  if (manifest?.complete !== true) {
    throw new Error(
      `${options.folder} holds no complete export: run npm run export -- --to ${options.folder} to its end.`,
    );
  }
  const missing = Object.keys(exportedTables).find((table) => !Object.hasOwn(manifest.config ?? {}, table));
  if (missing !== undefined) {
    const again = "export again with the version that imports";
    throw new Error(`${options.folder} was exported by an earlier version, which had no ${missing}: ${again}.`);
  }
  await requireNoOtherOrganization(options, manifest);
  await importConfig(options, manifest);
  await importPastCalls(options, manifest);
  await importHistory(options, manifest);
  return compare(options, manifest);
}

/** Throws unless every organization of the installation is one of the export, left by an earlier run of the import. */
async function requireNoOtherOrganization({ database, folder }: ImportOptions, manifest: Manifest): Promise<void> {
  const exported = new Set<string>();
  for await (const { table, row } of configRows(folder, manifest))
    if (table === "organizations") exported.add(String(row["id"]));
  const existing = await database.query("SELECT id, name FROM organizations");
  const other = existing.find(({ id }) => !exported.has(String(id)));
  if (other === undefined) return;
  throw new Error(
    `The installation to import into has an organization already, ${other["name"]} (${other["id"]}): start with an empty one.`,
  );
}

async function* configRows(folder: string, { files }: Manifest) {
  for await (const line of readGzipLines(configFile(folder), files["config"]?.bytes ?? 0))
    yield JSON.parse(line) as { readonly table: string; readonly row: DatabaseRow };
}

const rowsPerTransaction = 200;

async function importConfig({ database, folder }: ImportOptions, manifest: Manifest): Promise<void> {
  let batch: { readonly table: ExportedTable; readonly row: DatabaseRow }[] = [];
  const organizations: string[] = [];
  const write = async () => {
    const rows = batch;
    batch = [];
    await database.transaction(async (db) => {
      for (const { table, row } of rows) await insertRow(db, table, row);
    });
  };
  for await (const { table, row } of configRows(folder, manifest)) {
    if (!(table in exportedTables)) continue;
    if (table === "organizations") organizations.push(String(row["id"]));
    batch.push({ table: table as ExportedTable, row });
    if (batch.length === rowsPerTransaction) await write();
  }
  await write();
  // Running processes read the imported rows.
  for (const type of ["organization", "api_key"])
    await database.notify(organizations.map((orgId) => ({ orgId, type, id: orgId })));
}

const sumsPerInsert = 5000;

/**
 * Imports the daily sums of calls hidden by retention, before the calls, so that their days are not summed up again. All
 * sums are sent in each run: rows that exist stay, and there are few.
 */
async function importPastCalls({ warehouse, folder, signal }: ImportOptions, { files }: Manifest): Promise<void> {
  let sums: PastCalls[] = [];
  const insert = async () => {
    await warehouse.takePast(sums);
    sums = [];
    signal?.throwIfAborted();
  };
  for await (const line of readGzipLines(historyFile(folder, pastCallsTable), files[pastCallsTable]?.bytes ?? 0)) {
    if (sums.push(pastCallsSchema.parse(JSON.parse(line))) === sumsPerInsert) await insert();
  }
  if (sums.length > 0) await insert();
}

/** Number of the first pseudo partition, beyond those of any log: the offsets in the files stand beside those of the log. */
const firstPartition = 1_000_000;
const maxBatchMessages = 5000;
const maxBatchLength = 16 * 1024 * 1024;

async function importHistory(options: ImportOptions, { files }: Manifest): Promise<void> {
  const { warehouse, folder, onProgress, signal } = options;
  const total = messageTables.reduce((sum, { spec }) => sum + (files[spec.table]?.rows ?? 0), 0);
  let before = 0;
  for (const [index, table] of messageTables.entries()) {
    const { rows = 0, bytes = 0 } = files[table.spec.table] ?? {};
    const partition = firstPartition + index;
    const lines = readGzipLines(historyFile(folder, table.spec.table), bytes);
    const from = await warehouse.position(table.topic, partition);
    if (from < rows) {
      for await (const stored of storeLines(warehouse, { table, partition, from }, lines)) {
        onProgress?.(before + stored, total);
        signal?.throwIfAborted();
      }
    }
    before += rows;
  }
}

interface Target {
  readonly table: MessageTable;
  readonly partition: number;
  readonly from: number;
}

/** Stores the lines from offset `from` on in batches; yields the number of lines stored after each. */
async function* storeLines(
  warehouse: Warehouse,
  { table: { topic }, partition, from }: Target,
  lines: AsyncIterable<string>,
): AsyncGenerator<number> {
  let offset = 0;
  let values: string[] = [];
  let length = 0;
  const store = async () => {
    await warehouse.store({ topic, partition, firstOffset: offset - values.length, nextOffset: offset, values });
    values = [];
    length = 0;
    return offset;
  };
  for await (const line of lines) {
    offset += 1;
    if (offset <= from) continue;
    values.push(line);
    length += line.length;
    if (values.length === maxBatchMessages || length > maxBatchLength) yield await store();
  }
  if (values.length > 0) yield await store();
}

async function compare({ warehouse, database }: ImportOptions, manifest: Manifest): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const [table, exported] of Object.entries(manifest.config ?? {}))
    compared.push({ table, exported, imported: await countOf(database, table) });
  for (const table of countedTables)
    compared.push({ table, exported: manifest.history[table] ?? 0, imported: await countRows(warehouse, table) });
  return compared;
}
