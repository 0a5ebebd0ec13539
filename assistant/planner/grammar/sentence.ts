import { isDeepStrictEqual } from "node:util";
import { findQuantity, grainWords, subjectOf } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import { capital, listOf } from "../../phrasing/figure.ts";
import { type Filter, type Grain, isGrain, isRecurring, type Period, type Plan } from "../../plan.ts";
import { faultOf } from "../../plan-faults.ts";
import { previousOf, samePart, yearEarlier } from "../period/earlier.ts";
import { trendGrain } from "../period/trend-grain.ts";
import { defaultTop, mostListed } from "../rules/draft.ts";
import { crossing } from "../rules/shape.ts";
import { toOrder, withOrder } from "../to-plan.ts";
import { tellsWhy } from "../why.ts";
import { createChart, type Terminals } from "./chart.ts";
import { grammar } from "./grammar.ts";
import { type Piece, unify } from "./piece.ts";
import type { Setting } from "./production.ts";
import { binOf } from "./spreads.ts";
import { throughout } from "./times.ts";

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

/** As far as some place of the question, what was said, in how many phrases, and which places were left over. */
interface Reading {
  readonly piece: Piece;
  readonly phrases: number;
  readonly left: readonly number[];
}

const mostReadings = 32;

/**
 * What a question is a row of, and how what it says is made a plan: undefined where it cannot be, "another" where it is
 * a question of another kind.
 */
export interface Start {
  readonly symbol: "phrase" | "edit";
  readonly complete: (said: Piece, setting: Setting) => Parsed | Lack | "another" | undefined;
}
export const question: Start = { symbol: "phrase", complete };

/** The plans of the readings that explain every word in the fewest phrases; none where no reading does. */
export function parse(places: readonly Terminals[], setting: Setting, start: Start = question): readonly Parsed[] {
  const readings = readingsOf(places, setting, start);
  for (const count of [...new Set(readings.map(({ phrases }) => phrases))].sort((a, b) => a - b)) {
    const found: Parsed[] = [];
    for (const { piece, phrases } of readings) {
      const parsed = phrases === count ? start.complete(piece, setting) : undefined;
      if (parsed === "another") return [];
      if (parsed !== undefined && "plan" in parsed && !found.some(({ plan }) => isDeepStrictEqual(plan, parsed.plan)))
        found.push(parsed);
    }
    if (found.length > 0) return fullest(telling(found));
  }
  return [];
}

/** "Facebook and Instagram utm_source": the word says what the names are of, where another reading groups by it. */
function telling(found: readonly Parsed[]): readonly Parsed[] {
  const isNamed = ({ plan }: Parsed, name: string) =>
    plan.filters.some(({ field, op }) => field === name && op === "is");
  const left = found.filter(
    (each) =>
      !each.plan.dimensions.some(
        (name) => isNamed(each, name) && found.some(({ plan }) => !plan.dimensions.includes(name)),
      ),
  );
  return left.length > 0 ? left : found;
}

/** Of readings that differ in this alone, the one that shows how many there are, too: "calls, cost and ROI". */
function fullest(found: readonly Parsed[]): readonly Parsed[] {
  const whole = found.find(({ plan: { measures, ...rest } }) =>
    found.every(
      ({ plan: { measures: others, ...other } }) =>
        others.every((name) => measures.includes(name)) &&
        measures.every((name) => others.includes(name) || name === subjectOf(rest.subject).defaultMeasure) &&
        isDeepStrictEqual(other, rest),
    ),
  );
  return whole === undefined ? found : [whole];
}

export interface Attempt {
  /** The places that the best reading leaves over. */
  readonly left: readonly number[];
  readonly plans: readonly Parsed[];
  readonly piece: Piece;
  readonly lack: Lack | undefined;
}

