import { isDeepStrictEqual } from "node:util";
import { findMeasure, measureOf } from "../../catalog/catalog.ts";
import type { Aggregate, Measure, Subject } from "../../catalog/field.ts";
import type { Item } from "../link/item.ts";
import { hasRole, isPlural, neighbour, type Reading, senses } from "./reading.ts";

type Read = Pick<Reading, "items" | "subject">;

export interface Ratios {
  readonly items: readonly Item[];
  /** What was asked to be divided and no measure divides: "talk time per converted call". */
  readonly missing: string | undefined;
}

/**
 * "Cost per lead", "pays the most per conversion": a figure and what it is divided by are one measure of the catalog,
 * wherever the ranking stands. By a noun nothing can be grouped, so that a pair without a measure is missing.
 */
export function joinRatios(reading: Read): Ratios {
  const { items } = reading;
  const per = items.findIndex((item, index) => isPer(item) && countAt(reading, index + 1) !== undefined);
  const figure = per < 0 ? -1 : figureBefore(reading, per);
  const [count, measure] = [countAt(reading, per + 1), figureAt(reading, figure)];
  if (count === undefined || measure === undefined || isAveraged(reading, figure)) return { items, missing: undefined };
  const ratio = reading.subject.measures.find(({ aggregate }) => divides(aggregate, measure, count));
  if (ratio === undefined) return { items, missing: [figure, per, per + 1].map((at) => items[at]?.said).join(" ") };
  const joined = items.map((item, index): Item => {
    if (index === figure) return toMeasure(item, reading.subject, ratio.name);
    return index === per || index === per + 1 ? { from: item.from, to: item.to, said: item.said, kind: "stop" } : item;
  });
  return { items: joined, missing: undefined };
}

export const toMeasure = ({ from, to, said }: Item, { name: subject }: Subject, name: string): Item => ({
  from,
  to,
  said,
  kind: "meanings",
  meanings: [{ kind: "measure", subject, name }],
});

export const isPer = (item: Item | undefined): boolean => /^(per|for each|for every)$/i.test(item?.said ?? "");

/** What the noun counts, unless it is something to group by. */
function countAt(reading: Read, at: number): Aggregate | undefined {
  const found = senses(reading, at);
  const isGroup = found.some(({ kind }) => kind === "dimension" || kind === "grain");
  if (isGroup || isPlural(reading.items[at])) return undefined;
  const { subject } = reading;
  if (found.some(({ kind }) => kind === "subject")) return measureOf(subject, subject.defaultMeasure).aggregate;
  const named = found.flatMap((each) => (each.kind === "measure" ? [each.name] : []))[0];
  const aggregate = findMeasure(subject, named ?? "")?.aggregate;
  return aggregate?.kind === "count" ? aggregate : undefined;
}

/** The figure that stands before, past "the most" and "over $30". */
function figureBefore(reading: Read, per: number): number {
  const between = (at: number) =>
    ["stop", "number"].includes(reading.items[at]?.kind ?? "") ||
    hasRole(reading, at, "top", "bottom", "more_than", "at_least", "less_than", "at_most", "between");
  let at = per - 1;
  while (between(at)) at--;
  return at;
}
function figureAt(reading: Read, at: number): Measure | undefined {
  const { subject } = reading;
  const [name] = senses(reading, at).flatMap((each) =>
    each.kind === "measure" ? [each.name] : each.kind === "subject" ? [subject.defaultMeasure] : [],
  );
  return findMeasure(subject, name ?? "");
}

/** An average of such calls is one of those calls alone, as `readStatistics` has it. */
function isAveraged(reading: Read, figure: number): boolean {
  const kind = figureAt(reading, figure)?.aggregate.kind;
  const left = neighbour(reading, figure, -1);
  return kind === "average" || kind === "quantile" || senses(reading, left).some((each) => each.kind === "statistic");
}

/** "Average payout" is one per call already; per conversion it is the whole payout that is divided. */
function divides(aggregate: Aggregate, { aggregate: figure, words }: Measure, count: Aggregate): boolean {
  if (aggregate.kind !== "ratio" || aggregate.scale !== 1 || !isDeepStrictEqual(aggregate.of, count)) return false;
  const isMean = figure.kind === "ratio" && words.some((word) => word.startsWith("average"));
  return isDeepStrictEqual(aggregate.part, figure.kind === "ratio" && isMean ? figure.part : figure);
}
