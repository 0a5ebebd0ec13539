import { findMeasure } from "../../../catalog/catalog.ts";
import type { OverGroups } from "../../../plan.ts";
import { ofGroups } from "../bounds.ts";
import { addsUp, counting, statistic } from "../figures.ts";
import { both, type Piece, unifyAll } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";

/** Several statistics at once, and what is told of groups together: how many meet a condition, their mean, least and most. */
export const overGroupsBook: readonly Production[] = [
  // "How many publishers had over 100 calls": the condition is a phrase of its own.
  p("group", "HOW_MANY OF? DISTINCT? ALL? DIM|GRAIN|KIND", (_, _many, _distinct, { groups = [] }) => ({
    groups,
    overGroups: ["count"],
  })),
  p("group", "MEASURE", countedDimension),
  p(
    "of-groups",
    "OF? HOW_MANY OF? ALL? DIM|GRAIN|KIND OF|WITH? figure OF? amount !of-figure",
    (setting, _, { groups = [] }, figure, bounds) => {
      const condition = ofGroups(setting, figure, bounds);
      return condition && { ...condition, groups, overGroups: ["count"] };
    },
  ),
  // "The average, least and most calls per day", "lowest and highest daily revenue".
  p("series", "statistics OF? ALL? figure|NOUN EACH GRAIN", (setting, statistics, figure, grain) =>
    overBuckets(setting, statistics, counting(setting, figure), grain),
  ),
  p("series", "statistics GRAIN figure|NOUN", (setting, statistics, grain, figure) =>
    overBuckets(setting, statistics, counting(setting, figure), grain),
  ),
  // "The lowest, the average and the highest bid", "median and p95 wait time".
  p("figures", "statistics OF? ALL? QUANTITY", (setting, { word }, quantity) =>
    (word?.statistics ?? [])
      .map((said) => statistic(setting, { word: { statistic: said } }, quantity))
      .reduce<Piece | undefined>(both, {}),
  ),
  // "Lowest, average and highest bid": the last two words are a figure of the catalog.
  p("figures", "statistics|one-statistic ','|AND AND? ALL? MEASURE", (setting, { word }, figure) => {
    const quantity = quantityBehind(setting, figure);
    const others = (word?.statistics ?? []).map((said) =>
      quantity === undefined ? undefined : statistic(setting, { word: { statistic: said } }, { word: { quantity } }),
    );
    return others.every((each) => each !== undefined) ? unifyAll([...others, figure]) : undefined;
  }),
  p("statistics", "one-statistic AND|VERSUS|',' AND? more-statistics", (_, one, others) => listOf(one, others)),
  p("more-statistics", "one-statistic|statistics"),
  p("one-statistic", "STATISTIC", (_, { word }) => statisticsOf(word?.statistic)),
  p("one-statistic", "TOP", () => statisticsOf("max")),
  p("one-statistic", "BOTTOM", () => statisticsOf("min")),
];

/** "How many publishers", where the catalog counts them itself. */
function countedDimension({ subject }: Setting, { measures: [name = ""] = [] }: Piece): Piece | undefined {
  const aggregate = findMeasure(subject, name)?.aggregate;
  const column = aggregate?.kind === "distinct" ? aggregate.column : undefined;
  const group = subject.dimensions.find((each) => each.column === column)?.name;
  return group === undefined ? undefined : { groups: [group], overGroups: ["count"] };
}

/** The number of each record that a mean, a least or a most is of. */
function quantityBehind({ subject }: Setting, { measures: [name = ""] = [] }: Piece): string | undefined {
  const aggregate = findMeasure(subject, name)?.aggregate;
  if (aggregate?.kind !== "average" && aggregate?.kind !== "lowest" && aggregate?.kind !== "highest") return undefined;
  return subject.quantities.find(({ column, where }) => column === aggregate.column && where === aggregate.where)?.name;
}

const statisticsOf = (said: string | undefined): Piece | undefined =>
  said === undefined ? undefined : { word: { statistics: [said] } };

const listOf = (one: Piece, others: Piece): Piece => ({
  word: { statistics: [...(one.word?.statistics ?? []), ...(others.word?.statistics ?? [])] },
});

const known: Readonly<Record<string, OverGroups>> = { avg: "average", min: "least", max: "most" };

function overBuckets({ subject }: Setting, { word }: Piece, figure: Piece | undefined, { groups = [] }: Piece) {
  const { measures = [] } = figure ?? {};
  const overGroups = (word?.statistics ?? []).map((said) => known[said]).filter((over) => over !== undefined);
  const areTotals = measures.every((name) => {
    const measure = findMeasure(subject, name);
    return measure !== undefined && addsUp(measure);
  });
  if (measures.length === 0 || !areTotals || overGroups.length < (word?.statistics ?? []).length) return undefined;
  return { measures, overGroups, groups };
}
