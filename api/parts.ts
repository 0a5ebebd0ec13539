import type { Logger } from "pino";
import type { Dialect } from "../assistant/compile/dialect.ts";
import type { Clock } from "../ingest/clock.ts";
import type { EventLog } from "../ingest/log/log.ts";
import type { ReportDialect } from "../warehouse/calls/report-dialect.ts";
import type { RtbDialect } from "../warehouse/rtb/dialect.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Closers } from "./closers.ts";
import type { Snapshot } from "./config/snapshot.ts";
import type { Database } from "./database/database.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { Settings } from "./settings.ts";

/** What every process is made with, whatever its roles. */
export interface Base {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What is opened is handed to it, and closed in reverse order. */
  readonly closers: Closers;
  readonly log: EventLog;
  readonly metrics: Metrics;
  /** Logs what a part could not do and will try again. */
  onTrouble(part: string): (error: unknown) => void;
}

/** What needs the customers' config. */
export interface ConfigParts extends Base {
  readonly database: Database;
  readonly snapshot: Snapshot;
}

/** What the warehouse's engine says differently. */
export interface Dialects {
  readonly report: ReportDialect;
  readonly rtb: RtbDialect;
  readonly assistant: Dialect;
}

/** What every part of the API is made with. */
export interface Parts extends ConfigParts {
  readonly warehouse: Warehouse;
  readonly dialects: Dialects;
}
