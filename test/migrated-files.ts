import { constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fingerprint, stateFileName, storedFiles, writeStoreStates } from "../api/data-dir/stored-files.ts";
import { embeddedFile, openSqliteDatabase } from "../api/database/database-sqlite.ts";
import type { DuckdbFile } from "../warehouse/engine-duckdb.ts";
import type { GuardedWarehouse } from "../warehouse/guarded/guarded.ts";
import { raw } from "../warehouse/statement.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { openDuckdbWarehouse } from "../warehouse/warehouse-duckdb.ts";

let made: Promise<{ readonly warehouse: string; readonly database: string }> | undefined;

/** Files of the embedded stores with their tables and no row, made once in a process; they go with it. */
const migratedFiles = () => {
  made ??= migrate();
  return made;
};

async function migrate() {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-migrated-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const warehouse = join(folder, "warehouse.duckdb");
  await (await openDuckdbWarehouse({ path: warehouse })).close();
  await (await openSqliteDatabase(embeddedFile(folder))).close();
  return { warehouse, database: embeddedFile(folder).path };
}

/** A file of the embedded warehouse with its tables and no row. */
export const migratedWarehouse = async (): Promise<string> => (await migratedFiles()).warehouse;

/**
 * Opens an embedded warehouse without a row, in a file that goes with it: to copy one costs a thirtieth of making its
 * tables in memory.
 */
export async function openEmptyWarehouse(options: Omit<DuckdbFile, "path"> = {}): Promise<GuardedWarehouse> {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-warehouse-"));
  const path = join(folder, "warehouse.duckdb");
  copyFileSync(await migratedWarehouse(), path);
  const warehouse = await openDuckdbWarehouse({ path, ...options });
  return {
    ...warehouse,
    async close() {
      await skipLastCheckpoint(warehouse);
      await warehouse.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ten milliseconds of closing a DuckDB file go into tidying it up: not for one that is deleted next. */
export const skipLastCheckpoint = (warehouse: Warehouse): Promise<unknown> =>
  warehouse.query(raw("PRAGMA disable_checkpoint_on_shutdown")).catch(() => undefined);

/**
 * Gives a platform that opens an empty folder the stores that it would make there: their migrations are the same each
 * time, and were a third of what it costs to start and stop one. That they run from nothing is tested where commands
 * start platforms, and where stores are opened by themselves.
 */
export async function copyMigrated(dataDir: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const files = await migratedFiles();
  const keepsWarehouse = settings["CLICKHOUSE_URL"] === undefined && settings["ANALYTICS"] !== "false";
  mkdirSync(dataDir, { recursive: true });
  const isNew = readdirSync(dataDir).length === 0;
  const copy = (file: string) => copyFileSync(file, join(dataDir, basename(file)), constants.COPYFILE_EXCL);
  if (isNew && settings["DATABASE_URL"] === undefined) copy(files.database);
  if (keepsWarehouse && !existsSync(join(dataDir, basename(files.warehouse)))) copy(files.warehouse);
  // As if a platform had closed them: what is known to be untouched is not read as a whole.
  const there = storedFiles.filter(({ name }) => existsSync(join(dataDir, name)));
  if (existsSync(join(dataDir, stateFileName))) return;
  writeStoreStates(dataDir, Object.fromEntries(there.map((file) => [file.name, fingerprint(dataDir, file)])));
}
