import { isoTime } from "../../../ingest/clock.ts";
import { createParameters, deleteInChunks, type Queryable } from "../../database/database.ts";
import type { Holder } from "../call-stats.ts";

/** A place among the calls that a holder takes at a time; `limit` null or 0: no limit. */
export interface Hold extends Holder {
  readonly limit: number | null;
}

export interface HoldingCall {
  readonly orgId: string;
  readonly callId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export type Reservation = { readonly ok: true } | { readonly ok: false; readonly full: Holder };

/** Two transactions that insert a call and its holds begin and end together; this covers those that do not. */
const graceMs = 60_000;
/** Switches cut a connected call after four hours, and the lifecycle gives one up that is silent for longer. */
const maxConnectedMs = 4 * 60 * 60 * 1000;
/** A call that nobody has answered: no switch rings for more than ten minutes, and it tells when it stops. */
const maxUnansweredMs = 15 * 60 * 1000;

/**
 * The call holds these from here on and nothing else, or where one is full all that it held before: so a
 * failover keeps its campaign's place while it changes the target's. What the call holds already is not asked for again.
 *
 * For a transaction, with the step of the call that it belongs to. In READ COMMITTED a count alone lets two calls in,
 * which do not see each other: so each limited holder has a row that is changed before its holds are counted, and the
 * next one waits for it. Those rows are changed in one order, and the first count needs none of them, so that a full
 * destination holds up nobody and transactions that try one after another hardly ever wait for each other in a circle;
 * where they do, the database ends one and it is tried again.
 */
export async function reserve(db: Queryable, call: HoldingCall, holds: readonly Hold[]): Promise<Reservation> {
  const limited = holds.filter(({ limit }) => limit !== null && limit > 0);
  if (limited.length > 0) {
    const seen = await findFull(db, call, limited);
    if (seen !== null) return { ok: false, full: seen };
    await takeTurns(db, call, limited);
    const full = await findFull(db, call, limited);
    if (full !== null) return { ok: false, full };
  }
  await moveTo(db, call, inOneOrder(holds));
  return { ok: true };
}

/** The call is over; once more changes nothing. */
export async function release(db: Queryable, callId: string): Promise<void> {
  await db.query("DELETE FROM call_holds WHERE call_id = $1", [callId]);
}

/** A dial has failed: the call keeps its campaign's and its publisher's place alone. */
export async function releaseDial(db: Queryable, callId: string): Promise<void> {
  await db.query("DELETE FROM call_holds WHERE call_id = $1 AND kind NOT IN ('campaign', 'publisher')", [callId]);
}

/** Frees what calls hold that have ended, or of which their switches have said nothing for too long. */
export async function releaseForgotten(db: Queryable, now: number): Promise<void> {
  await deleteInChunks(db, {
    table: "call_holds",
    key: "call_id, kind, id",
    where: `held_at < $1 AND NOT EXISTS (
      SELECT 1 FROM open_calls AS o
      WHERE o.call_id = call_holds.call_id AND (o.doc->>'state') <> 'ended'
        AND o.updated_at >= CASE WHEN (o.doc->>'state') = 'connected' THEN $2 ELSE $3 END)`,
    params: [isoTime(now - graceMs), isoTime(now - maxConnectedMs), isoTime(now - maxUnansweredMs)],
  });
}

/** The first of the limited holders, in the order given, that has no place for the call. */
async function findFull(db: Queryable, call: HoldingCall, limited: readonly Hold[]): Promise<Holder | null> {
  const bound = createParameters(call.orgId, call.callId);
  const rows = await db.query(
    `SELECT kind, id, count(*) AS taken, count(CASE WHEN call_id = $2 THEN 1 END) AS own
     FROM call_holds WHERE org_id = $1 AND (${anyOf(inOneOrder(limited), bound)}) GROUP BY kind, id`,
    bound.values,
  );
  const isFull = ({ kind, id, limit }: Hold) =>
    rows.some(
      (row) => row.kind === kind && row.id === id && row.own === 0 && Number(row.taken) >= (limit ?? Number.NaN),
    );
  const full = limited.find(isFull);
  return full === undefined ? null : { kind: full.kind, id: full.id };
}

async function takeTurns(db: Queryable, { orgId }: HoldingCall, limited: readonly Hold[]): Promise<void> {
  const bound = createParameters(orgId);
  const rows = inOneOrder(limited).map(({ kind, id }) => `($1, ${bound.add(kind)}, ${bound.add(id)}, 1)`);
  await db.query(
    `INSERT INTO hold_turns (org_id, kind, id, turns) VALUES ${rows.join(", ")}
     ON CONFLICT (org_id, kind, id) DO UPDATE SET turns = hold_turns.turns + 1`,
    bound.values,
  );
}

async function moveTo(db: Queryable, { orgId, callId, now }: HoldingCall, holds: readonly Holder[]): Promise<void> {
  if (holds.length === 0) return release(db, callId);
  const left = createParameters(callId);
  await db.query(`DELETE FROM call_holds WHERE call_id = $1 AND NOT (${anyOf(holds, left)})`, left.values);
  const taken = createParameters(callId, orgId, isoTime(now));
  const rows = holds.map(({ kind, id }) => `($1, ${taken.add(kind)}, ${taken.add(id)}, $2, $3)`);
  await db.query(
    `INSERT INTO call_holds (call_id, kind, id, org_id, held_at) VALUES ${rows.join(", ")}
     ON CONFLICT (call_id, kind, id) DO NOTHING`,
    taken.values,
  );
}

/** Each holder once, in the same order wherever they are changed. */
function inOneOrder(holders: readonly Holder[]): Holder[] {
  const byKey = new Map(holders.map((holder) => [`${holder.kind} ${holder.id}`, holder]));
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, holder]) => holder);
}

const anyOf = (holders: readonly Holder[], { add }: ReturnType<typeof createParameters>): string =>
  holders.map(({ kind, id }) => `(kind = ${add(kind)} AND id = ${add(id)})`).join(" OR ");
