import type { CallId, OrgId } from "../../ingest/primitives.ts";
import { parseStored, readable, type UnreadableError } from "../../ingest/unreadable.ts";
import type { DatabaseRow, Queryable } from "../database/database.ts";
import { type OpenCall, openCallSchema } from "./open-call.ts";
import { type Told, toldSchema } from "./told.ts";

/** Rows whose words are told in one round. */
const rowsPerRound = 500;

interface Row {
  readonly call: OpenCall;
  readonly untold: readonly Told[];
  readonly version: number;
}

/** A row for a call that comes in, to be filled in the same transaction; false when there is one of this id. */
export async function placeRow(
  db: Queryable,
  { callId, orgId, at }: { readonly callId: string; readonly orgId: OrgId; readonly at: string },
): Promise<boolean> {
  const placed = await db.query(
    `INSERT INTO open_calls (call_id, org_id, version, doc, updated_at) VALUES ($1, $2, 1, '{}', $3)
     ON CONFLICT (call_id) DO NOTHING RETURNING call_id`,
    [callId, orgId, at],
  );
  return placed.length > 0;
}

export async function fillRow(
  db: Queryable,
  id: string,
  { call, tell }: { readonly call: OpenCall; readonly tell: readonly Told[] },
): Promise<void> {
  await db.query("UPDATE open_calls SET campaign_id = $1, doc = $2, untold = $3 WHERE call_id = $4", [
    call.campaign_id,
    JSON.stringify(call),
    toUntold(tell),
    id,
  ]);
}

export async function findRow(db: Queryable, orgId: OrgId, id: string): Promise<Row | null> {
  const [row] = await db.query(
    "SELECT call_id, doc, untold, version FROM open_calls WHERE call_id = $1 AND org_id = $2",
    [id, orgId],
  );
  return row === undefined ? null : toRow(row);
}

/** The row, held from here on: a report that comes at the same moment waits, and sees what this one has made of it. */
export async function holdRow(db: Queryable, orgId: OrgId, id: string): Promise<Row | null> {
  const [row] = await db.query(
    "UPDATE open_calls SET version = version + 1 WHERE call_id = $1 AND org_id = $2 RETURNING call_id, doc, untold, version",
    [id, orgId],
  );
  return row === undefined ? null : toRow(row);
}

export async function changeRow(
  db: Queryable,
  id: string,
  { call, untold, at }: { readonly call: OpenCall; readonly untold: readonly Told[]; readonly at: string },
): Promise<void> {
  await db.query("UPDATE open_calls SET doc = $1, untold = $2, updated_at = $3 WHERE call_id = $4", [
    JSON.stringify(call),
    toUntold(untold),
    at,
    id,
  ]);
}

/** The log has what the row had for it; a step that came meanwhile has changed the version, and clears its own. */
export async function clearUntold(db: Queryable, id: string, version: number): Promise<void> {
  await db.query("UPDATE open_calls SET untold = NULL WHERE call_id = $1 AND version = $2", [id, version]);
}

/** When it came in at the earliest, and up to when one that has ended by now must have gone on. */
interface ArrivingSought {
  readonly orgId: OrgId;
  readonly caller: string;
  readonly since: string;
  readonly until: string;
}

/** The caller's call that was heard of last; one that goes on before one that has ended. */
export async function findArrivingCall(
  db: Queryable,
  { orgId, caller, since, until }: ArrivingSought,
): Promise<CallId | null> {
  const [row] = await db.query(
    `SELECT call_id FROM open_calls WHERE updated_at > $1 AND org_id = $2 AND (doc->>'caller') = $3
       AND ((doc->>'state') <> 'ended' OR updated_at > $4) AND (doc->>'refused_at') IS NULL
       ORDER BY (doc->>'state') = 'ended', updated_at DESC LIMIT 1`,
    [since, orgId, caller, until],
  );
  return row === undefined ? null : (String(row.call_id) as CallId);
}

export async function findOpenAmong(db: Queryable, orgId: OrgId, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const places = ids.map((_, index) => `$${index + 2}`).join(", ");
  const rows = await db.query(`SELECT call_id FROM open_calls WHERE org_id = $1 AND call_id IN (${places})`, [
    orgId,
    ...ids,
  ]);
  return new Set(rows.map(({ call_id }) => String(call_id)));
}

