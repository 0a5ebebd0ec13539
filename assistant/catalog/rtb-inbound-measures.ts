import { type Aggregate, counting, type Measure, per, share, sum } from "./field.ts";
import { answerTimes, times } from "./rtb-times.ts";

/** Repeated pings are answered from the cache: they offer and allocate nothing anew. */
const fresh = "outcome <> 'cached'";
export const filled = "total_routes > 0";
const all: Aggregate = { kind: "count" };
/** A ping of which no call came has no row of calls. */
export const became = "coalesce(calls_received, 0) > 0";

const outcomes: readonly Measure[] = [
  {
    name: "pings",
    unit: "count",
    aggregate: all,
    words: ["inbound RTB request", "inbound rtb request", "number of ping", "(price/route) (request/inquiry)"],
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
    words: ["rate limited ping", "rate limited inbound rtb request", "throttled ping", "ping over the (rate)? limit"],
    definition: "Requests over the endpoint's rate limit.",
  }),
  counting("outcome = 'cached'", {
    name: "cached_pings",
    words: ["cached ping", "(repeated/repeat/duplicate/double) ping", "cached inbound rtb request"],
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
    words: ["route offered", "offered route", "route (have/did)? we (have)? ~offer"],
    definition: "Routes offered, added up over the requests; repeats are left out.",
  },
  {
    name: "numbers_allocated",
    unit: "count",
    aggregate: { kind: "sum", column: "allocated_count", where: fresh },
    words: [
      "number allocated",
      "allocated number",
      "(phone)? number (that/which)? (we)? (~assign/~reserve/~hand out/given out/gave out/issued)",
      "(phone)? number (did/have)? we (hand out/give out/assign/reserve/issue/handed out)",
    ],
    definition: "Numbers given out, added up over the requests; repeats are left out.",
  },
  {
    name: "calls_from_pings",
    unit: "count",
    aggregate: sum("calls_received"),
    words: [
      "call from ping",
      "call (that)? (came/come) (of/out of) (the/our)? ping",
      "call that came of them",
      "resulting call",
      "call from inbound rtb",
      "call from the ping",
    ],
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
    words: ["revenue from ping", "ping revenue", "resulting revenue", "revenue", "earn", "earned", "income", "money"],
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
    words: [
      "ping to call rate",
      "call rate",
      "ping conversion rate",
      "call through rate",
      "ping conversion",
      "conversion of ping",
      "(share/percentage/%) of (the/its/their/our)? ping (that)? (turned into/turn into/became/become/led to/lead to/ended in/into) (a)? call",
      ...["conversion", "conversion rate", "ratio"].map((rate) => `ping to call ${rate}`),
      ...["conversion of ping", "conversion rate of ping", "conversion from ping"].flatMap((rate) => [
        `${rate} to call`,
        `${rate} into call`,
      ]),
    ],
    definition: "Requests that became a call as a share of all.",
  },
  {
    name: "revenue_per_ping",
    unit: "money",
    aggregate: per(sum("calls_revenue"), all),
    words: [
      "revenue per ping",
      "rpp",
      "(revenue/income/earning/money) per (inbound rtb request/ping)",
      "~earn per ping",
      "(what/how much) (does/did) (a/each) ping (bring/earn/make) (us)?",
    ],
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
      "average (price/amount) (quoted/offered)",
      "average quote",
      "quoted payout",
      "(average)? (best)? (payout/price) (that/which)? we (have)? (~quote/~offer)",
      "(average)? best payout (quoted/offered)",
      "offered payout",
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
      "(highest/best/biggest/maximum) (price offered/price quoted/quote)",
      "(highest/biggest/largest/maximum/max) payout (that/which)? we (have)? (ever)? (~offer/~quote) (to publisher/to pinging publisher)?",
      "maximum payout offered",
      "highest best payout",
    ],
    definition: "The highest payout offered.",
  },
  ...times({
    column: "processing_ms",
    words: [
      "processing time",
      "ping response time",
      "ping latency",
      "inbound rtb response time",
      "ping time",
      ...answerTimes,
    ],
    except: "",
    asked: [
      "how (fast/quickly/quick) (do/did) we (answer/respond to/react to) (publisher)?",
      "how long (does/did) it take (us)? to (answer/respond to) (a/our/the)? (ping/publisher/publisher ping/inbound ping)?",
      "time (we need/we needed/it takes us/it took us) to (answer/respond to) (a/our/the)? (ping/publisher ping/inbound ping)?",
      "how long (do/did) we take to (answer/respond to) (ping/publisher ping/inbound ping)?",
    ],
  }),
];

export const pingMeasures: readonly Measure[] = [...outcomes, ...came, ...figures];
