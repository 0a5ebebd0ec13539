import {
  type CallFields,
  type CallRecord,
  callFieldsSchema,
  toRecord,
} from "../../../../api/routing/call-stats/call-record.ts";
import { orgOne, secondsIn, startOfTime } from "../../../make.ts";

export const minuteMs = 60_000;
export const hour = 60 * minuteMs;
export const day = 24 * hour;
/** The beginning of the day of UTC on which the example calls come in. */
export const today = Math.floor(startOfTime / day) * day;

/** A call of 16 connected seconds that has earned both sides their money. */
export const someFields = (given: Partial<Record<keyof CallFields, unknown>> = {}): CallFields =>
  callFieldsSchema.parse({
    org_id: orgOne,
    call_id: "call-1",
    version: 1,
    caller_id: "+12125550123",
    status: "completed",
    started_at: secondsIn(0),
    connected_at: secondsIn(2),
    duration: 18,
    connect_duration: 16,
    campaign_id: "cmp",
    publisher_id: "pub",
    target_id: "tgt",
    rtb_id: null,
    buyer_id: "buy",
    converted: true,
    receivable: true,
    revenue: 30,
    payout: 20,
    ...given,
  });

export const aRecord = (given: Partial<CallRecord> = {}): CallRecord => ({ ...toRecord(someFields()), ...given });

/** As telephony or its first event tells of it. */
export const ringing: Omit<CallRecord, "call_id" | "at" | "caller" | "version" | `${string}_id`> = {
  status: "incoming",
  connected: false,
  whole_seconds: null,
  connected_seconds: null,
  converted: false,
  receivable: false,
  revenue: 0,
  payout: 0,
};
