import { type Aggregate, counting, type Measure, ownName, per, type Subject, share, sum } from "./field.ts";
import { times } from "./rtb-times.ts";

/** Repeats are answered from memory: they offer and allocate nothing anew. */
const fresh = "outcome <> 'cached'";
const filled = "total_routes > 0";
const all: Aggregate = { kind: "count" };
const became = "calls_received > 0";

const outcomes: readonly Measure[] = [
  {
    name: "pings",
    unit: "count",
    aggregate: all,
    words: ["inbound RTB request", "inbound rtb request", "number of ping"],
    definition: "Questions of publishers which routes are open, repeats and refused ones too.",
  },
  counting(filled, {
    name: "filled_pings",
    words: ["filled ping", "filled inbound rtb request", "ping with route", "filled request"],
    definition: "Requests that were offered at least one route; repeats count by what they were told again.",
  }),
  counting("total_routes = 0", {
    name: "unfilled_pings",
    words: ["unfilled ping", "ping without route", "unfilled inbound rtb request", "unfilled request"],
    definition: "Requests that were offered no route, whatever the reason.",
  }),
  counting("outcome = 'rate_limited'", {
    name: "rate_limited_pings",
    words: ["rate limited ping", "rate limited inbound rtb request", "throttled ping"],
    definition: "Requests over the endpoint's rate limit.",
  }),
  counting("outcome = 'cached'", {
    name: "cached_pings",
    words: ["cached ping", "repeated ping", "cached inbound rtb request"],
    definition: "Repeats that were answered from memory.",
  }),
  counting("outcome = 'refused'", {
    name: "refused_pings",
    words: ["refused ping", "rejected ping", "refused inbound rtb request"],
    definition: "Requests that were refused, for example for the caller's number.",
  }),
];

const came: readonly Measure[] = [
  {
    name: "routes_offered",
    unit: "count",
    aggregate: { kind: "sum", column: "total_routes", where: fresh },
    words: ["route offered", "offered route"],
    definition: "Routes offered, added up over the requests; repeats are left out.",
  },
  {
    name: "numbers_allocated",
    unit: "count",
    aggregate: { kind: "sum", column: "allocated_count", where: fresh },
    words: ["number allocated", "allocated number"],
    definition: "Numbers given out, added up over the requests; repeats are left out.",
  },
  {
    name: "calls_from_pings",
    unit: "count",
    aggregate: sum("calls_received"),
    words: ["call received", "call from ping", "resulting call", "call from inbound rtb", "call from the ping"],
    definition: "Calls that came of the requests.",
  },
  {
    name: "connected_from_pings",
    unit: "count",
    aggregate: sum("calls_connected"),
    words: ["connected call from ping", "resulting connected call"],
    definition: "Calls that came of the requests and that a target answered.",
  },
  {
    name: "converted_from_pings",
    unit: "count",
    aggregate: sum("calls_converted"),
    words: ["conversion from ping", "converted call from ping", "resulting conversion"],
    definition: "Converted calls that came of the requests.",
  },
  {
    name: "revenue_from_pings",
    unit: "money",
    aggregate: sum("calls_revenue"),
    words: ["revenue from ping", "ping revenue", "resulting revenue"],
    definition: "Revenue of the calls that came of the requests.",
  },
];

