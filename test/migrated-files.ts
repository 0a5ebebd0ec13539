import { constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fingerprint, stateFileName, storedFiles, writeStoreStates } from "../api/data-dir/stored-files.ts";
import type { DuckdbFile } from "../warehouse/engine-duckdb.ts";
import type { GuardedWarehouse } from "../warehouse/guarded/guarded.ts";
import { openDuckdbWarehouse } from "../warehouse/warehouse-duckdb.ts";

let made: Promise<string> | undefined;

/** A file of the embedded warehouse with its tables and no row, made once in a process; it goes with it. */
export const migratedWarehouse = (): Promise<string> => {
  made ??= migrate();
  return made;
};

async function migrate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-migrated-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "warehouse.duckdb");
  await (await openDuckdbWarehouse({ path })).close();
  return path;
}

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
      await warehouse.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Gives a platform that opens an empty folder the warehouse that it would make there: its migrations are the same each
 * time, and were a third of what it costs to start and stop one. That they run from nothing is tested where commands
 * start platforms, and where stores are opened by themselves.
 */
export async function copyMigrated(dataDir: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const isKept = settings["CLICKHOUSE_URL"] === undefined && settings["ANALYTICS"] !== "false";
  mkdirSync(dataDir, { recursive: true });
  const to = join(dataDir, "warehouse.duckdb");
  if (isKept && !existsSync(to)) copyFileSync(await migratedWarehouse(), to, constants.COPYFILE_EXCL);
  // As if a platform had closed them: what is known to be untouched is not read as a whole.
  const there = storedFiles.filter(({ name }) => existsSync(join(dataDir, name)));
  if (existsSync(join(dataDir, stateFileName))) return;
  writeStoreStates(dataDir, Object.fromEntries(there.map((file) => [file.name, fingerprint(dataDir, file)])));
}
