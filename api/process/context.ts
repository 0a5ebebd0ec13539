import type { Logger } from "pino";
import type { Clock } from "../../ingest/clock.ts";
import type { EventLog } from "../../ingest/log/log.ts";
import type { Tracing } from "../../ingest/tracing.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Settings } from "../settings/settings.ts";
import type { Shutdown } from "./shutdown.ts";

/** The dependencies that every process has, whatever its roles. */
export interface ProcessContext {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Everything that is opened is added to it, and closed in reverse order. */
  readonly shutdown: Shutdown;
  readonly log: EventLog;
  readonly metrics: Metrics;
  /** Null where nothing is traced. */
  readonly tracing: Tracing | null;
  /** Returns a handler for a part's errors: failures that are retried, and unreadable rows that are skipped, are logged. */
  onTrouble(part: string): (error: unknown) => void;
}
