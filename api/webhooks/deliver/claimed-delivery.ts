import type { KeyedMutex } from "../../../ingest/concurrency/fair-queue.ts";
import type { DeliveryTrigger } from "../../../ingest/delivery.ts";
import { type CallEvent, readCallEvent } from "../../../ingest/event.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import { isPaused } from "../../config/pause.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database } from "../../database/database.ts";
import { type AttemptDeps, type Attempted, attempt, orderKey, prepare, reportAttempt, unsent } from "./attempt.ts";
import { holdFor } from "./claims.ts";
import type { HealthMonitor } from "./health-monitor.ts";
import type { Pending } from "./pending.ts";
import { type PendingRow, passPending, releasePending } from "./pending-rows.ts";
import { toOutgoingRequest } from "./record.ts";
import { receiverDeadlineMs } from "./send.ts";

export interface ClaimedDeps extends AttemptDeps {
  readonly database: Database;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly pending: Pending;
  readonly health: Pick<HealthMonitor, "report">;
  /** Shared with first attempts: those of one call to one endpoint go in order, wherever they come from. */
  readonly inOrder: KeyedMutex;
}

/** An attempt that begins with less left of its lease could be made by another process, too. */
const attemptWithinMs = receiverDeadlineMs + 5000;

/** Attempts a claimed delivery, or holds, cancels or finishes it as its row and its webhook say. */
export async function processClaimed(deps: ClaimedDeps, row: PendingRow, mayStart: () => boolean): Promise<void> {
  const { pending, snapshot, clock, database } = deps;
  if (row.unpublished !== null || row.ended) return pending.publishLeftOver(row);
  const event = await readEvent(deps, row);
  const webhook = snapshot.config(row.orgId)?.get("outgoing_webhook", row.webhookId);
  if (webhook === undefined) return end(deps, row, { event, outcome: "cancelled", why: "The webhook was deleted." });
  // A probe is the one that is tried although its webhook is paused.
  if (!row.held && isPaused(webhook.pause, clock.now())) {
    await holdFor(database, row.webhookId, true);
    return releasePending(database, [row.id]);
  }
  const { deliveryId, traceparent } = row;
  const attemptNumber = row.attempt + 1;
  const prepared = prepare({
    deliveryId,
    event,
    webhook,
    attempt: attemptNumber,
    trigger: triggerOf(row),
    traceparent,
  });
  const isInTime = () => mayStart() && clock.now() + attemptWithinMs < row.leasedUntil;
  const store = (attempted: Attempted) => {
    reportAttempt(deps.health, attempted);
    return pending.settle(row, attempted.record, attempted.nextAt);
  };
  const work = () => attempt(deps, prepared, { mayStart: isInTime, store });
  const isFirst = row.attempt === 0 && !row.manual;
  const attempted = await (isFirst ? deps.inOrder(orderKey(prepared), work) : work());
  if (attempted === null) await releasePending(database, [row.id]);
}

/** A held row is tried as a probe alone. */
const triggerOf = ({ manual, held }: PendingRow): DeliveryTrigger => (manual ? "manual" : held ? "probe" : "automatic");

/** Reads the row's event. One that cannot be read waits as it is, and no later event of the call waits for it: `UnreadableError`. */
export async function readEvent({ database }: Pick<ClaimedDeps, "database">, row: PendingRow): Promise<CallEvent> {
  try {
    return readCallEvent(row.event, { table: "pending_deliveries", id: row.id });
  } catch (error) {
    if (row.attempt === 0) await passPending(database, row.id);
    throw error;
  }
}

/** Ends a delivery without another attempt, with a record that says why. */
export async function end(
  { pending, clock, snapshot }: Pick<ClaimedDeps, "pending" | "clock" | "snapshot">,
  row: PendingRow,
  { event, outcome, why }: { event: CallEvent; outcome: "cancelled" | "expired"; why: string },
): Promise<void> {
  const webhook = snapshot.config(row.orgId as OrgId)?.get("outgoing_webhook", row.webhookId);
  const { method = "POST", url = row.endpoint } = webhook ?? {};
  const now = clock.now();
  const record = toOutgoingRequest({
    deliveryId: row.deliveryId,
    event,
    webhook: webhook ?? { id: row.webhookId, name: "", event_type_id: event.event },
    attempt: Math.max(1, row.attempt),
    trigger: row.manual ? "manual" : "automatic",
    request: { method, url, headers: {}, body: null },
    exchange: unsent(outcome, outcome, why),
    beganAt: now,
    endedAt: now,
    nextAt: null,
  });
  await pending.settle(row, record, null);
}
