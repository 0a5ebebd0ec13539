import { countRows, type MessageTable, messageTables } from "../../warehouse/stored-messages.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import type { Database, DatabaseRow } from "../database/database.ts";
import { type CarriedTable, carriedTables, countOf, insertRow } from "./config-tables.ts";
import { readGzipLines } from "./gzip-lines.ts";
import { importPast } from "./import-past.ts";
import { configFile, historyFile, type Manifest, readManifest } from "./manifest.ts";
import { countedTables } from "./sources.ts";

export interface ImportOptions {
  readonly warehouse: Warehouse;
  readonly database: Database;
  readonly folder: string;
  /** Messages of history stored so far, and how many there are. */
  onProgress?(stored: number, total: number): void;
  /** Ends it between two inserts; the next run goes on there. */
  readonly signal?: AbortSignal;
}

/** One table, here and where it came from. */
export interface Compared {
  readonly table: string;
  readonly exported: number;
  readonly imported: number;
}

/**
 * Brings an export into the stores of another installation, which has no organizations of its own. What was brought in
 * before stays: config by its keys, history by its place in the file, which the warehouse keeps as it does the log's.
 * Returns both sides' counts; throws in words when it cannot.
 */
export async function importAll(options: ImportOptions): Promise<readonly Compared[]> {
  const manifest = readManifest(options.folder);
  if (manifest?.complete !== true) {
    throw new Error(
      `${options.folder} holds no complete export: run npm run export -- --to ${options.folder} to its end.`,
    );
  }
  const missing = Object.keys(carriedTables).find((table) => !Object.hasOwn(manifest.config ?? {}, table));
  if (missing !== undefined) {
    const again = "export again with the version that imports";
    throw new Error(`${options.folder} was exported by an earlier version, which had no ${missing}: ${again}.`);
  }
  await requireOwn(options, manifest);
  await importConfig(options, manifest);
  await importPast(options, manifest);
  await importHistory(options, manifest);
  return compare(options, manifest);
}

const rowsPerTransaction = 200;

/** Of an import that was broken off there may be some, and of nobody else. */
async function requireOwn({ database, folder }: ImportOptions, manifest: Manifest): Promise<void> {
  const own = new Set<string>();
  for await (const { table, row } of configRows(folder, manifest))
    if (table === "organizations") own.add(String(row["id"]));
  const there = await database.query("SELECT id, name FROM organizations");
  const other = there.find(({ id }) => !own.has(String(id)));
  if (other === undefined) return;
  throw new Error(
    `The installation to import into has an organization already, ${other["name"]} (${other["id"]}): begin with an empty one.`,
  );
}

async function* configRows(folder: string, { files }: Manifest) {
  for await (const line of readGzipLines(configFile(folder), files["config"]?.bytes ?? 0))
    yield JSON.parse(line) as { readonly table: string; readonly row: DatabaseRow };
}

async function importConfig({ database, folder }: ImportOptions, manifest: Manifest): Promise<void> {
  let batch: { readonly table: CarriedTable; readonly row: DatabaseRow }[] = [];
  const organizations: string[] = [];
  const write = async () => {
    const rows = batch;
    batch = [];
    await database.transaction(async (db) => {
      for (const { table, row } of rows) await insertRow(db, table, row);
    });
  };
  for await (const { table, row } of configRows(folder, manifest)) {
    if (!(table in carriedTables)) continue;
    if (table === "organizations") organizations.push(String(row["id"]));
    batch.push({ table: table as CarriedTable, row });
    if (batch.length === rowsPerTransaction) await write();
  }
  await write();
  // Processes that run already read what has come.
  for (const type of ["organization", "api_key"])
    await database.announce(organizations.map((orgId) => ({ orgId, type, id: orgId })));
}

/** No log has as many partitions: so the places in the files stand beside those in the log. */
const firstPartition = 1_000_000;
const mostMessages = 5000;
const mostLength = 16 * 1024 * 1024;

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

/** Yields how many of the lines are stored. */
async function* storeLines(
  warehouse: Warehouse,
  { table: { topic }, partition, from }: Target,
  lines: AsyncIterable<string>,
): AsyncGenerator<number> {
  let place = 0;
  let values: string[] = [];
  let length = 0;
  const store = async () => {
    await warehouse.store({ topic, partition, firstOffset: place - values.length, nextOffset: place, values });
    values = [];
    length = 0;
    return place;
  };
  for await (const line of lines) {
    place += 1;
    if (place <= from) continue;
    values.push(line);
    length += line.length;
    if (values.length === mostMessages || length > mostLength) yield await store();
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
