import { isDeepStrictEqual } from "node:util";
import { findDimension, findMeasure, findQuantity, measureOf } from "../../catalog/catalog.ts";
import type { Aggregate, Measure } from "../../catalog/field.ts";
import { isRecurring, type RunningGrain } from "../../plan.ts";
import { quantityOfNoun } from "./counted-noun.ts";
import {
  addFilter,
  addMeasure,
  after,
  before,
  hasRole,
  indexesOf,
  isPlural,
  measureAt,
  type Reading,
  reworded,
  senseAs,
  senses,
  sensesAs,
  use,
} from "./reading.ts";

/** "median revenue", "90th percentile of call duration", "average calls per day", "how many different states". */
export function readStatistics(reading: Reading): void {
  reading.items.forEach((_, index) => {
    const statistic = senseAs(reading, index, "statistic")?.statistic;
    if (statistic === undefined) return;
    const near = behindStatistics(reading, index);
    // "average postback latency": the kind of record stands before what is measured of it.
    const isNoun = senseAs(reading, near, "subject") !== undefined && senseAs(reading, near, "measure") === undefined;
    const target =
      isNoun && measureAt(reading, after(reading, near)) !== undefined && statistic !== "sum" && !isPer(reading, near)
        ? after(reading, near)
        : near;
    if (statistic === "avg" && readAverageOverTime(reading, index, target)) return;
    if (readBehind(reading, index, statistic) || readBesideEnd(reading, index, statistic)) return;
    const quantity =
      readOfCounted(reading, target) ??
      quantityAt(reading, target) ??
      (statistic === "avg" ? undefined : readOfEach(reading, target));
    const measure = measureAt(reading, target);
    if (quantity !== undefined) {
      addMeasure(reading, named(reading, statistic, quantity));
      reading.draft.statistics.set(target, named(reading, statistic, quantity));
      readPerSuch(reading, target);
      readAlsoOf(reading, { target, statistic });
      // Of several statistics the last one takes what they are of.
      use(reading, index, ...(isJoined(reading, index) ? [] : [target]));
    } else if (readSwapped(reading, index, statistic)) return;
    else if (statistic === "avg" && measure !== undefined && !addsUp(measureOf(reading.subject, measure)))
      // A rate is an average already.
      use(reading, index);
  });
  for (const index of reading.items.keys()) readAverageOfTotal(reading, index);
  reading.items.forEach((_, index) => {
    const { aggregate } = findMeasure(reading.subject, senseAs(reading, index, "measure")?.name ?? "") ?? {};
    if (aggregate?.kind === "average") readAlsoOf(reading, { target: index, statistic: "avg" });
    if (aggregate?.kind === "average" || aggregate?.kind === "quantile") readPerSuch(reading, index);
  });
  readOfSingle(reading);
  for (const index of indexesOf(reading, "longest", "shortest")) readLength(reading, index);
}

/** "Median and p95 of the response time": both are of what stands behind the last of them. */
function behindStatistics(reading: Reading, index: number): number {
  const near = after(reading, index, "of", "all");
  if (!isJoined(reading, index)) return near;
  use(reading, near);
  return behindStatistics(reading, after(reading, near, "and"));
}

function isJoined(reading: Reading, index: number): boolean {
  const near = after(reading, index, "of", "all");
  return hasRole(reading, near, "and") && senseAs(reading, after(reading, near, "and"), "statistic") !== undefined;
}

/** "Shortest talk time per buyer", "the longest call of each target": one figure, where nothing asks which or for a list. */
function readLength(reading: Reading, index: number): void {
  const at = after(reading, index);
  const isOneOfEach = senseAs(reading, at, "subject") !== undefined && isEachBehind(reading, at);
  const quantity = quantityAt(reading, at) ?? (isOneOfEach ? (reading.subject.length ?? undefined) : undefined);
  const isNumbered = reading.items[before(reading, index)]?.kind === "number";
  if (quantity === undefined || isNumbered || isPlural(reading.items[at])) return;
  if (indexesOf(reading, "which", "top", "bottom", "list").some((each) => each !== index)) return;
  addMeasure(reading, named(reading, hasRole(reading, index, "longest") ? "max" : "min", quantity));
  use(reading, index, at);
}

