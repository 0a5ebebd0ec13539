import { binName } from "../../../catalog/bins.ts";
import { findMeasure, findQuantity, measureOf } from "../../../catalog/catalog.ts";
import type { Aggregate } from "../../../catalog/field.ts";
import { isGrain, isRecurring, type OverGroups } from "../../../plan.ts";
import { addsUp, averagePer, countedDimension, counting, divided, named, numberNamed, statistic } from "../figures.ts";
import { countOfFact, isMaking } from "../makes.ts";
import { both, type Piece, unifyAll } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";

/** How figures are spread: in steps of a number, over units of time, from the least to the most. */
export const spreadsPage: readonly Production[] = [
  // "Distribution of call duration", "calls by duration in buckets of 30 seconds", "talk time histogram, 60 second buckets".
  p("spread", "SPREAD OF? ALL? number-of-each", (setting, _, number) => both({ noun: true }, inSteps(setting, number))),
  p("spread", "number-of-each of-one? SPREAD of-one?", (setting, number) =>
    both({ noun: true }, inSteps(setting, number)),
  ),
  p("of-one", "EACH NOUN", (_, noun) => (isOne(noun) ? {} : undefined)),
  p("spread", "BY !DIM number-of-each &steps|&','", inSteps),
  p("number-of-each", "NOUN? QUANTITY|MEASURE", (setting, _noun, number) =>
    aggregateOf(setting, number)?.kind === "quantile" ? undefined : number,
  ),
  p("steps", "OF? STEPS OF? NUMBER", (_, _steps, number) => stepOf(number)),
  p("steps", "OF? NUMBER STEPS", (_, number) => stepOf(number)),
  p("phrase", "spread|steps"),
  // "Longest call for each target", "biggest single payout", "highest and lowest bid": of single records.
  p("group", "LONGEST|SHORTEST NOUN when? OF? BY|EACH group-names", (setting, end, _noun, when, groups) =>
    both(
      { ...groups, single: true },
      when,
      extreme(setting, end, { word: { quantity: setting.subject.length ?? "" } }),
    ),
  ),
  p("figure", "MEASURE LONGEST|SHORTEST NOUN", (setting, figure, end) =>
    /^how long/.test(figure.word?.said ?? "")
      ? extreme(setting, end, { word: { quantity: setting.subject.length ?? "" } })
      : undefined,
  ),
  // "The most we earned on a single call", "biggest single payout", "the most money a single call made us".
  p(
    "figure",
    "TOP|BOTTOM|LONGEST|SHORTEST|STATISTIC sum-of-each? one-record sum-of-each?",
    (setting, end, number, record, verb) => {
      const said = [number, verb].filter(({ word }) => word !== undefined);
      const [of, again = of] = said;
      const isOne = again !== undefined && (isMaking(again) || again.word?.quantity === of?.word?.quantity);
      return of && isOne ? ofOneRecord(setting, end, of, record) : undefined;
    },
  ),
  // "The lowest payout on payable calls": which of them is asked, where no group is ranked by it.
  p("figure", "TOP|BOTTOM sum-of-each OF FLAG|names? NOUN|FLAGGED", (setting, end, number, kind, records) => {
    const filters = [...(kind.filters ?? []), ...(records.filters ?? [])];
    const isEnd = /^(high|low|larg|small|big|great)/.test(end.word?.said ?? "");
    const isOfSome = records.word?.isPlural === true && filters.length > 0;
    return isEnd && isOfSome ? both({ single: true }, ofOneRecord(setting, end, number, { filters })) : undefined;
  }),
  p("figure", "TOP|BOTTOM money-verb NOUN", (setting, end, number, noun) =>
    /for$/.test(number.word?.said ?? "") && !noun.word?.isPlural ? extreme(setting, end, number) : undefined,
  ),
  p("figure", "SINGLE TOP|BOTTOM sum-of-each", (setting, _single, end, number) =>
    ofOneRecord(setting, end, number, {}),
  ),
  p("one-record", "OF? SINGLE !FLAGGED !NOUN", () => ({})),
  p("one-record", "OF? SINGLE names|FLAG? FLAGGED|NOUN", (_, _single, kind, records) =>
    records.word?.isPlural ? undefined : { filters: [...(kind.filters ?? []), ...(records.filters ?? [])] },
  ),
  p("one-record", "OF COUNT? NOUN", (_, count, noun) =>
    noun.word?.isPlural || (count.word?.number ?? 1) > 1 ? undefined : {},
  ),
  p("figure", "LONGEST|SHORTEST NOUN? QUANTITY", (setting, end, _noun, number) => extreme(setting, end, number)),
  // "Median revenue per converted call": of those calls alone.
  p("figure", "STATISTIC|statistics MEASURE", (setting, said, of) =>
    ofEach(said, (each) => ofRatio(setting, each, of)),
  ),
  p("figure", "STATISTIC|statistics QUANTITY|MEASURE EACH FLAGGED", (setting, said, of, fact) =>
    isOne(fact)
      ? both(
          { filters: fact.filters ?? [] },
          ofEach(said, (each) => statistic(setting, each, of)),
        )
      : undefined,
  ),
  // "Average winning bid", "slowest webhook response".
  p("figure", "STATISTIC|TOP|BOTTOM FLAGGED", (setting, said, fact) => {
    const quantity = numberNamed(setting, fact);
    // "The most failed attempts" counts them.
    if (quantity === undefined || /^(most|fewest|least)$/.test(said.word?.said ?? "")) return undefined;
    const figure =
      said.word?.statistic === undefined
        ? extreme(setting, said, { word: { quantity } })
        : statistic(setting, said, { word: { quantity } });
    return both({ filters: fact.filters ?? [] }, figure);
  }),
  p("figure", "LONGEST|SHORTEST NOUN|KIND 'response'|'responses'|'answer'|'answers'", (setting, end) =>
    extreme(setting, end, { word: { quantity: "response_time" } }),
  ),
  p("figure", "MEASURE EACH NOUN", (setting, figure, noun) =>
    isOne(noun) && aggregateOf(setting, figure)?.kind === "average" ? { measures: figure.measures ?? [] } : undefined,
  ),
  p("figure", "MEASURE EACH FLAGGED", (setting, figure, fact) =>
    isOne(fact) && isMeanOfAll(setting, figure, countOfFact(setting, fact))
      ? both({ filters: fact.filters ?? [] }, { measures: figure.measures ?? [] })
      : undefined,
  ),
  // "Revenue per billable call": of those calls alone, where the catalog has no such figure.
  p("figure", "MEASURE OF? EACH FLAGGED", (setting, figure, fact) => {
    const isKnown = divided(setting, figure, countOfFact(setting, fact) ?? {}) !== undefined;
    const mean =
      isOne(fact) && !isKnown ? divided(setting, figure, counting(setting, { noun: true }) ?? {}) : undefined;
    return both({ filters: fact.filters ?? [], those: 1 }, mean);
  }),
  // "Average calls by day of week": each such day divided by how many there were.
  p("series", "OF? STATISTIC OF? ALL? counted-figure BY GRAIN", (setting, of, figure, unit) =>
    isRecurring(unit.groups?.[0] as "hour")
      ? both(unit, averagePer(setting, of, figure, { groups: ["day"] }))
      : undefined,
  ),
  // "7 day moving average of calls", "calls per day with a 7 day average"; over how many has to be said.
  p("series", "moving OF? ALL? GRAIN? figure|NOUN", (setting, moving, _unit, figure) =>
    both(moving, counting(setting, figure)),
  ),
  p("series", "OF|WITH? moving"),
  p("moving", "COUNT GRAIN MOVING", movingOver),
  p("moving", "WITH|'rolling'|'moving' COUNT GRAIN STATISTIC", (setting, count, unit, said) =>
    said.word?.statistic === "avg" ? movingOver(setting, count, unit) : undefined,
  ),
  p("moving", "MOVING", () => ({ running: "average" })),
];

