import { type Aggregate, counting, type Measure, ownName, type Subject, sum } from "./field.ts";
import { times } from "./rtb-times.ts";

const pinged = "outcome <> 'skipped'";
const bade = "outcome = 'bid'";
/**
 * Its record says so, or the call went there later. A bid that no call went to has no count of calls: left empty, it
 * would be neither won nor lost.
 */
const won = "(won OR coalesce(calls_sent, 0) > 0)";
const lost = `${bade} AND NOT ${won}`;
const pings: Aggregate = { kind: "count", where: pinged };
const bids: Aggregate = { kind: "count", where: bade };
const rate = (where: string, of: Aggregate = pings): Aggregate => ({
  kind: "ratio",
  part: { kind: "count", where },
  of,
  scale: 100,
});

const counts: readonly Measure[] = [
  {
    name: "outbound_pings",
    unit: "count",
    aggregate: pings,
    words: ["outbound RTB request", "outbound rtb request", "request to buyer"],
    definition: "Questions to buyers for a bid; formulas that were skipped are left out.",
  },
  counting(bade, {
    name: "bids",
    words: ["bid", "number of bid", "rtb bid", "bid received"],
    definition: "Answers with a bid.",
  }),
  counting("outcome = 'no_bid'", {
    name: "no_bids",
    words: ["no bid", "declined bid", "nobid", "bid declined"],
    definition: "Answers without a bid that we could take.",
  }),
  counting("outcome = 'timeout'", {
    name: "timeouts",
    words: ["timeout", "rtb timeout", "ping timeout", "bid timeout", "timed out ping", "bidder timeout"],
    definition: "Requests that got no answer in time.",
  }),
  counting("outcome = 'http_error'", {
    name: "http_errors",
    words: ["http error", "rtb http error", "ping http error", "ping error", "bidder error", "bidder http error"],
    definition: "Requests that failed with an HTTP error or found nobody.",
  }),
  counting("outcome = 'parse_error'", {
    name: "parse_errors",
    words: ["parse error", "unreadable answer", "ping parse error", "bidder parse error"],
    definition: "Answers that could not be read.",
  }),
  counting("outcome = 'skipped'", {
    name: "skipped_pings",
    words: ["skipped ping", "skipped", "skip", "skipped formula", "skipped outbound rtb request"],
    definition: "Formulas that were not asked, such as those over their limit.",
  }),
  counting(won, {
    name: "wins",
    words: ["win", "won bid", "winning bid", "auction won", "won auction", "bid won"],
    definition: "Bids that won: the record says so, or the call went there.",
  }),
  counting(lost, {
    name: "losses",
    words: ["loss", "lost bid", "losing bid", "lost auction", "auction lost", "bid lost"],
    definition: "Bids that did not win.",
  }),
];

