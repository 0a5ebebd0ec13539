import { type Aggregate, counting, type Measure, sum } from "./field.ts";
import { answerTimes, times } from "./rtb-times.ts";

export const pinged = "outcome <> 'skipped'";
export const bade = "outcome = 'bid'";
/**
 * A bid is won by its record, or by a call that went there later. A bid without a call has no count of calls; with a
 * null it would be neither won nor lost.
 */
export const won = "(won OR coalesce(calls_sent, 0) > 0)";
export const failed = "outcome IN ('timeout', 'http_error', 'parse_error')";
export const lost = `${bade} AND NOT ${won}`;
const pings: Aggregate = { kind: "count", where: pinged };
const bids: Aggregate = { kind: "count", where: bade };
const rate = (where: string, of: Aggregate = pings): Aggregate => ({
  kind: "ratio",
  part: { kind: "count", where },
  of,
  scale: 100,
});

export const unreadable = "(unreadable/unparseable/unparsable/garbled/malformed) (bid)? (answer/response/reply/bid)";

const counts: readonly Measure[] = [
  {
    name: "outbound_pings",
    unit: "count",
    aggregate: pings,
    words: [
      "outbound RTB request",
      "outbound rtb request",
      "request to (buyer/bidder/client/advertiser)",
      "(how many time/how often) (do/did) we (ask/ping) (the/our)? (buyer/bidder) (for a bid)?",
      "(bid)? request (that)? we (send/sent) (to)? (the/our)? (buyer/bidder)",
    ],
    definition: "Questions to buyers for a bid; formulas that were skipped are left out.",
  },
  counting(bade, {
    name: "bids",
    words: [
      "bid",
      "number of bid",
      "rtb bid",
      "bid received",
      "(came/come/coming) back with a bid",
      "(answered/responded) with a bid",
    ],
    definition: "Answers with a bid.",
  }),
  counting("outcome = 'no_bid'", {
    name: "no_bids",
    words: [
      "no bid",
      "declined bid",
      "nobid",
      "bid declined",
      "(not/dont/didnt/did not) bid",
      "(~say) no",
      "(that/which)? (~get/~receive/~bring) no bid",
      "(~decline/~refuse) to bid",
    ],
    definition: "Answers without a bid that we could take.",
  }),
  counting("outcome = 'timeout'", {
    name: "timeouts",
    words: [
      "timeout",
      "rtb timeout",
      "ping timeout",
      "bid timeout",
      "timed out ping",
      "late (answer/reply/response)",
      "(answer/reply/response) (that)? came (too)? late",
      "bidder timeout",
      "ping time out",
      "bid time out",
      "bidder time out",
    ],
    definition: "Requests that got no answer in time.",
  }),
  counting("outcome = 'http_error'", {
    name: "http_errors",
    words: ["http error", "rtb http error", "ping http error", "ping error", "bidder error", "bidder http error"],
    definition: "Requests that failed with an HTTP error or found nobody.",
  }),
  counting("outcome = 'parse_error'", {
    name: "parse_errors",
    words: [
      "parse error",
      unreadable,
      "(gibberish/garbage)",
      "ping parse error",
      "bidder parse error",
      "(bid/answer/response/reply) (that/which)? (we)? (couldnt/could not/cant/cannot) (we/be)? (read/parse/parsed)",
    ],
    definition: "Answers that could not be read.",
  }),
  counting(failed, {
    name: "failed_pings",
    words: [
      "failed outbound rtb request",
      "failed ping",
      "failed bid request",
      "failed bid",
      "rtb failure",
      "bidder failure",
    ],
    definition: "Requests that came to no answer that could be read: timeouts, HTTP errors and unreadable answers.",
  }),
  counting("reason IS NOT NULL", {
    name: "fruitless_pings",
    words: ["fruitless outbound rtb request", "outbound rtb request that came to nothing"],
    definition: "Requests that came to nothing and say why: no bid, a bid that lost, no answer, or skipped.",
  }),
  counting("outcome = 'skipped'", {
    name: "skipped_pings",
    words: [
      "skipped ping",
      "~skip",
      "(rtb)? formula (that/which)? (got/get/were/was/are)? skipped",
      "skipped (rtb)? formula",
      "skipped outbound rtb request",
    ],
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
    words: [
      "call sent",
      "call to bidder",
      "call (bought/sold) (at/in/by) (an/the)? auction",
      "call won",
      "call sent to bidder",
    ],
    definition: "Calls that went to the formula for its bid.",
  },
  {
    name: "bidder_conversions",
    unit: "count",
    aggregate: sum("calls_converted"),
    words: ["bidder conversion", "converted call sent", "(outbound)? rtb conversion", "converted"],
    definition: "Converted ones among the calls that went to the formula for its bid.",
  },
  {
    name: "bidder_revenue",
    unit: "money",
    aggregate: sum("calls_revenue"),
    words: [
      "rtb revenue",
      "bidder revenue",
      "(revenue/income) from (bidder/auction)",
      "income",
      "revenue from bid",
      "outbound rtb revenue",
      "revenue",
    ],
    definition: "Revenue of the calls that went to the formula for its bid.",
  },
  {
    name: "avg_bid",
    unit: "money",
    aggregate: { kind: "average", column: "bid", where: bade },
    words: [
      "average bid",
      "(average/mean) (bid)? amount",
      "mean bid",
      "bid amount",
      "average bid price",
      "bid price",
      "average price bid",
      "how much (do/does/did) (the/our/each)? (buyer/bidder) bid (on average)?",
    ],
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
    words: [
      "bid rate",
      "bidding rate",
      "response rate",
      "(share/percentage/%) of (the/our)? request (that)? (were/was/got)? (answered with/with) a bid",
      "how (often/frequently) (do/does/did) (they/buyer/bidder/client) (come back/answer/respond) with (a bid/one)",
    ],
    definition: "Bids as a share of the requests sent.",
  },
  {
    name: "win_rate",
    unit: "percent",
    aggregate: rate(won, bids),
    words: [
      "win rate",
      "bid win rate",
      "auction win rate",
      "bid to win rate",
      "winning (percentage/rate)",
      "(bid/bidder) success rate",
      "success rate",
    ],
    definition: "Wins as a share of the bids.",
  },
  {
    name: "timeout_rate",
    unit: "percent",
    aggregate: rate("outcome = 'timeout'"),
    words: ["timeout rate", "time out rate", "(ping/bidder/bid/rtb) (timeout/time out) rate"],
    definition: "Timeouts as a share of the requests sent.",
  },
  {
    name: "ping_error_rate",
    unit: "percent",
    aggregate: rate("outcome IN ('http_error', 'parse_error')"),
    words: ["ping error rate", "bidder error rate", "rtb error rate", "outbound rtb error rate", "error rate"],
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
      ...answerTimes,
    ],
    asked: [
      "how (fast/quickly/quick) (do/does/did) (the/our/each)? (bidder/buyer) (answer/respond/bid)",
      "(average)? (time to bid/answer time)",
      "(answer/response) speed",
      "how long (do/does/did) (the/our)? (bidder/buyer) take to (answer/respond/bid)",
    ],
    where: pinged,
    except: "; formulas that were skipped are left out",
  }),
];

export const bidMeasures: readonly Measure[] = [...counts, ...figures];
