import { callDimensions } from "./calls-dimensions.ts";
import { callFlags, callQuantities } from "./calls-facts.ts";
import { callMeasures } from "./calls-measures.ts";
import type { Subject } from "./field.ts";

export const callsSubject: Subject = {
  name: "calls",
  time: "started_at",
  noun: { one: "call", many: "calls" },
  words: [
    "call",
    "phone call",
    "inbound call",
    "lead",
    "call sent",
    "call delivered",
    "call passed",
    "called us",
    "that called us",
    "who called us",
    "which called us",
  ],
  defaultMeasure: "calls",
  length: "duration",
  measures: callMeasures,
  dimensions: callDimensions,
  flags: callFlags,
  quantities: callQuantities,
  listing: [
    "started_at",
    "call_id",
    "campaign_name",
    "publisher_name",
    "buyer_name",
    "target_name",
    "number",
    "caller_id",
    "caller_state",
    "status",
    "failure_reason",
    "duration",
    "connect_duration",
    "revenue",
    "payout",
    "profit",
  ],
  tags: "tags",
};
