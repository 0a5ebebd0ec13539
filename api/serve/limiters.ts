import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { ApiError } from "./errors.ts";
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
  const { openPostgres } = await import("../../sql/postgres.ts");
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

export interface Counted {
  readonly headers: Readonly<Record<string, string>>;
  /** 429, for a request beyond the limit. */
  readonly refusal: ApiError | null;
}

/** Counts one request of whoever has this key. */
export async function countRequest(limiter: RateLimiterAbstract, key: string): Promise<Counted> {
  const state = await limiter.consume(key).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
  const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  const message = `More than ${limiter.points} requests a minute: try again in ${resetSeconds} s.`;
  return {
    headers: {
      "X-RateLimit-Limit": String(limiter.points),
      "X-RateLimit-Remaining": String(Math.max(0, state.remainingPoints)),
      "X-RateLimit-Reset": String(resetSeconds),
    },
    refusal: state.consumedPoints <= limiter.points ? null : rateLimited(message, resetSeconds),
  };
}

export const rateLimited = (message: string, retryAfterSeconds: number): ApiError =>
  new ApiError(429, "rate_limited", message, { headers: { "Retry-After": String(retryAfterSeconds) } });