/** The reading that leaves the fewest words over: what they are, and the plans of the rest or what it lacks. */
export function attempt(places: readonly Terminals[], setting: Setting): Attempt {
  const readings = readingsOf(places, setting, { ...question, mayLeave: true });
  const [best] = readings;
  if (best === undefined) return { left: places.map((_, at) => at), plans: [], piece: {}, lack: undefined };
  const ways = readings
    .filter(({ left }) => left.length === best.left.length)
    .map((reading) => ({ ...reading, result: complete(reading.piece, setting) }));
  const whole = ways.filter(({ result }) => result !== undefined && "plan" in result);
  const { left, piece, phrases } = whole[0] ?? best;
  const same = ways.filter((way) => way.phrases === phrases && isDeepStrictEqual(way.left, left));
  const plans: Parsed[] = [];
  for (const { result } of same)
    if (result !== undefined && "plan" in result && !plans.some(({ plan }) => isDeepStrictEqual(plan, result.plan)))
      plans.push(result);
  const lack = same.map(({ result }) => result).find((result) => result !== undefined && "lacks" in result);
  return { left, plans, piece, lack: plans.length > 0 ? undefined : (lack as Lack | undefined) };
}

function readingsOf(
  places: readonly Terminals[],
  setting: Setting,
  { symbol, mayLeave = false }: Pick<Start, "symbol"> & { readonly mayLeave?: boolean },
): readonly Reading[] {
  const edgesOf = createChart(places, grammar, setting);
  const reached: Reading[][] = places.map(() => []);
  const end: Reading[] = [];
  reached[0]?.push({ piece: {}, phrases: 0, left: [] });
  places.forEach((place, at) => {
    const here = best(reached[at] ?? []);
    if (here.length === 0) return;
    if (isJoint(place, at, places[at + 1]))
      (reached[at + 1] ?? (place.has("','") || place.has("ALL") ? end : [])).push(...here);
    for (const { to, piece } of edgesOf(symbol, at)) {
      for (const reading of here) {
        const whole = unify(reading.piece, piece);
        if (whole !== undefined)
          (reached[to] ?? end).push({ piece: whole, phrases: reading.phrases + 1, left: reading.left });
      }
    }
    if (!mayLeave) return;
    for (const { left, ...reading } of here) (reached[at + 1] ?? end).push({ ...reading, left: [...left, at] });
  });
  return best(end);
}

/** What only joins two phrases; "all" says what is so anyway. "But" leads to a condition, "all but" to what is left out. */
export function isJoint(place: Terminals, at: number, next: Terminals | undefined): boolean {
  if (place.has("ALL")) return next?.has("BUT") !== true;
  if (place.has("BUT"))
    return at > 0 && ["NOT", "FOLLOW", "MORE_THAN", "LESS_THAN", "AT_LEAST", "AT_MOST"].some((kind) => next?.has(kind));
  return place.has("','") || (at > 0 && place.has("AND"));
}

/** Those that leave the least over, in the fewest phrases, each once. */
function best(readings: readonly Reading[]): readonly Reading[] {
  const known = new Map<string, Reading>();
  for (const reading of [...readings].sort((a, b) => a.left.length - b.left.length || a.phrases - b.phrases)) {
    const key = JSON.stringify(reading.piece);
    if (!known.has(key)) known.set(key, reading);
  }
  return [...known.values()].slice(0, mostReadings);
}

/** "Call 01a1…": all that is known of it. */
const wholeCall = (said: Piece, { subject }: Setting): Piece => {
  const isOne = subject.name === "calls" && said.filters?.some(({ field, op }) => field === "call" && op === "is");
  const isShaped = said.measures !== undefined || said.groups !== undefined || said.listing;
  if (!isOne || isShaped) return said;
  const { trend: _trend, ...call } = said;
  return { ...call, listing: true, limit: mostListed };
};

