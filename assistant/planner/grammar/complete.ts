import { isDeepStrictEqual } from "node:util";
import { findQuantity, grainWords, measureOf } from "../../catalog/catalog.ts";
import type { Measure, Subject } from "../../catalog/field.ts";
import { capital, listOf } from "../../phrasing/figure.ts";
import { isGrain, isRecurring, type Period, type Plan } from "../../plan.ts";
import { faultOf } from "../../plan-faults.ts";
import { tellsWhy } from "../why.ts";
import { toOrder, withOrder } from "./order.ts";
import type { Piece } from "./piece.ts";
import { mostListed, type Setting } from "./production.ts";
import { settled } from "./settle.ts";
import { type Groups, groupsOf, limitOf, timesOf } from "./slots.ts";

export interface Parsed {
  readonly plan: Plan;
  readonly notes: readonly string[];
  /** Of a follow-up: false where it could as well be a question of its own. */
  readonly leans?: boolean;
}

/** What a reading that explains every word lacks to be a plan. */
export type Lack =
  /** What to measure, what to rank, or over which time. */
  | { readonly lacks: "figure" | "group" | "period"; readonly piece: Piece }
  | { readonly lacks: "sense"; readonly sentence: string };

/** The whole plan of what was said, or what it lacks; undefined where its parts contradict each other. */
export function complete(spoken: Piece, setting: Setting): Parsed | Lack | undefined {
  const notes: string[] = [];
  const said = settled(spoken, setting, notes);
  const { subject, zone } = setting;
  if (countsOthers(said, setting)) return { lacks: "sense", sentence: countsRequests(subject) };
  // What all of them are is no part of them.
  if (said.portion?.some((part) => said.filters?.some((whole) => isDeepStrictEqual(part, whole)))) return undefined;
  if (excludesItself(said, setting)) return { lacks: "sense", sentence: noRecord(subject) };
  if (said.shown && (said.filters ?? []).length === 0) return { lacks: "period", piece: said };
  if (said.lists && said.single) return { lacks: "sense", sentence: listsOrCounts(subject) };
  // The top of those that lose could be either end.
  if (said.loses && said.direction !== undefined) return { lacks: "sense", sentence: eitherEnd };
  if (said.isFigure && !said.noun && !said.listing && said.measures === undefined) return undefined;
  if (said.often && (said.moves || said.changes)) return undefined;
  // The part is shown, not how many there are in all.
  if (said.portion !== undefined && said.isCounted) return undefined;
  const isChange = said.moves || said.changes;
  if (said.isHeld && !isChange) return undefined;
  if (said.isRange && isChange && said.versus === undefined) return undefined;
  if (said.isCount && said.direction === undefined) return undefined;
  if (said.unit !== undefined && !hasUnit(said, setting)) return undefined;
  if (/\bmin|\bhour/.test(said.unit ?? "")) notes.push("Times are read in that unit; in the table it is in seconds.");
  if (said.isNow && !(said.measures ?? []).some((name) => name.startsWith("live"))) return undefined;
  if (said.isMean && !(said.measures ?? []).some((name) => isMean(measureOf(subject, name)))) return undefined;
  if (said.those !== undefined && said.measures?.length !== said.those) return undefined;
  const isOfFact = (said.filters ?? []).some(({ values }) => typeof values[0] === "boolean");
  if (said.besides && isOfFact && said.measures?.includes(subject.defaultMeasure)) return undefined;
  const times = timesOf(said, setting, notes);
  // What lies ahead has not happened.
  if (times?.period?.from != null && Date.parse(times.period.from) > setting.now)
    return { lacks: "sense", sentence: future(times.period) };
  const groups = times && groupsOf(said, setting, times, notes);
  if (times === undefined)
    return said.period == null ? { lacks: "period", piece: said } : { lacks: "sense", sentence: notHeld };
  if (groups === undefined) return { lacks: "sense", sentence: oneUnit(said) };
  // Groups without a condition are counted by a figure of their own.
  if (said.overGroups?.includes("count") && (said.having ?? []).length === 0) return undefined;
  const listing = said.listing === true;
  const figures = listing ? [] : figuresOf(said, setting, groups);
  if (figures === undefined) return { lacks: "figure", piece: said };
  if (listing && (groups.dimensions.length > 0 || said.measures !== undefined))
    return { lacks: "sense", sentence: listsOrCounts(subject) };
  const losing = said.loses && groups.grain === null ? { by: "profit", direction: "asc" as const } : null;
  const draft = { order: orderIn(said, subject) ?? losing, ofQuality: said.quality === true, listing, ...groups };
  const measures = withOrder(figures, draft, subject);
  if (listing && said.orderBy !== undefined && findQuantity(subject, said.orderBy) === undefined)
    return { lacks: "sense", sentence: listsOrCounts(subject) };
  const ranked = toOrder(draft, measures, subject);
  const order = ranked !== null && said.changes ? { ...ranked, of: "difference" as const } : ranked;
  if (draft.order !== null && order === null) return { lacks: "group", piece: said };
  const limit = said.limit ?? (listing ? mostListed : limitOf(said));
  const within = limit === null || listing ? null : limitPerOf(said, groups);
  const plan: Plan = {
    subject: subject.name,
    measures,
    dimensions: within === null ? rankedFirst(said, groups.dimensions) : groups.dimensions,
    grain: groups.grain,
    filters: [...(said.filters ?? [])],
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
    average_per: said.averagePer ?? null,
    over_groups: said.overGroups ?? [],
    chart: said.chart ?? null,
  };
  if (said.reasons && !tellsWhy(plan)) return undefined;
  const fault = faultOf(plan);
  return fault === undefined ? { plan, notes } : { lacks: "sense", sentence: fault };
}

