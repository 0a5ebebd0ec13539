import { connected } from "./calls-counts.ts";
import { type Measure, share } from "./field.ts";

/** A wording of a rate as a part of calls: "percentage of calls answered", "share of calls that were answered". */
const partOfCalls = (said: readonly string[]): string =>
  `(percentage/percent/%/share/proportion/fraction) of call (that/that were/that was/that are/which/which were/are/were/is/is a/get/got)? (${said.join("/")})`;

/** Derives the wordings of tables' columns, "conversion %" and "conversion percent", from "conversion rate". */
const inPercent = (words: readonly string[]): readonly string[] =>
  words
    .filter((word) => word.endsWith(" rate"))
    .flatMap((word) => ["%", "percent"].map((unit) => word.replace(/rate$/, unit)));

interface Rate {
  readonly name: string;
  readonly where: string;
  readonly of?: string;
  readonly words: readonly [string, ...string[]];
  /** The participle of calls: "answered". */
  readonly said?: readonly string[];
  readonly definition: string;
}

const rates: readonly Rate[] = [
  {
    name: "conversion_rate",
    where: "converted",
    words: [
      "conversion rate",
      "conversion percentage",
      "cr",
      "converted rate",
      "cvr",
      "close rate",
      "conv rate",
      "converted percentage",
      "sale rate",
      "closing rate",
      "success rate",
    ],
    said: ["converted", "convert"],
    definition: "Converted calls as a share of all calls.",
  },
  {
    name: "connected_conversion_rate",
    where: "converted",
    of: connected,
    words: [
      "conversion rate of connected calls",
      "conversion rate of answered call",
      "connected conversion rate",
      "percentage of connected call that converted",
      "share of connected call that converted",
    ],
    definition: "Converted calls as a share of connected calls.",
  },
  {
    name: "connect_rate",
    where: connected,
    words: [
      "connect rate",
      "answer rate",
      "connection rate",
      "asr",
      "connected rate",
      "answered rate",
      "pickup rate",
      "pick up rate",
      "success rate",
    ],
    said: ["answered", "connected", "connect", "picked up"],
    definition: "Connected calls as a share of all calls.",
  },
  {
    name: "failure_rate",
    where: "status = 'failed'",
    words: [
      "failure rate",
      "missed rate",
      "missed call rate",
      "failed rate",
      "failed call rate",
      "miss rate",
      "fail rate",
    ],
    said: ["missed", "failed", "unanswered", "fail"],
    definition: "Calls that no target answered as a share of all calls.",
  },
  {
    name: "abandon_rate",
    where: "failure_reason = 'caller_hangup'",
    words: [
      "abandon rate",
      "abandonment rate",
      "abandoned rate",
      "abandoned call rate",
      "(caller)? (drop off/dropoff/hang up/hangup) rate",
    ],
    said: ["abandoned"],
    definition: "Calls whose caller hung up before a target answered as a share of all calls.",
  },
  {
    name: "duplicate_rate",
    where: "is_duplicate",
    words: ["duplicate rate", "dupe rate", "duplicate call rate", "duplication rate", "duplicate percentage"],
    said: ["duplicate", "duplicated"],
    definition: "Duplicate calls as a share of all calls.",
  },
  {
    name: "repeat_rate",
    where: "repeat_caller",
    words: ["repeat rate", "repeat caller rate", "repeat call rate", "returning caller rate"],
    definition: "Calls from a caller who had called before as a share of all calls.",
  },
  {
    name: "payable_rate",
    where: "payable",
    words: ["payable rate", "paid rate", "paid call rate", "payable call rate"],
    said: ["payable"],
    definition: "Payable calls as a share of all calls.",
  },
  {
    name: "receivable_rate",
    where: "receivable",
    words: [
      "receivable rate",
      "billable rate",
      "billable call rate",
      "billed rate",
      "qualification rate",
      "qualified rate",
    ],
    said: ["billable", "receivable", "billed"],
    definition: "Receivable calls as a share of all calls.",
  },
];

export const callRates: readonly Measure[] = rates.map(({ name, where, of, words, said = [], definition }) => ({
  name,
  unit: "percent",
  aggregate: share(where, of),
  words: [
    ...words,
    ...inPercent(words),
    ...(said.length === 0
      ? []
      : [partOfCalls(said), `(percentage/share/proportion/part) that (is/are/was/were)? (${said.join("/")})`]),
    ...said.map((word) => `% ${word}`),
    ...said.map((word) => `${word} %`),
  ],
  definition,
}));
