import { isoTime } from "../../../ingest/clock.ts";
import type { Queryable } from "../../config/database.ts";

/** Counts what has ended of redeliveries of many. */
export async function countEnded(
  db: Queryable,
  removed: readonly { readonly id: string; readonly redeliveryId: string | null }[],
  { delivered, now }: { readonly delivered: ReadonlySet<string>; readonly now: number },
): Promise<void> {
  for (const redeliveryId of new Set(removed.map((each) => each.redeliveryId))) {
    if (redeliveryId === null) continue;
    const ended = removed.filter((each) => each.redeliveryId === redeliveryId);
    const well = ended.filter(({ id }) => delivered.has(id)).length;
    await db.query(
      "UPDATE webhook_redeliveries SET delivered = delivered + $2, failed = failed + $3, updated_at = $4 WHERE id = $1",
      [redeliveryId, well, ended.length - well, isoTime(now)],
    );
  }
}
