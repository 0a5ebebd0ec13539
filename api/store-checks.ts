import { statfs } from "node:fs/promises";
import type { EventLog } from "../ingest/log/log.ts";
import { sql } from "../warehouse/statement.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Database } from "./database/database.ts";
import type { Health } from "./serve/health.ts";
import type { Settings } from "./settings/settings.ts";

export interface CheckedStores {
  readonly log: EventLog;
  readonly warehouse: Warehouse | undefined;
  readonly database: Database | undefined;
}

/** Below it the embedded stores are about to refuse what they would have to keep. */
const leastFreeMiB = 64;

/**
 * Whether the stores that a process has opened answer, and the disk of those that are embedded has room. Whoever serves the API
 * goes on without the warehouse, reports apart: calls must not be turned away for want of it, so there its check is told
 * and no more.
 */
export function storeChecks(
  { log, warehouse, database }: CheckedStores,
  settings: Settings,
): Pick<Health, "checks" | "told"> {
  const { REDPANDA_BROKERS, CLICKHOUSE_URL, DATABASE_URL, DATA_DIR, ROLES } = settings;
  const isEmbedded =
    REDPANDA_BROKERS === undefined ||
    (warehouse !== undefined && CLICKHOUSE_URL === undefined) ||
    (database !== undefined && DATABASE_URL === undefined);
  return {
    checks: {
      log: async () => void (await log.ends("call-signals")),
      ...(warehouse && { warehouse: async () => void (await warehouse.query(sql`SELECT 1`, { timeoutMs: 2000 })) }),
      ...(database && { database: async () => void (await database.query("SELECT 1")) }),
      ...(isEmbedded && { disk: () => checkDisk(DATA_DIR) }),
    },
    told: ROLES.includes("api") ? ["warehouse"] : [],
  };
}

async function checkDisk(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const freeMiB = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMiB < leastFreeMiB) throw new Error(`the disk of DATA_DIR has ${freeMiB} MiB left: make room`);
}
