import { z } from "zod";
import { callStatuses, terminations } from "../../ingest/call.ts";
import { timestamp } from "../../ingest/primitives.ts";
import type { RowKey } from "../../warehouse/history/keyset.ts";
import type { Row } from "../../warehouse/warehouse.ts";

const text = z.string().nullable();
const time = timestamp.nullable();
const seconds = z.int().nullable().meta({ description: "Whole seconds." });
const dollars = z.number().nullable().meta({ description: "Dollars." });

export const callRow = z
  .object({
    call_id: z.string(),
    call_sid: text,
    org_id: z.string(),
    campaign_id: text,
    campaign_name: text,
    publisher_id: text,
    publisher_name: text,
    number_id: text,
    number: text,
    caller_id: text,
    caller_state: text,
    caller_zip: text,
    target_id: text,
    target_name: text,
    target_type: text,
    rtb_id: text,
    rtb_group_id: text,
    buyer_id: text,
    buyer_name: text,
    inbound_request_id: text,
    status: z.enum(callStatuses),
    started_at: timestamp,
    connected_at: time,
    ended_at: time,
    duration: seconds,
    ivr_duration: seconds,
    connect_duration: seconds,
    termination_by: z.enum(terminations).nullable(),
    failure_reason: text,
    attempts: z.int(),
    revenue: dollars,
    payout: dollars,
    profit: dollars,
    configured_revenue: dollars,
    configured_payout: dollars,
    revenue_overridden: z.boolean(),
    payable: z.boolean(),
    receivable: z.boolean(),
    converted: z.boolean(),
    converted_at: time,
    is_duplicate: z.boolean(),
    duplicate_of: text,
    repeat_caller: z.boolean(),
    tcpa_result: text,
    recording_url: text.meta({ description: "Null where the campaign or the destination did not show recordings." }),
    tags: z.record(z.string(), z.string()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Call" });

/** Shapes a row of the warehouse for the call log. */
export const toCallRow = (row: Row): Row => ({ ...row, tags: row.tags ?? {} });

/** Returns the key of a row's place in the call log. */
export const callKeyOf = ({ started_at, call_id }: Row): RowKey => ({
  at: new Date(String(started_at)),
  id: String(call_id),
});