/** The whole plan of what was said, or what it lacks; undefined where its parts contradict each other. */
export function complete(spoken: Piece, setting: Setting): Parsed | Lack | undefined {
  const notes: string[] = [];
  const said = withBids(wholeCall(withReasons(spoken, setting), setting), setting, notes);
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
  const limit = said.limit ?? limitOf(said);
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

/** "Why": grouped by the reasons that such records have. */
function withReasons(said: Piece, { subject }: Setting): Piece {
  const reason = subject.dimensions.find(({ reasonOf }) => reasonOf !== undefined)?.name;
  const known = said.groups ?? [];
  return said.reasons && reason !== undefined && !known.includes(reason) ? { ...said, last: [reason] } : said;
}

/** What came to no bid, by the outcome that a question names. */
const bidless: Readonly<Record<string, string>> = {
  timeout: "timeouts",
  http_error: "http_errors",
  parse_error: "parse_errors",
};

/** "How many bids timed out": a bid that timed out is none; what is meant are the requests for one. */
function withBids(said: Piece, { subject }: Setting, notes: string[]): Piece {
  if (subject.name !== "outbound_rtb_requests" || !said.measures?.includes("bids")) return said;
  const isFailed = ({ field, values }: Filter) => field === "failed" && values[0] === true;
  const isBidless = ({ field, op, values: [outcome, other] }: Filter) =>
    field === "outcome" && op === "is" && other === undefined && bidless[String(outcome)] !== undefined;
  const cause = said.filters?.find((each) => isFailed(each) || isBidless(each));
  if (cause === undefined) return said;
  const name = isFailed(cause) ? "failed_pings" : (bidless[String(cause.values[0])] ?? "");
  notes.push("I counted the requests for a bid: one that failed has none.");
  return {
    ...said,
    measures: said.measures.map((each) => (each === "bids" ? name : each)),
    ...(said.orderBy === "bids" && { orderBy: name }),
    filters: (said.filters ?? []).filter((each) => each !== cause),
  };
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

/** "Which publisher has the most calls" and "the worst rate by publisher" ask for one, "which publishers" for several. */
const limitOf = ({ asked, direction, groups = [], isHighest }: Piece): number | null => {
  if (direction === undefined) return null;
  if (asked !== undefined) return asked === "one" ? 1 : defaultTop;
  return isHighest && groups.length > 0 ? 1 : null;
};

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

interface Groups {
  readonly dimensions: string[];
  readonly grain: Grain | null;
}

/** Two units of time cross where one recurs. The hour that is ranked is one of the day. */
export function groupsOf(
  said: Piece,
  setting: Setting,
  { grain: trend, period }: Times,
  notes: string[],
): Groups | undefined {
  const bin = binOf(said, setting);
  if (bin === undefined) return undefined;
  const compared = said.compares === true && said.versus === undefined ? severalIn(said) : [];
  const { subject } = setting;
  const reason = said.counts === undefined ? undefined : subject.dimensions.find(({ reasonOf }) => reasonOf)?.name;
  const first = (said.groups ?? []).filter((name) => name !== reason && !said.last?.includes(name));
  const all = [...(bin === null ? [] : [bin]), ...first, ...(said.groups ?? []), ...(said.last ?? []), ...compared];
  const names = [...new Set(all)].map((name) => (name === "hour" && isOfDay(said, period) ? "hour_of_day" : name));
  const readAsOfDay = () => notes.push("I read hour as hour of day.");
  if (names.includes("hour_of_day") && said.groups?.includes("hour")) readAsOfDay();
  const fields = names.filter((name) => !isGrain(name));
  const isFact = (name: string) => subject.flags.some((flag) => flag.name === name);
  const dimensions = [...fields.filter((name) => !isFact(name)), ...fields.filter(isFact)];
  const [main, across, more] = names.filter(isGrain);
  if (more !== undefined) return undefined;
  if (main === undefined || across === undefined) return { dimensions, grain: main ?? trend };
  const crossed = crossing(main, across) ?? crossing(across, main);
  if (crossed !== undefined && crossed.main !== main && crossed.main !== across) readAsOfDay();
  return crossed && { dimensions: [...dimensions, crossed.across], grain: crossed.main };
}

/** The fields of which several names are said. */
const severalIn = ({ filters = [] }: Piece): readonly string[] =>
  filters.filter(({ op, values }) => op === "is" && values.length > 1).map(({ field }) => field);

const dayMs = 86_400_000;
const isOfDay = (said: Piece, period: Period | null): boolean =>
  (said.asked !== undefined || (said.limit ?? limitOf(said)) !== null) &&
  !(period?.from != null && Date.parse(period.to) - Date.parse(period.from) <= dayMs);

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
  if (said.better || (!isWhole && said.period === undefined)) return undefined;
  const conditions = (said.filters?.length ?? 0) + (said.portion?.length ?? 0);
  const isVague = said.direction !== undefined && said.orderBy === undefined;
  if (isVague && (!said.noun || said.quality)) return undefined;
  const isOfRows = said.noun || conditions > 0 || (said.share === true && groups.dimensions.length > 0);
  return isOfRows ? [subject.defaultMeasure] : undefined;
}

/** "The most common no bid reason", "failure reasons by campaign". */
function countedReasons({ counts, noun, direction, filters = [] }: Piece): string | undefined {
  const isOfFact = filters.some(({ values }) => typeof values[0] === "boolean");
  const isPlain = noun !== true && direction === undefined && !isOfFact;
  return counts !== undefined && (counts.isOwn || isPlain) ? counts.measure : undefined;
}

interface Times {
  readonly period: Period | null;
  readonly compare: Period | null;
  readonly grain: Grain | null;
  readonly running: Plan["running"];
}

/** What the period is held against; a period that still runs with as much of the other one. */
export function timesOf(said: Piece, { now, zone }: Setting, notes: string[]): Times | undefined {
  const period = said.period ?? null;
  const { versus } = said;
  const isSeries = said.groups?.some((name) => isGrain(name) && !isRecurring(name)) === true;
  const isTrend = said.trend === true || said.running != null;
  const plain = { period, compare: null, grain: isTrend ? trendGrain(period) : null, running: said.running ?? null };
  switch (versus?.kind) {
    case undefined:
      if (said.moves && isSeries) return { ...plain, running: "change" };
      if (!said.changes && !said.moves) return plain;
      return period === null ? undefined : compared(plain, previousOf(period, zone));
    case "period": {
      if (period === null) return undefined;
      if (isDeepStrictEqual(bounds(period), bounds(versus.period)))
        return /^last \d/.test(period.label) ? compared(plain, previousOf(period, zone)) : undefined;
      const all = versus.isJoined && isSeries ? throughout(period, versus.period) : undefined;
      if (all !== undefined) return { ...plain, period: all };
      if (versus.isSame && Date.parse(period.to) !== now) return undefined;
      if (Date.parse(period.to) !== now) return { ...plain, compare: versus.period };
      const part = samePart(period, versus.period, zone);
      if (part !== versus.period)
        notes.push(
          `${capital(period.label)} is not over, so only the same part of ${versus.period.label} is compared.`,
        );
      return { ...plain, compare: part };
    }
    case "before":
      return period === null ? undefined : compared(plain, previousOf(period, zone));
    case "year before":
      return period === null ? undefined : compared(plain, yearEarlier(period, versus.unit, zone));
    case "over": {
      const { grain } = versus;
      if (grain === "year" && period !== null) return compared(plain, yearEarlier(period, "period", zone));
      const isOne = new RegExp(`^(last|this) ${grain}$|^yesterday$|^today$`).test(period?.label ?? "");
      if (isOne && period !== null && !isSeries) return compared(plain, previousOf(period, zone));
      return { ...plain, grain: isSeries ? null : (grain as Grain), running: "change" };
    }
  }
}

const bounds = ({ from, to }: Period) => [from, to];
const compared = (times: Times, compare: Period | null): Times | undefined =>
  compare === null ? undefined : { ...times, compare };