/** Over so many units of time, of each of which there is one. */
function movingOver(_: Setting, { word }: Piece, { groups = [] }: Piece): Piece | undefined {
  const isUnit = !groups.some((name) => isGrain(name) && isRecurring(name));
  return isUnit && word?.number !== undefined && word.number > 1
    ? { running: "average", runningOver: word.number, groups }
    : undefined;
}

const isOne = ({ word }: Piece): boolean => word?.isPlural !== true;

/** What each record has: of "revenue per call" the revenue of a call. */
function quantityOfFigure(
  { subject }: Pick<Setting, "subject">,
  { measures: [name = ""] = [], word }: Piece,
): string | undefined {
  const own = findQuantity(subject, word?.quantity ?? name)?.name;
  if (own !== undefined || name === "") return own;
  const column = columnOf(measureOf(subject, name).aggregate);
  return subject.quantities.find((each) => each.column === column)?.name;
}

function columnOf(aggregate: Aggregate): string | undefined {
  if (aggregate.kind === "ratio") return columnOf(aggregate.part);
  return "column" in aggregate ? aggregate.column : undefined;
}

/**
 * An average of all records, or a total divided by all of them: "average revenue per billable call" is of those, where the
 * catalog has no figure of the one divided by the other ("payout per conversion").
 */
