import { isoTime } from "../../../ingest/clock.ts";
import type { DatabaseValue, Queryable } from "../../database/database.ts";
import { type Endpoint, type PendingRow, toPendingRow } from "./pending-rows.ts";

export interface Lease {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly until: number;
  readonly most: number;
}

/** Endpoints that one claim takes deliveries of. */
const mostEndpoints = 20;

/**
 * Claims deliveries that are due, about `most` of them, and of one endpoint at most what `roomOf` it says: organizations
 * take turns, and within one its endpoints. Of a call's first attempts at one webhook only the earliest can be claimed. A
 * row that another process claims at the same moment is not among them; one that a process claimed and died with comes back
 * when its lease ends.
 */
export async function claimDue(
  db: Queryable,
  lease: Lease,
  roomOf: (endpoint: Endpoint) => number,
): Promise<PendingRow[]> {
  const due = await dueEndpoints(db, lease.now);
  const free = due.map((endpoint) => ({ endpoint, room: roomOf(endpoint) })).filter(({ room }) => room > 0);
  const endpoints = roundRobin(free).slice(0, Math.min(mostEndpoints, lease.most));
  const share = Math.max(1, Math.floor(lease.most / Math.max(1, endpoints.length)));
  // Together, so that they share a commit.
  const claims = endpoints.map(({ endpoint, room }) =>
    claimOf(db, { ...lease, most: Math.min(share, room) }, endpoint),
  );
  return (await Promise.all(claims)).flat();
}

/** A table `name` of the values of an indexed column of rows that wait, each found by its index, however many rows have it. */
const distinct = (name: string, column: string, where: string): string =>
  `${name} (id) AS (
     SELECT min(${column}) FROM pending_deliveries WHERE ${where}
     UNION ALL
     SELECT (SELECT min(${column}) FROM pending_deliveries WHERE ${where} AND ${column} > ${name}.id)
     FROM ${name} WHERE ${name}.id IS NOT NULL)`;

/** Returns the endpoints with deliveries that are due, those first that have waited longest. */
async function dueEndpoints(db: Queryable, now: number): Promise<Endpoint[]> {
  const rows = await db.query(
    `WITH RECURSIVE ${distinct("orgs", "org_id", "NOT held")},
     endpoints (org_id, endpoint) AS (
       SELECT id, (SELECT min(endpoint) FROM pending_deliveries WHERE NOT held AND org_id = orgs.id)
       FROM orgs WHERE id IS NOT NULL
       UNION ALL
       SELECT org_id, (SELECT min(p.endpoint) FROM pending_deliveries AS p
                       WHERE NOT p.held AND p.org_id = endpoints.org_id AND p.endpoint > endpoints.endpoint)
       FROM endpoints WHERE endpoint IS NOT NULL),
     due AS (
       SELECT org_id, endpoint, (
         SELECT due_at FROM pending_deliveries AS p
         WHERE NOT p.held AND p.org_id = endpoints.org_id AND p.endpoint = endpoints.endpoint
           AND p.due_at <= $1 AND p.leased_until <= $1
         ORDER BY due_at LIMIT 1) AS due_at
       FROM endpoints WHERE endpoint IS NOT NULL)
     SELECT org_id, endpoint FROM due WHERE due_at IS NOT NULL ORDER BY due_at, org_id, endpoint`,
    [isoTime(now)],
  );
  return rows.map((row) => ({ orgId: String(row.org_id), endpoint: String(row.endpoint) }));
}

/** Orders the first of each organization before the second of each, and so on. */
function roundRobin<T extends { readonly endpoint: Endpoint }>(all: readonly T[]): T[] {
  const seen = new Map<string, number>();
  const rounds = all.map((each) => {
    const { orgId } = each.endpoint;
    const round = seen.get(orgId) ?? 0;
    seen.set(orgId, round + 1);
    return { each, round };
  });
  return rounds.sort((one, other) => one.round - other.round).map(({ each }) => each);
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
  const rows = await db.query(
    `WITH RECURSIVE ${distinct("webhooks", "webhook_id", "held")}
     SELECT id, (SELECT org_id FROM pending_deliveries WHERE held AND webhook_id = webhooks.id LIMIT 1) AS org_id
     FROM webhooks WHERE id IS NOT NULL`,
  );
  return rows.map((row) => ({ orgId: String(row.org_id), id: String(row.id) }));
}

/** Returns the ids of webhooks with events that wait for their first attempt. */
export async function waitingWebhooks(db: Queryable): Promise<ReadonlySet<string>> {
  const rows = await db.query(
    `WITH RECURSIVE ${distinct("webhooks", "webhook_id", "attempt = 0 AND NOT manual")}
     SELECT id FROM webhooks WHERE id IS NOT NULL`,
  );
  return new Set(rows.map((row) => String(row.id)));
}
