import { calls, connectedCalls, convertedCalls } from "./calls-counts.ts";
import { type Measure, per, sum } from "./field.ts";

const publishers = "(all)? (our/the/of our/of the)? (publisher/supplier/vendor/affiliate/partner/source)";
/** "For an average call", "per sale". */
const perOne = (one: string): string =>
  `(per/on each/for each/from each/for every/from every/on an average/for an average) ${one}`;

const totals: readonly Measure[] = [
  {
    name: "revenue",
    unit: "money",
    aggregate: sum("revenue"),
    words: [
      "revenue",
      "total revenue",
      "income",
      "earning",
      "taking",
      "proceeds",
      "sales revenue",
      "(dollar sale/sale in dollar/sales in dollar)",
      "(how much/what) (money)? (did/do/have)? we ~take in",
      "gross revenue",
      "booked revenue",
      "turnover",
      "money",
      "made",
      "make",
      "making",
      "~earn",
      "gross",
      "billing",
      "billed",
      "charged",
      "(we/i) (bill/charge)",
      "(how much/what) (did/do/are/were/have)? (we/i) (~bill/~charge)",
      "how much (was/were) billed",
      "(was/were/are/is) billed at",
      "rev",
      "(~pay/~owe) us",
      "buyer ~pay",
      "owed by",
      "owed to us",
      "are we owed",
      "are we owed by",
      "(what/how much) did (they/it/those/these) (call)? bring in",
      "(what/how much) (they/it/those/these) brought in",
      "~spend with us",
    ],
    definition: "What buyers pay.",
  },
  {
    name: "payout",
    unit: "money",
    aggregate: sum("payout"),
    words: [
      "payout",
      "total payout",
      "cost",
      "~pay (out)?",
      "~spend",
      "(was/were) paid (out)?",
      "paid to publisher",
      "(how much/what) (money)? (went/goes/go) out",
      "money (went/goes/go/going) (out)? to",
      `money (went/goes/go/going) (out)? to ${publishers}`,
      "expense",
      "outlay",
      `(pay/paying) ${publishers}`,
      `(~spend) on ${publishers}`,
      "publisher payout",
      "media cost",
      "commission",
      "we owe",
      "(are/were)? we paying",
      "(do/did) we owe",
      `(we/do we/did we) owe ${publishers}`,
      "(what/how much) (do/did) we pay (it/them/him/her) (for it/for them/for that/for those)?",
      "(what/how much) (do/did) we pay for (it/them/that/those/these)",
      "owed to",
    ],
    definition: "What publishers are paid.",
  },
  {
    name: "profit",
    unit: "money",
    aggregate: sum("profit"),
    words: [
      "profit",
      "net profit",
      "total profit",
      "net",
      "gross profit",
      "profitable",
      "net revenue",
      "net income",
      "net earning",
      "surplus",
      "bottom line",
      "profitability",
      `(how much/what) (money/of it/of that)? (do/did)? we (keep/kept) (after paying ${publishers})?`,
      `(how much/what) (money/of it/of that)? (is/was) left (over)? (after paying ${publishers})?`,
      `(left over/kept/left) after paying ${publishers}`,
      "left over",
      "(total)? loss",
    ],
    definition: "Revenue less payout.",
  },
];

const ratios: readonly Measure[] = [
  {
    name: "margin",
    unit: "percent",
    aggregate: { kind: "ratio", part: sum("profit"), of: sum("revenue"), scale: 100 },
    words: [
      "margin",
      "profit margin",
      "gross margin",
      "margin percent",
      "margin percentage",
      "margin %",
      "net margin",
      "profitability",
      "(percentage/%/share/part) of (the/our)? revenue (do/did)? we (keep/kept)",
    ],
    definition: "Profit as a share of revenue; none without revenue.",
  },
  {
    name: "roi",
    unit: "percent",
    aggregate: { kind: "ratio", part: sum("profit"), of: sum("payout"), scale: 100 },
    words: [
      "ROI",
      "roi",
      "return on investment",
      "return on (what we)? (spend/spent)",
      "markup",
      "roi %",
      "roi percent",
      "roi percentage",
    ],
    definition: "Profit as a share of payout; none without payout.",
  },
];

