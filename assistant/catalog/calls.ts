import { connected } from "./calls-counts.ts";
import { callMeasures } from "./calls-measures.ts";
import type { Dimension, Flag, Quantity, Subject } from "./field.ts";

const own = (name: string, column: string, words: readonly string[] = []): Dimension => ({
  name,
  column,
  own: true,
  words: [name, `${name} name`, ...words],
  definition: `The ${name}, by its name at the time of the call.`,
});

const dimensions: readonly Dimension[] = [
  own("campaign", "campaign_name"),
  own("publisher", "publisher_name", ["affiliate", "source", "vendor", "traffic source"]),
  own("buyer", "buyer_name", ["advertiser", "client"]),
  own("target", "target_name", ["destination", "agent"]),
  {
    name: "state",
    column: "caller_state",
    words: ["state", "caller state", "us state", "region"],
    definition: "The caller's US state, two letters.",
  },
  {
    name: "zip",
    column: "caller_zip",
    words: ["ZIP code", "zip code", "zip", "caller zip"],
    definition: "The caller's ZIP code.",
  },
  {
    name: "number",
    column: "number",
    own: true,
    words: ["tracking number", "number", "phone number", "number called", "dialed number"],
    definition: "The tracking number that was called.",
  },
  {
    name: "status",
    column: "status",
    words: ["status", "call status", "disposition"],
    definition: "incoming, connected, completed or failed.",
  },
  {
    name: "failure_reason",
    column: "failure_reason",
    own: true,
    words: ["failure reason", "reason", "reason for failure", "fail reason", "reason of failure"],
    definition: "Why no target answered.",
  },
  {
    name: "ended_by",
    column: "termination_by",
    words: [
      "who hung up",
      "termination",
      "ended by",
      "hung up by",
      "who ended the call",
      "terminated by",
      "hangup party",
    ],
    definition: "Who ended the call: caller, target or system.",
    values: [
      {
        value: "caller",
        words: ["caller hung up", "hung up by caller", "hung up by the caller", "ended by the caller"],
      },
      {
        value: "target",
        words: ["target hung up", "hung up by target", "hung up by the target", "ended by the target"],
      },
    ],
  },
  {
    name: "target_type",
    column: "target_type",
    words: ["target type", "type of target", "destination type"],
    definition: "What kind of destination the target is.",
  },
];

const flags: readonly Flag[] = [
  {
    name: "connected",
    condition: connected,
    measure: "connected_calls",
    words: ["connected", "answered", "picked up", "connect"],
    definition: "A target answered.",
  },
  {
    name: "completed",
    condition: "status = 'completed'",
    measure: "completed_calls",
    words: ["completed"],
    definition: "Connected, ended and settled.",
  },
  {
    name: "failed",
    condition: "status = 'failed'",
    measure: "failed_calls",
    words: ["failed", "missed", "unanswered", "fail", "not answered"],
    definition: "No target answered.",
  },
  {
    name: "converted",
    condition: "converted",
    measure: "converted_calls",
    words: ["converted", "convert", "converting"],
    opposites: ["unconverted", "nonconverting", "non converted", "non converting"],
    definition: "The buyer pays or the publisher is paid: the condition of either side was met.",
  },
  {
    name: "duplicate",
    condition: "is_duplicate",
    measure: "duplicate_calls",
    words: ["duplicate", "duplicated"],
    opposites: ["non duplicate"],
    definition: "Repeats an earlier call of the same caller, by the campaign's rules for duplicates.",
  },
  {
    name: "repeat",
    condition: "repeat_caller",
    measure: "repeat_calls",
    words: ["repeat", "repeated"],
    opposites: ["first time"],
    definition: "The caller had called before.",
  },
  {
    name: "payable",
    condition: "payable",
    measure: "payable_calls",
    words: ["payable"],
    definition: "Met the condition on which the publisher is paid.",
  },
  {
    name: "receivable",
    condition: "receivable",
    measure: "receivable_calls",
    words: ["receivable", "billable"],
    definition: "Met the condition on which the buyer pays.",
  },
];

const quantities: readonly Quantity[] = [
  {
    name: "duration",
    column: "duration",
    unit: "seconds",
    words: ["duration"],
    definition: "Whole seconds from the start of the call to its end; none while it runs.",
  },
  {
    name: "connect_duration",
    column: "connect_duration",
    unit: "seconds",
    words: ["connected time"],
    definition: "Whole seconds connected; 0 when no target answered.",
  },
  { name: "revenue", column: "revenue", unit: "money", words: ["revenue"], definition: "What the buyer pays." },
  { name: "payout", column: "payout", unit: "money", words: ["payout"], definition: "What the publisher is paid." },
  { name: "profit", column: "profit", unit: "money", words: ["profit"], definition: "Revenue less payout." },
  { name: "attempts", column: "attempts", unit: "count", words: ["attempt"], definition: "Dials begun." },
];

export const callsSubject: Subject = {
  name: "calls",
  time: "started_at",
  noun: { one: "call", many: "calls" },
  words: ["call", "phone call"],
  defaultMeasure: "calls",
  length: "duration",
  measures: callMeasures,
  dimensions,
  flags,
  quantities,
  listing: [
    "started_at",
    "call_id",
    "campaign_name",
    "publisher_name",
    "buyer_name",
    "target_name",
    "caller_id",
    "caller_state",
    "status",
    "duration",
    "revenue",
    "payout",
  ],
  tags: "tags",
};
