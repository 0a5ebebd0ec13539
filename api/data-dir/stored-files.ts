import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { checkLogHead } from "../../ingest/log/lmdb/walk-file.ts";
import { readJson } from "../../ingest/parse.ts";
import { checkDuckdbHead } from "../../sql/duckdb-file.ts";
import { checkSqliteHead } from "../../sql/sqlite-file.ts";
import type { Settings } from "../settings/settings.ts";

/** A store of the embedded mode: a file under `DATA_DIR`. */
export interface StoredFile {
  /** Path within `DATA_DIR`. */
  readonly name: string;
  /** Files that the engine keeps beside it, useless without it. */
  readonly beside: readonly string[];
  /** The one of those that exists while a process has the store open, and holds the latest writes. */
  readonly besideWhileOpen?: string;
  /** True if the data of the other stores belong to nobody without it. */
  readonly holdsConfig?: boolean;
  /** True if another store takes over its data at the first start that finds it: it may be gone since. */
  readonly isTakenOver?: boolean;
  /** Returns true if an installation of these settings has this store. */
  isKept(settings: Settings): boolean;
  /** Throws when the header or the length of the file is wrong. */
  checkHead(path: string): void;
  /**
   * Reads the whole file with its engine and returns the number of its rows or messages. The engine may crash the
   * process, and is loaded by this function alone.
   */
  readWhole(path: string): Promise<number>;
}

async function readTables(path: string): Promise<ReadonlyMap<string, number>> {
  const { readWholeDuckdb } = await import("../../sql/read-whole-duckdb.ts");
  return readWholeDuckdb(path);
}

/** The stores in the order in which a process creates them. */
export const storedFiles: readonly StoredFile[] = [
  {
    name: "log/data.mdb",
    beside: [],
    isKept: ({ REDPANDA_BROKERS }) => REDPANDA_BROKERS === undefined,
    checkHead: checkLogHead,
    async readWhole(path) {
      const { readWholeLog } = await import("../../ingest/log/lmdb/read-whole.ts");
      return readWholeLog(dirname(path));
    },
  },
  {
    name: "warehouse.duckdb",
    beside: ["warehouse.duckdb.wal"],
    isKept: ({ ANALYTICS, CLICKHOUSE_URL }) => ANALYTICS && CLICKHOUSE_URL === undefined,
    checkHead: checkDuckdbHead,
    async readWhole(path) {
      const tables = [...(await readTables(path))];
      // Other tables are about the warehouse itself, and a new one has some of their rows.
      return tables.reduce((sum, [table, rows]) => (table.startsWith("stored_") ? sum + rows : sum), 0);
    },
  },
  {
    name: "config.duckdb",
    beside: ["config.duckdb.wal"],
    holdsConfig: true,
    isTakenOver: true,
    isKept: ({ DATABASE_URL }) => DATABASE_URL === undefined,
    checkHead: checkDuckdbHead,
    readWhole: async (path) => (await readTables(path)).get("organizations") ?? 0,
  },
  {
    name: "platform.sqlite",
    beside: ["platform.sqlite-wal", "platform.sqlite-journal"],
    besideWhileOpen: "platform.sqlite-wal",
    holdsConfig: true,
    isKept: ({ DATABASE_URL }) => DATABASE_URL === undefined,
    checkHead: checkSqliteHead,
    async readWhole(path) {
      const { readWholeSqlite } = await import("../../sql/read-whole-sqlite.ts");
      return readWholeSqlite(path, "organizations");
    },
  },
];

/** File under `DATA_DIR` with the state of each store. */
export const stateFileName = "stores.json";
/** State of a store that a process has open. Otherwise the fingerprint at its last close; null while opening or closing. */
export const isOpen = "open";
const statesSchema = z.record(z.string(), z.string().nullable());
export type StoreStates = z.infer<typeof statesSchema>;

/** Reads the states of the stores; null if there is no readable file, so that nothing is known of them. */
export function readStoreStates(dataDir: string): StoreStates | null {
  try {
    return statesSchema.safeParse(readJson(readFileSync(join(dataDir, stateFileName), "utf8"))).data ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Writes the states of the stores atomically. */
export function writeStoreStates(dataDir: string, states: StoreStates): void {
  const path = join(dataDir, stateFileName);
  writeFileSync(`${path}.new`, JSON.stringify(states, null, 2), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Deletes the states, when a full disk takes no new ones: none are better than outdated ones. */
export const removeStoreStates = (dataDir: string): void => rmSync(join(dataDir, stateFileName), { force: true });

/** Returns a fingerprint of a store's files, which any write changes. Leaves out modification times, which a copy may keep. */
export function fingerprint(dataDir: string, { name, beside }: Pick<StoredFile, "name" | "beside">): string {
  return [name, ...beside].map((file) => describeFile(join(dataDir, file))).join(" ");
}

function describeFile(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "-" : `${stat.ino}:${stat.size}:${stat.ctimeNs}`;
}
