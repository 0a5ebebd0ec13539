import type { Clock } from "../../../ingest/clock.ts";
import { createFairQueue, createKeyedMutex } from "../../../ingest/concurrency/fair-queue.ts";
import type { EventLog } from "../../../ingest/log/log.ts";
import type { Tracing } from "../../../ingest/tracing.ts";
import type { ResourceService } from "../../config/service.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database } from "../../database/database.ts";
import { createBacklog } from "./backlog.ts";
import { createDeliveryWorker } from "./delivery-worker.ts";
import type { HealthTerms } from "./health.ts";
import { createHealthMonitor, type DeliveryAlert, throttleAlerts } from "./health-monitor.ts";
import { createPending } from "./pending.ts";
import { runDeliver } from "./run.ts";
import type { Sender } from "./send.ts";
import { startSweep } from "./sweep.ts";

export interface DeliveryTerms extends HealthTerms {
  /** Pauses before attempts 2, 3, … */
  readonly pausesMs: readonly number[];
  /** Deliveries that have waited for longer expire. */
  readonly keepMs: number;
}

export interface DeliveryPartsDeps {
  readonly log: Pick<EventLog, "publish">;
  readonly database: Database;
  readonly sender: Pick<Sender, "send">;
  readonly clock: Clock;
  readonly terms: DeliveryTerms;
  readonly tracing?: Tracing | null;
  /** Returns a number from 0 to 1, 1 excluded. */
  random(): number;
  onTrouble(error: unknown): void;
}

export interface DeliveryDeps extends DeliveryPartsDeps {
  readonly log: EventLog;
  readonly snapshot: Pick<Snapshot, "config" | "settled">;
  readonly edit: ResourceService["edit"];
  readonly leaseMs?: number;
  /** True if no other process delivers from this database. */
  readonly isAlone?: boolean;
  /** Called with changes of webhooks' health; of deliveries that have failed for good, with their number. */
  onAlert(alert: DeliveryAlert, count: number): void;
}

/**
 * Attempts at once: in all, and of one organization; at one of its endpoints as many as the webhook says. However many
 * endpoints of an organization hang, places are left for others.
 */
const attemptLimits = [1000, 200] as const;

/** Makes the parts that single attempts and deliveries on request need; `onDue` is called when some are due that wait. */
export function createDeliveryParts(deps: DeliveryPartsDeps, onDue: () => void = () => undefined) {
  const { log, database, sender, clock, terms, tracing, random, onTrouble } = deps;
  const queue = createFairQueue({ limits: attemptLimits, now: clock.now });
  return {
    attempts: { sender, clock, queue, unstored: { count: 0 }, schedule: { pausesMs: terms.pausesMs, random }, tracing },
    pending: createPending({ database, log, clock, onTrouble, onDue }),
    /** Milliseconds that deliveries may wait before they are given up. */
    keepMs: terms.keepMs,
  };
}

/** Delivers call events to customers' systems: first attempts as events come, the others when they are due. */
export function openDelivery(deps: DeliveryDeps) {
  const { log, database, snapshot, edit, clock, terms, onTrouble, isAlone = false, leaseMs } = deps;
  const { attempts, pending } = createDeliveryParts(deps, () => worker.wake());
  const onAlert = throttleAlerts(clock, deps.onAlert);
  const health = createHealthMonitor({ database, snapshot, clock, terms, edit, onTrouble, onAlert });
  const backlog = createBacklog(database);
  const inOrder = createKeyedMutex();
  const shared = { ...attempts, database, snapshot, pending, health, inOrder, backlog, onTrouble };
  // Before what works on its own: where the log takes no consumer any more, nothing is left at work.
  const consumer = runDeliver({ ...shared, log });
  const worker = createDeliveryWorker({ ...shared, isAlone, ...(leaseMs === undefined ? {} : { leaseMs }) });
  const sweep = startSweep({ ...shared, worker, keepMs: terms.keepMs });

  return {
    attempts,
    pending,
    worker,
    keepMs: terms.keepMs,
    /** Rejects with an error that deliveries cannot go on with. */
    finished: consumer.finished,
    /** Finishes the attempts in flight; deliveries that wait are found by the next run. */
    async close(): Promise<void> {
      await Promise.all([consumer.stop(), sweep.close(), worker.close()]);
      await pending.close();
      await health.close();
    },
  };
}
