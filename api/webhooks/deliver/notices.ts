import type { Clock } from "../../../ingest/clock.ts";
import type { DeliveryNotice } from "./health-keeper.ts";

/** One line for so long of what can happen at every call. */
const everyMs = 10 * 60 * 1000;
const mostWebhooks = 10_000;

/**
 * Passes on what operators are told of. Deliveries that have failed for good are told of once in ten minutes for a
 * webhook, with how many there were: each has its record in the history.
 */
export function createNotices(clock: Pick<Clock, "now">, tell: (notice: DeliveryNotice, count: number) => void) {
  const exhausted = new Map<string, { toldAt: number; count: number }>();

  return (notice: DeliveryNotice): void => {
    if (notice.kind !== "exhausted") {
      tell(notice, 1);
      return;
    }
    const known = exhausted.get(notice.webhookId);
    const count = (known?.count ?? 0) + 1;
    if (known !== undefined && clock.now() - known.toldAt < everyMs) {
      known.count = count;
      return;
    }
    if (exhausted.size >= mostWebhooks) exhausted.clear();
    exhausted.set(notice.webhookId, { toldAt: clock.now(), count: 0 });
    tell(notice, count);
  };
}
