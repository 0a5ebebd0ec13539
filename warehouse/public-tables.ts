/**
 * What analysts may name in SQL of their own: tables, and of each the columns. Kept out is what records keep whole for
 * whoever opens one of them, such as the terms of a call, and all that is the loader's.
 */
export const publicColumns = {
  calls: [
    ...["org_id", "started_at", "call_id", "version", "call_sid", "campaign_id", "campaign_name", "publisher_id"],
    ...["publisher_name", "number_id", "number", "caller_id", "caller_state", "caller_zip", "target_id", "target_name"],
    ...["target_type", "rtb_id", "rtb_group_id", "buyer_id", "buyer_name", "inbound_request_id", "status"],
    ...["connected_at", "ended_at", "duration", "ivr_duration", "connect_duration", "termination_by"],
    ...["failure_reason", "attempts", "revenue", "payout", "profit", "configured_revenue", "configured_payout"],
    ...["revenue_overridden", "payable", "receivable", "converted", "converted_at", "is_duplicate", "duplicate_of"],
    ...["repeat_caller", "tcpa_result", "recording_url", "tags", "created_at", "updated_at"],
  ],
  call_events: [
    ...["org_id", "occurred_at", "id", "event", "call_id", "version", "started_at", "status", "campaign_id"],
    ...["publisher_id", "target_id", "buyer_id", "attempts", "failure_reason", "termination_by", "revenue", "payout"],
    "converted",
  ],
  outgoing_webhook_requests: [
    ...["org_id", "created_at", "id", "updated_at", "outgoing_webhook_config_id", "webhook_config_name"],
    ...[
      "event_type_id",
      "event_id",
      "call_id",
      "method",
      "url",
      "path",
      "query_string",
      "headers",
      "body",
      "source_ip",
    ],
    ...["attempt", "outcome", "error", "next_attempt_at", "response_status_code", "response_headers", "response_body"],
    ...["response_time_ms", "delivery_id", "trigger", "error_class", "remote_address", "dns_ms", "connect_ms"],
    "first_byte_ms",
  ],
  incoming_webhook_requests: [
    ...["org_id", "created_at", "id", "updated_at", "incoming_webhook_config_id", "webhook_config_name"],
    ...["webhook_config_type", "call_log_id", "call_id", "transaction_id", "method", "path", "query_string", "headers"],
    ...["body", "source_ip", "response_status_code", "response_headers", "response_body", "response_time_ms"],
  ],
  inbound_rtb_requests: [
    ...["org_id", "created_at", "request_id", "inbound_rtb_id", "campaign_id", "campaign_name", "publisher_id"],
    ...["publisher_name", "caller_id", "zip_code", "state", "params", "outcome", "reason", "total_routes"],
    ...["allocated_count", "best_payout", "processing_ms", "call_id"],
  ],
  outbound_rtb_requests: [
    ...["org_id", "created_at", "id", "rtb_id", "rtb_name", "buyer_id", "buyer_name", "rtb_group_id", "campaign_id"],
    ...["campaign_name", "call_id", "inbound_request_id", "outcome", "reason", "bid", "effective_bid", "duration"],
    ...["phone_number", "score", "won", "total_ms", "steps_count"],
  ],
  audit_logs: [
    ...["org_id", "created_at", "id", "actor_type", "actor_id", "actor_name", "action", "entity_type", "entity_id"],
    ...["entity_name", "changes", "request_id", "source_ip"],
  ],
} as const;
export type PublicTable = keyof typeof publicColumns;

export const isPublicTable = (name: string): name is PublicTable => Object.hasOwn(publicColumns, name);