/** "Average talk time and wait": of both. */
function readAlsoOf(
  reading: Reading,
  { target, statistic }: { readonly target: number; readonly statistic: string },
): void {
  const joint = after(reading, target);
  const at = after(reading, joint);
  const quantity = senses(reading, at).every(({ kind }) => kind === "quantity") ? quantityAt(reading, at) : undefined;
  if (!hasRole(reading, joint, "and") || quantity === undefined) return;
  const own = senseAs(reading, target, "measure")?.name;
  // Where a statistic stands before it, it is shown already.
  if (own !== undefined && findQuantity(reading.subject, own) === undefined) addMeasure(reading, own);
  addMeasure(reading, named(reading, statistic, quantity));
  use(reading, joint, at);
}

/** "Average and highest bid": of what the other one is of. */
function readBesideEnd(reading: Reading, index: number, statistic: string): boolean {
  const joint = after(reading, index);
  let at = after(reading, joint);
  // "Min, average and max".
  while (hasRole(reading, at, "and") || senseAs(reading, at, "statistic") !== undefined) at = after(reading, at);
  const { aggregate } = findMeasure(reading.subject, senseAs(reading, at, "measure")?.name ?? "") ?? {};
  if (!hasRole(reading, joint, "and") || aggregate === undefined || !("column" in aggregate)) return false;
  const isOfRows = ["highest", "lowest", "average", "quantile"].includes(aggregate.kind);
  const quantity = reading.subject.quantities.find(({ column }) => column === aggregate.column);
  if (!isOfRows || quantity === undefined) return false;
  addMeasure(reading, named(reading, statistic, quantity.name));
  use(reading, index, joint);
  return true;
}

const isEachBehind = (reading: Reading, noun: number): boolean => {
  const at = after(reading, noun, "of");
  return hasRole(reading, at, "by") && /each|every|per/i.test(reading.items[at]?.said ?? "");
};

/** "Show the median instead": of what the figure before was an average of. */
function readSwapped(reading: Reading, index: number, statistic: string): boolean {
  const { planBefore, subject } = reading;
  const [name, other] = planBefore?.measures ?? [];
  if (planBefore?.subject !== subject.name || name === undefined || other !== undefined) return false;
  const isAlone = reading.items.every((_, at) => at === index || measureAt(reading, at) === undefined);
  const aggregate = isAlone ? ofRows(measureOf(subject, name).aggregate) : undefined;
  if (aggregate === undefined) return false;
  const quantities = subject.quantities.filter(({ column }) => column === aggregate.column);
  const quantity = quantities.find(({ where }) => where === aggregate.where) ?? quantities[0];
  if (quantity === undefined) return false;
  addMeasure(reading, named(reading, statistic, quantity.name));
  use(reading, index);
  return true;
}

/** The numbers that a figure is made of; a sum per record of all records is their average. */
function ofRows(aggregate: Aggregate) {
  const isMean = aggregate.kind === "ratio" && aggregate.of.kind === "count" && aggregate.of.where === undefined;
  const found = isMean && aggregate.scale === 1 ? aggregate.part : aggregate;
  return found.kind === "count" || found.kind === "ratio" || found.kind === "distinct" ? undefined : found;
}

/** "Bid latency p95 by buyer": said behind what it is of. */
function readBehind(reading: Reading, index: number, statistic: string): boolean {
  if (!/^(p\d+|median)$/.test(statistic)) return false;
  const { subject } = reading;
  const { aggregate } = findMeasure(subject, senseAs(reading, index - 1, "measure")?.name ?? "") ?? {};
  const ofMean = aggregate?.kind === "average" ? aggregate.column : undefined;
  const quantity =
    senseAs(reading, index - 1, "quantity")?.name ?? subject.quantities.find(({ column }) => column === ofMean)?.name;
  const next = after(reading, index, "of", "all");
  if (quantity === undefined || quantityAt(reading, next) !== undefined || measureAt(reading, next) !== undefined)
    return false;
  addMeasure(reading, named(reading, statistic, quantity));
  use(reading, index - 1, index);
  return true;
}

const isPer = (reading: Reading, index: number): boolean => hasRole(reading, after(reading, index), "by");

/** A measure of the catalog where it says the same: one figure has one name. */
export function named({ subject }: Pick<Reading, "subject">, statistic: string, quantity: string): string {
  const name = `${statistic}_${quantity}`;
  const wanted = findMeasure(subject, name)?.aggregate;
  return subject.measures.find(({ aggregate }) => isDeepStrictEqual(aggregate, wanted))?.name ?? name;
}

function quantityAt(reading: Reading, index: number): string | undefined {
  const own = senseAs(reading, index, "quantity")?.name;
  if (own !== undefined) return own;
  const measure = senseAs(reading, index, "measure")?.name ?? "";
  return findQuantity(reading.subject, measure)?.name;
}

