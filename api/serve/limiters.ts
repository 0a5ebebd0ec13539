import type { ServerResponse } from "node:http";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";
import type { ProcessContext } from "../process/context.ts";
import { ApiError } from "./errors.ts";
import type { LimitGroup } from "./operation.ts";

/** Requests per minute of each group. */
export type RateLimits = Readonly<Record<Exclude<LimitGroup, "none">, number>>;
export type Limiters = ReadonlyMap<LimitGroup, RateLimiterAbstract>;

const windowSeconds = 60;

/** Counters in the memory of one process. */
export const createMemoryLimiters = (limits: RateLimits): Limiters =>
  new Map(
    groupsOf(limits).map(([group, points]) => [
      group,
      new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix: group }),
    ]),
  );

/** Opens the limiters of the settings, shared by all processes if they share a database. */
export async function openLimiters({
  settings,
  shutdown,
}: Pick<ProcessContext, "settings" | "shutdown">): Promise<Limiters> {
  const limits = {
    api: settings.API_RATE_LIMIT_PER_MIN,
    assistant: settings.ASSISTANT_RATE_LIMIT_PER_MIN,
    webhooks: settings.WEBHOOK_RATE_LIMIT_PER_MIN,
    rtb: settings.RTB_RATE_LIMIT_PER_MIN,
  };
  return settings.DATABASE_URL === undefined
    ? createMemoryLimiters(limits)
    : shutdown.add("rate limiters", await openSharedLimiters(limits, settings.DATABASE_URL)).limiters;
}

/** Counters in the database; each process counts by itself while the database cannot be reached. */
async function openSharedLimiters(limits: RateLimits, url: string) {
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

interface Counting {
  readonly group: LimitGroup;
  readonly key: string;
  /** Gets the limit's headers, whatever is answered. */
  readonly response: ServerResponse;
}

/** Counts a request against the limit of its key. Returns the limit's headers; throws 429 for a request beyond it. */
export async function enforceLimit(
  limiters: Limiters,
  { group, key, response }: Counting,
): Promise<Readonly<Record<string, string>>> {
  const limiter = limiters.get(group);
  if (limiter === undefined) return {};
  const state = await limiter.consume(key).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
  const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  const headers = toLimitHeaders({ limit: limiter.points, remaining: state.remainingPoints, resetSeconds });
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (state.consumedPoints <= limiter.points) return headers;
  throw rateLimited(`More than ${limiter.points} requests a minute: try again in ${resetSeconds} s.`, resetSeconds);
}

interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export const toLimitHeaders = ({ limit, remaining, resetSeconds }: LimitState): Readonly<Record<string, string>> => ({
  "X-RateLimit-Limit": String(limit),
  "X-RateLimit-Remaining": String(Math.max(0, remaining)),
  "X-RateLimit-Reset": String(resetSeconds),
});

export const rateLimited = (message: string, retryAfterSeconds: number): ApiError =>
  new ApiError(429, "rate_limited", message, { headers: { "Retry-After": String(retryAfterSeconds) } });
