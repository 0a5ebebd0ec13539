import { isDeepStrictEqual } from "node:util";
import { findQuantity, measureOf } from "../../catalog/catalog.ts";
import { factCounted } from "../../catalog/fact-counted.ts";
import type { Measure, Subject } from "../../catalog/field.ts";
import { capital, listOf } from "../../phrasing/figure.ts";
import { labelOf } from "../../phrasing/scope.ts";
import { type Filter, isGrain, isRecurring, type Period, type Plan } from "../../plan.ts";
import { faultOf } from "../../plan-faults.ts";
import { daysIn } from "../period/earlier.ts";
import { offHours, workHours } from "./bounds.ts";
import { factsOfRates, isGrouped, tellsWhy } from "./figures.ts";
import type { Piece } from "./piece.ts";
import { type Edge, mostListed, type Setting } from "./production.ts";
import { settled, theRest } from "./settle.ts";
import { type Groups, groupsOf, limitOf, oneUnit, timesOf, toOrder, withOrder } from "./slots.ts";

export interface Parsed {
  readonly plan: Plan;
  readonly notes: readonly string[];
  /** The phrases that it was read in. */
  readonly phrases?: readonly Edge[];
  /** Of a follow-up: false where it could as well be a question of its own. */
  readonly leans?: boolean;
}

/** What a reading that explains every word lacks to be a plan. */
export type Lack =
  /** What to measure, what to rank, or over which time. */
  | { readonly lacks: "figure" | "group" | "period"; readonly piece: Piece }
  | { readonly lacks: "sense"; readonly sentence: string };

/** Whether all figures are times themselves, which a bare bound may be of. */
const isOfTimes = ({ measures = [] }: Piece, { subject }: Setting): boolean =>
  measures.length > 0 && measures.every((name) => /^(?:seconds|ms)$/.test(measureOf(subject, name).unit));

/** What is left only where `settled` could make nothing of it. */
const unsettled = ["asRate", "rateToo", "bothEnds", "movedTo", "ownLimit"] as const;

