import type { Call } from "../call.ts";
import type { SignalOf } from "../signal.ts";

/** The fields of a call about the last signal applied. */
export type LastSignal = Pick<Call, "last_signal" | "rekeyed" | "last_signal_at" | "lag_ms">;

/** Creates the call from its first signal, without a target or money. */
export function begin(signal: SignalOf<"incoming">, lastSignal: LastSignal): Call {
  const { at, campaign, publisher, publisher_terms } = signal;
  return {
    call_id: signal.call_id,
    org_id: signal.org_id,
    version: 0,
    call_sid: signal.call_sid,
    campaign_id: campaign?.id ?? null,
    campaign_name: campaign?.name ?? null,
    publisher_id: publisher?.id ?? null,
    publisher_name: publisher?.name ?? null,
    number_id: signal.number_id,
    number: signal.to,
    caller_id: signal.from,
    caller_state: signal.caller_state,
    caller_zip: signal.caller_zip,
    ...undialed,
    inbound_request_id: signal.inbound_request_id,
    status: "incoming",
    started_at: at,
    ...untimed,
    ...unpriced,
    configured_payout: publisher_terms?.payout ?? null,
    ...unjudged,
    is_duplicate: signal.is_duplicate,
    duplicate_of: signal.duplicate_of,
    repeat_caller: signal.repeat_caller,
    tcpa_result: signal.tcpa_result,
    recording_url: null,
    tags: signal.tags,
    updates: [],
    created_at: at,
    updated_at: at,
    terms: {
      buyer: null,
      publisher: publisher_terms,
      campaign_webhook_ids: signal.webhook_ids,
      target_webhook_ids: [],
      payable: true,
      receivable: true,
      arrived: { is_duplicate: signal.is_duplicate, duplicate_of: signal.duplicate_of },
      adjusted: null,
      campaign_recording_access: signal.recording_access,
      target_recording_access: true,
    },
    published: [],
    ...lastSignal,
  };
}

/** Values before the call is dialed. */
const undialed = {
  target_id: null,
  target_name: null,
  target_type: null,
  rtb_id: null,
  rtb_group_id: null,
  buyer_id: null,
  buyer_name: null,
} as const;
/** Values before the call is answered or ends. */
const untimed = {
  connected_at: null,
  ended_at: null,
  duration: null,
  ivr_duration: null,
  connect_duration: null,
  termination_by: null,
  failure_reason: null,
  attempts: 0,
} as const;
/** Values before terms are applied. */
const unpriced = {
  revenue: null,
  payout: null,
  profit: null,
  configured_revenue: null,
} as const;
/** Values before the conversion is judged. */
const unjudged = {
  revenue_overridden: false,
  payable: false,
  receivable: false,
  converted: false,
  converted_at: null,
} as const;