const figures: readonly Measure[] = [
  {
    name: "calls_to_bidders",
    unit: "count",
    aggregate: sum("calls_sent"),
    words: ["call sent", "call to bidder", "call won", "call sent to bidder"],
    definition: "Calls that went to the formula for its bid.",
  },
  {
    name: "bidder_conversions",
    unit: "count",
    aggregate: sum("calls_converted"),
    words: ["bidder conversion", "converted call sent", "rtb conversion"],
    definition: "Converted ones among the calls that went to the formula for its bid.",
  },
  {
    name: "bidder_revenue",
    unit: "money",
    aggregate: sum("calls_revenue"),
    words: ["rtb revenue", "bidder revenue", "revenue from bid", "outbound rtb revenue"],
    definition: "Revenue of the calls that went to the formula for its bid.",
  },
  {
    name: "avg_bid",
    unit: "money",
    aggregate: { kind: "average", column: "bid", where: bade },
    words: ["average bid", "average bid amount", "mean bid", "bid amount", "average bid price", "bid price"],
    definition: "The mean of the bids.",
  },
  {
    name: "highest_bid",
    unit: "money",
    aggregate: { kind: "highest", column: "bid", where: bade },
    words: [
      "highest bid",
      "hi bid",
      "high bid",
      "biggest bid",
      "best bid",
      "maximum bid",
      "top bid",
      "max bid",
      "largest bid",
    ],
    definition: "The highest bid.",
  },
  {
    name: "lowest_bid",
    unit: "money",
    aggregate: { kind: "lowest", column: "bid", where: bade },
    words: ["lowest bid", "minimum bid", "low bid", "smallest bid", "min bid"],
    definition: "The lowest bid.",
  },
  {
    name: "bid_rate",
    unit: "percent",
    aggregate: rate(bade),
    words: ["bid rate", "bidding rate", "response rate"],
    definition: "Bids as a share of the requests sent.",
  },
  {
    name: "win_rate",
    unit: "percent",
    aggregate: rate(won, bids),
    words: ["win rate", "bid win rate", "auction win rate", "bid to win rate"],
    definition: "Wins as a share of the bids.",
  },
  {
    name: "timeout_rate",
    unit: "percent",
    aggregate: rate("outcome = 'timeout'"),
    words: ["timeout rate", "time out rate", "ping timeout rate"],
    definition: "Timeouts as a share of the requests sent.",
  },
  {
    name: "ping_error_rate",
    unit: "percent",
    aggregate: rate("outcome IN ('http_error', 'parse_error')"),
    words: ["ping error rate", "bidder error rate", "rtb error rate"],
    definition: "HTTP errors and unreadable answers as a share of the requests sent.",
  },
  ...times({
    column: "total_ms",
    words: [
      "bid response time",
      "bid time",
      "rtb response time",
      "bid latency",
      "bidder response time",
      "bidder latency",
    ],
    where: pinged,
    except: "; formulas that were skipped are left out",
  }),
];

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
    "ping to buyer",
    "bid request",
    "request",
    "auction",
  ],
  defaultMeasure: "outbound_pings",
  length: "time_taken",
  beside: { kind: "calls_of_bids", columns: ["calls_sent", "calls_converted", "calls_revenue"] },
  measures: [...counts, ...figures],
  dimensions: [
    ownName("rtb", "rtb_name", ["rtb formula", "formula", "rtb name"]),
    ownName("buyer", "buyer_name", ["bidder", "advertiser", "client"]),
    ownName("campaign", "campaign_name", ["offer"]),
    {
      name: "rtb_group",
      column: "rtb_group_id",
      words: ["rtb group", "formula group"],
      definition: "The id of the RTB group that the formula was asked for; empty without one.",
    },
    {
      name: "outcome",
      column: "outcome",
      words: ["outcome", "result"],
      definition: "bid, no_bid, timeout, http_error, parse_error or skipped.",
      values: [
        { value: "timeout", words: ["timeout", "timed out", "time out"] },
        { value: "http_error", words: ["http error"] },
        { value: "parse_error", words: ["parse error"] },
      ],
    },
    {
      name: "reason",
      column: "reason",
      own: true,
      words: ["reason", "no bid reason", "loss reason", "skip reason"],
      definition: "Why it came to nothing.",
    },
  ],
  flags: [
    {
      name: "won",
      condition: won,
      measure: "wins",
      rival: "lost",
      words: ["won", "winning"],
      definition: "The bid won.",
    },
    {
      name: "lost",
      condition: lost,
      measure: "losses",
      rival: "won",
      words: ["lost", "losing"],
      definition: "There was a bid, and it did not win.",
    },
  ],
  quantities: [
    {
      name: "time_taken",
      column: "total_ms",
      unit: "ms",
      where: pinged,
      words: ["time taken", "response time", "latency"],
      definition: "Milliseconds until the answer; formulas that were skipped are left out of statistics.",
    },
    {
      name: "bid",
      column: "bid",
      unit: "money",
      where: bade,
      words: ["bid", "bid amount"],
      definition: "The bid, as the buyer made it.",
    },
    {
      name: "effective_bid",
      column: "effective_bid",
      unit: "money",
      where: bade,
      words: ["effective bid"],
      definition: "The bid as the auction ranked it.",
    },
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
    "effective_bid",
    "won",
    "total_ms",
  ],
};
