import { callId } from "./call-id.ts";
import { counting, type Dimension, type EnumValue, type Measure, type Subject, share } from "./field.ts";
import { exchangeDimensions, exchangeQuantities, responseTimes, webhookName } from "./webhook-exchange.ts";
import { phrasesOf } from "./wording.ts";

const refused = "response_status_code >= 400";
/** The code of our own answers: `{"detail":{"code":…}}`; a list of validation errors has none. */
const reason = `CASE WHEN ${refused} AND response_body LIKE '{"detail":{"code":"%' THEN regexp_replace(regexp_replace(response_body, '^[^:]*:[^:]*:"', ''), '".*$', '') WHEN ${refused} AND response_body LIKE '{"detail":[%' THEN 'invalid' WHEN ${refused} THEN concat('http_', CAST(response_status_code AS VARCHAR)) END`;
/** Adds the wording "status": incoming requests have no other one. */
const withStatus = ({ words: [first, ...others] }: Dimension): Dimension["words"] => [first, ...others, "status"];

const types: readonly EnumValue[] = [
  { value: "call_data", words: ["call data", "call_data", "incoming call data"] },
  ...["revenue", "tag", "field"].map((part) => ({
    value: part === "revenue" ? "update_revenue" : `update_${part}s`,
    words: [`${part} update`, `${part} updated`, `update ${part}`, `update_${part}`, `incoming ${part} update`],
  })),
];

const matched = "call_log_id IS NOT NULL";

const measures: readonly Measure[] = [
  {
    name: "requests",
    unit: "count",
    aggregate: { kind: "count" },
    words: ["incoming webhook request"],
    definition: "Requests that other systems made of the webhook receiver, refused ones too.",
  },
  counting(refused, {
    name: "refused_requests",
    words: [
      "refused request",
      "failed incoming webhook request",
      "failed incoming webhook",
      "failed inbound webhook",
      "(rejected/denied/declined) request",
      "failed request",
      "refused incoming webhook request",
      "rejected incoming webhook",
      "rejected incoming webhook request",
      "(incoming/inbound)? (webhook)? (rejection/refusal)",
      "(incoming/inbound)? (webhook/hook)? (request)? error",
      "failure",
      "incoming webhook failure",
    ],
    definition: "Requests that we answered with an error.",
  }),
  counting("response_status_code < 400", {
    name: "accepted_requests",
    words: ["accepted request", "successful request", "accepted incoming webhook request"],
    definition: "Requests that we answered without an error.",
  }),
  counting(matched, {
    name: "matched_requests",
    words: ["matched request", "matched incoming webhook request"],
    definition: "Requests that were matched to a call.",
  }),
  counting(`NOT (${matched})`, {
    name: "unmatched_requests",
    words: ["unmatched request", "unmatched incoming webhook request"],
    definition: "Requests that were matched to no call.",
  }),
  {
    name: "match_rate",
    unit: "percent",
    aggregate: share(matched),
    words: [
      "match rate",
      "matching rate",
      "matched rate",
      "share (of (incoming webhook/request))? (that)? found (their/a/its) call",
    ],
    definition: "Matched requests as a share of all requests.",
  },
  {
    name: "refusal_rate",
    unit: "percent",
    aggregate: share(refused),
    words: [
      "refusal rate",
      "rejection rate",
      "(incoming/inbound) (webhook)? (rejection/refusal) rate",
      "incoming webhook error rate",
      "incoming webhook failure rate",
      "error rate",
    ],
    definition: "Refused requests as a share of all requests.",
  },
  {
    name: "repeated_requests",
    unit: "count",
    aggregate: { kind: "repeats", column: "transaction_id" },
    words: [
      "repeated incoming webhook request",
      "(repeated/duplicate/duplicated) one",
      "repeat",
      "(repeat/repeated/repeating) (a)? transaction (id)? (that)? (wed/we had)? (already)? (had/seen/received)?",
      ...["duplicate", "repeated", "repeat", "double", "duplicated"].flatMap((again) =>
        [
          "transaction",
          "transaction id",
          "transaction ids",
          "request",
          "incoming webhook",
          "incoming webhook request",
        ].map((each) => `${again} ${each}`),
      ),
    ],
    definition: "Requests with a transaction's id that an earlier one of those counted had.",
  },
  {
    name: "transactions",
    unit: "count",
    aggregate: { kind: "distinct", column: "transaction_id" },
    words: [
      "different transaction",
      "distinct transaction",
      "unique transaction",
      "transaction",
      "number of transaction",
    ],
    definition: "Different transactions of the senders, requests that repeat one counted once.",
  },
  ...responseTimes([
    "how (fast/quickly/quick) (do/did) we (answer/respond to) (incoming webhook/incoming webhook request/incoming request)?",
    "how long (do/did) we take to (answer/respond to) (incoming webhook/incoming webhook request/incoming request)?",
  ]),
];

