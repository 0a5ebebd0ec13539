import type { Logger } from "pino";
import type { Clock } from "../../ingest/clock.ts";
import type { EventLog } from "../../ingest/log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Settings } from "../settings/settings.ts";
import type { Closers } from "./closers.ts";

/** What every process is made with, whatever its roles. */
export interface Base {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What is opened is handed to it, and closed in reverse order. */
  readonly closers: Closers;
  readonly log: EventLog;
  readonly metrics: Metrics;
  /** Logs what a part could not do and will try again, or of what it cannot read that it goes on without it. */
  onTrouble(part: string): (error: unknown) => void;
}
