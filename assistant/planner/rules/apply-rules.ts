import { catalog } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import type { Plan, SubjectName } from "../../plan.ts";
import type { Item } from "../link/item.ts";
import { askStatistic } from "./ask-statistic.ts";
import { readAttempts } from "./attempts.ts";
import { settleBidless, withBidders } from "./bidders.ts";
import { readBins } from "./bins.ts";
import { readComparators } from "./bounds.ts";
import { readBut } from "./but.ts";
import { withCallersOwn } from "./callers-own.ts";
import { readChart, readDirections, readRunning } from "./change.ts";
import { readCountedBeside } from "./counted-beside.ts";
import { readCounts } from "./counts.ts";
import { readDays } from "./days.ts";
import { readThings } from "./deeds.ts";
import { readDistinct } from "./distinct.ts";
import { type Draft, emptyDraft } from "./draft.ts";
import { readFlags } from "./flags.ts";
import { readAdding, settleAdded } from "./follow-up.ts";
import { readListing, readOneCall, readShowing } from "./listing.ts";
import { readLosses } from "./losses.ts";
import { readMeasures } from "./measures.ts";
import { readNames } from "./names.ts";
import { askOfNone } from "./none.ts";
import { settleOfItself } from "./of-itself.ts";
import { readOften } from "./often.ts";
import { withDoers } from "./payers.ts";
import { readRanking, settleRanking } from "./ranking.ts";
import { joinRatios } from "./ratios.ts";
import { addMeasure, after, hasRole, indexesOf, type Reading, senses, use } from "./reading.ts";
import { settleReasons } from "./reasons.ts";
import { readBareGroups, readGroups, readWhichOnes } from "./shape.ts";
import { readShare } from "./share.ts";
import { withSiblings } from "./siblings.ts";
import { addRate, askBetter, readKindsOfDay, readNamedDays, readParts } from "./side-by-side.ts";
import { readEach, readSpeed } from "./speed.ts";
import { readStatistics } from "./statistics.ts";
import { withTags } from "./tags.ts";
import { readPeriods, readTrend } from "./time.ts";
import { readValues } from "./values.ts";
import { readWithin } from "./within.ts";
import { readZero } from "./zero.ts";

/** Small words that may be left over: they change nothing on their own. */
const harmless = [
  "which",
  "all",
  "how_many",
  "and",
  "of",
  "with",
  "follow",
  "by",
  "verb",
  "plain",
  "side_by_side",
] as const;

interface Moment {
  readonly now: number;
  readonly zone: string;
  /** Of the answer before, so that "also" and "remove" have something to go on from. */
  readonly planBefore?: Plan | undefined;
  readonly groupedBefore?: boolean;
  readonly unitsBefore?: readonly string[];
}

/** The subjects in which every item means something, the ones that the question names by their noun first. */
export function fittingSubjects(items: readonly Item[], previous: SubjectName | undefined): readonly Subject[] {
  const fits = catalog.filter((subject) =>
    items.every((item, index) => item.kind !== "meanings" || senses({ items, subject }, index).length > 0),
  );
  const named = fits.filter((subject) =>
    items.some((_, index) => senses({ items, subject }, index).some(({ kind }) => kind === "subject")),
  );
  if (named.length > 0) return named;
  const same = previous === undefined ? [] : fits.filter(({ name }) => name === previous);
  return same.length > 0 ? same : fits;
}

/** What explains much comes before what explains the rest; names before what their words could mean by themselves. */
const rules: readonly ((reading: Reading) => void)[] = [
  ...[
    readBut,
    readThings,
    readKindsOfDay,
    readNamedDays,
    readBins,
    readCountedBeside,
    readCounts,
    readChart,
    readSpeed,
    readStatistics,
    readDistinct,
    askOfNone,
    readZero,
    readAttempts,
    readOften,
    readWithin,
    readComparators,
    readLosses,
    readListing,
    readRanking,
    readDirections,
    readWhichOnes,
    readGroups,
  ],
  ...[
    readVersusValues,
    readNames,
    readValues,
    readEach,
    readShowing,
    readFlags,
    readDays,
    readParts,
    readVersusMeasures,
    readPeriods,
  ],
  ...[
    readMeasures,
    readBareGroups,
    readTrend,
    readRunning,
    settleRanking,
    readShare,
    askStatistic,
    askBetter,
    settleAdded,
    settleBidless,
    settleReasons,
    settleOfItself,
    readOneCall,
  ],
];

/** What an item means beside its neighbours, before any rule looks at it. */
const reworked = (items: readonly Item[], subject: Subject): readonly Item[] =>
  [withDoers, withBidders, withTags, withSiblings, withCallersOwn].reduce(
    (said, rework) => rework({ items: said, subject }),
    items,
  );

/** Applies the rules in order; each explains some items. What is left unexplained makes a problem. */
export function read(
  said: readonly Item[],
  subject: Subject,
  { now, zone, planBefore, groupedBefore = false, unitsBefore = [] }: Moment,
): Reading {
  const draft = emptyDraft();
  const { items, missing } = joinRatios({ items: reworked(said, subject), subject });
  if (missing !== undefined) draft.problems.push({ sentence: `I have no figure of ${missing}.`, options: [] });
  const follows = planBefore !== undefined;
  const before = { follows, planBefore, groupedBefore, unitsBefore };
  const reading: Reading = { subject, items, used: new Set(), draft, now, zone, ...before };
  if (follows) readAdding(reading);
  for (const rule of rules) rule(reading);
  askListing(reading);
  items.forEach((item, index) => {
    if (item.kind === "stop" || hasRole(reading, index, ...harmless)) use(reading, index);
  });
  return reading;
}