/** The whole plan of what was said, or what it lacks; undefined where its parts contradict each other. */
export function complete(spoken: Piece, setting: Setting): Parsed | Lack | undefined {
  const notes: string[] = [];
  const said = settled(spoken, setting, notes);
  const { subject, zone } = setting;
  if (countsOthers(said, setting)) return { lacks: "sense", sentence: countsRequests(subject) };
  // What all of them are is no part of them.
  if (said.portion?.some((part) => said.filters?.some((whole) => excludes(part, whole)))) return undefined;
  if (excludesItself(said, setting)) return { lacks: "sense", sentence: noRecord(subject) };
  if (said.shown && (said.filters ?? said.anyOf ?? []).length === 0) return { lacks: "period", piece: said };
  if (said.single && said.asked !== undefined) return undefined;
  if (said.lists && said.single) return { lacks: "sense", sentence: listsOrCounts(subject) };
  // The top of those that lose could be either end.
  if (said.loses && said.direction !== undefined) return { lacks: "sense", sentence: eitherEnd };
  if (said.isFigure && !said.noun && !said.listing && said.measures === undefined) return undefined;
  if (said.often && (said.moves || said.changes)) return undefined;
  if (ofOneSide(said, setting)) return undefined;
  if (said.per !== undefined) return { lacks: "sense", sentence: undivided(said.per, subject) };
  if (said.heldTo !== undefined) return { lacks: "sense", sentence: unlike };
  if (unsettled.some((key) => said[key] !== undefined) || said.contrast === theRest) return undefined;
  // "P95 by webhook, those with more than 100 attempts": those may be the webhooks.
  if (said.measures?.includes("messages") && said.measures.length > 1 && said.groups && isOfAttempts(said))
    return undefined;
  // The part is shown, not how many there are in all.
  if (said.portion !== undefined && said.isCounted) return undefined;
  const isChange = said.moves || said.changes;
  if (said.isHeld && !isChange) return undefined;
  if (said.isRange && isChange && said.versus === undefined) return undefined;
  if (said.isCount && said.direction === undefined) return undefined;
  if (said.isOfEachWeek && (said.period?.from == null || daysIn(said.period) <= 1 || said.versus !== undefined))
    return undefined;
  if (said.isOfLength && !said.noun && isOfTimes(said, setting)) return undefined;
  // "Failed calls as a percentage of all calls from Texas".
  if (said.portion !== undefined && (said.measures?.length ?? 0) > 1) return undefined;
  // At work and not at work.
  if (said.anyOf?.includes(offHours) && workHours.every((each) => said.filters?.includes(each))) return undefined;
  if (said.unit !== undefined && !hasUnit(said, setting)) return undefined;
  if (/\bmin|\bhour/.test(said.unit ?? "")) notes.push("Times are read in that unit; in the table it is in seconds.");
  if (said.isAtWork) notes.push("I read business hours as Monday to Friday, 9 am to 5 pm.");
  const isLive = (said.measures ?? []).includes("live_calls") || said.filters?.some(({ field }) => field === "live");
  if (said.isNow && !isLive) return undefined;
  if (said.isMean && !(said.measures ?? []).some((name) => isMean(measureOf(subject, name)))) return undefined;
  if (said.those !== undefined && (said.leads || said.measures?.length !== said.those)) return undefined;
  const isOfFact = (said.filters ?? []).some(({ values }) => typeof values[0] === "boolean");
  if (said.besides && isOfFact && said.measures?.includes(subject.defaultMeasure)) return undefined;
  const times = timesOf(said, setting, notes);
  // What lies ahead has not happened.
  if (times?.period?.from != null && Date.parse(times.period.from) > setting.now)
    return { lacks: "sense", sentence: future(times.period) };
  const groups = times && groupsOf(said, setting, times, notes);
  if (times === undefined)
    return said.period == null ? { lacks: "period", piece: said } : { lacks: "sense", sentence: notHeld };
  if (groups === undefined) return { lacks: "sense", sentence: oneUnit(said.groups ?? []) };
  if (ofOneDay(times.period, groups.grain)) return { lacks: "sense", sentence: oneDay(times.period?.label ?? "") };
  // "That cost over $20 each".
  const isOfAmount = said.filters?.some(({ field }) => findQuantity(subject, field) !== undefined);
  if (said.ofEach && !isOfAmount && !isGrouped(groups)) return { lacks: "group", piece: said };
  const heads = said.heads ?? [];
  const besideHeads = [...groups.dimensions, ...(groups.grain === null ? [] : [groups.grain])].filter(
    (name) => !heads.includes(name) && !(name === "hour_of_day" && heads.includes("hour")),
  );
  if (heads.length > 0 && (said.having ?? []).length > 0 && besideHeads.length > 0)
    return { lacks: "sense", sentence: limitOfEach(heads, besideHeads, subject) };
  if (said.isBoth && countsParties(said, setting)) return { lacks: "sense", sentence: ofEither(subject) };
  // Groups without a condition are counted by a figure of their own.
  if (said.overGroups?.includes("count") && (said.having ?? []).length === 0) return undefined;
  const listing = said.listing === true;
  // "List calls with revenue" are no figures.
  if (said.lists && !listing && !isGrouped(groups)) return undefined;
  if (said.showsColumns && !listing) return undefined;
  if (said.isLatest && said.orderBy !== undefined) return { lacks: "sense", sentence: latestOnly(subject) };
  const figures = listing ? [] : figuresOf(said, setting, groups);
  if (figures === undefined) return { lacks: "figure", piece: said };
  if (listing && (isGrouped(groups) || said.measures !== undefined))
    return { lacks: "sense", sentence: listsOrCounts(subject) };
  const losing =
    said.loses && said.overGroups === undefined && groups.grain === null
      ? { by: "profit", direction: "asc" as const }
      : null;
  if (!saysHowMuch(said, { figures, subject, isMoved: times.compare !== null || times.running === "change" }))
    return { lacks: "figure", piece: said };
  const draft = {
    order: orderIn(said, subject) ?? losing,
    ofQuality: said.quality === true,
    listing,
    ...groups,
    filters: [...(said.filters ?? [])],
  };
  const measures = withOrder(figures, draft, subject);
  // "Our top 3 buyers and their margin": what they are the top of is not said.
  if (said.besides && said.ranked !== undefined && said.orderBy === undefined) return { lacks: "figure", piece: said };
  const isTime = said.orderBy === subject.time;
  if (listing && said.orderBy !== undefined && !isTime && findQuantity(subject, said.orderBy) === undefined)
    return { lacks: "sense", sentence: listsOrCounts(subject) };
  const ranked = toOrder(draft, measures, subject);
  const order = ranked && {
    ...ranked,
    ...(said.changes && { of: "difference" as const }),
    ...(said.only && { only: true as const }),
    ...(said.skip !== undefined && { skip: said.skip }),
  };
  if (draft.order !== null && order === null) return { lacks: "group", piece: said };
  // The limit of several groups counts the first one's.
  if (said.pairs && (groups.dimensions.length !== 2 || said.limit !== undefined)) return undefined;
  if (said.only && times.compare === null) return { lacks: "period", piece: said };
  const limit = said.pairs
    ? null
    : (said.limit ?? (said.skip === undefined ? undefined : 1) ?? (listing ? mostListed : limitOf(said)));
  const within = limit === null || listing ? null : limitPerOf(said, groups);
  const plan: Plan = {
    subject: subject.name,
    measures,
    dimensions: within === null ? rankedFirst(said, groups.dimensions) : groups.dimensions,
    grain: groups.grain,
    filters: [...(said.filters ?? []), ...(said.anyOf ?? [])],
    having: [...(said.having ?? [])],
    period: times.period,
    zone,
    compare: times.compare,
    order,
    limit,
    limit_per: within,
    columns: listing ? [...subject.listing] : [],
    share: said.share ?? false,
    portion: [...(said.portion ?? [])],
    running: times.running,
    running_over: said.runningOver ?? null,
    average_per: said.averagePer ?? null,
    over_groups: said.overGroups ?? [],
    chart: said.chart ?? null,
  };
  // "What share failed, and why": two questions.
  if (said.reasons && (said.share || said.portion !== undefined)) return undefined;
  if (said.reasons && !tellsWhy(plan, subject)) return undefined;
  const fault = faultOf(plan);
  return fault === undefined ? { plan, notes } : { lacks: "sense", sentence: fault };
}

