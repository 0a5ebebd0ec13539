import type { Clock } from "../../../ingest/clock.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database } from "../../database/database.ts";
import type { Shutdown } from "../../process/shutdown.ts";
import type { CallStats } from "../call-stats.ts";
import type { CallFiguresDeps } from "./call-figures.ts";
import { openHeldCalls } from "./held-calls.ts";
import { createLiveFacts } from "./live-facts.ts";
import { openPatientFigures } from "./patient-figures.ts";
import { longestIntervalDays } from "./reach.ts";
import { openTotalResets } from "./total-resets.ts";

export interface LiveFactsDeps {
  readonly database: Database;
  readonly log: EventLog;
  readonly warehouse: CallFiguresDeps["warehouse"];
  readonly snapshot: Pick<Snapshot, "config">;
  readonly clock: Clock;
  /** Closes what is opened. */
  readonly shutdown: Pick<Shutdown, "add">;
  /** Told when the warehouse has come that was away at the start. */
  onWarehouse(): void;
  onTrouble(error: unknown): void;
}

/** What routing knows of every organization's calls, in the memory of this process. */
export async function openLiveFacts({ database, log, warehouse, snapshot, clock, shutdown, ...told }: LiveFactsDeps) {
  const { onTrouble, onWarehouse } = told;
  const resets = shutdown.add("total resets", await openTotalResets(database, onTrouble));
  const held = shutdown.add("held calls", await openHeldCalls({ database, clock, onTrouble }));
  const opened = await openPatientFigures({
    log,
    warehouse,
    clock,
    onWarehouse,
    onTrouble,
    lookbackDays(orgId) {
      const config = snapshot.config(orgId);
      return config === undefined ? 0 : longestIntervalDays(config);
    },
  });
  const figures = shutdown.add("figures", opened);
  return {
    statsOf: (orgId: string): CallStats => createLiveFacts(orgId, { figures, held, resets }),
    held,
    note: figures.note,
    resets,
    /** Rejects with what ended the reading of the log. */
    finished: figures.finished,
  };
}
