import type { OrgId } from "../../ingest/primitives.ts";
import { label } from "../../warehouse/cells.ts";
import { type CallOfPing, callsOfRequests } from "../../warehouse/rtb/calls.ts";
import type { Row, Warehouse } from "../../warehouse/warehouse.ts";

/** Adds the call of a ping: its record is written before the call comes in. */
export function toInboundRow(row: Row, calls: readonly CallOfPing[]): Row {
  const came = calls.find((call) => call.inbound_request_id === row.request_id);
  return { ...row, call_id: row.call_id ?? came?.call_id ?? null };
}

/** Adds the call of an execution, and `won`: the record says so, or the call went to its formula. */
export function toOutboundRow(row: Row, calls: readonly CallOfPing[]): Row {
  const own = calls.filter(
    ({ call_id, inbound_request_id }) =>
      call_id === row.call_id || (inbound_request_id !== null && inbound_request_id === row.inbound_request_id),
  );
  const went = row.outcome === "bid" && own.some(({ rtb_id }) => rtb_id === row.rtb_id);
  return { ...row, call_id: row.call_id ?? own[0]?.call_id ?? null, won: row.won === true || went };
}

/** Finds the calls of inbound or outbound records. */
export async function callsOf(
  warehouse: Pick<Warehouse, "query">,
  orgId: OrgId,
  records: readonly Row[],
): Promise<readonly CallOfPing[]> {
  if (records.length === 0) return [];
  const distinct = (name: string) => [...new Set(records.flatMap((row) => label(row[name]) ?? []))];
  const times = records.map(({ created_at }) => Date.parse(String(created_at)));
  return callsOfRequests(warehouse, {
    orgId,
    inboundRequestIds: [...new Set([...distinct("request_id"), ...distinct("inbound_request_id")])],
    callIds: distinct("call_id"),
    since: new Date(Math.min(...times)),
  });
}

export type AllocationState = "allocated" | "called" | "expired";

/** Returns the state of a number that a ping was given: called, expired, or still held. */
export function allocationState(
  { number, expires_at }: { readonly number: string; readonly expires_at: string },
  { calls, now }: { readonly calls: readonly CallOfPing[]; readonly now: number },
): AllocationState {
  if (calls.some((call) => call.number === number)) return "called";
  return now < Date.parse(expires_at) ? "allocated" : "expired";
}
