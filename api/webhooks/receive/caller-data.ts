import { z } from "zod";
import { isoTime } from "../../../ingest/clock.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import { parseStored, readable, type UnreadableError } from "../../../ingest/unreadable.ts";
import type { DatabaseRow, Queryable } from "../../database/database.ts";
import type { KeptData } from "./plan.ts";

export interface Caller {
  readonly orgId: OrgId;
  /** E.164. */
  readonly caller: string;
}
/** A call that has come in. */
export interface Calling extends Caller {
  readonly callId: string;
}
export interface Taking {
  readonly now: number;
  /** Told of data that cannot be read: it is taken as if it were empty. */
  onUnreadable(error: UnreadableError): void;
}
type Tags = Readonly<Record<string, string>>;

/** Keeps data for the caller's next call; once more changes nothing. */
export async function keepData(db: Queryable, orgId: OrgId, { id, caller, tags, ...times }: KeptData): Promise<void> {
  await db.query(
    `INSERT INTO caller_data (id, org_id, caller, tags, received_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO NOTHING`,
    [id, orgId, caller, JSON.stringify(tags), times.received_at, times.expires_at],
  );
}

/**
 * The tags of all that waits for the caller, what came later winning: for one call, and for the same call again the
 * same.
 */
export const takeData = (db: Queryable, calling: Calling, taking: Taking): Promise<Tags> =>
  take(db, calling, { ...taking, which: "(taken_by = $3 OR (taken_by IS NULL AND expires_at > $4))" });

/** Those of what no call has taken yet. */
export const takeWaiting = (db: Queryable, calling: Calling, taking: Taking): Promise<Tags> =>
  take(db, calling, { ...taking, which: "taken_by IS NULL AND expires_at > $4" });

/** The call that took them was refused: they wait for the caller's next one. */
export async function giveBackData(db: Queryable, { orgId, caller, callId }: Calling): Promise<void> {
  await db.query("UPDATE caller_data SET taken_by = NULL WHERE org_id = $1 AND caller = $2 AND taken_by = $3", [
    orgId,
    caller,
    callId,
  ]);
}

export async function isDataWaiting(db: Queryable, { orgId, caller }: Caller, now: number): Promise<boolean> {
  const rows = await db.query(
    "SELECT id FROM caller_data WHERE org_id = $1 AND caller = $2 AND taken_by IS NULL AND expires_at > $3 LIMIT 1",
    [orgId, caller, isoTime(now)],
  );
  return rows.length > 0;
}

async function take(
  db: Queryable,
  { orgId, caller, callId }: Calling,
  { which, now, onUnreadable }: Taking & { readonly which: string },
): Promise<Tags> {
  const rows = await db.query(
    `UPDATE caller_data SET taken_by = $3 WHERE org_id = $1 AND caller = $2 AND ${which}
     RETURNING received_at, id, tags`,
    [orgId, caller, callId, isoTime(now)],
  );
  const inOrder = rows.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  return Object.assign({}, ...readable(inOrder, toTags, onUnreadable));
}

/** Throws `UnreadableError`. */
const toTags = ({ id, tags }: DatabaseRow): Tags =>
  parseStored(z.record(z.string(), z.string()), tags, { table: "caller_data", id: String(id) });

/** By time, and of one time by their ids, which rise. */
const placeOf = ({ received_at, id }: Readonly<Record<string, unknown>>): string => `${received_at} ${id}`;

/** What was taken stays so long, for a call that is told again. */
const graceMs = 24 * 60 * 60 * 1000;

export async function sweepData(db: Queryable, now: number): Promise<void> {
  await db.query("DELETE FROM caller_data WHERE expires_at < $1", [isoTime(now - graceMs)]);
}