interface Abandoned {
  readonly orgId: OrgId;
  readonly callId: CallId;
}

/**
 * Calls that were left to be routed, and of which nobody has decided anything since then, the oldest first, some at a
 * time: those that cannot be ended stand before none of the others.
 */
export async function* findAbandoned(db: Queryable, since: string): AsyncGenerator<readonly Abandoned[]> {
  const ask = ({ at, id }: RoundEnd) =>
    db.query(
      `SELECT org_id, call_id, updated_at FROM open_calls
       WHERE updated_at < $1 AND (doc->>'state') = 'routing' AND ${behind}
       ORDER BY updated_at, call_id LIMIT ${rowsPerRound}`,
      [since, at, id],
    );
  for await (const rows of inRounds(ask))
    yield rows.map(({ org_id, call_id }) => ({ orgId: String(org_id) as OrgId, callId: String(call_id) as CallId }));
}

export async function findOwner(
  db: Queryable,
  id: string,
): Promise<{ readonly orgId: OrgId; readonly isRefused: boolean } | null> {
  const [row] = await db.query("SELECT org_id, doc->>'refused_at' AS refused_at FROM open_calls WHERE call_id = $1", [
    id,
  ]);
  return row === undefined ? null : { orgId: String(row.org_id) as OrgId, isRefused: row.refused_at !== null };
}

export interface Untold extends Pick<Row, "untold" | "version"> {
  readonly callId: string;
}

/**
 * Rows that were written then or earlier and have something for the log, the oldest first, some at a time: those that
 * cannot be read, which `onUnreadable` is told of, stand before none of the others.
 */
export async function* findUntold(
  db: Queryable,
  writtenBy: string,
  onUnreadable: (error: UnreadableError) => void,
): AsyncGenerator<readonly Untold[]> {
  const ask = ({ at, id }: RoundEnd) =>
    db.query(
      `SELECT call_id, untold, version, updated_at FROM open_calls
       WHERE untold IS NOT NULL AND updated_at <= $1 AND ${behind}
       ORDER BY updated_at, call_id LIMIT ${rowsPerRound}`,
      [writtenBy, at, id],
    );
  for await (const rows of inRounds(ask)) yield readable(rows, toUntoldRow, onUnreadable);
}

/** Where a round ended; before every row at first. */
interface RoundEnd {
  readonly at: string;
  readonly id: string;
}
/** The rows behind that, which are `$2` and `$3`. */
const behind = "(updated_at > $2 OR (updated_at = $2 AND call_id > $3))";

/** All rows of a question that is asked behind the last row each time. */
async function* inRounds(
  ask: (end: RoundEnd) => Promise<readonly DatabaseRow[]>,
): AsyncGenerator<readonly DatabaseRow[]> {
  let end: RoundEnd = { at: "", id: "" };
  for (;;) {
    const rows = await ask(end);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerRound) return;
    end = { at: String(last["updated_at"]), id: String(last["call_id"]) };
  }
}

/** Forgets calls that nothing was heard of since then, ended ones earlier; none that the log has not been told of. */
export async function deleteRows(
  db: Queryable,
  { silentSince, endedSince }: { readonly silentSince: string; readonly endedSince: string },
): Promise<void> {
  await db.query(
    `DELETE FROM open_calls WHERE untold IS NULL
     AND (updated_at < $1 OR (updated_at < $2 AND (doc->>'state') = 'ended'))`,
    [silentSince, endedSince],
  );
}

const toUntold = (told: readonly Told[]): string | null => (told.length === 0 ? null : JSON.stringify(told));

/** Throws `UnreadableError`. */
const toRow = (row: DatabaseRow): Row => ({
  ...toUntoldRow(row),
  call: parseStored(openCallSchema, row.doc, placeOf(row)),
});

/** Throws `UnreadableError`. */
const toUntoldRow = (row: DatabaseRow): Untold => ({
  callId: String(row.call_id),
  untold: row.untold === null ? [] : (parseStored(toldSchema, row.untold, placeOf(row)) as Told[]),
  version: Number(row.version),
});

const placeOf = ({ call_id }: DatabaseRow) => ({ table: "open_calls", id: String(call_id) });
