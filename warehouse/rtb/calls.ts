import type { OrgId } from "../../ingest/primitives.ts";
import { label } from "../cells.ts";
import { join, type Statement, sql, text, time } from "../statement.ts";
import type { Warehouse } from "../warehouse.ts";
import { anyOf } from "./requests.ts";

/** A call as far as RTB records ask for it. */
export interface CallOfPing {
  readonly call_id: string;
  readonly inbound_request_id: string | null;
  /** The number that the caller dialed. */
  readonly number: string | null;
  /** The formula that the call was sent to; null for a target of its own. */
  readonly rtb_id: string | null;
}

export interface Wanted {
  readonly orgId: OrgId;
  readonly inboundRequestIds: readonly string[];
  readonly callIds: readonly string[];
  /** The earliest of the records. */
  readonly since: Date;
}

/** Tolerance for clock differences: a switch may report a call as earlier than its ping. */
const clockSlackMs = 24 * 60 * 60 * 1000;

/** Holds for the calls that records since then may have led to. */
export const callsSince = (since: Date): Statement =>
  sql`started_at >= ${time(new Date(since.getTime() - clockSlackMs))}`;

/** The calls that came of pings, and those of the ids, in the order in which they began. */
export async function callsOfRequests(
  warehouse: Pick<Warehouse, "query">,
  { orgId, inboundRequestIds, callIds, since }: Wanted,
): Promise<readonly CallOfPing[]> {
  if (inboundRequestIds.length + callIds.length === 0) return [];
  const wanted = [...anyOf("inbound_request_id", inboundRequestIds), ...anyOf("call_id", callIds)];
  const { rows } = await warehouse.query(sql`
    SELECT call_id, inbound_request_id, number, rtb_id FROM calls
    WHERE org_id = ${text(orgId)} AND ${callsSince(since)}
      AND (${join(wanted, " OR ")})
    ORDER BY started_at, call_id`);
  return rows.map((row) => ({
    call_id: String(row.call_id),
    inbound_request_id: label(row.inbound_request_id),
    number: label(row.number),
    rtb_id: label(row.rtb_id),
  }));
}
