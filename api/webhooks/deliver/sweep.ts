import { pauseReasonOf } from "../../config/delivery-state.ts";
import { startBackgroundTask } from "../../process/background-task.ts";
import type { Backlog } from "./backlog.ts";
import { type ClaimedDeps, end, readEvent } from "./claimed-delivery.ts";
import { claimOld, claimProbe, heldWebhooks, holdFor } from "./claims.ts";
import type { DeliveryWorker } from "./delivery-worker.ts";
import type { HealthMonitor } from "./health-monitor.ts";
import type { PendingRow } from "./pending-rows.ts";

export interface SweepDeps extends Pick<ClaimedDeps, "database" | "snapshot" | "clock" | "pending"> {
  readonly backlog: Backlog;
  readonly health: Pick<HealthMonitor, "takeProbe">;
  readonly worker: Pick<DeliveryWorker, "start" | "wake" | "leaseUntil">;
  /** Deliveries that have waited for longer expire. */
  readonly keepMs: number;
  onTrouble(error: unknown): void;
}

const refreshBacklogEveryMs = 1000;
const sweepEveryMs = 5000;
const mostExpired = 100;

/** Background tasks: keeps the backlog up to date, resumes, probes and expires deliveries that wait. */
export function startSweep(deps: SweepDeps) {
  const { clock, backlog, onTrouble } = deps;
  const refresh = async () => {
    if (!backlog.isEmpty()) await backlog.refresh();
  };
  const tasks = [
    startBackgroundTask({ clock, everyMs: refreshBacklogEveryMs, work: refresh, onTrouble }),
    startBackgroundTask({ clock, everyMs: sweepEveryMs, work: () => sweep(deps), onTrouble }),
  ];
  return {
    async close(): Promise<void> {
      await Promise.all(tasks.map((task) => task.close()));
    },
  };
}

async function sweep(deps: SweepDeps): Promise<void> {
  for (const { orgId, id } of await heldWebhooks(deps.database)) await resumeOrProbe(deps, orgId, id);
  await expire(deps);
}

/** Resumes held deliveries of a webhook that is not paused any more, and probes one that is paused for failing. */
async function resumeOrProbe(deps: SweepDeps, orgId: string, webhookId: string): Promise<void> {
  const { database, snapshot, clock, health, worker } = deps;
  const webhook = snapshot.config(orgId)?.get("outgoing_webhook", webhookId);
  const reason = webhook === undefined ? null : pauseReasonOf(webhook, clock.now());
  if (webhook === undefined || reason === null) {
    await holdFor(database, webhookId, false);
    return worker.wake();
  }
  if (reason !== "failing" || !(await health.takeProbe(webhook))) return;
  const lease = { now: clock.now(), until: worker.leaseUntil() };
  for (const row of await claimProbe(database, lease, webhookId)) worker.start(row);
}

async function expire(deps: SweepDeps): Promise<void> {
  const { database, clock, worker, keepMs } = deps;
  const lease = { now: clock.now(), until: worker.leaseUntil(), most: mostExpired };
  const rows = await claimOld(database, lease, clock.now() - keepMs);
  await Promise.all(rows.map((row) => endExpired(deps, row).catch(deps.onTrouble)));
}

async function endExpired(deps: SweepDeps, row: PendingRow): Promise<void> {
  if (row.unpublished !== null || row.ended) return deps.pending.publishLeftOver(row);
  const days = Math.floor(deps.keepMs / (24 * 60 * 60 * 1000));
  const why = `It has waited for more than ${days} days.`;
  await end(deps, row, { event: await readEvent(deps, row), outcome: "expired", why });
}
