import type { z } from "zod";
import { isoTime } from "../../ingest/clock.ts";
import { parseStored } from "../../ingest/unreadable.ts";
import type { Queryable } from "../database/database.ts";
import { leasesOf } from "./leases.ts";
import type { ReceiptTable, Transaction } from "./transaction.ts";

export interface Receipt<D> {
  readonly decided: D;
  /** Until when somebody is carrying it out; null: it is done. */
  readonly leasedUntil: number | null;
}

interface ReceiptsGiven<D> {
  readonly table: ReceiptTable;
  /** What was decided for a transaction, with the answer to it. */
  readonly schema: z.ZodType<D>;
  /** As much of it as is kept once all was done. */
  toDone(decided: D): D;
}

/** An answer stands for a day (semantics 7.8). */
const keepMs = 24 * 60 * 60 * 1000;
const keptSince = (now: number): string => isoTime(now - keepMs);

/** What was decided for each transaction, in a table of its own, and who carries it out. */
export function createReceipts<D>({ table, schema, toDone }: ReceiptsGiven<D>) {
  /** Throws `UnreadableError`. */
  const toDecided = (doc: unknown, { orgId, id }: Transaction): D =>
    parseStored(schema, doc, { table, id: `${orgId} ${id}` });

  return {
    ...leasesOf({ table, toDecided }),

    async findReceipt(db: Queryable, { orgId, id }: Transaction, now: number): Promise<Receipt<D> | null> {
      const [row] = await db.query(
        `SELECT doc, leased_until FROM ${table}
         WHERE org_id = $1 AND transaction_id = $2 AND accepted_at > $3`,
        [orgId, id, keptSince(now)],
      );
      if (row === undefined) return null;
      return {
        decided: toDecided(row.doc, { orgId, id }),
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

    /** All was done: the answer stands. */
    async finish(db: Queryable, { orgId, id }: Transaction, decided: D): Promise<void> {
      await db.query(`UPDATE ${table} SET leased_until = NULL, doc = $3 WHERE org_id = $1 AND transaction_id = $2`, [
        orgId,
        id,
        JSON.stringify(toDone(decided)),
      ]);
    },

    async sweepReceipts(db: Queryable, now: number): Promise<void> {
      await db.query(`DELETE FROM ${table} WHERE accepted_at <= $1 AND leased_until IS NULL`, [keptSince(now)]);
    },
  };
}
export type Receipts<D> = ReturnType<typeof createReceipts<D>>;
