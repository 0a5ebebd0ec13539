import { type Call, callSchema, type callStatuses } from "../../ingest/call.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { checkStored, readable, refuseUnreadable, type UnreadableError } from "../../ingest/unreadable.ts";
import { join, raw, sql, text, time } from "../statement.ts";
import type { Row, Warehouse } from "../warehouse.ts";

/** The position of a call in the log, which is not part of its row. */
const placeInLog = {
  published: true,
  last_signal: true,
  rekeyed: true,
  last_signal_at: true,
  lag_ms: true,
} as const;
const columns = raw(Object.keys(callSchema.omit(placeInLog).shape).join(", "));
/** The events of a call are a dozen; each correction is one more. */
const mostEvents = 10_000;
/** Events read for each of several calls. */
const mostEventsOfMany = 250;

/**
 * Returns the call as stored last, for updates: the caller must also read later events from the log. Null if there is
 * none.
 */
export async function readStoredCall(
  warehouse: Pick<Warehouse, "query">,
  orgId: OrgId,
  callId: string,
): Promise<Call | null> {
  return (await readStoredCalls(warehouse, orgId, [callId])).get(callId) ?? null;
}

/** Returns the stored calls by id; `onUnreadable` receives those that are skipped. */
export async function readStoredCalls(
  warehouse: Pick<Warehouse, "query">,
  orgId: OrgId,
  callIds: readonly string[],
  onUnreadable: (error: UnreadableError) => void = refuseUnreadable,
): Promise<ReadonlyMap<string, Call>> {
  if (callIds.length === 0) return new Map();
  const ids = join(
    callIds.map((id) => sql`${text(id)}`),
    ", ",
  );
  const areThey = sql`org_id = ${text(orgId)} AND call_id IN (${ids})`;
  const calls = await warehouse.query(sql`SELECT ${columns} FROM calls WHERE ${areThey}`, { maxRows: callIds.length });
  const events = await warehouse.query(
    sql`SELECT call_id, event, version FROM call_events WHERE ${areThey} ORDER BY version`,
    { maxRows: mostEvents + mostEventsOfMany * callIds.length },
  );
  const byCall = new Map<string, Row[]>(callIds.map((id) => [id, []]));
  for (const event of events.rows) byCall.get(String(event.call_id))?.push(event);
  const read = readable(calls.rows, (row) => toCall(row, byCall.get(String(row.call_id)) ?? []), onUnreadable);
  return new Map(read.map((call) => [call.call_id, call]));
}

/** Converts a row; events published after the row was read are read from the log. Throws `UnreadableError`. */
function toCall(row: Row, events: readonly Row[]): Call {
  const published = events.filter(({ version }) => Number(version) <= Number(row.version)).map(({ event }) => event);
  // Rows that are older than a column have it empty.
  const { terms, updates, tags, ...rest } = row;
  const known = { ...rest, terms: terms ?? {}, updates: updates ?? [], tags: tags ?? {} };
  const place = { table: "calls", id: String(row.call_id) };
  return checkStored(callSchema, { ...known, published, last_signal: -1 }, place);
}

export interface CallSought {
  readonly orgId: OrgId;
  /** E.164. */
  readonly caller: string;
  /** Milliseconds since 1970: the earliest that it may have come in. */
  readonly since: number;
  readonly statuses: readonly (typeof callStatuses)[number][];
  /** Ids of campaigns; null for calls of any or none. */
  readonly campaigns: ReadonlySet<string> | null;
}

/** The id of the caller's most recent call of these; null where there is none. */
export async function findStoredCall(
  warehouse: Pick<Warehouse, "query">,
  { orgId, caller, since, statuses, campaigns }: CallSought,
): Promise<string | null> {
  const anyOf = (values: readonly string[]) =>
    join(
      values.map((value) => sql`${text(value)}`),
      ", ",
    );
  const ofCampaigns = campaigns === null ? sql`` : sql`AND campaign_id IN (${anyOf([...campaigns])})`;
  const { rows } = await warehouse.query(
    sql`SELECT call_id FROM calls
      WHERE org_id = ${text(orgId)} AND caller_id = ${text(caller)} AND started_at >= ${time(new Date(since))}
        AND status IN (${anyOf(statuses)}) ${ofCampaigns}
      ORDER BY started_at DESC, call_id DESC LIMIT 1`,
    { maxRows: 1 },
  );
  return rows[0] === undefined ? null : String(rows[0].call_id);
}
