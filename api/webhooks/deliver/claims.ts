import { isoTime } from "../../../ingest/clock.ts";
import type { DatabaseValue, Queryable } from "../../config/database.ts";
import { type PendingRow, toPendingRow } from "./pending-rows.ts";
import type { Place } from "./turns.ts";

export interface Lease {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly until: number;
  readonly most: number;
}

/** Of one endpoint in one claim: what it takes at once. */
const perEndpoint = 10;

/**
 * Claims deliveries that are due, as many as `most`: organizations take turns, and within one its endpoints; those of
 * `full` are left out. Of a call's first attempts at one webhook only the earliest can be had. What another process
 * claims at the same moment is not among them, and what one has claimed that died comes back with the end of its lease.
 */
export async function claimDue(db: Queryable, lease: Lease, full: readonly Place[]): Promise<PendingRow[]> {
  const values: DatabaseValue[] = [isoTime(lease.now), isoTime(lease.until)];
  const bind = (value: DatabaseValue) => `$${values.push(value)}`;
  const left = full.map(({ orgId, endpoint }) => `NOT (p.org_id = ${bind(orgId)} AND p.endpoint = ${bind(endpoint)})`);
  const where = ["p.due_at <= $1", "p.leased_until <= $1", "NOT p.held", ...left].join(" AND ");
  const rows = await db.query(
    `UPDATE pending_deliveries SET leased_until = $2 WHERE leased_until <= $1 AND id IN (
       SELECT id FROM (
         SELECT id, row_number() OVER (PARTITION BY org_id ORDER BY place, due_at, id) AS turn FROM (
           SELECT p.id, p.org_id, p.due_at,
             row_number() OVER (PARTITION BY p.org_id, p.endpoint ORDER BY p.due_at, p.version, p.id) AS place
           FROM pending_deliveries AS p WHERE ${where} AND (p.attempt > 0 OR p.manual OR NOT EXISTS (
             SELECT 1 FROM pending_deliveries AS e WHERE e.webhook_id = p.webhook_id AND e.call_id = p.call_id
               AND e.attempt = 0 AND NOT e.manual AND e.version < p.version))
         ) AS by_endpoint WHERE place <= ${perEndpoint}
       ) AS by_org ORDER BY turn, id LIMIT ${lease.most})
     RETURNING *`,
    values,
  );
  return rows.map(toPendingRow).sort((one, other) => one.dueAt - other.dueAt || one.version - other.version);
}

/** Claims what has waited since before `queuedBefore`, held or not. */
export const claimOld = (db: Queryable, lease: Lease, queuedBefore: number): Promise<PendingRow[]> =>
  claimWhere(db, lease, { where: "queued_at < $3", values: [isoTime(queuedBefore)] });

/** Claims a delivery that waits for a paused webhook: the one that has waited longest. */
export const claimProbe = (db: Queryable, lease: Omit<Lease, "most">, webhookId: string): Promise<PendingRow[]> =>
  claimWhere(db, { ...lease, most: 1 }, { where: "webhook_id = $3 AND held AND NOT ended", values: [webhookId] });

async function claimWhere(
  db: Queryable,
  { now, until, most }: Lease,
  { where, values }: { readonly where: string; readonly values: readonly DatabaseValue[] },
): Promise<PendingRow[]> {
  const rows = await db.query(
    `UPDATE pending_deliveries SET leased_until = $2 WHERE leased_until <= $1 AND id IN (
       SELECT id FROM pending_deliveries WHERE ${where} AND leased_until <= $1 ORDER BY queued_at, id LIMIT ${most})
     RETURNING *`,
    [isoTime(now), isoTime(until), ...values],
  );
  return rows.map(toPendingRow);
}

/** All that waits for a webhook waits until it is resumed, or no longer. What is being attempted is not held. */
export async function holdFor(db: Queryable, webhookId: string, held: boolean): Promise<void> {
  await db.query("UPDATE pending_deliveries SET held = $2 WHERE webhook_id = $1 AND held <> $2 AND NOT ended", [
    webhookId,
    held,
  ]);
}

/** Webhooks for which something is held. */
export async function heldWebhooks(db: Queryable): Promise<{ readonly orgId: string; readonly id: string }[]> {
  const rows = await db.query("SELECT DISTINCT org_id, webhook_id FROM pending_deliveries WHERE held");
  return rows.map((row) => ({ orgId: String(row.org_id), id: String(row.webhook_id) }));
}

/** Webhooks of which events wait for their first attempt. */
export async function waitingWebhooks(db: Queryable): Promise<ReadonlySet<string>> {
  const rows = await db.query(
    "SELECT DISTINCT webhook_id FROM pending_deliveries WHERE attempt = 0 AND NOT manual AND NOT ended",
  );
  return new Set(rows.map((row) => String(row.webhook_id)));
}
