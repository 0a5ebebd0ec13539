import type { OrgId } from "../../../ingest/primitives.ts";
import type { Queryable } from "../../database/database.ts";
import type { Run } from "./run-rows.ts";
import { mostSchedules } from "./schedule-rows.ts";

/**
 * Answers that an organization may have sent in an hour, each to as many addresses as a schedule has: by hand, and by the
 * clock all its schedules hourly and twice as many alerts. Whoever sets times anew, or makes schedules anew, gets no more.
 */
export const mostAnHour: Readonly<Record<Run["triggeredBy"], number>> = { manual: 30, schedule: 3 * mostSchedules };

const hourMs = 60 * 60 * 1000;

/**
 * Counts an answer that is to be sent in this hour; false where the organization has had the most. The count is kept
 * apart from the history, which goes with its schedule, and one statement counts: of requests at once none gets past it.
 */
export async function countSend(
  db: Queryable,
  orgId: OrgId,
  { triggeredBy, now }: { readonly triggeredBy: Run["triggeredBy"]; readonly now: number },
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO schedule_sends (org_id, triggered_by, hour, sent) VALUES ($1, $2, $3, 1)
     ON CONFLICT (org_id, triggered_by) DO UPDATE
       SET sent = CASE WHEN schedule_sends.hour = excluded.hour THEN schedule_sends.sent + 1 ELSE 1 END, hour = excluded.hour
       WHERE schedule_sends.hour <> excluded.hour OR schedule_sends.sent < $4
     RETURNING sent`,
    [orgId, triggeredBy, Math.floor(now / hourMs), mostAnHour[triggeredBy]],
  );
  return rows.length === 1;
}

/** Milliseconds to the next hour, when another answer may be sent. */
export const untilNextHour = (now: number): number => hourMs - (now % hourMs);
