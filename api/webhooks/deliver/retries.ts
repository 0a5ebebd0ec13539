import type { Clock } from "../../../ingest/clock.ts";
import type { DeliveryTrigger } from "../../../ingest/delivery.ts";
import { type CallEvent, callEventSchema } from "../../../ingest/event.ts";
import { untilDone } from "../../../ingest/log/until-done.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Database } from "../../config/database.ts";
import { isPaused } from "../../config/pause.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import { type AttemptDeps, type Attempted, attempt, type Prepared, prepare, toEnd, type Webhook } from "./attempt.ts";
import { createBell } from "./bell.ts";
import { claimDue, holdFor } from "./claims.ts";
import type { HealthKeeper } from "./health-keeper.ts";
import type { InOrder } from "./in-order.ts";
import type { Pending } from "./pending.ts";
import { type PendingRow, releaseAll, releasePending } from "./pending-rows.ts";
import { toOutgoingRequest } from "./record.ts";
import type { Place } from "./turns.ts";

export interface RetryDeps extends AttemptDeps {
  readonly database: Database;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly clock: Clock;
  readonly pending: Pending;
  readonly health: Pick<HealthKeeper, "note">;
  /** Shared with first attempts: those of one call to one endpoint go in order, wherever they come from. */
  readonly inOrder: InOrder;
  readonly leaseMs?: number;
  /** Whether no other process works on this database: then every lease that is found is a dead one's. */
  readonly isAlone?: boolean;
  /** Told of what is tried again. */
  onTrouble(error: unknown): void;
}

/** Claimed at once, and in hand at once: what is claimed waits for its turn here, on its lease. */
const mostPerClaim = 60;
const mostInHand = 3000;
/**
 * More of an endpoint is claimed when so many are left of it. Together with those they take its ten places nine times,
 * at the worst for the ten seconds of an attempt each.
 */
const fewOfEndpoint = 30;
/** How often it is looked for what has come due, or was left by a process that died. */
const pollMs = 1000;
/** Longer than what is claimed waits and takes. */
const usualLeaseMs = 120_000;
/** An attempt that begins with less left of its lease could be made by another process, too. */
const attemptWithinMs = 15_000;

/** Makes the attempts that are due at deliveries that wait. */
export function createRetries(deps: RetryDeps) {
  const { database, clock, leaseMs = usualLeaseMs } = deps;
  const stopping = new AbortController();
  const bell = createBell(clock);
  const inHand = new Set<Promise<void>>();
  /** How many of each place are in hand. */
  const places = new Map<string, { readonly place: Place; count: number }>();

  /** Whether there may be more to claim at once. */
  async function round(): Promise<boolean> {
    const most = Math.min(mostPerClaim, mostInHand - inHand.size);
    if (most <= 0) return false;
    const now = clock.now();
    const full = [...places.values()].filter(({ count }) => count > fewOfEndpoint).map(({ place }) => place);
    const rows = await claimDue(database, { now, until: now + leaseMs, most }, full);
    rows.forEach(take);
    return rows.length > most / 2;
  }

  function take(row: PendingRow): void {
    const known = places.get(keyOf(row)) ?? { place: row, count: 0 };
    places.set(keyOf(row), known);
    known.count += 1;
    const work = workOn(deps, row, () => !stopping.signal.aborted)
      .catch(deps.onTrouble)
      .finally(() => {
        inHand.delete(work);
        known.count -= 1;
        if (known.count === 0) places.delete(keyOf(row));
        // There may be more of it than was claimed, or a later event of the call; else the next look is soon enough.
        const isFirst = row.attempt === 0 && !row.manual;
        if (known.count === fewOfEndpoint || (isFirst && known.count < fewOfEndpoint)) bell.ring();
      });
    inHand.add(work);
  }

  async function run(): Promise<void> {
    const retry = { clock, signal: stopping.signal, onTrouble: deps.onTrouble };
    if (deps.isAlone) await untilDone(retry, async () => [await releaseAll(database)]);
    while (!stopping.signal.aborted) {
      const heard = bell.listen();
      const isMore = await round().catch((error: unknown) => {
        deps.onTrouble(error);
        return false;
      });
      if (!isMore) await bell.wait(heard, pollMs);
    }
    await Promise.all(inHand);
  }
  const finished = run();

  return {
    /** Something has come due. */
    nudge: (): void => bell.ring(),
    /** Works on a row that was claimed otherwise, such as a probe. */
    take,
    leaseUntil: (): number => clock.now() + leaseMs,
    /** Finishes the attempts under way and leaves the rest to the next run. */
    async close(): Promise<void> {
      stopping.abort();
      bell.ring();
      await finished;
    },
  };
}
export type Retries = ReturnType<typeof createRetries>;

const keyOf = ({ orgId, endpoint }: Place): string => `${orgId} ${endpoint}`;

/** Brings a claimed row to its next state. */
async function workOn(deps: RetryDeps, row: PendingRow, mayBegin: () => boolean): Promise<void> {
  const { pending, snapshot, clock } = deps;
  if (row.untold !== null || row.ended) return pending.tellLeftOver(row);
  const event = callEventSchema.parse(JSON.parse(row.event));
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
  noteHealth(deps.health, attempted);
  await pending.settle(row, attempted.record, attempted.nextAt);
}

const toPrepared = (row: PendingRow, event: CallEvent, webhook: Webhook): Prepared =>
  prepare({ deliveryId: row.deliveryId, event, webhook, attempt: row.attempt + 1, trigger: triggerOf(row) });

/** A row that is held is tried as a probe alone. */
const triggerOf = ({ manual, held }: PendingRow): DeliveryTrigger => (manual ? "manual" : held ? "probe" : "automatic");

/** What first attempts go in order of. */
export const orderKey = (callId: string, { endpoint }: Place): string => `${callId} ${endpoint}`;

export function noteHealth({ note }: Pick<HealthKeeper, "note">, { record, nextAt }: Attempted): void {
  const { outcome } = record;
  note({
    ...{ orgId: record.org_id, webhookId: record.outgoing_webhook_config_id },
    result: outcome === "delivered" || outcome === "gone" ? outcome : "failed",
    exhausted: nextAt === null && outcome !== "delivered",
  });
}

async function hold({ database }: RetryDeps, { id, webhookId }: PendingRow): Promise<void> {
  await holdFor(database, webhookId, true);
  await releasePending(database, [id]);
}

/** Ends a delivery without one more attempt, with a record that says why. */
export async function end(
  { pending, clock, snapshot }: Pick<RetryDeps, "pending" | "clock" | "snapshot">,
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
    ...{ deliveryId: row.deliveryId, event, webhook, attempt: Math.max(1, row.attempt) },
    ...{ trigger: row.manual ? "manual" : "automatic", request, exchange: toEnd(outcome, outcome, why) },
    ...{ beganAt: now, endedAt: now, nextAt: null },
  });
  await pending.settle(row, record, null);
}
