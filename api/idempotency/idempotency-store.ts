import type { z } from "zod";
import { isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { parseStored } from "../../ingest/unreadable.ts";
import { deleteInChunks, type Queryable } from "../database/database.ts";

/** The id that a customer's system gives a request and its repeats: `transaction_id`. */
export interface IdempotencyKey {
  readonly orgId: OrgId;
  readonly id: string;
}

export interface IdempotencyRecord<D> {
  readonly decision: D;
  /** End of the lease of the process that executes the decision; null once it has been executed. */
  readonly leasedUntil: number | null;
}

interface IdempotencyRecordsOptions<D> {
  readonly table: "webhook_receipts" | "adjustment_receipts";
  /** The decision, with the answer to the request. */
  readonly schema: z.ZodType<D>;
  /** The part of a decision that is kept after it was executed. */
  toExecuted(decision: D): D;
}

/** An answer is replayed for a day. */
const retentionMs = 24 * 60 * 60 * 1000;
const keptSince = (now: number): string => isoTime(now - retentionMs);

/** Abandoned decisions that one sweep takes over. */
const mostPerSweep = 100;

/** Decisions by idempotency key, in a table of their own, each leased by the process that executes it. */
export function createIdempotencyRecords<D>({ table, schema, toExecuted }: IdempotencyRecordsOptions<D>) {
  /** Throws `UnreadableError`. */
  const toDecision = (doc: unknown, { orgId, id }: IdempotencyKey): D =>
    parseStored(schema, doc, { table, id: `${orgId} ${id}` });

  return {
    async find(db: Queryable, { orgId, id }: IdempotencyKey, now: number): Promise<IdempotencyRecord<D> | null> {
      const [row] = await db.query(
        `SELECT doc, leased_until FROM ${table}
         WHERE org_id = $1 AND transaction_id = $2 AND accepted_at > $3`,
        [orgId, id, keptSince(now)],
      );
      if (row === undefined) return null;
      return {
        decision: toDecision(row.doc, { orgId, id }),
        leasedUntil: row.leased_until === null ? null : Date.parse(String(row.leased_until)),
      };
    },

    /** Stores the first decision of a key, with its lease; false when there is one already. */
    async insert(
      db: Queryable,
      { orgId, id }: IdempotencyKey,
      { decision, now, leasedUntil }: { decision: D; now: number; leasedUntil: number },
    ): Promise<boolean> {
      const rows = await db.query(
        `INSERT INTO ${table} (org_id, transaction_id, accepted_at, leased_until, doc) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (org_id, transaction_id) DO UPDATE
           SET accepted_at = excluded.accepted_at, leased_until = excluded.leased_until, doc = excluded.doc
           WHERE ${table}.accepted_at <= $6
         RETURNING transaction_id`,
        [orgId, id, isoTime(now), isoTime(leasedUntil), JSON.stringify(decision), keptSince(now)],
      );
      return rows.length > 0;
    },

    /** Marks a decision as executed. */
    async complete(db: Queryable, { orgId, id }: IdempotencyKey, decision: D): Promise<void> {
      await db.query(`UPDATE ${table} SET leased_until = NULL, doc = $3 WHERE org_id = $1 AND transaction_id = $2`, [
        orgId,
        id,
        JSON.stringify(toExecuted(decision)),
      ]);
    },

    /** Takes over a decision whose lease has ended; null when there is none, or another process was first. */
    async takeOver(
      db: Queryable,
      { orgId, id }: IdempotencyKey,
      { now, leasedUntil }: { now: number; leasedUntil: number },
    ): Promise<D | null> {
      const [row] = await db.query(
        `UPDATE ${table} SET leased_until = $3
         WHERE org_id = $1 AND transaction_id = $2 AND leased_until <= $4 RETURNING doc`,
        [orgId, id, isoTime(leasedUntil), isoTime(now)],
      );
      return row === undefined ? null : toDecision(row.doc, { orgId, id });
    },

    /** Ends the lease of a decision that could not be executed: the next attempt may take it over. */
    async release(db: Queryable, { orgId, id }: IdempotencyKey, now: number): Promise<void> {
      await db.query(
        `UPDATE ${table} SET leased_until = $3
         WHERE org_id = $1 AND transaction_id = $2 AND leased_until IS NOT NULL`,
        [orgId, id, isoTime(now)],
      );
    },

    /** Keys of decisions whose lease has ended, those first that have waited longest: one that fails delays no other. */
    async findAbandoned(db: Queryable, now: number): Promise<IdempotencyKey[]> {
      const rows = await db.query(
        `SELECT org_id, transaction_id FROM ${table} WHERE leased_until <= $1 ORDER BY leased_until LIMIT ${mostPerSweep}`,
        [isoTime(now)],
      );
      return rows.map((row) => ({ orgId: row.org_id as OrgId, id: String(row.transaction_id) }));
    },

    async deleteExpired(db: Queryable, now: number): Promise<void> {
      const [key, where] = ["org_id, transaction_id", "accepted_at <= $1 AND leased_until IS NULL"];
      await deleteInChunks(db, { table, key, where, params: [keptSince(now)] });
    },
  };
}
export type IdempotencyRecords<D> = ReturnType<typeof createIdempotencyRecords<D>>;