/** The part is the whole, or nothing of it: both are of one field. */
const excludes = (part: Filter, whole: Filter): boolean =>
  isDeepStrictEqual(part, whole) || (part.field === whole.field && part.op === "is" && whole.op === "is");

const orderIn = ({ orderBy, direction, counts }: Piece, { defaultMeasure }: Subject) => {
  const by = counts?.isOwn && orderBy === defaultMeasure ? counts.measure : (orderBy ?? null);
  return by === null && direction === undefined ? null : { by, direction: direction ?? "desc" };
};

const future = ({ label }: Period): string =>
  `${capital(label)} lies in the future; I can only report on what has happened.`;
const noRecord = ({ noun }: Subject): string => `No ${noun.one} is both; I can show the two side by side.`;
const countsRequests = ({ noun }: Subject): string =>
  `I count ${noun.many} as they were sent, not what several of them came to; ask for the requests themselves.`;
/** "By week from October 5": a day that is named by its date has no weeks. */
const ofOneDay = (period: Period | null, grain: Groups["grain"]): boolean =>
  grain !== null && grain !== "hour" && !isRecurring(grain) && /^\d{4}-\d\d-\d\d$/.test(period?.label ?? "");
const oneDay = (day: string): string => `Of ${day} alone there is one row; say “since ${day}”, or until when.`;
const unlike =
  "I hold one figure of two things or two times against each other; I cannot tell which two of a kind are meant.";
const undivided = (per: string, subject: Subject): string =>
  `I have no such figure per ${measureOf(subject, per).words[0]}; ask for the two totals.`;
const notHeld = "I cannot hold those two periods against each other.";
const limitOfEach = (heads: readonly string[], others: readonly string[], subject: Subject): string => {
  const [each, beside] = [heads, others].map((names) => listOf(names.map((name) => labelOf(subject, name))));
  return `A limit holds for each row, so by ${each} and ${beside} it would be of the two together. Ask for each ${each} within the limit first, then for those by name.`;
};
const latestOnly = ({ noun }: Subject): string =>
  `I list the latest ${noun.many}, or those that rank highest; ask for one of the two.`;
const ofEither = ({ noun }: Subject): string =>
  `I can show ${noun.many} of either, or the two side by side, not who is among both.`;

/** "Callers of both": who is counted among the one and the other. */
const countsParties = ({ measures = [], groups = [], asked }: Piece, { subject }: Setting): boolean =>
  groups.includes("caller") ||
  (asked !== undefined && groups.includes("actor")) ||
  measures.some((name) => measureOf(subject, name).aggregate.kind === "distinct");
const eitherEnd = "The top of those that lose money could be either end; rank by the profit, highest or lowest first.";
const listsOrCounts = ({ noun }: Subject): string =>
  `I list single ${noun.many} or show figures of them, by groups or in all; ask for one of the two.`;

/** "Top 3 publishers per campaign": ranked within each. */
function limitPerOf({ ranked, among, each = [] }: Piece, { dimensions, grain }: Groups): string | null {
  // "The busiest hour" is one of the day.
  const isRanked = (name: string) => name === ranked || (ranked === "hour" && name === "hour_of_day");
  const others = [...dimensions, ...(grain === null ? [] : [grain])].filter((name) => !isRanked(name));
  const [within, more] = others;
  if (ranked === undefined || among || within === undefined || more !== undefined) return null;
  return each.includes(within) || !(isGrain(within) && !isRecurring(within)) ? within : null;
}

/** The limit counts values of the first dimension. */
const rankedFirst = ({ ranked }: Piece, dimensions: string[]): string[] =>
  ranked === undefined || !dimensions.includes(ranked)
    ? dimensions
    : [ranked, ...dimensions.filter((name) => name !== ranked)];

/** Conditions on how many attempts there were are of deliveries, which no group is. */
const countsOthers = ({ having = [] }: Piece, { subject }: Setting): boolean =>
  subject.name === "outgoing_webhook_requests" && having.some(({ field }) => field === subject.defaultMeasure);

