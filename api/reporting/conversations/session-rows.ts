import { isoTime } from "../../../ingest/clock.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Page } from "../../../sql/page.ts";
import type { ConfigContext } from "../../config/open-config.ts";
import type { DatabaseRow, Queryable } from "../../database/database.ts";
import { startBackgroundTask } from "../../process/background-task.ts";
import type { Caller } from "../../serve/caller.ts";

/** The owner of a session: one user of one organization. Every statement here is limited to both. */
export interface Owner {
  readonly orgId: OrgId;
  readonly userId: string;
}

export const ownerOf = ({ orgId, actor }: Caller): Owner => ({ orgId, userId: actor.id });

/** Places where questions are asked: on the page, which lists its sessions, or by programs. */
export const origins = ["page", "api"] as const;
export type Origin = (typeof origins)[number];

export interface Session {
  /** Unique among its owner's sessions. */
  readonly id: string;
  readonly title: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Null for a session that is older than the column. */
  readonly origin: Origin | null;
}

/** Characters of an id that a client chooses. */
export const maxSessionIdLength = 128;
/** Most sessions of one user; a new one replaces the one with the oldest last question. */
export const mostSessions = 100;
/** Days after its last question until a session is deleted. */
export const keptDays = 90;
const dayMs = 24 * 60 * 60 * 1000;

const columns = "id, title, created_at, updated_at, origin";
const toSession = ({ id, title, created_at, updated_at, origin }: DatabaseRow): Session => ({
  id: String(id),
  title: String(title),
  created_at: String(created_at),
  updated_at: String(updated_at),
  origin: origins.find((each) => each === origin) ?? null,
});

export async function findSession(db: Queryable, { orgId, userId }: Owner, id: string): Promise<Session | null> {
  const [row] = await db.query(
    `SELECT ${columns} FROM assistant_sessions WHERE org_id = $1 AND user_id = $2 AND id = $3`,
    [orgId, userId, id],
  );
  return row === undefined ? null : toSession(row);
}

/**
 * A page of the owner's sessions by their last questions: all, or those of an origin and those that have none; with a
 * text in their title or in one of their questions.
 */
export async function listSessions(
  db: Queryable,
  { orgId, userId }: Owner,
  { limit, offset, direction, origin, search }: Page & Partial<Record<"origin" | "search", string | undefined>>,
) {
  const pattern = search === undefined ? null : `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const wanted = [orgId, userId, origin ?? null, pattern];
  const where = `WHERE org_id = $1 AND user_id = $2
    AND (origin = $3 OR origin IS NULL OR CAST($3 AS VARCHAR) IS NULL)
    AND (CAST($4 AS VARCHAR) IS NULL OR lower(title) LIKE $4 ESCAPE '\\' OR id IN (
      SELECT session_id FROM assistant_messages
      WHERE org_id = $1 AND user_id = $2 AND lower(question) LIKE $4 ESCAPE '\\'))`;
  const [counted] = await db.query(`SELECT count(*) AS total FROM assistant_sessions ${where}`, wanted);
  const rows = await db.query(
    `SELECT ${columns} FROM assistant_sessions ${where}
     ORDER BY updated_at ${direction}, id ${direction} LIMIT $5 OFFSET $6`,
    [...wanted, limit, offset],
  );
  return { sessions: rows.map(toSession), total: Number(counted?.["total"] ?? 0) };
}

/**
 * For a transaction: adds a session and deletes the owner's oldest beyond the limit. Does nothing where a concurrent
 * question of the same owner has just begun it.
 */
export async function insertSession(
  db: Queryable,
  { orgId, userId }: Owner,
  { id, title, origin, now }: Pick<Session, "id" | "title"> & { readonly origin: Origin; readonly now: number },
): Promise<void> {
  await db.query(
    `INSERT INTO assistant_sessions (id, org_id, user_id, title, created_at, updated_at, origin)
     VALUES ($1, $2, $3, $4, $5, $5, $6) ON CONFLICT (org_id, user_id, id) DO NOTHING`,
    [id, orgId, userId, title, isoTime(now), origin],
  );
  const old = await db.query(
    `SELECT id FROM assistant_sessions WHERE org_id = $1 AND user_id = $2
     ORDER BY updated_at DESC, id DESC LIMIT 1000 OFFSET ${mostSessions}`,
    [orgId, userId],
  );
  for (const row of old) await deleteSession(db, { orgId, userId }, String(row["id"]));
}

/** Updates the time and the origin of a session; false if it no longer exists. */
export async function touchSession(
  db: Queryable,
  { orgId, userId }: Owner,
  { id, origin, now }: { readonly id: string; readonly origin: Origin; readonly now: number },
) {
  const rows = await db.query(
    "UPDATE assistant_sessions SET updated_at = $4, origin = $5 WHERE org_id = $1 AND user_id = $2 AND id = $3 RETURNING id",
    [orgId, userId, id, isoTime(now), origin],
  );
  return rows.length === 1;
}

/** For a transaction: deletes a session with its messages; false if it is not the owner's. */
export async function deleteSession(db: Queryable, { orgId, userId }: Owner, id: string): Promise<boolean> {
  const key = [orgId, userId, id];
  const rows = await db.query(
    "DELETE FROM assistant_sessions WHERE org_id = $1 AND user_id = $2 AND id = $3 RETURNING id",
    key,
  );
  await db.query("DELETE FROM assistant_messages WHERE org_id = $1 AND user_id = $2 AND session_id = $3", key);
  return rows.length === 1;
}

/** For a transaction: deletes the sessions of all users that have had no question for `keptDays`. */
export async function sweepSessions(db: Queryable, now: number): Promise<void> {
  const since = isoTime(now - keptDays * dayMs);
  await db.query(
    `DELETE FROM assistant_messages WHERE (org_id, user_id, session_id) IN (
       SELECT org_id, user_id, id FROM assistant_sessions WHERE updated_at < $1)`,
    [since],
  );
  await db.query("DELETE FROM assistant_sessions WHERE updated_at < $1", [since]);
}

const hourMs = 60 * 60 * 1000;

/** Deletes expired sessions every hour; several processes may do it at once. */
export function startSessionSweep({ database, clock, shutdown, onTrouble }: ConfigContext): void {
  const work = () => database.transaction((db) => sweepSessions(db, clock.now()));
  shutdown.add(
    "sweep of sessions",
    startBackgroundTask({ clock, everyMs: hourMs, work, onTrouble: onTrouble("assistant") }),
  );
}
