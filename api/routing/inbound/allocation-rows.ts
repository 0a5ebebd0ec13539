import { isoTime } from "../../../ingest/clock.ts";
import { parseStored } from "../../../ingest/unreadable.ts";
import { createParameters, type DatabaseRow, deleteInChunks, type Queryable } from "../../database/database.ts";
import { type AllocatedRequest, allocatedRequestSchema } from "./binding.ts";

/** A number for a request: of a pool (`slot` empty), or a receive number for one caller, who is the slot. */
export interface Claim {
  readonly orgId: string;
  readonly number: string;
  readonly slot: string;
  readonly caller: string | null;
  readonly requestId: string;
  readonly place: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export async function insertRequests(
  db: Queryable,
  requests: readonly { readonly orgId: string; readonly request: AllocatedRequest }[],
): Promise<void> {
  const { values, add } = createParameters();
  const rows = requests.map(({ orgId, request }) => {
    const { request_id, expires_at } = request;
    return `(${add(request_id)}, ${add(orgId)}, ${add(isoTime(expires_at))}, ${add(JSON.stringify(request))})`;
  });
  await db.query(
    `INSERT INTO allocated_requests (request_id, org_id, expires_at, doc) VALUES ${rows.join(", ")}`,
    values,
  );
}

/**
 * Claims numbers, each at most once in a statement, and gives those that could be had: the others are held, or were
 * released after the instant `releasedBy`, in milliseconds since 1970. A number that nobody ever had has no row yet.
 * Without `releasedBy`, an allocation that is there is replaced. Rows are met in one order, so that no two statements
 * wait for each other.
 */
export async function claim(
  db: Queryable,
  claims: readonly Claim[],
  releasedBy: number | null,
): Promise<ReadonlySet<string>> {
  const { values, add } = createParameters();
  const inOneOrder = claims.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const rows = inOneOrder.map(({ orgId, number, slot, caller, requestId, place, expiresAt }) => {
    const bound = [orgId, number, slot, caller, requestId, place, isoTime(expiresAt)].map(add);
    return `(${bound.join(", ")}, NULL)`;
  });
  const unlessHeld = releasedBy === null ? "" : `WHERE number_allocations.released_at <= ${add(isoTime(releasedBy))}`;
  const claimed = await db.query(
    `INSERT INTO number_allocations (org_id, number, slot, caller, request_id, place, released_at, taken_by)
     VALUES ${rows.join(", ")}
     ON CONFLICT (org_id, number, slot) DO UPDATE SET caller = excluded.caller, request_id = excluded.request_id,
       place = excluded.place, released_at = excluded.released_at, taken_by = NULL ${unlessHeld}
     RETURNING org_id, number, slot`,
    values,
  );
  return new Set(claimed.map(({ org_id, number, slot }) => `${org_id} ${number} ${slot}`));
}

export const keyOf = ({ orgId, number, slot }: Pick<Claim, "orgId" | "number" | "slot">): string =>
  `${orgId} ${number} ${slot}`;

/** A call that comes on a number, and would have what was promised for it. */
export interface CalledNumber {
  readonly orgId: string;
  readonly callId: string;
  /** E.164, what was called. */
  readonly number: string;
  /** E.164; null for an anonymous caller. */
  readonly caller: string | null;
}

/**
 * Ends the allocation that the call is for, at the instant `takenAt`; of two calls at once one gets it, and one that is
 * told twice gets it again. Null where there is none.
 */
export async function takeRow(db: Queryable, { orgId, callId, number, caller }: CalledNumber, now: number) {
  const [row] = await db.query(
    `UPDATE number_allocations
     SET taken_by = $4, released_at = CASE WHEN taken_by IS NULL THEN $5 ELSE released_at END
     WHERE org_id = $1 AND number = $2 AND slot IN ('', $3) AND (taken_by = $4
       OR (taken_by IS NULL AND released_at > $5 AND (caller IS NULL OR caller = $3)))
     RETURNING request_id, place, released_at`,
    // An anonymous caller is nobody's slot.
    [orgId, number, caller ?? "anonymous", callId, isoTime(now)],
  );
  if (row === undefined) return null;
  const { request_id, place, released_at } = row;
  return { requestId: String(request_id), place: Number(place), takenAt: Date.parse(String(released_at)) };
}

/** Returns the allocation that a call at `now` would take; null where there is none. */
export async function peekRow(db: Queryable, { orgId, number, caller }: Omit<CalledNumber, "callId">, now: number) {
  const [row] = await db.query(
    `SELECT request_id, place FROM number_allocations
     WHERE org_id = $1 AND number = $2 AND slot IN ('', $3) AND taken_by IS NULL AND released_at > $4
       AND (caller IS NULL OR caller = $3)`,
    [orgId, number, caller ?? "anonymous", isoTime(now)],
  );
  return row === undefined ? null : { requestId: String(row.request_id), place: Number(row.place), takenAt: now };
}

/** The call that took an allocation was refused: as long as the promise stands, it is there for the caller's next one. */
export async function giveBackRow(db: Queryable, { orgId, callId, number }: Omit<CalledNumber, "caller">, now: number) {
  await db.query(
    `UPDATE number_allocations SET taken_by = NULL, released_at =
       (SELECT r.expires_at FROM allocated_requests AS r WHERE r.request_id = number_allocations.request_id)
     WHERE org_id = $1 AND number = $2 AND taken_by = $3 AND EXISTS (SELECT 1 FROM allocated_requests AS r
       WHERE r.request_id = number_allocations.request_id AND r.expires_at > $4)`,
    [orgId, number, callId, isoTime(now)],
  );
}

/** Returns true if an allocation of the number stands, which can only be another caller's. */
export async function isHeld(
  db: Queryable,
  { orgId, number }: Pick<CalledNumber, "orgId" | "number">,
  now: number,
): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 AS one FROM number_allocations
     WHERE org_id = $1 AND number = $2 AND taken_by IS NULL AND released_at > $3 LIMIT 1`,
    [orgId, number, isoTime(now)],
  );
  return rows.length > 0;
}

/** Returns the request that a number was given for; null if it has been swept. Throws `UnreadableError`. */
export async function findRequest(db: Queryable, requestId: string): Promise<AllocatedRequest | null> {
  const [row] = await db.query("SELECT doc FROM allocated_requests WHERE request_id = $1", [requestId]);
  const place = { table: "allocated_requests", id: requestId };
  return row === undefined ? null : parseStored(allocatedRequestSchema, row.doc, place);
}

/** When each number of an organization's pools was released, or will be; those that nobody ever had are not among them. */
export async function readReleases(db: Queryable, orgId: string): Promise<{ number: string; at: number }[]> {
  const rows = await db.query("SELECT number, released_at FROM number_allocations WHERE org_id = $1 AND slot = ''", [
    orgId,
  ]);
  return rows.map((row: DatabaseRow) => ({ number: String(row.number), at: Date.parse(String(row.released_at)) }));
}

interface Exhaustion {
  readonly orgId: string;
  readonly poolId: string;
  readonly pings: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export async function countExhaustions(db: Queryable, all: readonly Exhaustion[], now: number): Promise<void> {
  const { values, add } = createParameters(isoTime(now - (now % minuteMs)));
  const rows = all.map(({ orgId, poolId, pings }) => `(${add(orgId)}, ${add(poolId)}, $1, ${add(pings)})`);
  await db.query(
    `INSERT INTO pool_exhaustions (org_id, pool_id, minute, pings) VALUES ${rows.join(", ")}
     ON CONFLICT (org_id, pool_id, minute) DO UPDATE SET pings = pool_exhaustions.pings + excluded.pings`,
    values,
  );
}

/** Pings of the last 24 hours, to the minute, that wanted more numbers than the pool had. */
export async function readExhaustions(
  db: Queryable,
  { orgId, poolId }: Pick<Exhaustion, "orgId" | "poolId">,
  now: number,
): Promise<number> {
  const [row] = await db.query(
    "SELECT CAST(coalesce(sum(pings), 0) AS BIGINT) AS pings FROM pool_exhaustions WHERE org_id = $1 AND pool_id = $2 AND minute > $3",
    [orgId, poolId, isoTime(now - dayMs)],
  );
  return Number(row?.pings ?? 0);
}

/** Ended allocations stay so long, for a call that is taken at the last moment. */
const graceMs = 60_000;

/** Forgets what no call can come for any more. Rows of pools' numbers stay: they say whose turn it is. */
export async function sweepAllocations(db: Queryable, now: number): Promise<void> {
  const ended = isoTime(now - graceMs);
  const params = [ended];
  await deleteInChunks(db, { table: "allocated_requests", key: "request_id", where: "expires_at < $1", params });
  const key = "org_id, number, slot";
  await deleteInChunks(db, { table: "number_allocations", key, where: "slot <> '' AND released_at < $1", params });
  await db.query("DELETE FROM pool_exhaustions WHERE minute < $1", [isoTime(now - dayMs - minuteMs)]);
}
