import { z } from "zod";
import type { ConfigOperationsDeps } from "../../config/resource-operations.ts";
import { numberPool } from "../../config/resources/number-pool.ts";
import type { Queryable } from "../../database/database.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { readPoolUse } from "./pool-use.ts";

const stats = z.object({
  size: z.int(),
  free: z.int(),
  allocated: z.int(),
  quarantined: z.int(),
  exhausted_count_24h: z.int(),
});

export interface PoolStatsDeps extends ConfigOperationsDeps {
  readonly database: Queryable;
}

/** What the numbers of a pool are doing (semantics 7.2). */
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
    summary: "How many numbers of a pool are free, allocated and quarantined",
    answer: stats,
    async handle({ caller, params: { number_pool_id } }) {
      const { hold_seconds } = await service.get(numberPool, caller.orgId, number_pool_id);
      const asked = { orgId: caller.orgId, poolId: number_pool_id };
      return readPoolUse(database, { ...asked, holdMs: Number(hold_seconds) * 1000 }, clock.now());
    },
  });
