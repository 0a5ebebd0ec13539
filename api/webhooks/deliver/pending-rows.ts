import { isoTime } from "../../../ingest/clock.ts";
import type { DatabaseRow, DatabaseValue, Queryable } from "../../database/database.ts";
import { createParameters } from "../../database/database.ts";

/** An origin that an organization's webhooks are sent to: its requests share a queue. */
export interface Endpoint {
  readonly orgId: string;
  readonly endpoint: string;
}

/** A delivery that waits; times are milliseconds since 1970. */
export interface PendingRow {
  /** The delivery's id, or a redelivery's own. */
  readonly id: string;
  readonly deliveryId: string;
  readonly orgId: string;
  readonly webhookId: string;
  readonly callId: string;
  readonly version: number;
  readonly endpoint: string;
  readonly manual: boolean;
  readonly redeliveryId: string | null;
  /** The call event, as JSON. */
  readonly event: string;
  /** Attempts made so far. */
  readonly attempt: number;
  readonly queuedAt: number;
  readonly dueAt: number;
  readonly leasedUntil: number;
  readonly held: boolean;
  readonly ended: boolean;
  /** The last attempt's record as JSON, until the log is known to have it; the column `untold`. */
  readonly unpublished: string | null;
  /** The span of the delivery, of which its attempts are parts. */
  readonly traceparent?: string | undefined;
}

const columns = [
  "id",
  "delivery_id",
  "org_id",
  "webhook_id",
  "call_id",
  "version",
  "endpoint",
  "manual",
  "redelivery_id",
  "event",
  "attempt",
  "queued_at",
  "due_at",
  "leased_until",
  "held",
  "ended",
  "untold",
  "traceparent",
];

/** No lease: any text of a time is greater. */
const free = "";
const leaseText = (leasedUntil: number): string => (leasedUntil === 0 ? free : isoTime(leasedUntil));

type Bound = ReturnType<typeof createParameters>;
const listed = (ids: readonly DatabaseValue[], { add }: Bound): string => ids.map(add).join(", ");

/** Rows that are there already stay as they are. */
export async function insertPending(db: Queryable, rows: readonly PendingRow[]): Promise<void> {
  const { values, add } = createParameters();
  const places = rows.map((row) => {
    const { id, deliveryId, orgId, webhookId, callId, version, endpoint, manual, redeliveryId } = row;
    const about = [id, deliveryId, orgId, webhookId, callId, version, endpoint, manual, redeliveryId, row.event];
    const times = [isoTime(row.queuedAt), isoTime(row.dueAt), leaseText(row.leasedUntil)];
    const state = [row.held, row.ended, row.unpublished, row.traceparent ?? null];
    return `(${[...about, row.attempt, ...times, ...state].map(add).join(", ")})`;
  });
  await db.query(
    `INSERT INTO pending_deliveries (${columns.join(", ")}) VALUES ${places.join(", ")} ON CONFLICT (id) DO NOTHING`,
    values,
  );
}

/** The state of a row after an attempt; its lease stays until the log has the record. */
export interface Settled {
  readonly id: string;
  readonly attempt: number;
  readonly dueAt: number;
  readonly held: boolean;
  readonly ended: boolean;
  readonly unpublished: string | null;
  /** The redelivery that counts it when it ends; null for most. */
  readonly redeliveryId: string | null;
}

export async function settlePending(db: Queryable, all: readonly Settled[]): Promise<void> {
  const { values, add } = createParameters();
  const places = all.map(({ id, attempt, dueAt, held, ended, unpublished }) => {
    const numbers = `CAST(${add(attempt)} AS INTEGER), ${add(isoTime(dueAt))}`;
    const flags = `CAST(${add(held)} AS BOOLEAN), CAST(${add(ended)} AS BOOLEAN)`;
    return `(${add(id)}, ${numbers}, ${flags}, CAST(${add(unpublished)} AS VARCHAR))`;
  });
  await db.query(
    `WITH s (id, attempt, due_at, held, ended, untold) AS (VALUES ${places.join(", ")})
     UPDATE pending_deliveries SET attempt = s.attempt, due_at = s.due_at, held = s.held, ended = s.ended, untold = s.untold
     FROM s WHERE pending_deliveries.id = s.id`,
    values,
  );
}

/** Ends the leases of rows whose records the log has: they are free for their next attempt. */
export async function freePending(db: Queryable, ids: readonly string[]): Promise<void> {
  const bound = createParameters(free);
  await db.query(
    `UPDATE pending_deliveries SET untold = NULL, leased_until = $1 WHERE id IN (${listed(ids, bound)})`,
    bound.values,
  );
}

/** Ends the leases of rows that were claimed and not attempted. */
export async function releasePending(db: Queryable, ids: readonly string[]): Promise<void> {
  const bound = createParameters(free);
  await db.query(`UPDATE pending_deliveries SET leased_until = $1 WHERE id IN (${listed(ids, bound)})`, bound.values);
}

/** Counts a row that cannot be attempted as attempted: later first attempts of its call do not wait for it. */
export async function passPending(db: Queryable, id: string): Promise<void> {
  await db.query("UPDATE pending_deliveries SET attempt = 1 WHERE id = $1 AND attempt = 0", [id]);
}

/** Ends every lease: for a process that knows of no other. */
export async function releaseAll(db: Queryable): Promise<void> {
  await db.query("UPDATE pending_deliveries SET leased_until = $1 WHERE leased_until <> $1", [free]);
}

/** Returns those that were there, each with the redelivery that it belonged to. */
export async function deletePending(db: Queryable, ids: readonly string[]) {
  const bound = createParameters();
  const rows = await db.query(
    `DELETE FROM pending_deliveries WHERE id IN (${listed(ids, bound)}) RETURNING id, redelivery_id`,
    bound.values,
  );
  return rows.map((row) => ({
    id: String(row.id),
    redeliveryId: row.redelivery_id === null ? null : String(row.redelivery_id),
  }));
}

/** Returns the ids of those of these deliveries that wait. */
export async function findPending(db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const bound = createParameters();
  const rows = await db.query(`SELECT id FROM pending_deliveries WHERE id IN (${listed(ids, bound)})`, bound.values);
  return new Set(rows.map(({ id }) => String(id)));
}

export const toPendingRow = (row: DatabaseRow): PendingRow => ({
  id: String(row.id),
  deliveryId: String(row.delivery_id),
  orgId: String(row.org_id),
  webhookId: String(row.webhook_id),
  callId: String(row.call_id),
  version: Number(row.version),
  endpoint: String(row.endpoint),
  manual: row.manual === true,
  event: String(row.event),
  redeliveryId: row.redelivery_id === null ? null : String(row.redelivery_id),
  attempt: Number(row.attempt),
  queuedAt: Date.parse(String(row.queued_at)),
  dueAt: Date.parse(String(row.due_at)),
  held: row.held === true,
  ended: row.ended === true,
  leasedUntil: row.leased_until === free ? 0 : Date.parse(String(row.leased_until)),
  unpublished: row.untold === null ? null : String(row.untold),
  traceparent: typeof row.traceparent === "string" ? row.traceparent : undefined,
});
