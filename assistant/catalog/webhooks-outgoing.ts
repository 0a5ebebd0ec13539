import { counting, type Dimension, type Measure, type Quantity, type Subject, share } from "./field.ts";
import { exchangeDimensions, exchangeQuantities, responseTimes, webhookName } from "./webhook-exchange.ts";

const delivered = "outcome = 'delivered'";
const failed = "outcome <> 'delivered'";

const measures: readonly Measure[] = [
  {
    name: "deliveries",
    unit: "count",
    aggregate: { kind: "count" },
    words: ["webhook delivery", "number of webhook delivery"],
    definition: "Attempts at outgoing webhooks; a retry is one more.",
  },
  counting(delivered, {
    name: "delivered_attempts",
    words: ["delivered webhook", "successful webhook delivery", "successful delivery", "successful webhook"],
    definition: "Attempts that the receiver accepted.",
  }),
  counting(failed, {
    name: "failed_deliveries",
    words: [
      "failed webhook delivery",
      "failed delivery",
      "failed webhook",
      "webhook failure",
      "delivery failure",
      "webhook error",
      "delivery error",
      "failed attempt",
      "undelivered webhook",
    ],
    definition: "Attempts that were not delivered, whatever the reason.",
  }),
  counting("attempt > 1", {
    name: "retries",
    words: ["retry", "webhook retry", "delivery retry", "retried delivery", "retry attempt"],
    definition: "Attempts after the first.",
  }),
  counting(`"trigger" = 'manual'`, {
    name: "redeliveries",
    words: ["redelivery", "manual redelivery", "manual delivery"],
    definition: "Attempts that somebody asked for.",
  }),
  {
    name: "notified_calls",
    unit: "count",
    aggregate: { kind: "distinct", column: "call_id" },
    words: ["notified call", "call notified", "call with webhook", "call delivered"],
    definition: "Different calls that webhooks told of.",
  },
  {
    name: "active_webhooks",
    unit: "count",
    aggregate: { kind: "distinct", column: "webhook_config_name" },
    words: ["active webhook", "distinct webhook", "different webhook", "how many different webhook"],
    definition: "Different webhooks with at least one attempt.",
  },
  {
    name: "delivery_rate",
    unit: "percent",
    aggregate: share(delivered),
    words: ["delivery rate", "success rate", "delivery success rate", "webhook success rate", "webhook delivery rate"],
    definition: "Delivered attempts as a share of all attempts.",
  },
  {
    name: "delivery_failure_rate",
    unit: "percent",
    aggregate: share(failed),
    words: [
      "delivery failure rate",
      "webhook failure rate",
      "webhook error rate",
      "failure rate",
      "error rate",
      "delivery error rate",
      "fail rate",
    ],
    definition: "Attempts that were not delivered as a share of all attempts.",
  },
  {
    name: "retry_rate",
    unit: "percent",
    aggregate: share("attempt > 1"),
    words: ["retry rate", "webhook retry rate"],
    definition: "Attempts after the first as a share of all attempts.",
  },
  ...responseTimes,
];

const dimensions: readonly Dimension[] = [
  webhookName("outgoing"),
  {
    name: "outcome",
    column: "outcome",
    words: ["outcome", "delivery outcome", "result", "delivery status", "status"],
    definition: "delivered, refused, gone, timeout, network_error, blocked, invalid, expired or cancelled.",
    values: [
      { value: "refused", words: ["refused", "rejected"] },
      { value: "timeout", words: ["timeout", "timed out", "time out", "webhook timeout"] },
      { value: "network_error", words: ["network error"] },
      { value: "blocked", words: ["blocked"] },
      { value: "gone", words: ["gone"] },
      { value: "invalid", words: ["invalid"] },
      { value: "expired", words: ["expired"] },
      { value: "cancelled", words: ["cancelled", "canceled"] },
    ],
  },
  {
    name: "event_type",
    column: "event_type_id",
    own: true,
    words: ["event", "event type", "type", "type of event", "call event"],
    definition: "The call event that the webhook tells of, such as call.completed.",
    values: [
      { value: "call.completed", words: ["completed event", "call completed"] },
      { value: "call.converted", words: ["converted event", "conversion event", "call converted"] },
      { value: "call.failure", words: ["failure event", "call failure"] },
      { value: "call.connected", words: ["connected event", "call connected"] },
      { value: "call.hangup", words: ["hangup event", "call hangup"] },
      { value: "call.incoming", words: ["incoming event", "call incoming"] },
    ],
  },
  {
    name: "error_class",
    column: "error_class",
    own: true,
    words: ["error class", "error type", "kind of error", "type of error", "error", "error reason", "failure reason"],
    definition:
      "What the attempt failed of: http_3xx, http_4xx, http_5xx, timeout, unconnected, broken, unreadable, blocked, invalid_request, invalid_template, expired or cancelled; empty when it was delivered.",
    values: [
      { value: "http_5xx", words: ["server error", "5xx", "5xx error", "http 5xx", "500 error"] },
      { value: "http_4xx", words: ["client error", "4xx", "4xx error", "http 4xx"] },
      { value: "http_3xx", words: ["3xx", "redirect"] },
    ],
  },
  {
    name: "attempt",
    column: "attempt",
    shape: "number",
    words: ["attempt number", "attempt"],
    definition: "Which attempt it was; 1 is the first.",
  },
  {
    name: "trigger",
    column: `"trigger"`,
    words: ["trigger", "triggered by"],
    definition: "automatic, or manual when somebody asked for the attempt.",
    values: [{ value: "manual", words: ["manual", "manually triggered"] }],
  },
  ...exchangeDimensions,
];

const quantities: readonly Quantity[] = [
  ...exchangeQuantities,
  { name: "attempt", column: "attempt", unit: "count", words: ["attempt"], definition: "1 is the first." },
  {
    name: "first_byte_time",
    column: "first_byte_ms",
    unit: "ms",
    words: ["time to first byte", "first byte time", "ttfb"],
    definition: "Milliseconds until the answer's first byte; none without an answer.",
  },
];

export const outgoingSubject: Subject = {
  name: "outgoing_webhook_requests",
  time: "created_at",
  noun: { one: "webhook delivery", many: "webhook deliveries" },
  words: [
    "webhook delivery",
    "outgoing webhook request",
    "outgoing webhook",
    "outgoing request",
    "webhook request",
    "webhook attempt",
    "delivery",
    "delivery attempt",
    "webhook call",
    "outgoing webhook delivery",
    "webhook",
    "outbound webhook",
    "outbound webhook request",
    "postback",
    "webhook delivery attempt",
  ],
  defaultMeasure: "deliveries",
  length: "response_time",
  measures,
  dimensions,
  flags: [
    {
      name: "failed",
      condition: failed,
      measure: "failed_deliveries",
      words: ["failed", "failing", "fail", "undelivered", "unsuccessful"],
      definition: "Not delivered.",
    },
    {
      name: "delivered",
      condition: delivered,
      measure: "delivered_attempts",
      words: ["delivered", "successful", "succeeded"],
      definition: "The receiver accepted it.",
    },
    {
      name: "retried",
      condition: "attempt > 1",
      measure: "retries",
      words: ["retried"],
      definition: "Not the first attempt.",
    },
  ],
  quantities,
  listing: [
    "created_at",
    "webhook_config_name",
    "event_type_id",
    "call_id",
    "url",
    "attempt",
    "outcome",
    "response_status_code",
    "response_time_ms",
    "error",
  ],
};
