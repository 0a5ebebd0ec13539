import type { Aggregate, Measure } from "./field.ts";

/** A target answered. */
export const connected = "connected_at IS NOT NULL";
/** Rows of calls. */
export const calls: Aggregate = { kind: "count" };
export const connectedCalls: Aggregate = { kind: "count", where: connected };

export const counts: readonly Measure[] = [
  {
    name: "calls",
    unit: "count",
    aggregate: calls,
    words: ["call", "incoming call", "call count", "call volume", "volume", "number of call", "call number"],
    definition: "Every call that came in, whatever became of it.",
  },
  {
    name: "connected_calls",
    unit: "count",
    aggregate: connectedCalls,
    words: ["connected call", "answered call", "connection"],
    definition: "Calls that a target answered.",
  },
  {
    name: "completed_calls",
    unit: "count",
    aggregate: { kind: "count", where: "status = 'completed'" },
    words: ["completed call"],
    definition: "Calls that were connected, ended and were settled.",
  },
  {
    name: "failed_calls",
    unit: "count",
    aggregate: { kind: "count", where: "status = 'failed'" },
    words: ["failed call", "missed call", "unanswered call", "failure"],
    definition: "Calls that no target answered.",
  },
  {
    name: "converted_calls",
    unit: "count",
    aggregate: { kind: "count", where: "converted" },
    words: ["converted call", "conversion", "sale"],
    definition: "Calls for which the buyer pays or the publisher is paid: the condition of either side was met.",
  },
  {
    name: "duplicate_calls",
    unit: "count",
    aggregate: { kind: "count", where: "is_duplicate" },
    words: ["duplicate call", "duplicate", "dupe"],
    definition: "Calls that repeat an earlier call of the same caller, by the campaign's rules for duplicates.",
  },
  {
    name: "repeat_calls",
    unit: "count",
    aggregate: { kind: "count", where: "repeat_caller" },
    words: ["repeat call", "call from repeat caller", "repeat caller", "returning caller"],
    definition: "Calls from a caller who had called before.",
  },
  {
    name: "payable_calls",
    unit: "count",
    aggregate: { kind: "count", where: "payable" },
    words: ["payable call", "paid call"],
    definition: "Calls that met the condition on which the publisher is paid.",
  },
  {
    name: "receivable_calls",
    unit: "count",
    aggregate: { kind: "count", where: "receivable" },
    words: ["receivable call", "billable call", "billed call"],
    definition: "Calls that met the condition on which the buyer pays.",
  },
  {
    name: "unique_callers",
    unit: "count",
    aggregate: { kind: "distinct", column: "caller_id" },
    words: ["unique caller", "caller", "distinct caller", "number of caller", "different caller", "unique call"],
    definition: "Different caller ids.",
  },
];

/** "How many publishers": how many had calls. */
export const actives: readonly Measure[] = (["campaign", "publisher", "buyer", "target"] as const).map((one) => ({
  name: `active_${one}s`,
  unit: "count",
  aggregate: { kind: "distinct", column: `${one}_name` },
  words: [`active ${one}`, `number of ${one}`, `how many ${one}`, `how many different ${one}`, `distinct ${one}`],
  definition: `Different ${one}s with at least one call.`,
}));
