import { z } from "zod";
import { type Clock, isoTime } from "../../../ingest/clock.ts";
import type { CallId, OrgId } from "../../../ingest/primitives.ts";
import { parseStored, readable, type UnreadableError } from "../../../ingest/unreadable.ts";
import { type DatabaseRow, deleteInChunks, type Queryable } from "../../database/database.ts";
import { addTags } from "../../routing/call/tags.ts";
import type { CallStep } from "../../telephony/call-step.ts";
import type { OpenCall } from "../../telephony/open-call.ts";
import type { OpenCallStore } from "../../telephony/open-calls.ts";
import { signalMessage } from "../../telephony/outbox.ts";
import type { KeptData } from "./plan.ts";

export interface Caller {
  readonly orgId: OrgId;
  /** E.164. */
  readonly caller: string;
}
/** A call that has come in. */
export interface Calling extends Caller {
  readonly callId: string;
  readonly campaignId: string | null;
}
export interface Taking {
  readonly now: number;
  /** Called with the error of data that cannot be read; it counts as empty. */
  onUnreadable(error: UnreadableError): void;
}
type Tags = Readonly<Record<string, string>>;

/** Keeps data for the caller's next call; once more changes nothing. */
export async function keepData(db: Queryable, orgId: OrgId, data: KeptData): Promise<void> {
  const { id, caller, tags, campaign_ids, received_at, expires_at } = data;
  await db.query(
    `INSERT INTO caller_data (id, org_id, caller, tags, received_at, expires_at, campaign_ids)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
    [
      id,
      orgId,
      caller,
      JSON.stringify(tags),
      received_at,
      expires_at,
      campaign_ids === null ? null : JSON.stringify(campaign_ids),
    ],
  );
}

/** Data that the call may take, or has taken. */
const takeable = "(taken_by = $3 OR (taken_by IS NULL AND expires_at > $4))";

/**
 * Takes the tags of all data that waits for the caller, later data winning, for one call; the same call gets the same
 * again.
 */
export const takeData = (db: Queryable, calling: Calling, taking: Taking): Promise<Tags> =>
  take(db, calling, { ...taking, which: takeable });

/** Takes only data that no call has taken yet. */
const takeWaiting = (db: Queryable, calling: Calling, taking: Taking): Promise<Tags> =>
  take(db, calling, { ...taking, which: "taken_by IS NULL AND expires_at > $4" });

/** Returns the tags that the caller's next call to the campaign would take. */
export async function peekData(db: Queryable, calling: Omit<Calling, "callId">, taking: Taking): Promise<Tags> {
  const { orgId, caller, campaignId } = calling;
  const rows = await db.query(
    `SELECT received_at, id, tags, campaign_ids FROM caller_data
     WHERE org_id = $1 AND caller = $2 AND taken_by IS NULL AND expires_at > $3
     ORDER BY received_at DESC, id DESC LIMIT ${mostTaken}`,
    [orgId, caller, isoTime(taking.now)],
  );
  const read = (row: DatabaseRow) => (isOf(row, campaignId) ? [toTags(row)] : []);
  return Object.assign({}, ...readable(rows.toReversed(), read, taking.onUnreadable).flat());
}

/** Gives back the data of a call that was refused, for the caller's next one. */
export async function giveBackData(
  db: Queryable,
  { orgId, caller, callId }: Omit<Calling, "campaignId">,
): Promise<void> {
  await db.query("UPDATE caller_data SET taken_by = NULL WHERE org_id = $1 AND caller = $2 AND taken_by = $3", [
    orgId,
    caller,
    callId,
  ]);
}

async function isDataWaiting(db: Queryable, { orgId, caller }: Caller, now: number): Promise<boolean> {
  const rows = await db.query(
    "SELECT id FROM caller_data WHERE org_id = $1 AND caller = $2 AND taken_by IS NULL AND expires_at > $3 LIMIT 1",
    [orgId, caller, isoTime(now)],
  );
  return rows.length > 0;
}

/** Requests about one caller that one call takes, the newest. */
const mostTaken = 1000;

/** Data of a webhook that campaigns name is for their calls alone. Throws `UnreadableError`. */
function isOf({ id, campaign_ids }: DatabaseRow, campaignId: string | null): boolean {
  if (campaign_ids === null || campaignId === null) return campaign_ids === null;
  return parseStored(z.array(z.string()), campaign_ids, { table: "caller_data", id: String(id) }).includes(campaignId);
}

async function take(
  db: Queryable,
  { orgId, caller, callId, campaignId }: Calling,
  { which, now, onUnreadable }: Taking & { readonly which: string },
): Promise<Tags> {
  // Most callers have none, and a look costs no write.
  const sql = `SELECT id, campaign_ids FROM caller_data WHERE org_id = $1 AND caller = $2 AND ${takeable}
    ORDER BY received_at DESC, id DESC LIMIT ${mostTaken}`;
  const found = await db.query(sql, [orgId, caller, callId, isoTime(now)]);
  const of = readable(found, (row) => (isOf(row, campaignId) ? [String(row["id"])] : []), onUnreadable).flat();
  if (of.length === 0) return {};
  const rows = await db.query(
    `UPDATE caller_data SET taken_by = $3 WHERE org_id = $1 AND caller = $2 AND ${which}
       AND id IN (${of.map((_, index) => `$${index + 5}`).join(", ")})
     RETURNING received_at, id, tags`,
    [orgId, caller, callId, isoTime(now), ...of],
  );
  const inOrder = rows.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  return Object.assign({}, ...readable(inOrder, toTags, onUnreadable));
}

/** Throws `UnreadableError`. */
const toTags = ({ id, tags }: DatabaseRow): Tags =>
  parseStored(z.record(z.string(), z.string()), tags, { table: "caller_data", id: String(id) });

/** Sorts by time, and data of one time by their ids, which rise. */
const placeOf = ({ received_at, id }: Readonly<Record<string, unknown>>): string => `${received_at} ${id}`;

/** Data that was taken is kept for so long, for a call that asks again. */
const graceMs = 24 * 60 * 60 * 1000;

export async function sweepData(db: Queryable, now: number): Promise<void> {
  const params = [isoTime(now - graceMs)];
  await deleteInChunks(db, { table: "caller_data", key: "id", where: "expires_at < $1", params });
}

interface LateDataDeps {
  readonly database: Queryable;
  readonly openCalls: Pick<OpenCallStore, "findArriving" | "step">;
  readonly clock: Clock;
  onTrouble(error: unknown): void;
}
interface Arriving extends Caller {
  readonly callId: CallId;
}

/**
 * Handles data of a caller that is received while the caller's call comes in: the call has looked for data before, and the
 * request for a call. So each looks again once it is stored itself, and whichever is last finds the other.
 */
export function createLateData({ database, openCalls, clock, onTrouble }: LateDataDeps) {
  /** Returns the call with the data that was received since it looked; null if there is none. */
  async function giveTo({ orgId, caller, callId }: Arriving): Promise<OpenCall | null> {
    if (!(await isDataWaiting(database, { orgId, caller }, clock.now()))) return null;
    const step = await openCalls.step(orgId, callId, async (call, db): Promise<CallStep> => {
      const now = clock.now();
      const tags = await takeWaiting(
        db,
        { orgId, caller, callId, campaignId: call.campaign_id },
        { now, onUnreadable: onTrouble },
      );
      if (Object.keys(tags).length === 0) return { call, messages: [] };
      const at = isoTime(now + (call.skew_ms ?? 0));
      const signal = signalMessage({ kind: "tagged", org_id: orgId, call_id: callId, at, tags: { ...tags } });
      return { call: { ...call, tags: addTags(call.tags, tags) }, messages: [signal] };
    });
    return step?.call ?? null;
  }

  return {
    giveTo,
    /** The same, for a call of the caller that has just come in, also one that has ended meanwhile. */
    async giveToArriving(
      orgId: OrgId,
      { caller, received_at }: Pick<KeptData, "caller" | "received_at">,
    ): Promise<void> {
      const callId = await openCalls.findArriving(orgId, caller, received_at);
      if (callId !== null) await giveTo({ orgId, caller, callId });
    },
  };
}
export type LateData = ReturnType<typeof createLateData>;
