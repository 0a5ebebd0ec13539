import type { z } from "zod";
import { callSchema, refusedReason } from "../../../ingest/call.ts";
import { toUnits } from "../../../ingest/money.ts";
import { createStoredReader } from "../../../ingest/stored-reader.ts";
import type { EarlierCall, Holder, HolderKind } from "../call-stats.ts";
import type { CallCounts } from "./counters.ts";

/** The fields of a call event, and the columns of the call log, that call stats are made of. */
export const callFieldsSchema = callSchema.pick({
  call_id: true,
  org_id: true,
  version: true,
  caller_id: true,
  status: true,
  started_at: true,
  connected_at: true,
  duration: true,
  connect_duration: true,
  converted: true,
  receivable: true,
  campaign_id: true,
  publisher_id: true,
  target_id: true,
  rtb_id: true,
  buyer_id: true,
  revenue: true,
  payout: true,
  failure_reason: true,
});
export type CallFields = z.infer<typeof callFieldsSchema>;
/** Reads these fields of a call event. Throws `UnreadableError`. */
export const readCallFields = createStoredReader(callFieldsSchema);
export const callFieldNames = Object.keys(callFieldsSchema.shape) as readonly (keyof CallFields)[];

/** A call as call stats keep it. */
export interface CallRecord extends EarlierCall {
  /** The version of its last event; -1 for a call that only this process's telephony knows of. */
  readonly version: number;
  /** The digits of the caller's number; 0 for one that is none. */
  readonly caller: number;
  readonly connected: boolean;
  readonly receivable: boolean;
  /** Ten-thousandths of a dollar. */
  readonly revenue: number;
  readonly payout: number;
}

/** E.164 allows 15 digits, which a number holds exactly and in less memory than text. */
const e164 = /^\+[1-9]\d{1,14}$/;

/** 0 for an anonymous caller, who is nobody's duplicate. */
export const toCallerNumber = (caller: string | null): number =>
  caller !== null && e164.test(caller) ? Number(caller.slice(1)) : 0;

/** Field by field: with spreads, reading a million calls took several seconds more. */
export function toRecord(call: CallFields): CallRecord {
  const connected = call.connected_at !== null;
  const counts = call.failure_reason !== refusedReason;
  return {
    call_id: call.call_id,
    version: call.version,
    at: Date.parse(call.started_at),
    caller: toCallerNumber(call.caller_id),
    status: call.status,
    campaign_id: counts ? call.campaign_id : null,
    publisher_id: counts ? call.publisher_id : null,
    target_id: counts ? call.target_id : null,
    rtb_id: counts ? call.rtb_id : null,
    buyer_id: counts ? call.buyer_id : null,
    whole_seconds: call.duration,
    connected_seconds: connected ? call.connect_duration : null,
    connected,
    converted: call.converted,
    receivable: call.receivable,
    revenue: toUnits(call.revenue ?? 0),
    payout: toUnits(call.payout ?? 0),
  };
}

/** Fields with a call's holders, by type; the call log's columns have the same names. */
export const holderColumns = {
  campaign: "campaign_id",
  publisher: "publisher_id",
  target: "target_id",
  rtb_formula: "rtb_id",
  buyer: "buyer_id",
} as const satisfies Record<HolderKind, keyof EarlierCall>;
export const holderKinds = Object.keys(holderColumns) as readonly HolderKind[];

/** The holders that the call counts for. */
export function holdersOf(call: CallRecord): Holder[] {
  const holders: Holder[] = [];
  for (const kind of holderKinds) {
    const id = call[holderColumns[kind]];
    if (id !== null) holders.push({ kind, id });
  }
  return holders;
}

/** Returns what the call adds to their counts. */
export const countsOf = ({ connected, converted, receivable, revenue, payout }: CallRecord): CallCounts => ({
  calls: 1,
  connected: Number(connected),
  converted: Number(converted),
  receivable: Number(receivable),
  revenue,
  payout,
});
