import { constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDuckdb } from "../sql/duckdb.ts";

let made: Promise<string> | undefined;

/** One file of each embedded store with its tables and no row, made once in a process; they go with it. */
const migratedFiles = (): Promise<string> => {
  made ??= migrate();
  return made;
};

const stores = ["warehouse", "config"] as const;

async function migrate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-migrated-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const store of stores) (await openDuckdb(join(folder, `${store}.duckdb`), store, { threads: 1 })).closeSync();
  return folder;
}

/**
 * Gives a platform that opens an empty folder the stores that it would make there: its migrations are the same each
 * time, and were a third of what it costs to start and stop one. That they run from nothing is tested where commands
 * start platforms, and where stores are opened by themselves.
 */
export async function copyMigrated(dataDir: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const keeps = {
    warehouse: settings["CLICKHOUSE_URL"] === undefined && settings["ANALYTICS"] !== "false",
    config: settings["DATABASE_URL"] === undefined,
  };
  const from = await migratedFiles();
  mkdirSync(dataDir, { recursive: true });
  for (const store of stores) {
    const to = join(dataDir, `${store}.duckdb`);
    if (keeps[store] && !existsSync(to)) {
      copyFileSync(join(from, `${store}.duckdb`), to, constants.COPYFILE_EXCL);
    }
  }
}