const addsUp = ({ aggregate: { kind } }: Measure): boolean => kind === "count" || kind === "sum";

/** "average daily calls", "average calls per day", "average calls by weekday": a total divided by units of time. */
function readAverageOverTime(reading: Reading, index: number, target: number): boolean {
  const { draft } = reading;
  const adjective = senseAs(reading, target, "grain")?.grain;
  const at = adjective === undefined ? after(reading, index, "of", "all", "how_many", "and") : after(reading, target);
  const measure = measureAt(reading, at);
  if (adjective !== undefined && !isRecurring(adjective) && measure !== undefined) {
    draft.averagePer = adjective;
    addMeasure(reading, measure);
    use(reading, index, target, at, ...indexesOf(reading, "how_many").filter((each) => each > index && each < at));
    return true;
  }
  if (measure !== undefined && !addsUp(measureOf(reading.subject, measure))) return false;
  const unit = unitAfter(reading, measure === undefined ? index - 1 : at);
  if (unit === undefined || (measure === undefined && unit.index > index)) return false;
  draft.averagePer = unit.unit;
  use(reading, index, ...unit.used);
  if (measure !== undefined) addMeasure(reading, measure);
  if (measure !== undefined)
    use(reading, at, ...between(index, at).filter((each) => hasRole(reading, each, "how_many", "of")));
  return true;
}

const between = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from - 1) }, (_, step) => from + 1 + step);

interface Unit {
  readonly index: number;
  readonly unit: RunningGrain;
  readonly used: readonly number[];
}

/** "per day", "a day", "each week": the unit; "by weekday", "by hour of day": by days, and the grouping stays. */
function unitAfter(reading: Reading, from: number): Unit | undefined {
  for (let at = Math.max(0, from); at < reading.items.length; at++) {
    const grain = senseAs(reading, at, "grain")?.grain;
    if (grain === undefined) continue;
    const joint = at - 1;
    if (isRecurring(grain)) return hasRole(reading, joint, "by") ? { index: at, unit: "day", used: [] } : undefined;
    const said = reading.items[joint]?.said.toLowerCase() ?? "";
    if (/^(per|each|every|a|an|in each|for each|for every|\/)$/.test(said))
      return { index: at, unit: grain, used: [joint, at] };
  }
  return undefined;
}

/** "The highest revenue on a single call by buyer": a statistic of rows, no ranking. */
function readOfSingle(reading: Reading): void {
  const [single] = indexesOf(reading, "single");
  const [extreme] = indexesOf(reading, "top", "bottom");
  if (single === undefined || extreme === undefined) return;
  // "The biggest single call payout", "the highest payout of a single call".
  const figure = after(reading, extreme, "single");
  const quantity = quantityAt(reading, figure);
  if (quantity === undefined) return;
  addMeasure(reading, named(reading, hasRole(reading, extreme, "top") ? "max" : "min", quantity));
  const noun = after(reading, single);
  use(reading, extreme, figure, single, ...(senseAs(reading, noun, "subject") ? [noun] : []));
}

/** What an average of a single call is an average of. */
const totalOf: Readonly<Record<string, string>> = {
  rpc: "revenue",
  payout_per_call: "payout",
  profit_per_call: "profit",
};

/** "average revenue per day" is no revenue per call: the days say so. */
function readAverageOfTotal(reading: Reading, index: number): void {
  const said = reading.items[index]?.said ?? "";
  const total = totalOf[senseAs(reading, index, "measure")?.name ?? ""];
  if (total === undefined || !/^(average|avg|mean) \w+$/i.test(said)) return;
  const unit = unitAfter(reading, index);
  if (unit === undefined || unit.used.length === 0 || after(reading, index, "by") !== unit.index) return;
  reading.draft.averagePer = unit.unit;
  addMeasure(reading, total);
  use(reading, index, ...unit.used);
}

/** "median revenue per converted call": of a ratio over calls, of what each such call has. */
function readOfEach(reading: Reading, target: number): string | undefined {
  const { aggregate } = findMeasure(reading.subject, senseAs(reading, target, "measure")?.name ?? "") ?? {};
  if (aggregate?.kind !== "ratio" || aggregate.part.kind !== "sum" || aggregate.of.kind !== "count") return undefined;
  const { column } = aggregate.part;
  const { where } = aggregate.of;
  const quantity = reading.subject.quantities.find((each) => each.column === column)?.name;
  const flag = reading.subject.flags.find(({ condition }) => condition === where)?.name;
  if (quantity === undefined || (where !== undefined && flag === undefined)) return undefined;
  if (flag !== undefined) addFilter(reading, { field: flag, op: "is", values: [true] }, target);
  return quantity;
}

