import type { Logger } from "pino";
import { createBoundedCache } from "../../ingest/bounded-cache.ts";
import type { Clock } from "../../ingest/clock.ts";
import type { KeyOwner } from "../config/api-keys.ts";
import { ApiError } from "../serve/errors.ts";

export interface RefusedKeysDeps {
  readonly logger: Pick<Logger, "warn">;
  readonly clock: Pick<Clock, "now">;
  onRefused(reason: "scope" | "address"): void;
}

/** A key that is used from elsewhere may have been stolen, and its holder tries often: one line in so long is enough. */
const logEveryMs = 10 * 60_000;
/** Keys and addresses that are remembered for it. */
const maxRemembered = 5000;

/** Counts the valid keys that are refused, and logs those that are used from outside their address ranges. */
export function createRefusedKeys({ logger, clock, onRefused }: RefusedKeysDeps) {
  const loggedAt = createBoundedCache<number>(maxRemembered);

  return {
    count: onRefused,

    /** Returns the 403 for a key that is used from an address outside its ranges. */
    elsewhere({ id, orgId, name }: Pick<KeyOwner, "id" | "orgId" | "name">, address: string | null): ApiError {
      onRefused("address");
      const place = `${id} ${address}`;
      const last = loggedAt.get(place);
      if (last === undefined || clock.now() - last >= logEveryMs) {
        loggedAt.set(place, clock.now());
        logger.warn({ api_key: { id, name, org_id: orgId }, address }, "API key used from outside its address ranges");
      }
      const from = address === null ? "an address that is not known" : address;
      return new ApiError(403, "address_not_allowed", `This API key may not be used from ${from}.`);
    },
  };
}
export type RefusedKeys = ReturnType<typeof createRefusedKeys>;