function isMeanOfAll(setting: Setting, figure: Piece, count: Piece | undefined): boolean {
  const aggregate = aggregateOf(setting, figure);
  const isOfAll = aggregate?.kind === "ratio" && aggregate.of.kind === "count" && aggregate.of.where === undefined;
  const isMean = /^(average|avg|mean) /.test(figure.word?.said ?? "");
  const isOwn = count !== undefined && divided(setting, figure, count) !== undefined;
  return aggregate?.kind === "average" || (isOfAll && isMean && !isOwn && aggregate.part.kind === "sum");
}

const aggregateOf = ({ subject }: Setting, { measures: [name] = [] }: Piece) =>
  name === undefined ? undefined : measureOf(subject, name).aggregate;

/** Steps of a width that is said elsewhere, or left to the values. */
function inSteps(setting: Setting, number: Piece): Piece | undefined {
  const quantity = quantityOfFigure(setting, number);
  return quantity === undefined ? undefined : { spread: quantity };
}

function stepOf({ word }: Piece): Piece | undefined {
  const width = word?.number ?? 0;
  return width > 0 && width < 1e9 && Number(width.toFixed(2)) === width
    ? { step: { width, unit: word?.unit ?? null } }
    : undefined;
}

/** The group of a spread; undefined where the width is in another unit. */
export function binOf({ spread, step }: Piece, { subject }: Setting): string | null | undefined {
  if (spread === undefined) return step === undefined ? null : undefined;
  const unit = findQuantity(subject, spread)?.unit;
  return step?.unit != null && step.unit !== unit ? undefined : binName(spread, step?.width);
}

function ofOneRecord(setting: Setting, end: Piece, number: Piece, { filters = [] }: Piece): Piece | undefined {
  const isEnd = end.word?.statistic === undefined;
  return both({ filters }, isEnd ? extreme(setting, end, number) : statistic(setting, end, number));
}

const least = /^(shortest|fastest|lowest|smallest|bottom|least|quickest)/;

function extreme(setting: Setting, end: Piece, { word }: Piece): Piece | undefined {
  const quantity = word?.quantity ?? "";
  if (findQuantity(setting.subject, quantity) === undefined) return undefined;
  return { measures: [named(setting, least.test(end.word?.said ?? "") ? "min" : "max", quantity)] };
}

/** The figure of one statistic, or those of several that were said in a row. */
const ofEach = ({ word }: Piece, make: (said: Piece) => Piece | undefined): Piece | undefined =>
  both(...(word?.statistics ?? [word?.statistic ?? ""]).map((statistic) => make({ word: { statistic } })));

const isPlain = (of: Aggregate): boolean => of.kind === "count" && of.where === undefined;

/** Medians and percentiles, which nobody says of another statistic. */
const isLevel = (statistic: string): boolean => /^(p\d+|median)$/.test(statistic);

function ofRatio(setting: Setting, said: Piece, of: Piece): Piece | undefined {
  const aggregate = aggregateOf(setting, of);
  if (aggregate?.kind !== "ratio" || aggregate.scale !== 1 || aggregate.part.kind !== "sum") return undefined;
  const quantity = quantityOfFigure(setting, of);
  const where = aggregate.of.kind === "count" ? aggregate.of.where : undefined;
  const flag = setting.subject.flags.find(({ condition }) => condition === where);
  if (quantity === undefined || (where !== undefined && flag === undefined)) return undefined;
  return {
    measures: [named(setting, said.word?.statistic ?? "", quantity)],
    ...(flag && { filters: [{ field: flag.name, op: "is" as const, values: [true] }] }),
  };
}

