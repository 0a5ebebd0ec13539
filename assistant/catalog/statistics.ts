import type { Aggregate, Dimension, Measure, Quantity, Subject } from "./field.ts";

/** Statistics of any quantity, with their wordings. Percentiles are `p1` to `p99`. */
export const statisticWords = {
  avg: ["average", "mean", "typical", "averaged"],
  median: ["median"],
  min: ["minimum"],
  max: ["maximum"],
  stddev: ["standard deviation", "(standard/std) (dev/deviation) (of/in)?", "stdev (of)?", "stddev (of)?"],
  sum: ["sum of"],
} as const;
const pattern = /^(avg|median|min|max|sum|stddev|p[1-9]\d?)_(.+)$/;
const distinctPattern = /^distinct_(.+)$/;
const ratioPattern = /^(.+)_(per|percent_of)_(.+)$/;

function aggregateOf(statistic: string, { column, where }: Quantity): Aggregate {
  const of = { column, ...(where === undefined ? {} : { where }) };
  switch (statistic) {
    case "avg":
      return { kind: "average", ...of };
    case "min":
      return { kind: "lowest", ...of };
    case "max":
      return { kind: "highest", ...of };
    case "sum":
      return { kind: "sum", ...of };
    case "stddev":
      return { kind: "deviation", ...of };
    default:
      return { kind: "quantile", ...of, level: statistic === "median" ? 0.5 : Number(statistic.slice(1)) / 100 };
  }
}

const said = (statistic: string): string =>
  statistic in statisticWords
    ? statisticWords[statistic as keyof typeof statisticWords][0]
    : `${ordinal(Number(statistic.slice(1)))} percentile`;

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
export const ordinal = (number: number): string => `${number}${endings[ordinals.select(number)] ?? "th"}`;

function ofQuantity(statistic: string, quantity: Quantity): Measure {
  const label = `${said(statistic)} ${quantity.words[0]}${quantity.unit === "count" ? "s" : ""}`;
  return {
    name: `${statistic}_${quantity.name}`,
    unit: quantity.unit === "count" && statistic !== "sum" ? "number" : quantity.unit,
    aggregate: aggregateOf(statistic, quantity),
    words: [label],
    definition: `The ${said(statistic)} of the ${quantity.words[0]}. ${quantity.definition}`,
  };
}

const ofDimension = ({ name, column, words }: Dimension): Measure => ({
  name: `distinct_${name}`,
  unit: "count",
  aggregate: { kind: "distinct", column },
  words: [`different ${words[0]}s`],
  definition: `Different values of ${words[0]}; empty ones are not counted.`,
});

/** The name of one measure divided by another, or as a percentage of it. */
export const ratioName = (part: string, of: string, isPercent = false): string =>
  `${part}_${isPercent ? "percent_of" : "per"}_${of}`;

/** Totals that may be divided: the parts of a mean or a rate do not add up. */
const isTotal = ({ aggregate: { kind } }: Measure): boolean =>
  kind === "count" || kind === "sum" || kind === "distinct";

/** The names of the two whose quotient a measure without an entry of its own is: `payout_per_revenue`. */
export function partsOfRatio({ measures }: Subject, name: string) {
  const [, part = "", kind, of = ""] = ratioPattern.exec(name) ?? [];
  const isKnown = (each: string) => measures.some((measure) => measure.name === each);
  return isKnown(name) || !isKnown(part) || !isKnown(of) ? undefined : { part, kind, of };
}

function ratioOf(subject: Subject, name: string): Measure | undefined {
  const parts = partsOfRatio(subject, name);
  const part = subject.measures.find((measure) => measure.name === parts?.part);
  const of = subject.measures.find((measure) => measure.name === parts?.of);
  if (part === undefined || of === undefined || part === of || !isTotal(part) || !isTotal(of)) return undefined;
  const isPercent = parts?.kind === "percent_of";
  const label = `${part.words[0]} ${isPercent ? "as a percentage of" : "divided by"} ${of.words[0]}`;
  return {
    name,
    unit: isPercent ? "percent" : part.unit === "money" && of.unit === "count" ? "money" : "number",
    aggregate: { kind: "ratio", part: part.aggregate, of: of.aggregate, scale: isPercent ? 100 : 1 },
    words: [label],
    definition: `${label[0]?.toUpperCase()}${label.slice(1)}; empty where that is zero.`,
  };
}

/**
 * Finds measures without an entry of their own: `median_revenue`, `p90_duration`, `distinct_state`,
 * `payout_per_revenue`, `payout_percent_of_revenue`; undefined for a name whose parts the subject does not have.
 */
export function findStatistic(subject: Subject, name: string): Measure | undefined {
  const [, statistic = "", ofWhat = ""] = pattern.exec(name) ?? [];
  const quantity = subject.quantities.find((each) => each.name === ofWhat);
  if (quantity !== undefined) return ofQuantity(statistic, quantity);
  const counted = distinctPattern.exec(name)?.[1];
  const dimension = subject.dimensions.find((each) => each.name === counted);
  return dimension === undefined ? ratioOf(subject, name) : ofDimension(dimension);
}
