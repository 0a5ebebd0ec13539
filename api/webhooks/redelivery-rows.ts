import { isoTime } from "../../ingest/clock.ts";
import type { DatabaseRow, Queryable } from "../database/database.ts";

/** Adds deliveries that have ended to the counts of their redeliveries. */
export async function countEnded(
  db: Queryable,
  removed: readonly { readonly id: string; readonly redeliveryId: string | null }[],
  { delivered, now }: { readonly delivered: ReadonlySet<string>; readonly now: number },
): Promise<void> {
  for (const redeliveryId of new Set(removed.map((each) => each.redeliveryId))) {
    if (redeliveryId === null) continue;
    const ended = removed.filter((each) => each.redeliveryId === redeliveryId);
    const well = ended.filter(({ id }) => delivered.has(id)).length;
    await db.query(
      "UPDATE webhook_redeliveries SET delivered = delivered + $2, failed = failed + $3, updated_at = $4 WHERE id = $1",
      [redeliveryId, well, ended.length - well, isoTime(now)],
    );
  }
}

/** `running` until all of it has been queued. */
const storedStates = ["running", "queued", "cancelled"] as const;

/** A redelivery of many; times are milliseconds since 1970. */
export interface RedeliveryRow {
  readonly id: string;
  readonly orgId: string;
  /** The filter as JSON. */
  readonly filter: string;
  readonly state: (typeof storedStates)[number];
  readonly count: number;
  readonly queued: number;
  readonly delivered: number;
  readonly failed: number;
  readonly place: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export async function insertRedelivery(
  db: Queryable,
  { id, orgId, filter, count, createdAt }: Pick<RedeliveryRow, "id" | "orgId" | "filter" | "count" | "createdAt">,
): Promise<void> {
  await db.query(
    `INSERT INTO webhook_redeliveries (id, org_id, filter, state, count, queued, delivered, failed, created_at, updated_at, leased_until)
     VALUES ($1, $2, $3, 'running', $4, 0, 0, 0, $5, $5, '')`,
    [id, orgId, filter, count, isoTime(createdAt)],
  );
}

export async function findRedelivery(db: Queryable, orgId: string, id: string): Promise<RedeliveryRow | null> {
  const [row] = await db.query("SELECT * FROM webhook_redeliveries WHERE org_id = $1 AND id = $2", [orgId, id]);
  return row === undefined ? null : toRow(row);
}

/** A page of an organization's redeliveries, the newest first, of one webhook or of all. */
export async function listRedeliveries(
  db: Queryable,
  orgId: string,
  { webhookId, limit, offset }: { readonly webhookId: string | null; readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly RedeliveryRow[]; readonly total: number }> {
  const where = `org_id = $1 AND ($2 = '' OR filter LIKE $2 ESCAPE '\\')`;
  // The filter is JSON as JSON.stringify writes it: an id stands in it between quotes, and no other text can look so.
  const literal = `"webhook_id":${JSON.stringify(webhookId)}`.replaceAll(/[\\%_]/g, "\\$&");
  const like = webhookId === null ? "" : `%${literal}%`;
  const [counted] = await db.query(`SELECT count(*) AS total FROM webhook_redeliveries WHERE ${where}`, [orgId, like]);
  const rows = await db.query(
    `SELECT * FROM webhook_redeliveries WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
    [orgId, like, limit, offset],
  );
  return { rows: rows.map(toRow), total: Number(counted?.["total"] ?? 0) };
}

/** Counts an organization's redeliveries that have more to queue. */
export async function countRunning(db: Queryable, orgId: string): Promise<number> {
  const [row] = await db.query(
    "SELECT count(*) AS running FROM webhook_redeliveries WHERE org_id = $1 AND state = 'running'",
    [orgId],
  );
  return Number(row?.running ?? 0);
}

/** Claims the redelivery with more to queue that was claimed longest ago, until the lease ends. */
export async function claimRedelivery(
  db: Queryable,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<RedeliveryRow | null> {
  const [row] = await db.query(
    `UPDATE webhook_redeliveries SET leased_until = $2, updated_at = $1 WHERE leased_until <= $1 AND id IN (
       SELECT id FROM webhook_redeliveries WHERE state = 'running' AND leased_until <= $1 ORDER BY updated_at, id LIMIT 1)
     RETURNING *`,
    [isoTime(now), isoTime(until)],
  );
  return row === undefined ? null : toRow(row);
}

/** Stores the progress of a claimed redelivery; resolves with false if it was cancelled meanwhile. */
export async function advanceRedelivery(
  db: Queryable,
  { id }: Pick<RedeliveryRow, "id">,
  step: { readonly place: string | null; readonly queued: number; readonly failed: number; readonly isLast: boolean },
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE webhook_redeliveries SET place = coalesce(CAST($2 AS VARCHAR), place), queued = queued + $3, failed = failed + $4,
       state = $5, leased_until = '' WHERE id = $1 AND state = 'running' RETURNING id`,
    [id, step.place, step.queued, step.failed, step.isLast ? "queued" : "running"],
  );
  return rows.length === 1;
}

/** Counts the deliveries of a redelivery that wait for their attempt. */
export async function countWaiting(db: Queryable, id: string): Promise<number> {
  const [row] = await db.query("SELECT count(*) AS waiting FROM pending_deliveries WHERE redelivery_id = $1", [id]);
  return Number(row?.waiting ?? 0);
}

/** Cancels a redelivery and deletes its deliveries that wait; attempts in flight end as they do. */
export async function cancelRedelivery(db: Queryable, orgId: string, id: string, now: number): Promise<boolean> {
  const rows = await db.query(
    `UPDATE webhook_redeliveries SET state = 'cancelled', updated_at = $3
     WHERE org_id = $1 AND id = $2 AND state <> 'cancelled' RETURNING id`,
    [orgId, id, isoTime(now)],
  );
  if (rows.length === 0) return false;
  await db.query("DELETE FROM pending_deliveries WHERE redelivery_id = $1 AND leased_until <= $2 AND untold IS NULL", [
    id,
    isoTime(now),
  ]);
  return true;
}

const toRow = (row: DatabaseRow): RedeliveryRow => ({
  id: String(row.id),
  orgId: String(row.org_id),
  filter: String(row.filter),
  state: storedStates.find((state) => state === row.state) ?? "cancelled",
  count: Number(row.count),
  queued: Number(row.queued),
  delivered: Number(row.delivered),
  failed: Number(row.failed),
  place: row.place === null ? null : String(row.place),
  createdAt: Date.parse(String(row.created_at)),
  updatedAt: Date.parse(String(row.updated_at)),
});
