import { isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Queryable } from "../database/database.ts";
import type { ReceiptTable, Transaction } from "./transaction.ts";

const rowsPerRound = 100;

interface LeasesGiven<D> {
  readonly table: ReceiptTable;
  toDecided(doc: unknown, transaction: Transaction): D;
}

/** Who carries out what was decided for a transaction: whoever took it last, until his lease ends. */
export const leasesOf = <D>({ table, toDecided }: LeasesGiven<D>) => ({
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
    return row === undefined ? null : toDecided(row.doc, { orgId, id });
  },

  /** It could not be done: whoever tries again may. */
  async giveBack(db: Queryable, { orgId, id }: Transaction, now: number): Promise<void> {
    await db.query(
      `UPDATE ${table} SET leased_until = $3
       WHERE org_id = $1 AND transaction_id = $2 AND leased_until IS NOT NULL`,
      [orgId, id, isoTime(now)],
    );
  },

  /** Some of those that were left by whoever accepted them, which have waited longest: what cannot be done keeps no other waiting. */
  async findLeft(db: Queryable, now: number): Promise<Transaction[]> {
    const rows = await db.query(
      `SELECT org_id, transaction_id FROM ${table} WHERE leased_until <= $1 ORDER BY leased_until LIMIT ${rowsPerRound}`,
      [isoTime(now)],
    );
    return rows.map((row) => ({ orgId: row.org_id as OrgId, id: String(row.transaction_id) }));
  },
});
