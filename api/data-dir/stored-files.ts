import { dirname } from "node:path";
import { checkLogHead } from "../../ingest/log/lmdb/walk-file.ts";
import { checkDuckdbHead } from "../../sql/duckdb-file.ts";
import { checkSqliteHead } from "../../sql/sqlite-file.ts";
import type { Settings } from "../settings/settings.ts";

/** A store of the embedded mode: a file under `DATA_DIR`. */
export interface StoredFile {
  /** Its path there. */
  readonly name: string;
  /** Files that the engine keeps beside it, and that are nothing without it. */
  readonly beside: readonly string[];
  /** One of those that is there as long as a process has the store open, and holds what was written last. */
  readonly besideWhileOpen?: string;
  /** Whether nothing that the other stores hold belongs to anybody without it. */
  readonly holdsConfig?: boolean;
  /** Whether another one takes over what it holds, the first time that a process finds it: it may be gone since. */
  readonly isTakenOver?: boolean;
  /** Whether these settings keep it. */
  isKept(settings: Settings): boolean;
  /** Throws what is wrong with how it begins, or with its length. */
  checkHead(path: string): void;
  /**
   * Reads the whole of it by its engine, which may end the process and is loaded here alone, and returns how many rows or
   * messages it holds.
   */
  readWhole(path: string): Promise<number>;
}

async function readTables(path: string): Promise<ReadonlyMap<string, number>> {
  const { readWholeDuckdb } = await import("../../sql/read-whole-duckdb.ts");
  return readWholeDuckdb(path);
}

/** In the order in which a process makes them. */
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
      // The others are about the warehouse itself, and a new one has some of their rows.
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
