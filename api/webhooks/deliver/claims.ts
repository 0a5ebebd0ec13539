import { isoTime } from "../../../ingest/clock.ts";
import type { DatabaseValue, Queryable } from "../../database/database.ts";
import type { Place } from "./line.ts";
import { type PendingRow, toPendingRow } from "./pending-rows.ts";

export interface Lease {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly until: number;
  readonly most: number;
}

/** Endpoints looked at in one claim; their statements take a millisecond each. */
const mostEndpoints = 20;

/**
 * Claims deliveries that are due, about `most` of them: organizations take turns, and within one its endpoints; those of
 * `full` are left out. Of a call's first attempts at one webhook only the earliest can be had. What another process
 * claims at the same moment is not among them, and what one has claimed that died comes back with the end of its lease.
 */
export async function claimDue(db: Queryable, lease: Lease, full: readonly Place[]): Promise<PendingRow[]> {
  const places = inTurn(await duePlaces(db, lease.now, full)).slice(0, Math.min(mostEndpoints, lease.most));
  const each = { ...lease, most: Math.max(1, Math.floor(lease.most / Math.max(1, places.length))) };
  const rows: PendingRow[] = [];
  for (const place of places) rows.push(...(await claimOf(db, each, place)));
  return rows;
}

/** Endpoints for which something is due, those that have waited longest first. */
async function duePlaces(db: Queryable, now: number, full: readonly Place[]): Promise<Place[]> {
  const values: DatabaseValue[] = [isoTime(now)];
  const bind = (value: DatabaseValue) => `$${values.push(value)}`;
  const left = full.map(({ orgId, endpoint }) => ` AND NOT (org_id = ${bind(orgId)} AND endpoint = ${bind(endpoint)})`);
  const rows = await db.query(
    `SELECT org_id, endpoint FROM pending_deliveries
     WHERE due_at <= $1 AND leased_until <= $1 AND NOT held${left.join("")}
     GROUP BY org_id, endpoint ORDER BY min(due_at), org_id, endpoint`,
    values,
  );
  return rows.map((row) => ({ orgId: String(row.org_id), endpoint: String(row.endpoint) }));
}

/** The first of each organization, then the second of each, and so on. */
function inTurn(places: readonly Place[]): Place[] {
  const seen = new Map<string, number>();
  const turns = places.map((place) => {
    const turn = seen.get(place.orgId) ?? 0;
    seen.set(place.orgId, turn + 1);
    return { place, turn };
  });
  return turns.sort((one, other) => one.turn - other.turn).map(({ place }) => place);
}

async function claimOf(db: Queryable, { now, until, most }: Lease, { orgId, endpoint }: Place): Promise<PendingRow[]> {
  const rows = await db.query(
    `UPDATE pending_deliveries SET leased_until = $2 WHERE leased_until <= $1 AND id IN (
       SELECT p.id FROM (
         SELECT id, webhook_id, call_id, version, attempt, manual FROM pending_deliveries
         WHERE due_at <= $1 AND leased_until <= $1 AND NOT held AND org_id = $3 AND endpoint = $4
         ORDER BY due_at, version, id LIMIT ${most}
       ) AS p WHERE p.attempt > 0 OR p.manual OR NOT EXISTS (
         SELECT 1 FROM pending_deliveries AS e WHERE e.webhook_id = p.webhook_id AND e.call_id = p.call_id
           AND e.attempt = 0 AND NOT e.manual AND e.version < p.version))
     RETURNING *`,
    [isoTime(now), isoTime(until), orgId, endpoint],
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
