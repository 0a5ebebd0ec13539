import { join } from "node:path";
import { clickhouseDialect } from "../assistant/compile/dialect-clickhouse.ts";
import { duckdbDialect } from "../assistant/compile/dialect-duckdb.ts";
import type { Clock } from "../ingest/clock.ts";
import type { GroupEvent } from "../ingest/log/group-event.ts";
import type { EventLog } from "../ingest/log/log.ts";
import { clickhouseReportDialect } from "../warehouse/calls/report-dialect-clickhouse.ts";
import { duckdbReportDialect } from "../warehouse/calls/report-dialect-duckdb.ts";
import type { GuardedWarehouse } from "../warehouse/guarded/guarded.ts";
import { clickhouseRtbDialect } from "../warehouse/rtb/dialect-clickhouse.ts";
import { duckdbRtbDialect } from "../warehouse/rtb/dialect-duckdb.ts";
import { disabledWarehouse } from "../warehouse/warehouse-disabled.ts";
import { checkStore } from "./data-dir/check-data-dir.ts";
import type { Database } from "./database/database.ts";
import { embeddedFile, openSqliteDatabase } from "./database/database-sqlite.ts";
import type { Dialects } from "./parts.ts";
import { clickhouseGuardUser, clickhouseOptions } from "./settings/clickhouse.ts";
import { redpandaOptions } from "./settings/redpanda.ts";
import type { Settings } from "./settings/settings.ts";

export interface StoreDeps {
  readonly clock: Clock;
  /** Told of what a store could not do and tries again. */
  onTrouble?(error: unknown): void;
}

export interface LogDeps extends StoreDeps {
  onGroupEvent?(event: GroupEvent): void;
}

export interface WarehouseDeps extends StoreDeps {
  /** Whether what was set stays where the settings name no retention: for who need not know the service's settings. */
  readonly leavesRetention?: boolean | undefined;
}

/** The event log that the settings name. Drivers that they do not name cost a process nothing at its start. */
export async function openLog(settings: Settings, deps: LogDeps): Promise<EventLog> {
  const redpanda = await redpandaOptions(settings);
  if (redpanda !== null) {
    const { openKafkaLog } = await import("../ingest/log/log-kafka.ts");
    return openKafkaLog({ ...redpanda, ...deps });
  }
  checkStore(settings, "log/data.mdb");
  const { openLmdbLog } = await import("../ingest/log/log-lmdb.ts");
  return openLmdbLog({ dir: join(settings.DATA_DIR, "log"), clock: deps.clock });
}

/** Likewise the warehouse; one on ClickHouse need not be there yet. */
export async function openWarehouse(settings: Settings, given: WarehouseDeps): Promise<GuardedWarehouse> {
  if (!settings.ANALYTICS) return disabledWarehouse;
  const { leavesRetention = false, clock, ...told } = given;
  const unset = leavesRetention ? ("as it is" as const) : null;
  const retention = { days: settings.WAREHOUSE_RETENTION_DAYS ?? unset, clock, ...told };
  const clickhouse = clickhouseOptions(settings);
  if (clickhouse !== null) {
    const { openClickhouseWarehouse } = await import("../warehouse/warehouse-clickhouse.ts");
    const guardUser = clickhouseGuardUser(settings);
    const guarded = { ...told, ...(guardUser === undefined ? {} : { guardUser }) };
    return openClickhouseWarehouse(clickhouse, { ...guarded, retention });
  }
  checkStore(settings, "warehouse.duckdb");
  const { openDuckdbWarehouse } = await import("../warehouse/warehouse-duckdb.ts");
  return openDuckdbWarehouse({ path: join(settings.DATA_DIR, "warehouse.duckdb"), retention });
}

/** How that warehouse's engine says things. */
export const dialectsOf = ({ CLICKHOUSE_URL }: Settings): Dialects =>
  CLICKHOUSE_URL === undefined
    ? { report: duckdbReportDialect, rtb: duckdbRtbDialect, assistant: duckdbDialect }
    : { report: clickhouseReportDialect, rtb: clickhouseRtbDialect, assistant: clickhouseDialect };

/** Likewise the config's database. */
export async function openDatabase(settings: Settings, deps: StoreDeps): Promise<Database> {
  const { DATA_DIR, DATABASE_URL } = settings;
  if (DATABASE_URL === undefined) {
    checkStore(settings, "platform.sqlite");
    return openSqliteDatabase(embeddedFile(DATA_DIR));
  }
  const { openPostgresDatabase } = await import("./database/database-postgres.ts");
  return openPostgresDatabase({ url: DATABASE_URL, ...deps });
}
