import { statfs } from "node:fs/promises";
import type { EventLog } from "../ingest/log/log.ts";
import { sql } from "../warehouse/statement.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Database } from "./database/database.ts";
import type { Health } from "./serve/health.ts";
import type { Settings } from "./settings/settings.ts";

interface CheckedStores {
  readonly log: EventLog;
  readonly warehouse: Warehouse | undefined;
  readonly database: Database | undefined;
}

/** Below this the embedded stores may soon be unable to write. */
const leastFreeMiB = 64;

/**
 * The readiness checks of a process: its stores answer, and the disk of embedded ones has room. A process that serves
 * the API stays ready without the warehouse, since calls must not be turned away for want of reports: that check is
 * informational.
 */
export function readinessChecks(
  { log, warehouse, database }: CheckedStores,
  settings: Settings,
): Pick<Health, "checks" | "informational"> {
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
    informational: ROLES.includes("api") ? ["warehouse"] : [],
  };
}

async function checkDisk(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const freeMiB = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMiB < leastFreeMiB) throw new Error(`the disk of DATA_DIR has ${freeMiB} MiB left: make room`);
}
