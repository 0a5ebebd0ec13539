import { type Aggregate, type Dimension, type Measure, type Subject, share } from "./field.ts";

const own = (name: string, column: string, words: readonly string[] = []): Dimension => ({
  name,
  column,
  own: true,
  words: [name, `${name} name`, ...words],
  definition: `The ${name}, by its name at the time.`,
});

/** What requests took; `where` says which ones count. */
const times = (column: string, words: readonly string[], where?: string): readonly Measure[] => {
  const counted = where === undefined ? {} : { where };
  const measure = (name: string, said: string, aggregate: Aggregate): Measure => ({
    name,
    unit: "ms",
    aggregate,
    words: [`${said} ${words[0] ?? ""}`, ...words.slice(1).map((word) => `${said} ${word}`)],
    definition: `The ${said} time taken, in milliseconds${where === undefined ? "" : "; formulas that were skipped are left out"}.`,
  });
  return [
    measure("avg_time", "average", { kind: "average", column, ...counted }),
    measure("median_time", "median", { kind: "quantile", column, level: 0.5, ...counted }),
    measure("p95_time", "p95", { kind: "quantile", column, level: 0.95, ...counted }),
  ];
};

export const inboundRtbSubject: Subject = {
  name: "inbound_rtb_requests",
  time: "created_at",
  noun: { one: "inbound RTB request", many: "inbound RTB requests" },
  words: [
    "inbound rtb request",
    "inbound rtb",
    "inbound ping",
    "publisher ping",
    "incoming ping",
    "inbound rtb ping",
    "rtb request",
    "ping",
  ],
  defaultMeasure: "pings",
  length: "processing_time",
  measures: [
    {
      name: "pings",
      unit: "count",
      aggregate: { kind: "count" },
      words: ["inbound RTB request", "inbound rtb request"],
      definition: "Questions of publishers which routes are open.",
    },
    {
      name: "filled_pings",
      unit: "count",
      aggregate: { kind: "count", where: "total_routes > 0" },
      words: ["filled ping", "filled inbound rtb request", "ping with route"],
      definition: "Requests that were offered at least one route.",
    },
    {
      name: "fill_rate",
      unit: "percent",
      aggregate: share("total_routes > 0"),
      words: ["fill rate"],
      definition: "Requests that were offered at least one route as a share of all.",
    },
    {
      name: "ping_call_rate",
      unit: "percent",
      aggregate: share("call_id IS NOT NULL"),
      words: ["ping to call rate", "call rate"],
      definition: "Requests that became a call as a share of all.",
    },
    {
      name: "avg_best_payout",
      unit: "money",
      aggregate: { kind: "average", column: "best_payout" },
      words: ["average best payout", "best payout", "average payout offered", "average quoted payout"],
      definition: "The mean of the best payouts offered.",
    },
    ...times("processing_ms", ["processing time"]),
  ],
  dimensions: [
    own("campaign", "campaign_name"),
    own("publisher", "publisher_name", ["affiliate", "source"]),
    {
      name: "state",
      column: "state",
      words: ["state", "caller state"],
      definition: "The caller's US state, two letters.",
    },
    {
      name: "outcome",
      column: "outcome",
      words: ["outcome", "result"],
      definition: "routes, no_routes, cached, rate_limited, refused or error.",
    },
    { name: "reason", column: "reason", words: ["reason", "refusal reason"], definition: "Why there was no route." },
  ],
  flags: [
    {
      name: "filled",
      condition: "total_routes > 0",
      measure: "filled_pings",
      words: ["filled"],
      opposites: ["unfilled"],
      definition: "A route was offered.",
    },
  ],
  quantities: [
    {
      name: "processing_time",
      column: "processing_ms",
      unit: "ms",
      words: ["processing time"],
      definition: "Time taken.",
    },
  ],
  listing: [
    "created_at",
    "request_id",
    "campaign_name",
    "publisher_name",
    "caller_id",
    "state",
    "outcome",
    "reason",
    "total_routes",
    "best_payout",
    "processing_ms",
  ],
};

