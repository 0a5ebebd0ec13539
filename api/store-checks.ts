import type { EventLog } from "../ingest/log/log.ts";
import { sql } from "../warehouse/statement.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Database } from "./database/database.ts";
import type { Health } from "./serve/health.ts";
import type { Role } from "./settings/roles.ts";

export interface CheckedStores {
  readonly log: EventLog;
  readonly warehouse: Warehouse | undefined;
  readonly database: Database | undefined;
}

/**
 * Whether the stores that a process has opened answer. Whoever serves the API goes on without the warehouse, reports
 * apart: calls must not be turned away for want of it, so there its check is told and no more.
 */
export function storeChecks(
  { log, warehouse, database }: CheckedStores,
  roles: readonly Role[],
): Pick<Health, "checks" | "told"> {
  return {
    checks: {
      log: async () => void (await log.ends("call-signals")),
      ...(warehouse && { warehouse: async () => void (await warehouse.query(sql`SELECT 1`, { timeoutMs: 2000 })) }),
      ...(database && { database: async () => void (await database.query("SELECT 1")) }),
    },
    told: roles.includes("api") ? ["warehouse"] : [],
  };
}