/** "Average winning bid", "median lost bid": of those alone. */
function readOfCounted(reading: Reading, target: number): string | undefined {
  const found = quantityOfNoun(reading, target);
  const flag = senseAs(reading, target, "flag");
  if (found === undefined || flag === undefined) return undefined;
  addFilter(reading, { field: flag.name, op: "is", values: [flag.holds] }, target);
  return found.name;
}

/** "p90 talk time per connected call", "average duration per converted call": of those calls alone, and no grouping. */
function readPerSuch(reading: Reading, target: number): void {
  const per = after(reading, target);
  const at = after(reading, per);
  const flag = senseAs(reading, at, "flag");
  const isOne = /^(per|each|every|a)$/i.test(reading.items[per]?.said ?? "") && !isPlural(reading.items[at]);
  const isGroup = senseAs(reading, at, "dimension") !== undefined;
  if (!isOne || isGroup || (flag?.noun !== true && senseAs(reading, at, "subject") === undefined)) return;
  if (flag !== undefined) addFilter(reading, { field: flag.name, op: "is", values: [flag.holds] }, at);
  use(reading, per, at);
}

const isTime = /^(seconds|ms)$/;

/** "Ring time by buyer": of a quantity that is no figure by itself, the average or the sum? */
export function askStatistic(reading: Reading): void {
  const { items, draft, subject } = reading;
  const at = items.findIndex((_, index) => senseAs(reading, index, "quantity") !== undefined);
  const only = at >= 0 && senses(reading, at).every(({ kind }) => kind === "quantity");
  if (!only || draft.measures.length + draft.having.length > 0 || draft.listing || reading.follows) return;
  const said = items[at]?.said ?? "";
  const quantity = findQuantity(subject, senseAs(reading, at, "quantity")?.name ?? "");
  // "Answer time by target": of times the mean is meant, as the catalog has it for those that it names.
  if (quantity !== undefined && /\btime\b/i.test(said) && isTime.test(quantity.unit)) {
    addMeasure(reading, named(reading, "avg", quantity.name));
    use(reading, at);
    return;
  }
  const ways = quantity?.unit === "count" ? ["average"] : ["average", "median", "sum of"];
  const options = ways.map((way) => reworded(reading, at, `${way} ${said}`));
  draft.problems.push({ sentence: `Which figure of ${said} do you want to see?`, options });
}

/** "how many different states", "number of publishers", "unique zip codes". */
export function readDistinct(reading: Reading): void {
  for (const index of indexesOf(reading, "distinct", "how_many")) {
    // "How often do bidders time out" counts no bidders.
    if (/often|frequent|times?\b/i.test(reading.items[index]?.said ?? "")) continue;
    const at = after(reading, index, "distinct", "of", "all");
    const dimension = senseAs(reading, at, "dimension")?.name;
    const isNoun = senseAs(reading, at, "subject") !== undefined || senseAs(reading, at, "measure") !== undefined;
    if (dimension === undefined || (isNoun && !hasRole(reading, index, "distinct"))) continue;
    const name = countOf(reading, dimension);
    if (name === undefined) continue;
    addMeasure(reading, name);
    use(reading, index, at, ...between(index, at).filter((each) => hasRole(reading, each, "distinct", "of", "all")));
    // "how many states sent calls": the noun is what they are counted over.
    const rest = reading.items.findIndex((_, each) => each > at && senseAs(reading, each, "subject") !== undefined);
    if (rest > at && sensesAs(reading, rest, "measure").length === 0) use(reading, rest);
    countedOver(reading, at);
  }
}

/** "How many zip codes do converted calls come from": of those alone. */
function countedOver(reading: Reading, from: number): void {
  const [first, ...others] = reading.items.flatMap((_, at) => {
    const flag = at > from ? senseAs(reading, at, "flag") : undefined;
    return flag?.noun === true && flag.holds ? [{ at, flag }] : [];
  });
  if (first === undefined || others.length > 0 || hasRole(reading, before(reading, first.at), "and", "with")) return;
  addFilter(reading, { field: first.flag.name, op: "is", values: [true] }, first.at);
  use(reading, first.at);
}

function countOf({ subject }: Reading, dimension: string): string | undefined {
  const column = findDimension(subject, dimension)?.column;
  const known = subject.measures.find(({ aggregate }) => aggregate.kind === "distinct" && aggregate.column === column);
  return known?.name ?? findMeasure(subject, `distinct_${dimension}`)?.name;
}