export const incomingSubject: Subject = {
  name: "incoming_webhook_requests",
  time: "created_at",
  noun: { one: "incoming webhook request", many: "incoming webhook requests" },
  words: [
    "incoming webhook request",
    "incoming webhook",
    "incoming hook",
    "inbound hook",
    "inbound webhook",
    "inbound webhook request",
    "incoming request",
    "received webhook",
    "webhook received",
    "incoming webhook call",
    "request",
    ...phrasesOf("(request/message) (that)? other system (send/sent/made) (us)?"),
    ...phrasesOf("(request/message) from (other/outside/external) system"),
  ],
  defaultMeasure: "requests",
  length: "response_time",
  measures,
  dimensions: [
    webhookName("incoming"),
    callId,
    {
      name: "type",
      column: "webhook_config_type",
      words: ["type", "webhook type", "request type", "incoming webhook type"],
      values: types,
      definition: "What the webhook does: call_data, update_revenue, update_tags or update_fields.",
    },
    {
      name: "reason",
      column: reason,
      words: ["reason", "rejection reason", "refusal reason", "error code", "failure reason", "error reason"],
      definition:
        "The code of the error that we answered with, such as conflict, invalid where fields were wrong, else its status; empty when there was none.",
      reasonOf: [{ measure: "refused_requests" }],
      values: [
        {
          value: "unauthorized",
          words: ["unauthorized", "unauthorised", "(incoming/inbound)? (webhook)? unauthorized"],
        },
        { value: "conflict", words: ["conflict", "(incoming/inbound)? (webhook/request) conflict"] },
        { value: "invalid", words: ["invalid", "validation (error/failure)"] },
      ],
    },
    {
      name: "transaction",
      column: "transaction_id",
      words: ["transaction id", "transaction", "transaction ids"],
      definition: "The id that the sender gave the transaction; sent again, it is done once.",
    },
    ...exchangeDimensions.map((each) => (each.name === "status_code" ? { ...each, words: withStatus(each) } : each)),
  ],
  flags: [
    {
      name: "failed",
      condition: refused,
      measure: "refused_requests",
      rival: "accepted",
      words: ["failed", "~refuse", "~reject", "~turn (away/down)", "~deny", "~go wrong", "~fail"],
      definition: "Answered with an error.",
    },
    {
      name: "accepted",
      condition: "response_status_code < 400",
      measure: "accepted_requests",
      rival: "failed",
      words: [
        "accepted",
        "~accept",
        "~succeed",
        "successful",
        "(~get/~go) through",
        "(that)? (~work) (fine)?",
        "(was/were) (ok/okay/fine)",
      ],
      definition: "Answered without an error.",
    },
    {
      name: "matched",
      condition: matched,
      measure: "matched_requests",
      unmeasure: "unmatched_requests",
      words: [
        "matched",
        "(~match/tied/linked/assigned/connected/attached/~belong) (to/with)? (a/any/their) call",
        "(~match/tied/linked/assigned/connected/attached/~belong/~link) to call",
        "(~find/~have) (a/their/its/any) call",
        "~match",
      ],
      opposites: [
        "unmatched",
        "(~match/~belong/linked/assigned/tied) (to/with)? no call",
        "(~find/~have) no call",
        "without (a/any) call",
      ],
      definition: "Matched to a call.",
    },
  ],
  quantities: exchangeQuantities,
  listing: [
    "created_at",
    "webhook_config_name",
    "webhook_config_type",
    "transaction_id",
    "call_id",
    "response_status_code",
    "response_time_ms",
    "id",
  ],
};
