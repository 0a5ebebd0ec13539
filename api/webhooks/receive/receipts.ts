import { z } from "zod";
import { isoTime } from "../../../ingest/clock.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { DatabaseRow, Queryable } from "../../config/database.ts";
import { planNothing, planSchema } from "./plan.ts";

/** A logical event of a customer's system (spec: Inbound idempotency). */
export interface Transaction {
  readonly orgId: OrgId;
  readonly id: string;
}

/** What was decided for a transaction, and the answer to it as it is sent. */
const decidedSchema = z.object({ plan: planSchema, status: z.int(), body: z.string() });
export type Decided = z.infer<typeof decidedSchema>;

export interface Receipt {
  readonly decided: Decided;
  /** Until when somebody is carrying it out; null: it is done. */
  readonly leasedUntil: number | null;
}

/** An answer stands for a day (semantics 7.8). */
const keepMs = 24 * 60 * 60 * 1000;
const rowsPerRound = 100;
const keptSince = (now: number): string => isoTime(now - keepMs);
const toDecided = ({ doc }: DatabaseRow): Decided => decidedSchema.parse(JSON.parse(String(doc)));

export async function findReceipt(db: Queryable, { orgId, id }: Transaction, now: number): Promise<Receipt | null> {
  const [row] = await db.query(
    `SELECT doc, leased_until FROM webhook_receipts
     WHERE org_id = $1 AND transaction_id = $2 AND accepted_at > $3`,
    [orgId, id, keptSince(now)],
  );
  if (row === undefined) return null;
  return {
    decided: toDecided(row),
    leasedUntil: row.leased_until === null ? null : Date.parse(String(row.leased_until)),
  };
}

/** Takes the transaction for whoever decided first; false when another one has it. */
export async function accept(
  db: Queryable,
  { orgId, id }: Transaction,
  { decided, now, leasedUntil }: { decided: Decided; now: number; leasedUntil: number },
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO webhook_receipts (org_id, transaction_id, accepted_at, leased_until, doc) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (org_id, transaction_id) DO UPDATE
       SET accepted_at = excluded.accepted_at, leased_until = excluded.leased_until, doc = excluded.doc
       WHERE webhook_receipts.accepted_at <= $6
     RETURNING transaction_id`,
    [orgId, id, isoTime(now), isoTime(leasedUntil), JSON.stringify(decided), keptSince(now)],
  );
  return rows.length > 0;
}

/** Takes up what somebody has left; null when it is not left, or another one was first. */
export async function resume(
  db: Queryable,
  { orgId, id }: Transaction,
  { now, leasedUntil }: { now: number; leasedUntil: number },
): Promise<Decided | null> {
  const [row] = await db.query(
    `UPDATE webhook_receipts SET leased_until = $3
     WHERE org_id = $1 AND transaction_id = $2 AND leased_until <= $4 RETURNING doc`,
    [orgId, id, isoTime(leasedUntil), isoTime(now)],
  );
  return row === undefined ? null : toDecided(row);
}

/** All was done: the answer stands, and of the plan no more is kept than which call it was of. */
export async function finish(db: Queryable, { orgId, id }: Transaction, { plan, ...answer }: Decided): Promise<void> {
  const done: Decided = { ...answer, plan: planNothing(plan.call_id, {}) };
  await db.query(
    "UPDATE webhook_receipts SET leased_until = NULL, doc = $3 WHERE org_id = $1 AND transaction_id = $2",
    [orgId, id, JSON.stringify(done)],
  );
}

/** It could not be done: whoever tries again may. */
export async function giveBack(db: Queryable, { orgId, id }: Transaction, now: number): Promise<void> {
  await db.query(
    `UPDATE webhook_receipts SET leased_until = $3
     WHERE org_id = $1 AND transaction_id = $2 AND leased_until IS NOT NULL`,
    [orgId, id, isoTime(now)],
  );
}

/** Some of those that were left by whoever accepted them. */
export async function findLeft(db: Queryable, now: number): Promise<Transaction[]> {
  const rows = await db.query(
    `SELECT org_id, transaction_id FROM webhook_receipts WHERE leased_until <= $1 LIMIT ${rowsPerRound}`,
    [isoTime(now)],
  );
  return rows.map((row) => ({ orgId: row.org_id as OrgId, id: String(row.transaction_id) }));
}

export async function sweepReceipts(db: Queryable, now: number): Promise<void> {
  await db.query("DELETE FROM webhook_receipts WHERE accepted_at <= $1 AND leased_until IS NULL", [keptSince(now)]);
}
