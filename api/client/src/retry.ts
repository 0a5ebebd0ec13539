import ky, { HTTPError } from "ky";

export interface RetryOptions {
  /** Tries after the first one [4]. */
  readonly limit?: number;
  /** The longest time, in milliseconds, to wait where `Retry-After` asks for more [60 000]. */
  readonly maxRetryAfterMs?: number;
}

const statusCodes = [429, 502, 503, 504];

/**
 * Creates a `fetch` that tries again: after `Retry-After`, or after half a second and then twice as long each time. An
 * answer of 429 did nothing yet and any request may follow it; behind other answers, and where none came, a POST may have
 * had its effect: it is repeated only with a `transaction_id`, by which the API knows a repeat.
 */
export function createRetryingFetch(
  { limit = 4, maxRetryAfterMs = 60_000 }: RetryOptions = {},
  fetch: typeof globalThis.fetch = globalThis.fetch,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const isRepeatable = await mayRepeat(request);
    try {
      return await ky(request, {
        fetch,
        timeout: false,
        retry: {
          limit,
          methods: ["get", "post", "put", "patch", "delete"],
          statusCodes,
          afterStatusCodes: statusCodes,
          maxRetryAfter: maxRetryAfterMs,
          delay: (count) => 500 * 2 ** (count - 1),
          jitter: true,
          shouldRetry: ({ error }) => (isRepeatable || isRefusedEarly(error) ? undefined : false),
        },
      });
    } catch (error) {
      if (error instanceof HTTPError) return error.response;
      throw error;
    }
  };
}

const isRefusedEarly = (error: Error): boolean => error instanceof HTTPError && error.response.status === 429;

async function mayRepeat(request: Request): Promise<boolean> {
  if (request.method !== "POST") return true;
  if (!request.headers.get("content-type")?.includes("json")) return false;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null && "transaction_id" in body && body.transaction_id != null;
}
