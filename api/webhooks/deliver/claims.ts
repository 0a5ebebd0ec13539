import { isoTime } from "../../../ingest/clock.ts";
import type { DatabaseValue, Queryable } from "../../database/database.ts";
import { type Endpoint, type PendingRow, toPendingRow } from "./pending-rows.ts";

export interface Lease {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly until: number;
  readonly most: number;
}

/** Endpoints looked at in one claim; their statements take a millisecond each. */
const mostEndpoints = 20;

/**
 * Claims deliveries that are due, about `most` of them: organizations take turns, and within one its endpoints, without
 * the `busy` ones. Of a call's first attempts at one webhook only the earliest can be claimed. A row that another process
 * claims at the same moment is not among them; one that a process claimed and died with comes back when its lease ends.
 */
export async function claimDue(db: Queryable, lease: Lease, busy: readonly Endpoint[]): Promise<PendingRow[]> {
  const endpoints = roundRobin(await dueEndpoints(db, lease.now, busy)).slice(0, Math.min(mostEndpoints, lease.most));
  const each = { ...lease, most: Math.max(1, Math.floor(lease.most / Math.max(1, endpoints.length))) };
  const rows: PendingRow[] = [];
  for (const endpoint of endpoints) rows.push(...(await claimOf(db, each, endpoint)));
  return rows;
}

/** Returns the endpoints with deliveries that are due, those first that have waited longest. */
async function dueEndpoints(db: Queryable, now: number, busy: readonly Endpoint[]): Promise<Endpoint[]> {
  const values: DatabaseValue[] = [isoTime(now)];
  const bind = (value: DatabaseValue) => `$${values.push(value)}`;
  const others = busy.map(
    ({ orgId, endpoint }) => ` AND NOT (org_id = ${bind(orgId)} AND endpoint = ${bind(endpoint)})`,
  );
  const rows = await db.query(
    `SELECT org_id, endpoint FROM pending_deliveries
     WHERE due_at <= $1 AND leased_until <= $1 AND NOT held${others.join("")}
     GROUP BY org_id, endpoint ORDER BY min(due_at), org_id, endpoint`,
    values,
  );
  return rows.map((row) => ({ orgId: String(row.org_id), endpoint: String(row.endpoint) }));
}

/** Orders the first of each organization before the second of each, and so on. */
function roundRobin(endpoints: readonly Endpoint[]): Endpoint[] {
  const seen = new Map<string, number>();
  const rounds = endpoints.map((endpoint) => {
    const round = seen.get(endpoint.orgId) ?? 0;
    seen.set(endpoint.orgId, round + 1);
    return { endpoint, round };
  });
  return rounds.sort((one, other) => one.round - other.round).map(({ endpoint }) => endpoint);
}

async function claimOf(
  db: Queryable,
  { now, until, most }: Lease,
  { orgId, endpoint }: Endpoint,
): Promise<PendingRow[]> {
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

/** Claims deliveries that have waited since before `queuedBefore`, held or not. */
export const claimOld = (db: Queryable, lease: Lease, queuedBefore: number): Promise<PendingRow[]> =>
  claimWhere(db, lease, { where: "queued_at < $3", values: [isoTime(queuedBefore)] });

/** Claims the delivery that has waited longest for a paused webhook. */
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

/** Holds all deliveries that wait for a webhook, or releases them. */
export async function holdFor(db: Queryable, webhookId: string, held: boolean): Promise<void> {
  await db.query("UPDATE pending_deliveries SET held = $2 WHERE webhook_id = $1 AND held <> $2 AND NOT ended", [
    webhookId,
    held,
  ]);
}

/** Returns the webhooks with held deliveries. */
export async function heldWebhooks(db: Queryable): Promise<{ readonly orgId: string; readonly id: string }[]> {
  const rows = await db.query("SELECT DISTINCT org_id, webhook_id FROM pending_deliveries WHERE held");
  return rows.map((row) => ({ orgId: String(row.org_id), id: String(row.webhook_id) }));
}

/** Returns the ids of webhooks with events that wait for their first attempt. */
export async function waitingWebhooks(db: Queryable): Promise<ReadonlySet<string>> {
  const rows = await db.query(
    "SELECT DISTINCT webhook_id FROM pending_deliveries WHERE attempt = 0 AND NOT manual AND NOT ended",
  );
  return new Set(rows.map((row) => String(row.webhook_id)));
}
