import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import { openPostgres } from "../../sql/postgres.ts";
import type { LimitGroup } from "./operation.ts";

/** Requests a minute of each group (spec: Limits; semantics 6.8). */
export type RateLimits = Readonly<Record<Exclude<LimitGroup, "none">, number>>;
export type Limiters = ReadonlyMap<LimitGroup, RateLimiterAbstract>;

const windowSeconds = 60;

/** Counters of one process. */
export const createMemoryLimiters = (limits: RateLimits): Limiters =>
  new Map(
    groupsOf(limits).map(([group, points]) => [
      group,
      new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix: group }),
    ]),
  );

/** Counters that all processes on one database share; each goes on with its own while the database is out of reach. */
export async function openSharedLimiters(limits: RateLimits, url: string) {
  const { pool } = await openPostgres({ url, poolSize: 4 }, "config");
  const alone = createMemoryLimiters(limits);
  const limiters: Limiters = new Map(
    groupsOf(limits).map(([group, points]) => {
      const insuranceLimiter = alone.get(group);
      const shared = new RateLimiterPostgres({
        storeClient: pool,
        tableName: "rate_limits",
        tableCreated: true,
        points,
        duration: windowSeconds,
        keyPrefix: group,
        ...(insuranceLimiter === undefined ? {} : { insuranceLimiter }),
      });
      return [group, shared];
    }),
  );
  return { limiters, close: () => pool.end() };
}

const groupsOf = (limits: RateLimits): [LimitGroup, number][] =>
  Object.entries(limits).map(([group, points]) => [group as LimitGroup, points]);
