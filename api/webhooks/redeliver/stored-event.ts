import type { CallEvent, CallEventName } from "../../../ingest/event.ts";
import type { EventId, OrgId } from "../../../ingest/primitives.ts";
import { readStoredCall } from "../../../warehouse/calls/stored-call.ts";
import { sql, text } from "../../../warehouse/statement.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";

export interface EventSought {
  readonly orgId: OrgId;
  readonly callId: string;
  readonly name: CallEventName;
  /** Selects one of several events of this name; the last one without it. */
  readonly eventId?: string | undefined;
}

/**
 * An event of a stored call, with the call as it now stands: what has become known since is populated, too. Null where
 * there is no such call. An event that the call never had is made as of its last change.
 */
export async function readStoredEvent(
  warehouse: Pick<Warehouse, "query">,
  { orgId, callId, name, eventId }: EventSought,
): Promise<CallEvent | null> {
  const call = await readStoredCall(warehouse, orgId, callId);
  if (call === null) return null;
  const { rows } = await warehouse.query(
    sql`SELECT id, occurred_at FROM call_events
      WHERE org_id = ${text(orgId)} AND call_id = ${text(callId)} AND event = ${text(name)}
      ORDER BY CASE WHEN id = ${text(eventId ?? "")} THEN 0 ELSE 1 END, version DESC LIMIT 1`,
  );
  const [row] = rows;
  const id = eventId ?? (row === undefined ? `${callId}:${name}` : String(row.id));
  const occurred_at = row === undefined ? call.updated_at : String(row.occurred_at);
  return { ...call, v: 1, id: id as EventId, event: name, occurred_at };
}
