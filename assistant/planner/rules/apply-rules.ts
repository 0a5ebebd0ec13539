import { catalog } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import type { SubjectName } from "../../plan.ts";
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
import { emptyDraft } from "./draft.ts";
import { readFlags } from "./flags.ts";
import { readListing, readOneCall } from "./listing.ts";
import { readLosses } from "./losses.ts";
import { readMeasures } from "./measures.ts";
import { readNames } from "./names.ts";
import { askOfNone } from "./none.ts";
import { settleOfItself } from "./of-itself.ts";
import { readOften } from "./often.ts";
import { withDoers } from "./payers.ts";
import { readRanking } from "./ranking.ts";
import { joinRatios } from "./ratios.ts";
import { after, hasRole, type Reading, saysEach, senses, use } from "./reading.ts";
import { settleReasons } from "./reasons.ts";
import { settleRanking } from "./settle-ranking.ts";
import { readBareGroups, readGroups, readWhichOnes } from "./shape.ts";
import { readShare } from "./share.ts";
import { readShowing } from "./showing.ts";
import { withSiblings } from "./siblings.ts";
import { askBetter, readKindsOfDay, readNamedDays, readParts } from "./side-by-side.ts";
import { readEach, readSpeed } from "./speed.ts";
import { readStatistics } from "./statistics.ts";
import { withTags } from "./tags.ts";
import { readPeriods, readTrend } from "./time.ts";
import { readValues } from "./values.ts";
import { readVersusMeasures, readVersusValues } from "./versus.ts";
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
export const rules: readonly ((reading: Reading) => void)[] = [
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
  readMeasures,
  readBareGroups,
  readTrend,
  readRunning,
  settleRanking,
  readShare,
  askStatistic,
  askBetter,
  settleBidless,
  settleReasons,
  settleOfItself,
  readOneCall,
];

/** What an item means beside its neighbours, before any rule looks at it. */
export const reworked = (items: readonly Item[], subject: Subject): readonly Item[] =>
  [withDoers, withBidders, withTags, withSiblings, withCallersOwn].reduce(
    (said, rework) => rework({ items: said, subject }),
    items,
  );

/** Applies the rules in order; each explains some items. What is left unexplained makes a problem. */
export function read(said: readonly Item[], subject: Subject, { now, zone }: Moment): Reading {
  const draft = emptyDraft();
  const { items, missing } = joinRatios({ items: reworked(said, subject), subject });
  if (missing !== undefined) draft.problems.push({ sentence: `I have no figure of ${missing}.`, options: [] });
  const reading: Reading = { subject, items, used: new Set(), draft, now, zone };
  for (const rule of rules) rule(reading);
  askListing(reading);
  items.forEach((item, index) => {
    // "Within the same week" goes on from nothing.
    const isLost = /^(?:the )?same\b/i.test(item.said) || isOpenEach(reading, index);
    if (item.kind === "stop" || (hasRole(reading, index, ...harmless) && !isLost)) use(reading, index);
  });
  return reading;
}

/** "For each SIP target": a grouping by what no rule knows. */
const isOpenEach = (reading: Reading, index: number): boolean =>
  saysEach(reading, index) &&
  senses(reading, after(reading, index, "of", "all")).some(({ kind }) => kind === "value" || kind === "subject");

/** "The longest call of each publisher", "first attempt success rate": no list can say it. */
function askListing({ draft, subject }: Reading): void {
  const isGrouped = draft.dimensions.length > 0 || draft.grain !== null;
  if (!draft.listing || (!isGrouped && draft.measures.length === 0)) return;
  const sentence = `I list single ${subject.noun.many} or show figures of them, by groups or in all; ask for one of the two.`;
  draft.problems.push({ sentence, options: [] });
}

export const unexplained = ({ items, used }: Reading): readonly Item[] => items.filter((_, index) => !used.has(index));