const figures: readonly Measure[] = [
  {
    name: "fill_rate",
    unit: "percent",
    aggregate: share(filled),
    words: [
      "fill rate",
      "coverage",
      "accept rate",
      "acceptance rate",
      "share of ping filled",
      "percentage of ping filled",
    ],
    definition: "Requests that were offered at least one route as a share of all.",
  },
  {
    name: "ping_call_rate",
    unit: "percent",
    aggregate: share(became),
    words: ["ping to call rate", "call rate", "ping conversion rate", "call through rate"],
    definition: "Requests that became a call as a share of all.",
  },
  {
    name: "revenue_per_ping",
    unit: "money",
    aggregate: per(sum("calls_revenue"), all),
    words: ["revenue per ping", "rpp", "revenue per inbound rtb request"],
    definition: "Revenue of the calls that came of the requests divided by the requests.",
  },
  {
    name: "avg_best_payout",
    unit: "money",
    aggregate: { kind: "average", column: "best_payout" },
    words: [
      "average best payout",
      "best payout",
      "average payout offered",
      "average best payout offered",
      "best payout offered",
      "average quoted payout",
      "quoted payout",
      "(average)? (best)? payout we (quoted/offered)",
      "(average)? best payout (quoted/offered)",
    ],
    definition: "The mean of the best payouts offered.",
  },
  {
    name: "highest_best_payout",
    unit: "money",
    aggregate: { kind: "highest", column: "best_payout" },
    words: [
      "highest payout offered",
      "highest quoted payout",
      "highest payout we offered",
      "highest payout we quoted",
      "maximum payout offered",
      "highest best payout",
    ],
    definition: "The highest payout offered.",
  },
  ...times({
    column: "processing_ms",
    words: ["processing time", "ping response time", "ping latency", "inbound rtb response time", "ping time"],
    except: "",
  }),
];

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
    "ping from publisher",
    "ping request",
    "request",
  ],
  defaultMeasure: "pings",
  length: "processing_time",
  beside: {
    kind: "calls_of_pings",
    columns: ["calls_received", "calls_connected", "calls_converted", "calls_revenue"],
  },
  measures: [...outcomes, ...came, ...figures],
  dimensions: [
    ownName("campaign", "campaign_name", ["offer"]),
    ownName("publisher", "publisher_name", ["affiliate", "source", "vendor", "traffic source", "pub", "partner"]),
    {
      name: "endpoint",
      column: "inbound_rtb_id",
      own: true,
      words: ["endpoint", "inbound rtb endpoint", "rtb endpoint", "inbound rtb id", "ping endpoint"],
      definition: "The public id of the endpoint that was asked.",
    },
    {
      name: "state",
      column: "state",
      words: ["state", "caller state", "us state", "region"],
      definition: "The caller's US state, two letters.",
    },
    {
      name: "zip",
      column: "zip_code",
      shape: "zip",
      words: ["ZIP code", "zip code", "zip", "caller zip", "zipcode"],
      definition: "The caller's ZIP code.",
    },
    {
      name: "caller",
      column: "caller_id",
      shape: "phone",
      words: ["caller", "caller id", "caller number", "phone number"],
      definition: "The caller's phone number, with + and country code.",
    },
    {
      name: "outcome",
      column: "outcome",
      words: ["outcome", "result"],
      definition: "routes, no_routes, cached, rate_limited, refused or error.",
      values: [
        { value: "no_routes", words: ["no routes"] },
        { value: "cached", words: ["cached"] },
        { value: "rate_limited", words: ["rate limited", "throttled"] },
        { value: "refused", words: ["refused", "rejected"] },
      ],
    },
    {
      name: "reason",
      column: "reason",
      own: true,
      words: ["reason", "refusal reason", "no route reason", "rejection reason", "reason for refusal"],
      definition: "Why there was no route.",
    },
  ],
  flags: [
    {
      name: "filled",
      condition: filled,
      measure: "filled_pings",
      unmeasure: "unfilled_pings",
      words: ["filled", "with routes", "with a route"],
      opposites: ["unfilled", "without routes", "without a route", "without route"],
      definition: "A route was offered.",
    },
    {
      name: "called",
      condition: became,
      measure: "calls_from_pings",
      words: [
        "became a call",
        "(became/led to/turned into/resulted in/ended in/ended up as) (a)? call",
        "ping that called",
        "request that called",
      ],
      definition: "A call came of it.",
    },
  ],
  quantities: [
    {
      name: "processing_time",
      column: "processing_ms",
      unit: "ms",
      words: ["processing time", "response time", "latency", "ping latency"],
      definition: "Milliseconds until the answer.",
    },
    {
      name: "best_payout",
      column: "best_payout",
      unit: "money",
      words: ["best payout", "payout offered", "quoted payout"],
      definition: "The best payout offered; none without a route.",
    },
    {
      name: "routes",
      column: "total_routes",
      unit: "count",
      words: ["route"],
      definition: "Routes that were open.",
    },
  ],
  listing: [
    "created_at",
    "request_id",
    "inbound_rtb_id",
    "campaign_name",
    "publisher_name",
    "caller_id",
    "state",
    "outcome",
    "reason",
    "total_routes",
    "allocated_count",
    "best_payout",
    "processing_ms",
  ],
};
