import { systemClock } from "../../ingest/clock.ts";
import { sql } from "../../warehouse/statement.ts";
import { openDatabase, openWarehouse } from "../open-stores.ts";
import type { Settings } from "../settings/settings.ts";
import { type Compared, type ImportOptions, importAll } from "./import.ts";

const deps = { clock: systemClock };

/**
 * Imports a folder into the installation of these settings. All that comes in is counted on both sides, also what the
 * installation will not show, so its retention is set when that is done. An import that was stopped leaves it unset:
 * nothing is deleted that the next run counts.
 */
export async function importInstallation(
  settings: Settings,
  options: Omit<ImportOptions, "warehouse" | "database">,
): Promise<readonly Compared[]> {
  const database = await openDatabase(settings, deps);
  try {
    const keepAll = { ...settings, WAREHOUSE_RETENTION_DAYS: undefined };
    const compared = await withWarehouse(keepAll, (warehouse) => importAll({ ...options, warehouse, database }));
    // What is asked first sets it, where opening did not.
    await withWarehouse(settings, (warehouse) => warehouse.query(sql`SELECT 1 AS one`));
    return compared;
  } finally {
    await database.close();
  }
}

async function withWarehouse<T>(settings: Settings, work: (warehouse: ImportOptions["warehouse"]) => Promise<T>) {
  const warehouse = await openWarehouse(settings, deps);
  try {
    return await work(warehouse);
  } finally {
    await warehouse.close();
  }
}
