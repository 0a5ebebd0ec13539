import type { Clock } from "../../../ingest/clock.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import { toDollars } from "../../../ingest/money.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database } from "../../database/database.ts";
import type { Shutdown } from "../../process/shutdown.ts";
import type { CallStats, Measure } from "../call-stats.ts";
import { type CallStore, type CallStoreDeps, longestIntervalDays } from "./call-store.ts";
import { hourOf } from "./counters.ts";
import { type HeldCalls, openHeldCalls } from "./held-calls.ts";
import { openCallStoreWithFallback } from "./log-fallback.ts";
import { openTotalResets, type TotalResets } from "./total-resets.ts";

export interface LiveStatsParts {
  readonly store: Pick<CallStore, "ofOrganization" | "earlierCalls" | "callsKnownSince">;
  readonly held: Pick<HeldCalls, "inUse">;
  readonly resets: Pick<TotalResets, "since">;
}

const isMoney: Readonly<Record<Measure, boolean>> = {
  calls: false,
  connected: false,
  converted: false,
  revenue: true,
  payout: true,
};

/** The call stats of an organization, as they are at each question. */
export function createLiveStats(orgId: string, { store, held, resets }: LiveStatsParts): CallStats {
  const own = () => store.ofOrganization(orgId);
  return {
    inUse: (holder) => held.inUse(orgId, holder),
    capUse(holder, measure, sinceMs) {
      const sum = own().sumSince(holder, measure, sinceMs);
      return isMoney[measure] ? toDollars(sum) : sum;
    },
    totalsSince: (holder) => resets.since(orgId, holder),
    earlierCalls: (caller) => store.earlierCalls(orgId, caller),
    callsKnownSince: () => store.callsKnownSince(orgId),
    /** Since the beginning of the hour: a rate over many hours is asked for with every ping, and needs no minutes. */
    performance(holder, sinceMs) {
      const sum = (name: "calls" | "receivable" | "revenue") => own().sumSince(holder, name, hourOf(sinceMs));
      return { attempts: sum("calls"), conversions: sum("receivable"), revenue: toDollars(sum("revenue")) };
    },
  };
}

export interface LiveStatsDeps {
  readonly database: Database;
  readonly log: EventLog;
  readonly warehouse: CallStoreDeps["warehouse"];
  readonly snapshot: Pick<Snapshot, "config">;
  readonly clock: Clock;
  /** Closes what is opened. */
  readonly shutdown: Pick<Shutdown, "add">;
  /** Called when the warehouse has come that was away at the start. */
  onWarehouse(): void;
  onTrouble(error: unknown): void;
}

/** Opens the call stats of every organization, in the memory of this process. */
export async function openLiveStats(deps: LiveStatsDeps) {
  const { database, log, warehouse, snapshot, clock, shutdown, onTrouble, onWarehouse } = deps;
  const resets = shutdown.add("total resets", await openTotalResets(database, onTrouble));
  const held = shutdown.add("held calls", await openHeldCalls({ database, clock, onTrouble }));
  const opened = await openCallStoreWithFallback({
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
  const store = shutdown.add("calls in memory", opened);
  return {
    statsOf: (orgId: string): CallStats => createLiveStats(orgId, { store, held, resets }),
    held,
    note: store.note,
    resets,
    /** Rejects with what ended the reading of the log. */
    finished: store.finished,
  };
}
