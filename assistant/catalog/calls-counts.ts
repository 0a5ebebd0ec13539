import { type Aggregate, counting, type Measure } from "./field.ts";

/** A target answered. */
export const connected = "connected_at IS NOT NULL";
export const live = "status IN ('incoming', 'connected')";
/** Counts of calls. */
export const calls: Aggregate = { kind: "count" };
export const connectedCalls: Aggregate = { kind: "count", where: connected };
export const convertedCalls: Aggregate = { kind: "count", where: "converted" };

const outcomes: readonly Measure[] = [
  {
    name: "calls",
    unit: "count",
    aggregate: calls,
    words: [
      "call",
      "incoming call",
      "call count",
      "call volume",
      "volume",
      "number of call",
      "how much traffic",
      "call number",
      "total call",
    ],
    definition: "Every call that came in, whatever became of it.",
  },
  counting(connected, {
    name: "connected_calls",
    words: ["connected call", "answered call", "connection", "connect", "call connected", "call answered"],
    definition: "Calls that a target answered.",
  }),
  counting("status = 'completed'", {
    name: "completed_calls",
    words: ["completed call", "call completed", "finished call"],
    definition: "Calls that were connected, ended and were settled.",
  }),
  counting("status = 'failed'", {
    name: "failed_calls",
    words: ["failed call", "missed call", "unanswered call", "failure", "dropped call", "call failure"],
    definition: "Calls that no target answered.",
  }),
  counting("failure_reason = 'caller_hangup'", {
    name: "abandoned_calls",
    words: ["abandoned call", "abandon", "abandonment"],
    definition: "Calls whose caller hung up before a target answered.",
  }),
  counting(live, {
    name: "live_calls",
    words: ["live call", "call in progress", "ongoing call", "active call", "current call", "running call"],
    definition: "Calls that are not over yet.",
  }),
  counting("converted", {
    name: "converted_calls",
    words: [
      "converted call",
      "conversion",
      "sale",
      "converting call",
      "call converted",
      "(closed/won) (deal/sale)",
      "deal (we)? (closed/won)",
    ],
    definition: "Calls for which the buyer pays or the publisher is paid: the condition of either side was met.",
  }),
  counting("payable", {
    name: "payable_calls",
    words: ["payable call", "paid call"],
    definition: "Calls that met the condition on which the publisher is paid.",
  }),
  counting("receivable", {
    name: "receivable_calls",
    words: ["receivable call", "billable call", "billed call", "qualified call"],
    definition: "Calls that met the condition on which the buyer pays.",
  }),
];

const callers: readonly Measure[] = [
  counting("is_duplicate", {
    name: "duplicate_calls",
    words: ["duplicate call", "duplicate", "dupe", "duplicated call", "double call"],
    definition: "Calls that repeat an earlier call of the same caller, by the campaign's rules for duplicates.",
  }),
  counting("repeat_caller", {
    name: "repeat_calls",
    words: ["repeat call", "(repeat/returning/known/existing) (caller/people)"],
    definition: "Calls from a caller who had called before.",
  }),
  {
    name: "unique_callers",
    unit: "count",
    aggregate: { kind: "distinct", column: "caller_id" },
    words: [
      "unique caller",
      "caller",
      "distinct caller",
      "number of caller",
      "different caller",
      "unique call",
      "(number of/different/distinct/unique) (people/person)",
      "how many (different/distinct/unique)? (people/person)",
    ],
    definition: "Different caller ids.",
  },
];

/** The condition of calls with tags: as text, an empty map reads the same in both engines. */
export const tagged = "coalesce(CAST(tags AS VARCHAR), '{}') <> '{}'";

const others: readonly Measure[] = [
  counting(tagged, {
    name: "tagged_calls",
    words: ["tagged call"],
    definition: "Calls with a tag, whichever it is.",
  }),
  counting("recording_url IS NOT NULL", {
    name: "recorded_calls",
    words: ["recorded call"],
    definition: "Calls with a recording.",
  }),
  counting("revenue_overridden", {
    name: "adjusted_calls",
    words: ["adjusted call", "overridden call", "corrected call"],
    definition: "Calls whose amounts somebody has put in place of what they were settled on.",
  }),
  counting("inbound_request_id IS NOT NULL", {
    name: "pinged_calls",
    words: ["pinged call", "call from ping"],
    definition: "Calls that came of a publisher's RTB ping.",
  }),
  counting("rtb_id IS NOT NULL", {
    name: "auctioned_calls",
    words: ["auctioned call", "rtb call", "call sold by auction"],
    definition: "Calls that went to a bidder, by an RTB formula.",
  }),
];

export const counts: readonly Measure[] = [...outcomes, ...callers, ...others];

/** Counts of publishers, buyers and the like that had calls. */
export const actives: readonly Measure[] = (["campaign", "publisher", "buyer", "target"] as const).map((one) => ({
  name: `active_${one}s`,
  unit: "count",
  aggregate: { kind: "distinct", column: `${one}_name` },
  words: [`active ${one}`],
  definition: `Different ${one}s with at least one call.`,
}));