/** "Timeouts, with the timeout rate": the rate of the timeouts alone would always be 100 %. */
const ofOneSide = ({ measures = [], filters = [] }: Piece, { subject }: Setting): boolean =>
  factsOfRates(subject, measures).some(
    (fact) =>
      (typeof fact.values[0] !== "boolean" || measures.length === 1) &&
      filters.some((each) => isDeepStrictEqual(each, fact)),
  );

/** "Connected" and "failed" at once hold of no record, said of all or of those that are counted. */
const excludesItself = ({ filters = [], measures = [] }: Piece, { subject }: Setting): boolean =>
  [...filters, ...measures.flatMap((name) => factCounted(subject, name) ?? [])].some(({ field, values }) => {
    const rival = subject.flags.find(({ name }) => name === field)?.rival;
    return filters.some(
      (other) =>
        (other.field === rival && values[0] === true && other.values[0] === true) ||
        (other.field === field && typeof values[0] === "boolean" && other.values[0] === !values[0]),
    );
  });

function figuresOf(said: Piece, { subject }: Setting, groups: Groups): readonly string[] | undefined {
  const ofReasons = countedReasons(said);
  if (ofReasons !== undefined && (said.measures ?? []).every((name) => name === subject.defaultMeasure))
    return [ofReasons];
  const isBeside = said.besides || (said.leads && said.alongside);
  const isOwn = said.noun && (isBeside || (said.isTally && !counts(said, subject)));
  const own = isOwn ? [subject.defaultMeasure] : [];
  if (said.measures !== undefined) return [...own, ...said.measures.filter((name) => !own.includes(name))];
  if (said.orderBy !== undefined && !said.noun) return [said.orderBy];
  const isWhole = said.noun || said.last !== undefined || said.portion !== undefined || isGrouped(groups);
  if (
    (said.better && said.spread === undefined && !(said.noun && said.moves)) ||
    (!isWhole && said.period === undefined)
  )
    return undefined;
  const conditions = [said.filters, said.anyOf, said.portion].flatMap((each) => each ?? []).length;
  const isVague = said.direction !== undefined && said.orderBy === undefined;
  if (isVague && (!said.noun || said.quality)) return undefined;
  const isOfRows = said.noun || conditions > 0 || (said.share === true && groups.dimensions.length > 0);
  return isOfRows ? [subject.defaultMeasure] : undefined;
}

/** "The most common no bid reason", "failure reasons by campaign". */
function countedReasons({ counts, noun, isTally, asked, direction, filters = [] }: Piece): string | undefined {
  const isOfFact = filters.some(({ values }) => typeof values[0] === "boolean");
  const isPlain = (noun !== true || isTally || asked !== undefined) && direction === undefined && !isOfFact;
  return counts !== undefined && (counts.isOwn || isPlain) ? counts.measure : undefined;
}

const unitsSaid = [/\bms|milli/, /\bsec|\bmin|\bhour/, /\bdollar/, /percent|%/] as const;
const units = ["ms", "seconds", "money", "percent"] as const;
/** Whether a figure is shown in the unit that is said. */
export function hasUnit({ unit = "", measures = [], moves, versus, share }: Piece, { subject }: Setting): boolean {
  const said = units[unitsSaid.findIndex((words) => words.test(unit))];
  const isPart = moves === true || share === true || versus !== undefined;
  return measures.some((name) => measureOf(subject, name).unit === said) || (said === "percent" && isPart);
}

/** "How many, and what did they cost": the cost is no number of them. */
const counts = ({ measures = [] }: Piece, subject: Subject): boolean =>
  measures.some((name) => ["count", "distinct", "repeats"].includes(measureOf(subject, name).aggregate.kind));

/** "How much": what is no number of records, or a part of them; "by how much": of what is held against another. */
function saysHowMuch(
  said: Piece,
  {
    figures,
    subject,
    isMoved,
  }: { readonly figures: readonly string[]; readonly subject: Subject; readonly isMoved: boolean },
): boolean {
  const isRanked = said.direction !== undefined;
  if (said.howMuch === undefined) return true;
  if (said.howMuch === "of the ranked") return isRanked;
  if (said.howMuch === "which of them") return isRanked || said.having !== undefined;
  if (said.howMuch === "difference") return isMoved || isRanked || said.having !== undefined;
  return (
    isMoved ||
    said.share ||
    said.portion !== undefined ||
    figures.some((name) => measureOf(subject, name).unit !== "count")
  );
}

const isOfAttempts = ({ filters = [] }: Piece): boolean =>
  filters.some(({ field, op }) => field === "attempt" && op !== "is");

export const isMean = ({ aggregate: { kind } }: Measure): boolean => kind === "average" || kind === "ratio";
