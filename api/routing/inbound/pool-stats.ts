import { z } from "zod";
import { isoTime } from "../../../ingest/clock.ts";
import type { ConfigOperationsDeps } from "../../config/resource-operations.ts";
import { numberPool } from "../../config/resources/number-pool.ts";
import type { Queryable } from "../../database/database.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { readExhaustions } from "./allocation-rows.ts";

const poolStatsSchema = z.object({
  size: z.int(),
  /** Numbers that the next ping may be given. */
  free: z.int(),
  /** Numbers that a call may come on. */
  allocated: z.int(),
  /** Numbers that rest. */
  quarantined: z.int(),
  /** Pings of the last 24 hours that wanted more numbers than there were. */
  exhausted_count_24h: z.int(),
});
type PoolStats = z.infer<typeof poolStatsSchema>;

export interface PoolStatsDeps extends ConfigOperationsDeps {
  readonly database: Queryable;
}

/** The operation that counts a pool's numbers by what they are doing. */
export const poolStatsOperation = ({ service, database, clock }: PoolStatsDeps): Operation =>
  defineOperation({
    tag: "Number pools",
    access: "api_key",
    limit: "api",
    status: 200,
    errors: [404],
    method: "get",
    path: "/api/v1/number-pools/{number_pool_id}/stats",
    params: z.object({ number_pool_id: z.string().min(1).max(64) }),
    name: "getNumberPoolStats",
    summary: "How many numbers of a pool are free, allocated and quarantined",
    answer: poolStatsSchema,
    async handle({ caller, params: { number_pool_id } }) {
      const { hold_seconds } = await service.get(numberPool, caller.orgId, number_pool_id);
      const asked = { orgId: caller.orgId, poolId: number_pool_id };
      return readPoolStats(database, { ...asked, holdMs: Number(hold_seconds) * 1000 }, clock.now());
    },
  });

interface AskedPool {
  readonly orgId: string;
  readonly poolId: string;
  readonly holdMs: number;
}

/**
 * Counts a pool's numbers by what they are doing. One that another organization has, or that an inbound RTB receives
 * on, is of the pool and not free.
 */
async function readPoolStats(db: Queryable, { orgId, poolId, holdMs }: AskedPool, now: number): Promise<PoolStats> {
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