const orderIn = ({ orderBy, direction, counts }: Piece, { defaultMeasure }: Subject) => {
  const by = counts?.isOwn && orderBy === defaultMeasure ? counts.measure : (orderBy ?? null);
  return by === null && direction === undefined ? null : { by, direction: direction ?? "desc" };
};

const future = ({ label }: Period): string =>
  `${capital(label)} lies in the future; I can only report on what has happened.`;
const noRecord = ({ noun }: Subject): string => `No ${noun.one} is both; I can show the two side by side.`;
const countsRequests = ({ noun }: Subject): string =>
  `I count ${noun.many} as they were sent, not what several of them came to; ask for the requests themselves.`;
const notHeld = "I cannot hold those two periods against each other.";
const eitherEnd = "The top of those that lose money could be either end; rank by the profit, highest or lowest first.";
function oneUnit({ groups = [] }: Piece): string {
  const units = [...new Set(groups.filter(isGrain))].map((grain) => grainWords[grain]);
  return `I can group by one unit of time at a time, not by ${listOf(units)}.`;
}
const listsOrCounts = ({ noun }: Subject): string =>
  `I list single ${noun.many} or show figures of them, by groups or in all; ask for one of the two.`;

/** "Top 3 publishers per campaign": ranked within each. */
function limitPerOf({ ranked, among, each = [] }: Piece, { dimensions, grain }: Groups): string | null {
  const others = [...dimensions, ...(grain === null ? [] : [grain])].filter((name) => name !== ranked);
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

/** "Connected" and "failed" at once hold of no record. */
const excludesItself = ({ filters = [] }: Piece, { subject }: Setting): boolean =>
  filters.some(({ field, values }) => {
    const rival = subject.flags.find(({ name }) => name === field)?.rival;
    return values[0] === true && filters.some((other) => other.field === rival && other.values[0] === true);
  });

function figuresOf(said: Piece, { subject }: Setting, groups: Groups): readonly string[] | undefined {
  const ofReasons = countedReasons(said);
  if (ofReasons !== undefined && (said.measures ?? []).every((name) => name === subject.defaultMeasure))
    return [ofReasons];
  const own = said.noun && said.besides ? [subject.defaultMeasure] : [];
  const isCompared = said.sides && said.measures?.includes("converted_calls");
  if (isCompared) return [...new Set(["conversion_rate", ...(said.measures ?? [])])];
  if (said.measures !== undefined) return [...own, ...said.measures.filter((name) => !own.includes(name))];
  if (said.orderBy !== undefined && !said.noun) return [said.orderBy];
  const isWhole =
    said.noun ||
    said.last !== undefined ||
    said.portion !== undefined ||
    groups.dimensions.length > 0 ||
    groups.grain !== null;
  if ((said.better && said.spread === undefined) || (!isWhole && said.period === undefined)) return undefined;
  const conditions = (said.filters?.length ?? 0) + (said.portion?.length ?? 0);
  const isVague = said.direction !== undefined && said.orderBy === undefined;
  if (isVague && (!said.noun || said.quality)) return undefined;
  const isOfRows = said.noun || conditions > 0 || (said.share === true && groups.dimensions.length > 0);
  return isOfRows ? [subject.defaultMeasure] : undefined;
}

/** "The most common no bid reason", "failure reasons by campaign". */
function countedReasons({ counts, noun, isTally, direction, filters = [] }: Piece): string | undefined {
  const isOfFact = filters.some(({ values }) => typeof values[0] === "boolean");
  const isPlain = (noun !== true || isTally) && direction === undefined && !isOfFact;
  return counts !== undefined && (counts.isOwn || isPlain) ? counts.measure : undefined;
}

const unitsSaid = [/\bms|milli/, /\bsec|\bmin|\bhour/, /\bdollar/, /percent|%/] as const;
const units = ["ms", "seconds", "money", "percent"] as const;
/** Whether a figure is shown in the unit that is said. */
function hasUnit({ unit = "", measures = [], moves, versus, share }: Piece, { subject }: Setting): boolean {
  const said = units[unitsSaid.findIndex((words) => words.test(unit))];
  const isPart = moves === true || share === true || versus !== undefined;
  return measures.some((name) => measureOf(subject, name).unit === said) || (said === "percent" && isPart);
}

const isMean = ({ aggregate: { kind } }: Measure): boolean => kind === "average" || kind === "ratio";
