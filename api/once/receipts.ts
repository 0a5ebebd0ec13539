import type { z } from "zod";
import { isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { DatabaseRow, Queryable } from "../database/database.ts";

/** A logical event of a customer's system (spec: Inbound idempotency). */
export interface Transaction {
  readonly orgId: OrgId;
  readonly id: string;
}

export interface Receipt<D> {
  readonly decided: D;
  /** Until when somebody is carrying it out; null: it is done. */
  readonly leasedUntil: number | null;
}

interface ReceiptsGiven<D> {
  readonly table: "webhook_receipts" | "adjustment_receipts";
  /** What was decided for a transaction, with the answer to it. */
  readonly schema: z.ZodType<D>;
  /** As much of it as is kept once all was done. */
  toDone(decided: D): D;
}

/** An answer stands for a day (semantics 7.8). */
const keepMs = 24 * 60 * 60 * 1000;
const rowsPerRound = 100;
const keptSince = (now: number): string => isoTime(now - keepMs);

/** What was decided for each transaction, in a table of its own. */
export function createReceipts<D>({ table, schema, toDone }: ReceiptsGiven<D>) {
  const toDecided = ({ doc }: DatabaseRow): D => schema.parse(JSON.parse(String(doc)));

  return {
    async findReceipt(db: Queryable, { orgId, id }: Transaction, now: number): Promise<Receipt<D> | null> {
      const [row] = await db.query(
        `SELECT doc, leased_until FROM ${table}
         WHERE org_id = $1 AND transaction_id = $2 AND accepted_at > $3`,
        [orgId, id, keptSince(now)],
      );
      if (row === undefined) return null;
      return {
        decided: toDecided(row),
        leasedUntil: row.leased_until === null ? null : Date.parse(String(row.leased_until)),
      };
    },

    /** Takes the transaction for whoever decided first; false when another one has it. */
    async accept(
      db: Queryable,
      { orgId, id }: Transaction,
      { decided, now, leasedUntil }: { decided: D; now: number; leasedUntil: number },
    ): Promise<boolean> {
      const rows = await db.query(
        `INSERT INTO ${table} (org_id, transaction_id, accepted_at, leased_until, doc) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (org_id, transaction_id) DO UPDATE
           SET accepted_at = excluded.accepted_at, leased_until = excluded.leased_until, doc = excluded.doc
           WHERE ${table}.accepted_at <= $6
         RETURNING transaction_id`,
        [orgId, id, isoTime(now), isoTime(leasedUntil), JSON.stringify(decided), keptSince(now)],
      );
      return rows.length > 0;
    },

    /** Takes up what somebody has left; null when it is not left, or another one was first. */
    async resume(
      db: Queryable,
      { orgId, id }: Transaction,
      { now, leasedUntil }: { now: number; leasedUntil: number },
    ): Promise<D | null> {
      const [row] = await db.query(
        `UPDATE ${table} SET leased_until = $3
         WHERE org_id = $1 AND transaction_id = $2 AND leased_until <= $4 RETURNING doc`,
        [orgId, id, isoTime(leasedUntil), isoTime(now)],
      );
      return row === undefined ? null : toDecided(row);
    },

    /** All was done: the answer stands. */
    async finish(db: Queryable, { orgId, id }: Transaction, decided: D): Promise<void> {
      await db.query(`UPDATE ${table} SET leased_until = NULL, doc = $3 WHERE org_id = $1 AND transaction_id = $2`, [
        orgId,
        id,
        JSON.stringify(toDone(decided)),
      ]);
    },

    /** It could not be done: whoever tries again may. */
    async giveBack(db: Queryable, { orgId, id }: Transaction, now: number): Promise<void> {
      await db.query(
        `UPDATE ${table} SET leased_until = $3
         WHERE org_id = $1 AND transaction_id = $2 AND leased_until IS NOT NULL`,
        [orgId, id, isoTime(now)],
      );
    },

    /** Some of those that were left by whoever accepted them. */
    async findLeft(db: Queryable, now: number): Promise<Transaction[]> {
      const rows = await db.query(
        `SELECT org_id, transaction_id FROM ${table} WHERE leased_until <= $1 LIMIT ${rowsPerRound}`,
        [isoTime(now)],
      );
      return rows.map((row) => ({ orgId: row.org_id as OrgId, id: String(row.transaction_id) }));
    },

    async sweepReceipts(db: Queryable, now: number): Promise<void> {
      await db.query(`DELETE FROM ${table} WHERE accepted_at <= $1 AND leased_until IS NULL`, [keptSince(now)]);
    },
  };
}
export type Receipts<D> = ReturnType<typeof createReceipts<D>>;
