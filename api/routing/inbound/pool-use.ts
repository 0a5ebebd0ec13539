import { isoTime } from "../../../ingest/clock.ts";
import type { Queryable } from "../../database/database.ts";
import { readExhaustions } from "./allocation-rows.ts";

interface PoolUse {
  readonly size: number;
  /** Numbers that the next ping may be given. */
  readonly free: number;
  /** Numbers that a call may come on. */
  readonly allocated: number;
  /** Numbers that rest. */
  readonly quarantined: number;
  /** Pings of the last 24 hours that wanted more numbers than there were. */
  readonly exhausted_count_24h: number;
}

interface AskedPool {
  readonly orgId: string;
  readonly poolId: string;
  readonly holdMs: number;
}

/**
 * What a pool's numbers are doing (semantics 7.2). One that another organization has, or that an inbound RTB receives
 * on, is of the pool and not free.
 */
export async function readPoolUse(db: Queryable, { orgId, poolId, holdMs }: AskedPool, now: number): Promise<PoolUse> {
  const [row] = await db.query(
    `SELECT count(*) AS size,
       count(CASE WHEN a.released_at > $3 THEN 1 END) AS allocated,
       count(CASE WHEN a.released_at <= $3 AND a.released_at > $4 THEN 1 END) AS quarantined,
       count(CASE WHEN ((d.doc->>'is_held') = 'false' OR r.number_id IS NOT NULL)
         AND coalesce(a.released_at, '') <= $4 THEN 1 END) AS unusable
     FROM documents AS d
     LEFT JOIN (SELECT DISTINCT (doc->>'receive_number_id') AS number_id FROM documents
       WHERE type = 'inbound_rtb' AND org_id = $1 AND (doc->>'receive_mode') <> 'dynamic') AS r ON r.number_id = d.id
     LEFT JOIN number_allocations AS a ON a.org_id = d.org_id AND a.number = (d.doc->>'number') AND a.slot = ''
     WHERE d.type = 'number' AND d.org_id = $1 AND (d.doc->>'number_pool_id') = $2`,
    [orgId, poolId, isoTime(now), isoTime(now - holdMs)],
  );
  const count = (name: string): number => Number(row?.[name] ?? 0);
  const [size, allocated, quarantined] = [count("size"), count("allocated"), count("quarantined")];
  const exhausted_count_24h = await readExhaustions(db, { orgId, poolId }, now);
  return {
    size,
    free: size - allocated - quarantined - count("unusable"),
    allocated,
    quarantined,
    exhausted_count_24h,
  };
}
