import type { DeliveryTrigger } from "../../../ingest/delivery.ts";
import { type CallEvent, callEventSchema } from "../../../ingest/event.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import { parseStored } from "../../../ingest/unreadable.ts";
import { isPaused } from "../../config/pause.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database } from "../../database/database.ts";
import {
  type AttemptDeps,
  attempt,
  noteAttempt,
  orderKey,
  type Prepared,
  prepare,
  toEnd,
  type Webhook,
} from "./attempt.ts";
import { holdFor } from "./claims.ts";
import type { HealthKeeper } from "./health-keeper.ts";
import type { InOrder } from "./in-order.ts";
import type { Pending } from "./pending.ts";
import { type PendingRow, passPending, releasePending } from "./pending-rows.ts";
import { toOutgoingRequest } from "./record.ts";

export interface RowDeps extends AttemptDeps {
  readonly database: Database;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly pending: Pending;
  readonly health: Pick<HealthKeeper, "note">;
  /** Shared with first attempts: those of one call to one endpoint go in order, wherever they come from. */
  readonly inOrder: InOrder;
}

/** An attempt that begins with less left of its lease could be made by another process, too. */
const attemptWithinMs = 15_000;

/** Brings a claimed row to its next state. */
export async function workOn(deps: RowDeps, row: PendingRow, mayBegin: () => boolean): Promise<void> {
  const { pending, snapshot, clock } = deps;
  if (row.untold !== null || row.ended) return pending.tellLeftOver(row);
  const event = await readEvent(deps, row);
  const webhook = snapshot.config(row.orgId)?.get("outgoing_webhook", row.webhookId);
  if (webhook === undefined) return end(deps, row, { event, outcome: "cancelled", why: "The webhook was deleted." });
  // A probe is the one that is tried although its webhook is paused.
  if (!row.held && isPaused(webhook.pause, clock.now())) return hold(deps, row);
  const prepared = toPrepared(row, event, webhook);
  const isInTime = () => mayBegin() && clock.now() + attemptWithinMs < row.leasedUntil;
  const work = () => attempt(deps, prepared, { mayBegin: isInTime });
  const isFirst = row.attempt === 0 && !row.manual;
  const attempted = await (isFirst ? deps.inOrder(orderKey(row.callId, prepared.place), work) : work());
  if (attempted === null) return releasePending(deps.database, [row.id]);
  noteAttempt(deps.health, attempted);
  await pending.settle(row, attempted.record, attempted.nextAt);
}

/** The row's event. One that cannot be read waits as it is, and no later event of the call waits for it: `UnreadableError`. */
export async function readEvent({ database }: Pick<RowDeps, "database">, row: PendingRow): Promise<CallEvent> {
  try {
    return parseStored(callEventSchema, row.event, { table: "pending_deliveries", id: row.id });
  } catch (error) {
    if (row.attempt === 0) await passPending(database, row.id);
    throw error;
  }
}

const toPrepared = (row: PendingRow, event: CallEvent, webhook: Webhook): Prepared =>
  prepare({ deliveryId: row.deliveryId, event, webhook, attempt: row.attempt + 1, trigger: triggerOf(row) });

/** A row that is held is tried as a probe alone. */
const triggerOf = ({ manual, held }: PendingRow): DeliveryTrigger => (manual ? "manual" : held ? "probe" : "automatic");

async function hold({ database }: RowDeps, { id, webhookId }: PendingRow): Promise<void> {
  await holdFor(database, webhookId, true);
  await releasePending(database, [id]);
}

/** Ends a delivery without one more attempt, with a record that says why. */
export async function end(
  { pending, clock, snapshot }: Pick<RowDeps, "pending" | "clock" | "snapshot">,
  row: PendingRow,
  { event, outcome, why }: { event: CallEvent; outcome: "cancelled" | "expired"; why: string },
): Promise<void> {
  const found = snapshot.config(row.orgId as OrgId)?.get("outgoing_webhook", row.webhookId);
  const webhook = found ?? { id: row.webhookId, name: "", event_type_id: event.event };
  const request = {
    method: found?.method ?? "POST",
    url: found?.url ?? row.endpoint,
    headers: {},
    body: null,
  } as const;
  const now = clock.now();
  const record = toOutgoingRequest({
    deliveryId: row.deliveryId,
    event,
    webhook,
    attempt: Math.max(1, row.attempt),
    trigger: row.manual ? "manual" : "automatic",
    request,
    exchange: toEnd(outcome, outcome, why),
    beganAt: now,
    endedAt: now,
    nextAt: null,
  });
  await pending.settle(row, record, null);
}
