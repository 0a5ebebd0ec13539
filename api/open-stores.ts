import { join } from "node:path";
import type { Clock } from "../ingest/clock.ts";
import type { EventLog } from "../ingest/log/log.ts";
import { openKafkaLog } from "../ingest/log/log-kafka.ts";
import { openLmdbLog } from "../ingest/log/log-lmdb.ts";
import type { GuardedWarehouse } from "../warehouse/guarded.ts";
import { openDuckdbWarehouse } from "../warehouse/warehouse-duckdb.ts";
import type { Database } from "./config/database.ts";
import { openDuckdbDatabase } from "./config/database-duckdb.ts";
import { openPostgresDatabase } from "./config/database-postgres.ts";
import { redpandaOptions } from "./redpanda-settings.ts";
import type { Settings } from "./settings.ts";

export interface StoreDeps {
  readonly clock: Clock;
  /** Told of what a store could not do and tries again. */
  onTrouble?(error: unknown): void;
}

/** The event log that the settings name. */
export async function openLog(settings: Settings, deps: StoreDeps): Promise<EventLog> {
  const redpanda = await redpandaOptions(settings);
  if (redpanda !== null) return openKafkaLog({ ...redpanda, ...deps });
  return openLmdbLog({ dir: join(settings.DATA_DIR, "log"), clock: deps.clock });
}

/** Likewise the warehouse. */
export const openWarehouse = ({ DATA_DIR }: Settings): Promise<GuardedWarehouse> =>
  openDuckdbWarehouse({ path: join(DATA_DIR, "warehouse.duckdb") });

/** Likewise the config's database. */
export const openDatabase = ({ DATA_DIR, DATABASE_URL }: Settings, deps: StoreDeps): Promise<Database> =>
  DATABASE_URL === undefined
    ? openDuckdbDatabase({ path: join(DATA_DIR, "config.duckdb") })
    : openPostgresDatabase({ url: DATABASE_URL, ...deps });
