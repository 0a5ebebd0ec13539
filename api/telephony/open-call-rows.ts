import { z } from "zod";
import type { CallId, OrgId } from "../../ingest/primitives.ts";
import { parseStored, readable, type UnreadableError } from "../../ingest/unreadable.ts";
import { type DatabaseRow, deleteInChunks, type Queryable } from "../database/database.ts";
import { type OpenCall, openCallSchema } from "./open-call.ts";
import { type OutboxMessage, outboxSchema } from "./outbox.ts";

/** Rows that are read at once. */
const rowsPerPage = 500;

export interface OpenCallRow {
  readonly call: OpenCall;
  /** Column `untold`. */
  readonly outbox: readonly OutboxMessage[];
  readonly version: number;
}

interface NewRow {
  readonly call: OpenCall;
  readonly outbox: readonly OutboxMessage[];
  readonly at: string;
}

/** Inserts the row of a call that comes in; false when there is one of this id. */
export async function insertRow(db: Queryable, { call, outbox, at }: NewRow): Promise<boolean> {
  const inserted = await db.query(
    `INSERT INTO open_calls (call_id, org_id, version, campaign_id, doc, untold, updated_at)
     VALUES ($1, $2, 1, $3, $4, $5, $6) ON CONFLICT (call_id) DO NOTHING RETURNING call_id`,
    [call.call_id, call.org_id, call.campaign_id, toDoc(call), toColumn(outbox), at],
  );
  return inserted.length > 0;
}

export async function findRow(db: Queryable, orgId: OrgId, id: string): Promise<OpenCallRow | null> {
  const [row] = await db.query(
    "SELECT call_id, doc, untold, version FROM open_calls WHERE call_id = $1 AND org_id = $2",
    [id, orgId],
  );
  return row === undefined ? null : toRow(row);
}

/** Locks and returns the row: a report that comes at the same moment waits, and sees what this transaction has written. */
export async function takeRow(db: Queryable, orgId: OrgId, id: string): Promise<OpenCallRow | null> {
  const [row] = await db.query(
    "UPDATE open_calls SET version = version + 1 WHERE call_id = $1 AND org_id = $2 RETURNING call_id, doc, untold, version",
    [id, orgId],
  );
  return row === undefined ? null : toRow(row);
}

export async function changeRow(
  db: Queryable,
  id: string,
  { call, outbox, at }: { readonly call: OpenCall; readonly outbox: readonly OutboxMessage[]; readonly at: string },
): Promise<void> {
  await db.query("UPDATE open_calls SET doc = $1, untold = $2, updated_at = $3 WHERE call_id = $4", [
    toDoc(call),
    toColumn(outbox),
    at,
    id,
  ]);
}

/** Empties the outbox; false where a later step has changed the version: that step's publishing empties it. */
export async function clearOutbox(db: Queryable, id: string, version: number): Promise<boolean> {
  const cleared = await db.query(
    "UPDATE open_calls SET untold = NULL WHERE call_id = $1 AND version = $2 RETURNING call_id",
    [id, version],
  );
  return cleared.length > 0;
}

/** `since`: when it came in at the earliest; `until`: a call that has ended must have gone on until then. */
interface ArrivingSought {
  readonly orgId: OrgId;
  readonly caller: string;
  readonly since: string;
  readonly until: string;
}

/** Finds the caller's call of the newest report, one that goes on before one that has ended. */
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

/** Finds calls that were left to be routed and have had no step since then, the oldest first, page by page. */
export async function* findAbandoned(db: Queryable, since: string): AsyncGenerator<readonly Abandoned[]> {
  const readPage = ({ at, id }: Position) =>
    db.query(
      `SELECT org_id, call_id, updated_at FROM open_calls
       WHERE updated_at < $1 AND (doc->>'state') = 'routing' AND ${afterPosition}
       ORDER BY updated_at, call_id LIMIT ${rowsPerPage}`,
      [since, at, id],
    );
  for await (const rows of inPages(readPage))
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

export interface Unpublished extends Pick<OpenCallRow, "outbox" | "version"> {
  readonly callId: string;
}

/**
 * Finds rows that were written then or earlier and have messages in their outbox, the oldest first, page by page. A row
 * that cannot be read goes to `onUnreadable` and holds up none of the others.
 */
export async function* findUnpublished(
  db: Queryable,
  writtenBy: string,
  onUnreadable: (error: UnreadableError) => void,
): AsyncGenerator<readonly Unpublished[]> {
  const readPage = ({ at, id }: Position) =>
    db.query(
      `SELECT call_id, untold, version, updated_at FROM open_calls
       WHERE untold IS NOT NULL AND updated_at <= $1 AND ${afterPosition}
       ORDER BY updated_at, call_id LIMIT ${rowsPerPage}`,
      [writtenBy, at, id],
    );
  for await (const rows of inPages(readPage)) yield readable(rows, toUnpublished, onUnreadable);
}

/** The last row of a page; before every row at first. */
interface Position {
  readonly at: string;
  readonly id: string;
}
/** Selects the rows after the position, whose parts are `$2` and `$3`. */
const afterPosition = "(updated_at > $2 OR (updated_at = $2 AND call_id > $3))";

/** Reads all rows of a query page by page, each after the last row of the one before (keyset pagination). */
async function* inPages(
  readPage: (after: Position) => Promise<readonly DatabaseRow[]>,
): AsyncGenerator<readonly DatabaseRow[]> {
  let end: Position = { at: "", id: "" };
  for (;;) {
    const rows = await readPage(end);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerPage) return;
    end = { at: String(last["updated_at"]), id: String(last["call_id"]) };
  }
}

/** Deletes calls without a report since then, ended ones earlier; none that has messages in its outbox. */
export async function deleteRows(
  db: Queryable,
  { silentSince, endedSince }: { readonly silentSince: string; readonly endedSince: string },
): Promise<void> {
  await deleteInChunks(db, {
    table: "open_calls",
    key: "call_id",
    where: "untold IS NULL AND (updated_at < $1 OR (updated_at < $2 AND (doc->>'state') = 'ended'))",
    params: [silentSince, endedSince],
  });
}

/** The document of a call. Its dial plan is stored as `agenda`. */
const toDoc = ({ dial_plan: agenda, ...call }: OpenCall): string => JSON.stringify({ ...call, agenda });
const { dial_plan, ...storedAlike } = openCallSchema.shape;
const storedCallSchema = z
  .object({ ...storedAlike, agenda: dial_plan })
  .transform(({ agenda, ...call }): OpenCall => ({ ...call, dial_plan: agenda }));

const toColumn = (outbox: readonly OutboxMessage[]): string | null =>
  outbox.length === 0 ? null : JSON.stringify(outbox);

/** Throws `UnreadableError`. */
const toRow = (row: DatabaseRow): OpenCallRow => ({
  ...toUnpublished(row),
  call: parseStored(storedCallSchema, row.doc, nameOf(row)),
});

/** Throws `UnreadableError`. */
const toUnpublished = (row: DatabaseRow): Unpublished => ({
  callId: String(row.call_id),
  outbox: row.untold === null ? [] : (parseStored(outboxSchema, row.untold, nameOf(row)) as OutboxMessage[]),
  version: Number(row.version),
});

const nameOf = ({ call_id }: DatabaseRow) => ({ table: "open_calls", id: String(call_id) });
