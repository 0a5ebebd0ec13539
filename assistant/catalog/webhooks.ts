import { type Aggregate, type Dimension, type Measure, type Quantity, type Subject, share } from "./field.ts";

const answered = "response_status_code IS NOT NULL";
const took = (level: number): Aggregate => ({ kind: "quantile", column: "response_time_ms", level });

const responseTimes: readonly Measure[] = [
  {
    name: "avg_response_time",
    unit: "ms",
    aggregate: { kind: "average", column: "response_time_ms" },
    words: ["average response time", "response time", "latency", "average latency"],
    definition: "The mean time until the answer came, in milliseconds; requests without an answer are left out.",
  },
  ...([50, 95, 99] as const).map(
    (percent): Measure => ({
      name: `p${percent}_response_time`,
      unit: "ms",
      aggregate: took(percent / 100),
      words: [
        `p${percent} response time`,
        `p${percent} latency`,
        `p${percent}`,
        `${percent}th percentile response time`,
        ...(percent === 50 ? ["median response time", "median latency"] : []),
      ],
      definition: `${percent} % of the answers came at least this fast, in milliseconds.`,
    }),
  ),
];

const quantities: readonly Quantity[] = [
  {
    name: "response_time",
    column: "response_time_ms",
    unit: "ms",
    words: ["response time"],
    definition: "Time until the answer came.",
  },
  {
    name: "status_code",
    column: "response_status_code",
    unit: "number",
    words: ["status code"],
    definition: "Of the answer.",
  },
];

const statusCode: Dimension = {
  name: "status_code",
  column: "response_status_code",
  words: ["status code", "response code", "http status", "response status", "http code", "response status code"],
  definition: "The HTTP status of the answer; empty when none came.",
};

const methods: Dimension = {
  name: "method",
  column: "method",
  words: ["method", "http method"],
  definition: "The HTTP method.",
};

const webhook = (direction: string): Dimension => ({
  name: "webhook",
  column: "webhook_config_name",
  own: true,
  words: ["webhook", `${direction} webhook`, "webhook name", "webhook config"],
  definition: "The webhook, by its name at the time.",
});

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
  ],
  defaultMeasure: "deliveries",
  length: "response_time",
  measures: [
    {
      name: "deliveries",
      unit: "count",
      aggregate: { kind: "count" },
      words: ["webhook delivery", "number of webhook delivery"],
      definition: "Attempts at outgoing webhooks; a retry is one more.",
    },
    {
      name: "delivered",
      unit: "count",
      aggregate: { kind: "count", where: "outcome = 'delivered'" },
      words: ["delivered webhook", "successful webhook delivery", "successful delivery", "successful webhook"],
      definition: "Attempts that the receiver accepted.",
    },
    {
      name: "failed_deliveries",
      unit: "count",
      aggregate: { kind: "count", where: "outcome <> 'delivered'" },
      words: [
        "failed webhook delivery",
        "failed delivery",
        "failed webhook",
        "webhook failure",
        "delivery failure",
        "webhook error",
      ],
      definition: "Attempts that were not delivered, whatever the reason.",
    },
    {
      name: "retries",
      unit: "count",
      aggregate: { kind: "count", where: "attempt > 1" },
      words: ["retry", "webhook retry"],
      definition: "Attempts after the first.",
    },
    {
      name: "delivery_rate",
      unit: "percent",
      aggregate: share("outcome = 'delivered'"),
      words: ["delivery rate", "success rate", "delivery success rate", "webhook success rate"],
      definition: "Delivered attempts as a share of all attempts.",
    },
    {
      name: "delivery_failure_rate",
      unit: "percent",
      aggregate: share("outcome <> 'delivered'"),
      words: ["delivery failure rate", "webhook failure rate", "webhook error rate", "failure rate", "error rate"],
      definition: "Attempts that were not delivered as a share of all attempts.",
    },
    ...responseTimes,
  ],
  dimensions: [
    webhook("outgoing"),
    {
      name: "outcome",
      column: "outcome",
      words: ["outcome", "delivery outcome", "result"],
      definition: "delivered, refused, gone, timeout, network_error, blocked or invalid.",
      values: [
        { value: "refused", words: ["refused", "rejected"] },
        { value: "timeout", words: ["timeout", "timed out", "time out"] },
        { value: "network_error", words: ["network error"] },
        { value: "blocked", words: ["blocked"] },
      ],
    },
    {
      name: "event_type",
      column: "event_type_id",
      own: true,
      words: ["event", "event type", "type"],
      definition: "The call event that the webhook tells of.",
    },
    statusCode,
    methods,
  ],
  flags: [
    {
      name: "failed",
      condition: "outcome <> 'delivered'",
      measure: "failed_deliveries",
      words: ["failed", "failing", "fail", "undelivered", "unsuccessful"],
      definition: "Not delivered.",
    },
    {
      name: "delivered",
      condition: "outcome = 'delivered'",
      measure: "delivered",
      words: ["delivered", "successful", "succeeded"],
      definition: "The receiver accepted it.",
    },
  ],
  quantities: [
    ...quantities,
    { name: "attempt", column: "attempt", unit: "count", words: ["attempt"], definition: "1 is the first." },
  ],
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

export const incomingSubject: Subject = {
  name: "incoming_webhook_requests",
  time: "created_at",
  noun: { one: "incoming webhook request", many: "incoming webhook requests" },
  words: [
    "incoming webhook request",
    "incoming webhook",
    "inbound webhook",
    "inbound webhook request",
    "incoming request",
    "received webhook",
    "webhook received",
  ],
  defaultMeasure: "requests",
  length: "response_time",
  measures: [
    {
      name: "requests",
      unit: "count",
      aggregate: { kind: "count" },
      words: ["incoming webhook request"],
      definition: "Requests that other systems made of the webhook receiver, refused ones too.",
    },
    {
      name: "refused_requests",
      unit: "count",
      aggregate: { kind: "count", where: "response_status_code >= 400" },
      words: [
        "refused request",
        "failed incoming webhook request",
        "failed incoming webhook",
        "failed inbound webhook",
        "rejected request",
      ],
      definition: "Requests that we answered with an error.",
    },
    {
      name: "matched_requests",
      unit: "count",
      aggregate: { kind: "count", where: "call_log_id IS NOT NULL" },
      words: ["matched request"],
      definition: "Requests that were matched to a call.",
    },
    ...responseTimes,
  ],
  dimensions: [
    webhook("incoming"),
    {
      name: "type",
      column: "webhook_config_type",
      own: true,
      words: ["type", "webhook type", "request type"],
      definition: "What the webhook does, such as call-data or update-revenue.",
    },
    statusCode,
    methods,
  ],
  flags: [
    {
      name: "failed",
      condition: "response_status_code >= 400",
      measure: "refused_requests",
      words: ["failed", "refused", "rejected"],
      definition: "Answered with an error.",
    },
    {
      name: "matched",
      condition: "call_log_id IS NOT NULL",
      measure: "matched_requests",
      words: ["matched"],
      opposites: ["unmatched"],
      definition: "Matched to a call.",
    },
    {
      name: "answered",
      condition: answered,
      measure: "requests",
      words: ["answered"],
      definition: "An answer was sent.",
    },
  ],
  quantities,
  listing: [
    "created_at",
    "webhook_config_name",
    "webhook_config_type",
    "transaction_id",
    "call_id",
    "response_status_code",
    "response_time_ms",
  ],
};