/** Several statistics at once, and what is told of groups together: how many meet a condition, their mean, least and most. */
export const overGroupsPage: readonly Production[] = [
  // "How many publishers had over 100 calls": the condition is a phrase of its own.
  p("group", "counted-groups"),
  p("counted-groups", "HOW_MANY|DISTINCT OF? DISTINCT? ALL? DIM|GRAIN|KIND", (_, many, _distinct, { groups = [] }) =>
    many.word?.said && /many|number|count/.test(many.word.said) ? { groups, overGroups: ["count"] } : undefined,
  ),
  p("counted-groups", "MEASURE", countedDimension),
  // "The average, least and most calls per day", "lowest and highest daily revenue".
  p("series", "statistics OF? ALL? figure|NOUN EACH GRAIN", (setting, statistics, figure, grain) =>
    overBuckets(setting, statistics, counting(setting, figure), grain),
  ),
  p("series", "statistics GRAIN figure|NOUN", (setting, statistics, grain, figure) =>
    overBuckets(setting, statistics, counting(setting, figure), grain),
  ),
  // "The lowest, the average and the highest bid", "median and p95 wait time".
  p("figures", "statistics OF? ALL? QUANTITY", (setting, said, quantity) =>
    ofEach(said, (each) => statistic(setting, each, quantity)),
  ),
  // "Lowest, average and highest bid": the last two words are a figure of the catalog.
  p("figures", "statistics|one-statistic ','|AND AND? ALL? MEASURE", (setting, { word }, figure) => {
    const quantity = quantityBehind(setting, figure);
    const others = (word?.statistics ?? []).map((said) =>
      quantity === undefined ? undefined : statistic(setting, { word: { statistic: said } }, { word: { quantity } }),
    );
    return others.every((each) => each !== undefined) ? unifyAll([...others, figure]) : undefined;
  }),
  // "P50/p95/p99 response time".
  p("figures", "statistics|one-statistic MEASURE", (setting, { word }, figure) => {
    const quantity = quantityBehind(setting, figure);
    const others = word?.statistics ?? [];
    if (aggregateOf(setting, figure)?.kind !== "quantile" || quantity === undefined || !others.every(isLevel))
      return undefined;
    return both(
      ...others.map((said) => statistic(setting, { word: { statistic: said } }, { word: { quantity } })),
      figure,
    );
  }),
  p("statistics", "one-statistic more-statistics", (_, one, others) => {
    const all = listOf(one, others);
    const [first = "", second = ""] = all.word?.statistics ?? [];
    const areEnds = [first, second].sort().join() === "max,min" && !/est$/.test(one.word?.said ?? "");
    return areEnds || all.word?.statistics?.every(isLevel) ? all : undefined;
  }),
  p("statistics", "one-statistic ','? AND|VERSUS|',' AND? more-statistics", (_, one, others) => listOf(one, others)),
  p("more-statistics", "one-statistic|statistics"),
  p("one-statistic", "STATISTIC", (_, { word }) => statisticsOf(word?.statistic)),
  p("one-statistic", "TOP", () => statisticsOf("max")),
  p("one-statistic", "BOTTOM|AT_LEAST", (_, { word }) =>
    leastOrMost(word?.said, /^(?!at least|no less|not less)/, "min"),
  ),
  p("one-statistic", "AT_MOST", (_, { word }) => leastOrMost(word?.said, /^max/, "max")),
];

/** The number of each record that a mean, a least or a most is of. */
function quantityBehind(
  { subject }: Pick<Setting, "subject">,
  { measures: [name = ""] = [], word }: Piece,
): string | undefined {
  const aggregate = findMeasure(subject, name)?.aggregate;
  // "Average payout" is one per call.
  if (aggregate?.kind === "ratio" && /^(average|avg|mean) /.test(word?.said ?? "") && isPlain(aggregate.of))
    return quantityOfFigure({ subject }, { measures: [name] });
  if (
    aggregate === undefined ||
    !/^(average|lowest|highest|quantile)$/.test(aggregate.kind) ||
    !("column" in aggregate)
  )
    return undefined;
  return subject.quantities.find(({ column, where }) => column === aggregate.column && where === aggregate.where)?.name;
}

const leastOrMost = (said = "", named: RegExp, statistic: string): Piece | undefined =>
  named.test(said) ? statisticsOf(statistic) : undefined;

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
