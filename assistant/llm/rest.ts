import { LRUCache } from "lru-cache";
import type { Clock } from "../../ingest/clock.ts";
import { retryAfterMs } from "../../ingest/retry-after.ts";
import type { ModelError, ModelErrorCode } from "./model.ts";

/** The time after a failure in which questions are answered without the model, so that they do not wait in vain. */
const restMs = 30_000;
const leastMs = 1_000;
/** The longest `Retry-After` that is honored. */
const mostMs = 24 * 60 * 60 * 1000;
const mostOrganizations = 10_000;

/** Failures that are of one organization's questions: those of others may be shorter, or have other words. */
const isOwn: Readonly<Record<ModelErrorCode, boolean>> = {
  refused_request: true,
  stopped: true,
  too_many_requests: false,
  refused_key: false,
  unavailable: false,
};

interface Rest {
  readonly until: number;
  readonly code: ModelErrorCode;
}

/** Keeps for how long a model is left alone after a failure: by one organization, or by all. */
export function createRests({ now }: Pick<Clock, "now">) {
  const own = new LRUCache<string, Rest>({ max: mostOrganizations });
  let all: Rest | undefined;
  const isOver = (rest: Rest | undefined): boolean => rest === undefined || rest.until <= now();
  return {
    /** Why the organization's questions are answered without the model now; undefined where they are not. */
    reasonFor(orgId: string): ModelErrorCode | undefined {
      return [all, own.get(orgId)].find((rest) => !isOver(rest))?.code;
    },
    failed({ code, retryAfter }: ModelError, orgId: string): void {
      const askedMs = retryAfterMs(retryAfter, now(), mostMs);
      const rest = { code, until: now() + (askedMs === null ? restMs : Math.max(askedMs, leastMs)) };
      if (isOwn[code]) own.set(orgId, rest);
      else all = rest;
    },
  };
}
