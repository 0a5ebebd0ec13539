import type { Queryable } from "../database/database.ts";

/** The deliveries of a webhook that wait until it is resumed. */
export interface Waiting {
  readonly count: number;
  /** When the one that has waited longest was queued. */
  readonly oldestAt: string;
}

/** Counts what waits for each of an organization's webhooks; one for which nothing waits is left out. */
export async function countHeld(
  db: Queryable,
  orgId: string,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, Waiting>> {
  if (webhookIds.length === 0) return new Map();
  const places = webhookIds.map((_, index) => `$${index + 2}`).join(", ");
  const rows = await db.query(
    `SELECT webhook_id, count(*) AS waiting, min(queued_at) AS oldest_at FROM pending_deliveries
     WHERE held AND org_id = $1 AND webhook_id IN (${places}) GROUP BY webhook_id`,
    [orgId, ...webhookIds],
  );
  return new Map(
    rows.map((row) => [
      String(row["webhook_id"]),
      { count: Number(row["waiting"]), oldestAt: String(row["oldest_at"]) },
    ]),
  );
}
