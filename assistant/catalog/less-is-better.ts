import type { SubjectName } from "../plan.ts";

/** Measures, and quantities of statistics, whose lowest value is the best: "the worst abandon rate" is the highest. */
const names: Readonly<Record<SubjectName, readonly string[]>> = {
  calls: [
    "failed_calls",
    "abandoned_calls",
    "duplicate_calls",
    "failure_rate",
    "abandon_rate",
    "duplicate_rate",
    "avg_wait_time",
    "wait_time",
  ],
  outgoing_webhook_requests: [
    "failed_deliveries",
    "retries",
    "delivery_failure_rate",
    "retry_rate",
    "avg_response_time",
    "p95_response_time",
    "slowest_response_time",
    "response_time",
    "first_byte_time",
  ],
  incoming_webhook_requests: [
    "refused_requests",
    "refusal_rate",
    "avg_response_time",
    "p95_response_time",
    "slowest_response_time",
    "response_time",
  ],
  inbound_rtb_requests: [
    "unfilled_pings",
    "refused_pings",
    "rate_limited_pings",
    "avg_time",
    "median_time",
    "p95_time",
    "p99_time",
    "processing_time",
  ],
  outbound_rtb_requests: [
    "no_bids",
    "timeouts",
    "http_errors",
    "parse_errors",
    "failed_pings",
    "losses",
    "timeout_rate",
    "ping_error_rate",
    "avg_time",
    "median_time",
    "p95_time",
    "p99_time",
    "time_taken",
  ],
  audit_logs: [],
};
const statistic = /^(?:avg|median|min|max|sum|p[1-9]\d?)_/;

/** True where less of the measure is better. */
export const isLessBetter = (subject: SubjectName, measure: string): boolean =>
  names[subject].includes(measure) || names[subject].includes(measure.replace(statistic, ""));