/** "The longest call of each publisher", "first attempt success rate": no list can say it. */
function askListing({ draft, subject }: Reading): void {
  const isGrouped = draft.dimensions.length > 0 || draft.grain !== null;
  if (!draft.listing || (!isGrouped && draft.measures.length === 0)) return;
  const sentence = `I list single ${subject.noun.many} or show figures of them, by groups or in all; ask for one of the two.`;
  draft.problems.push({ sentence, options: [] });
}

/** "calls vs conversions by month": side by side. Over two periods it is neither that nor a comparison. */
function readVersusMeasures(reading: Reading): void {
  const { items, draft } = reading;
  const at = items.findIndex((_, index) => hasRole(reading, index, "versus"));
  const isOfPeriods = items[at - 1]?.kind === "period" && items[at + 1]?.kind === "period";
  if (at < 0 || isOfPeriods) return;
  const figures = items.map((_, index) => figuresAt(reading, index));
  const side = (from: number, to?: number) => [...new Set(figures.slice(from, to).flat())].sort().join();
  const [left, right] = at === 0 ? halves(figures) : [side(0, at), side(at + 1)];
  if (left === "" || right === "" || left === right) return;
  const periods = new Set(items.flatMap((item) => (item.kind === "period" ? [item.said.toLowerCase()] : [])));
  if (periods.size > 1) {
    const sentence = "I compare one figure over two periods, or several figures over one; not both at once.";
    draft.problems.push({ sentence, options: [] });
    return;
  }
  for (const name of figures.flat()) addMeasure(reading, name);
  figures.forEach((names, index) => {
    if (names.length > 0) use(reading, index);
  });
  use(reading, ...items.map((_, index) => index).filter((index) => hasRole(reading, index, "versus")));
}

const figuresAt = (reading: Reading, index: number): readonly string[] =>
  reading.used.has(index)
    ? []
    : senses(reading, index).flatMap((sense) =>
        sense.kind === "measure" ? [sense.name] : sense.kind === "subject" ? [reading.subject.defaultMeasure] : [],
      );

/** "compare calls and conversions". */
function halves(figures: readonly (readonly string[])[]): readonly [string, string] {
  const [first, ...others] = figures.filter((names) => names.length > 0).map((names) => names.join());
  return [first ?? "", others.join()];
}

/** "Texas vs Florida", "compare Acme and Best": side by side, so grouped by what they are. */
function readVersusValues(reading: Reading): void {
  const values = comparedValues(reading);
  const roles = [...indexesOf(reading, "versus", "side_by_side", "better"), ...eachAlone(reading)];
  const [first = [], ...others] = values;
  const field = first.find((each) => others.length > 0 && others.every((fields) => fields.includes(each)));
  if (roles.length === 0 || field === undefined) return;
  if (!reading.draft.dimensions.includes(field)) reading.draft.dimensions.push(field);
  for (const at of reading.items.keys()) addRate(reading, at);
  const isOpen = indexesOf(reading, "versus").some((at) => !isOfField(reading, after(reading, at, "by", "of"), field));
  if (!isOpen || values.length === 0) use(reading, ...roles);
}

/** Whether what stands there may be such a name, or only leads to one. */
const isOfField = (reading: Reading, at: number, field: string): boolean => {
  const all = senses(reading, at);
  return (
    all.some((sense) => sense.kind === "value" && sense.name === field) ||
    all.every(({ kind }) => kind !== "dimension" && kind !== "grain" && kind !== "value")
  );
};

/** "Ann and Bob: changes each made": no group stands behind it. */
const eachAlone = (reading: Reading): readonly number[] =>
  indexesOf(reading, "by").filter(
    (at) =>
      /^each$/i.test(reading.items[at]?.said ?? "") &&
      senses(reading, after(reading, at, "of")).every(({ kind }) => kind !== "dimension" && kind !== "grain"),
  );

/** The fields of the names that are held against one another: beside "vs" where that stands between two, else all of them. */
function comparedValues(reading: Reading): readonly (readonly string[])[] {
  const { items } = reading;
  const fields = items.map((_, at) =>
    senses(reading, at).flatMap((sense) => (sense.kind === "value" ? [sense.name] : [])),
  );
  const versus = items.findIndex((_, at) => hasRole(reading, at, "versus"));
  const left = fields.slice(0, Math.max(0, versus)).findLast((each) => each.length > 0);
  const right = fields.slice(versus + 1).find((each) => each.length > 0);
  if (left?.some((field) => right?.includes(field)) && right !== undefined) return [left, right];
  return fields.filter((each) => each.length > 0);
}

export const unexplained = ({ items, used }: Reading): readonly Item[] => items.filter((_, index) => !used.has(index));

export const isEmpty = (draft: Draft): boolean =>
  draft.measures.length + draft.dimensions.length + draft.filters.length + draft.having.length === 0 &&
  draft.grain === null &&
  draft.period === undefined &&
  !draft.listing &&
  !draft.share &&
  draft.portion.length === 0 &&
  draft.running === null &&
  draft.averagePer === null &&
  draft.chart === null &&
  !draft.againstPrevious &&
  draft.compareTo === null &&
  draft.removed.length === 0 &&
  !draft.asRate &&
  !draft.listsThem &&
  !draft.plain &&
  !draft.ungroups &&
  !draft.unbounds &&
  !draft.keepsPeriod &&
  draft.movesBack === null &&
  draft.order === null &&
  draft.limit === null;

export const namesSubject = ({ items, subject }: Pick<Reading, "items" | "subject">): boolean =>
  items.some((_, index) => senses({ items, subject }, index).some(({ kind }) => kind === "subject"));
