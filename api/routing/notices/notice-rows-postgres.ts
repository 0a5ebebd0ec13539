import { isoTime } from "../../../ingest/clock.ts";
import { createBound } from "../../database/bound.ts";
import type { Database, Queryable } from "../../database/database.ts";
import type { Heard, Notice, NoticeKind } from "./notices.ts";

/** Notices of one statement at most. */
export const rowsAtOnce = 1000;

/**
 * Writes what a process tells, each key once. Whoever writes has the lock until that is committed: turns become visible
 * in their order.
 */
export async function insertNotices(database: Database, process: string, notices: readonly Notice[]): Promise<void> {
  const { values, add } = createBound(process);
  const rows = notices.map(({ kind, orgId, id, slot, value, expiresAt }) => {
    const bound = [kind, orgId, id, slot, value, isoTime(expiresAt)].map(add);
    return `($1, ${bound.join(", ")}, nextval('rtb_notice_turns'))`;
  });
  await database.transaction(async (db) => {
    await db.query("SELECT pg_advisory_xact_lock(hashtext('trunkline rtb_notices')) IS NULL AS locked");
    await db.query(
      `INSERT INTO rtb_notices (process, kind, org_id, id, slot, value, expires_at, turn) VALUES ${rows.join(", ")}
       ON CONFLICT (process, kind, org_id, id, slot) DO UPDATE
         SET value = excluded.value, expires_at = excluded.expires_at, turn = excluded.turn`,
      values,
    );
  });
}

/** The newest turn of all; 0 before the first. */
export async function readNewestTurn(db: Queryable): Promise<number> {
  const [row] = await db.query("SELECT coalesce(max(turn), 0) AS newest FROM rtb_notices");
  return Number(row?.["newest"] ?? 0);
}

export interface Hearing {
  /** Whose own notices are left out. */
  readonly process: string;
  readonly after: number;
  readonly upTo: number;
  readonly now: number;
}

/** What others have told in these turns and still stands, in order; as many as there are, or {@link rowsAtOnce}. */
export async function readNotices(db: Queryable, hearing: Hearing): Promise<(Heard & { readonly turn: number })[]> {
  const rows = await db.query(
    `SELECT process, kind, org_id, id, slot, value, expires_at, turn FROM rtb_notices
     WHERE turn > $1 AND turn <= $2 AND process <> $3 AND expires_at > $4 ORDER BY turn LIMIT ${rowsAtOnce}`,
    [hearing.after, hearing.upTo, hearing.process, isoTime(hearing.now)],
  );
  return rows.map((row) => ({
    process: String(row["process"]),
    kind: row["kind"] as NoticeKind,
    orgId: String(row["org_id"]),
    id: String(row["id"]),
    slot: String(row["slot"]),
    value: String(row["value"]),
    expiresAt: Date.parse(String(row["expires_at"])),
    turn: Number(row["turn"]),
  }));
}

export async function sweepNotices(db: Queryable, now: number): Promise<void> {
  await db.query("DELETE FROM rtb_notices WHERE expires_at <= $1", [isoTime(now)]);
}