const pinged = "outcome <> 'skipped'";
const pings: Aggregate = { kind: "count", where: pinged };
const rate = (where: string): Aggregate => ({ kind: "ratio", part: { kind: "count", where }, of: pings, scale: 100 });

export const outboundRtbSubject: Subject = {
  name: "outbound_rtb_requests",
  time: "created_at",
  noun: { one: "outbound RTB request", many: "outbound RTB requests" },
  words: [
    "outbound rtb request",
    "outbound rtb",
    "outbound ping",
    "buyer ping",
    "outgoing ping",
    "outbound rtb ping",
    "rtb request",
    "ping",
  ],
  defaultMeasure: "outbound_pings",
  length: "time_taken",
  measures: [
    {
      name: "outbound_pings",
      unit: "count",
      aggregate: pings,
      words: ["outbound RTB request", "outbound rtb request"],
      definition: "Questions to buyers for a bid; formulas that were skipped are left out.",
    },
    {
      name: "bids",
      unit: "count",
      aggregate: { kind: "count", where: "outcome = 'bid'" },
      words: ["bid", "number of bid", "rtb bid"],
      definition: "Answers with a bid.",
    },
    {
      name: "wins",
      unit: "count",
      aggregate: { kind: "count", where: "won" },
      words: ["win", "won bid", "winning bid", "auction won", "won auction"],
      definition: "Bids that won.",
    },
    {
      name: "timeouts",
      unit: "count",
      aggregate: { kind: "count", where: "outcome = 'timeout'" },
      words: ["rtb timeout", "ping timeout"],
      definition: "Requests that got no answer in time.",
    },
    {
      name: "avg_bid",
      unit: "money",
      aggregate: { kind: "average", column: "bid" },
      words: ["average bid", "average bid amount"],
      definition: "The mean of the bids.",
    },
    {
      name: "highest_bid",
      unit: "money",
      aggregate: { kind: "highest", column: "bid" },
      words: ["highest bid", "maximum bid", "top bid"],
      definition: "The highest bid.",
    },
    {
      name: "bid_rate",
      unit: "percent",
      aggregate: rate("outcome = 'bid'"),
      words: ["bid rate"],
      definition: "Bids as a share of the requests sent.",
    },
    {
      name: "win_rate",
      unit: "percent",
      aggregate: {
        kind: "ratio",
        part: { kind: "count", where: "won" },
        of: { kind: "count", where: "outcome = 'bid'" },
        scale: 100,
      },
      words: ["win rate"],
      definition: "Wins as a share of the bids.",
    },
    {
      name: "timeout_rate",
      unit: "percent",
      aggregate: rate("outcome = 'timeout'"),
      words: ["timeout rate"],
      definition: "Timeouts as a share of the requests sent.",
    },
    ...times("total_ms", ["bid response time", "bid time", "rtb response time", "bid latency"], pinged),
  ],
  dimensions: [
    own("rtb", "rtb_name", ["rtb formula", "formula"]),
    own("buyer", "buyer_name", ["bidder"]),
    own("campaign", "campaign_name"),
    {
      name: "outcome",
      column: "outcome",
      words: ["outcome", "result"],
      definition: "bid, no_bid, timeout, http_error, parse_error or skipped.",
    },
    { name: "reason", column: "reason", words: ["reason"], definition: "Why it came to nothing." },
  ],
  flags: [
    { name: "won", condition: "won", measure: "wins", words: ["won"], opposites: ["lost"], definition: "The bid won." },
  ],
  quantities: [
    { name: "time_taken", column: "total_ms", unit: "ms", words: ["time taken"], definition: "Time taken." },
    { name: "bid", column: "bid", unit: "money", words: ["bid"], definition: "The bid." },
  ],
  listing: [
    "created_at",
    "rtb_name",
    "buyer_name",
    "campaign_name",
    "call_id",
    "outcome",
    "reason",
    "bid",
    "won",
    "total_ms",
  ],
};