/** An amount per minute of connected time; amounts of unconnected calls count too. */
const perMinute = (["revenue", "payout", "profit"] as const).map((amount): Measure => {
  const said = { revenue: ["revenue", "earning", "income"], payout: ["payout", "cost", "spend"], profit: ["profit"] };
  const words = said[amount].flatMap((word) =>
    ["connected minute", "minute", "min", "(minute/min) of (talk/talk time/talking)", "talk (minute/min)"].map(
      (minute) => `${word} per ${minute}`,
    ),
  );
  return {
    name: `${amount}_per_minute`,
    unit: "money",
    aggregate: { kind: "ratio", part: sum(amount), of: sum("connect_duration"), scale: 60 },
    words: [words[0] ?? amount, ...words.slice(1)],
    definition: `All ${amount} divided by the minutes for which calls were connected; none without any.`,
  };
});

const averages: readonly Measure[] = [
  {
    name: "rpc",
    unit: "money",
    aggregate: per(sum("revenue"), calls),
    words: [
      "revenue per call",
      "rpc",
      "average revenue",
      `(average)? (revenue/income/earning/value) ${perOne("(incoming)? call")}`,
      "(average)? call value",
      "(average)? value of (a/each) call",
    ],
    definition: "Revenue divided by all calls.",
  },
  {
    name: "epc",
    unit: "money",
    aggregate: per(sum("revenue"), connectedCalls),
    words: [
      "EPC",
      "epc",
      "earning per call",
      "revenue per connected call",
      `(average)? (revenue/income/earning) ${perOne("(connected/answered) call")}`,
    ],
    definition: "Earnings per call: revenue divided by connected calls.",
  },
  {
    name: "revenue_per_conversion",
    unit: "money",
    aggregate: per(sum("revenue"), convertedCalls),
    words: [
      "revenue per conversion",
      `(average)? (revenue/income/earning/value) ${perOne("(conversion/converted call/sale/deal/order/acquisition)")}`,
      "average sale",
      "average (sale/order/deal) value",
      "average value of a (sale/deal/conversion)",
    ],
    definition: "Revenue divided by converted calls.",
  },
  {
    name: "payout_per_call",
    unit: "money",
    aggregate: per(sum("payout"), calls),
    words: [
      "payout per call",
      "average payout",
      `(average)? (payout/cost/expense/spend) ${perOne("call")}`,
      "(average)? cost of a (call/lead)",
      "(what/how much) (do/does/did) (a/each/the average) (call/lead) cost (us)?",
      "cost per lead",
      "cpl",
      "cpc",
      "average cost",
    ],
    definition: "Payout divided by all calls.",
  },
  {
    name: "payout_per_conversion",
    unit: "money",
    aggregate: per(sum("payout"), convertedCalls),
    words: [
      "payout per conversion",
      `(average)? (payout/cost/expense/spend) ${perOne("(conversion/converted call/sale/deal/order/acquisition)")}`,
      "(average)? cost of a (conversion/sale/converted call)",
      "(what/how much) (do/does/did) (a/each/the average) (sale/conversion/converted call) cost (us)?",
      "cpa",
    ],
    definition: "Payout divided by converted calls.",
  },
  {
    name: "profit_per_call",
    unit: "money",
    aggregate: per(sum("profit"), calls),
    words: ["profit per call", "average profit", `(average)? profit ${perOne("call")}`, "kept per call"],
    definition: "Profit divided by all calls.",
  },
  {
    name: "profit_per_conversion",
    unit: "money",
    aggregate: per(sum("profit"), convertedCalls),
    words: [
      "profit per conversion",
      `(average)? profit ${perOne("(conversion/converted call/sale/deal/acquisition)")}`,
    ],
    definition: "Profit divided by converted calls.",
  },
];

export const moneyMeasures: readonly Measure[] = [...totals, ...ratios, ...averages, ...perMinute];
