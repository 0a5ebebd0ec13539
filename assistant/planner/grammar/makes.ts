import { isDeepStrictEqual } from "node:util";
import { findDimension, findFlag, findQuantity, measureOf, tagKey } from "../../catalog/catalog.ts";
import { countOf } from "../../catalog/fact-counted.ts";
import { alternatives, type Filter, type FilterOp, isGrain } from "../../plan.ts";
import { besideHours } from "./bounds.ts";
import { counting, statistic } from "./figures.ts";
import { both, type Piece, unifyAll, type Word } from "./piece.ts";
import { defaultTop, mostListed, type Setting } from "./production.ts";

/** "Top 5 publishers": as many as are said, else ten of several and the one that is asked for. */
export function ranked(_: Setting, end: Piece, count: Piece, name: Piece): Piece {
  const [group = ""] = name.groups ?? [];
  const limit = count.word?.number ?? (name.word?.isPlural && end.skip === undefined ? defaultTop : 1);
  return {
    ...end,
    ...(name.noun && { noun: true }),
    ...(group === "caller" && { noun: true as const }),
    groups: [group],
    ranked: group,
    limit,
    ...(name.counts && { counts: name.counts }),
  };
}

/** "The highest revenue": what is asked for is ranked by it. */
export const highest = (
  { subject }: Pick<Setting, "subject">,
  { orderBy: _orderBy, ...end }: Piece,
  figure: Piece | undefined,
): Piece | undefined => {
  const counted = figure && counting({ subject }, figure);
  const [by] = counted?.measures ?? [];
  // The best calls are not the most.
  const isVague = end.quality && (figure?.noun || by === subject.defaultMeasure);
  if (isVague) return { ...end, better: true, isHighest: true };
  return by === undefined ? undefined : both(end, counted, { orderBy: by, isHighest: true });
};

export const orderedBy = (setting: Setting, figures: Piece | undefined): Piece | undefined => {
  const counted = figures && counting(setting, figures);
  const [by] = counted?.measures ?? [];
  return by === undefined ? undefined : { ...counted, orderBy: by };
};

const quality = /\b(?:best|worst|poorest|weakest|strongest|performing)\b/;
const low = /\b(?:bottom|low|least|fewest|small|slim|thin|tini|quiet|cheap|asc|increasing|worst|poor|weak)/;
const high = /\b(?:top|high|most|larg|big|great|best|desc|decreasing)/;

/** "Top", "worst", "busiest", "lowest first". */
export function endOf({ subject }: Setting, { word }: Piece): Piece {
  const said = word?.said ?? "";
  // "Lowest to highest": the end that is said first.
  const isLow = low.test(said) && !high.test(said.slice(0, said.search(low)));
  const isBusy =
    /^(busiest|peak|(most|least) (used|popular)|most (active|common|frequent|often|of the time)|mostly|mainly|usually|main|primary|highest volume|commonest|quietest|least busy)/.test(
      said,
    );
  if (/^rank(ing of)?$/.test(said)) return {};
  return {
    direction: isLow ? "asc" : "desc",
    ...(quality.test(said) && { quality: true }),
    ...(isBusy && { orderBy: subject.defaultMeasure }),
  };
}

/** "Without a buyer", "unknown state", "with a promo code". */
export function none(op: "empty" | "not_empty", { groups: [field] = [] }: Piece): Piece | undefined {
  return field === undefined ? undefined : { filters: [{ field, op, values: [] }] };
}

export function containing({ groups: [field] = [] }: Piece, { word }: Piece): Piece | undefined {
  if (field === undefined || word?.said === undefined) return undefined;
  return { filters: [{ field, op: "contains", values: [word.said] }] };
}

/** "The tag update webhook" is of that type, "the CRM endpoint" the one that a webhook calls. */
const alsoOf: Readonly<Record<string, readonly string[]>> = { type: ["webhook"], webhook: ["path", "host"] };

/** "Campaign Acme", "the medicare campaigns": the name of that kind; of several things alike only where several are meant. */
export function ofKind({ groups: [kind] = [], word }: Piece, { filters: [filter] = [] }: Piece): Piece | undefined {
  const isOf = filter?.field === kind || alsoOf[filter?.field ?? ""]?.includes(kind ?? "");
  // "The caller or the target hang up first" is no name of theirs.
  if (filter === undefined || !isOf || /^(hang|hung|who )/.test(word?.said ?? "")) return undefined;
  return filter.values.length > 1 && !word?.isPlural ? undefined : { filters: [filter] };
}

/** Conditions of one list: names of one field are alternatives. */
export function either(...parts: readonly Piece[]): Piece | undefined {
  const filters: Filter[] = [];
  for (const filter of parts.flatMap((part) => part.filters ?? [])) {
    const at = filters.findIndex(({ field, op }) => field === filter.field && op === filter.op);
    const known = filters[at];
    if (known === undefined) filters.push(filter);
    else if (typeof filter.values[0] === "boolean") return undefined;
    else filters[at] = { ...known, values: [...new Set([...known.values, ...filter.values])] };
  }
  const [filter, other] = filters;
  if (filter === undefined || other !== undefined) return undefined;
  // "Pauses and resumes": so many of the one, so many of the other.
  const areDeeds = filter.field === "action" && parts.every(({ word }) => word?.isPlural);
  if (areDeeds) return { filters, last: [filter.field], word: { isPlural: true } };
  return parts.every(({ isFigure }) => isFigure) ? { filters, isFigure: true } : { filters };
}

/** "Failed or shorter than 10 seconds", "over 100 calls or over $1000": it is enough that one of them holds. */
export function anyOf({ subject }: Setting, one: Piece, other: Piece): Piece | undefined {
  const list = one.having === undefined ? "filters" : "having";
  const parts = [one, other].map(({ [list]: conditions = [], anyOf = [], word: _, ...rest }) => ({
    all: [...conditions, ...anyOf],
    rest,
  }));
  const [first, ...or] = parts.flatMap(({ all }) => (all.length === 1 ? all.flatMap(alternatives) : []));
  const besides = unifyAll(parts.map(({ rest }) => rest));
  const keys = Object.keys(besides ?? { none: true });
  const known = list === "having" ? ["measures", "groups"] : ["noun", "edit", "isOfLength"];
  if (first === undefined || parts.some(({ all }) => all.length !== 1) || !keys.every((key) => known.includes(key)))
    return undefined;
  // Names of one field and hours are one condition; a fact and its opposite are two sides.
  const isOfOne = [first, ...or].every(({ field, op }) => field === first.field && (op === "is" || isGrain(field)));
  const rival = findFlag(subject, first.field)?.rival;
  // "Without Texas or Florida" leaves both out.
  if (isOfOne || first.op === "is_not" || or.some(({ field }) => field === rival)) return undefined;
  return { ...besides, [list === "having" ? "having" : "anyOf"]: [{ ...first, or }] };
}

/** What is left when those within a bound are left out. */
export const opposites: Partial<Record<FilterOp, FilterOp>> = {
  more_than: "at_most",
  at_least: "less_than",
  less_than: "at_least",
  at_most: "more_than",
};

/** All of a list of what is excluded: none of the names, not the fact. */
export function negated(_: Setting, { word }: Piece, list: Piece): Piece | undefined {
  const filters: Filter[] = [];
  // "That didn't convert, Acme": what stands behind the verb is not denied with it.
  const isFactOf = ({ values }: Filter) => typeof values[0] === "boolean";
  if (/(n.?t|not|never)$/.test(word?.said ?? "") && list.filters?.some(isFactOf) && !list.filters.every(isFactOf))
    return undefined;
  for (const { field, op, values } of list.filters ?? []) {
    const isFact = typeof values[0] === "boolean";
    const at = filters.findIndex((each) => each.field === field);
    const known = filters[at];
    const inverse = opposites[op];
    if (inverse === undefined ? op !== "is" : known !== undefined) return undefined;
    if (inverse !== undefined) filters.push({ field, op: inverse, values });
    else if (isFact) filters.push({ field, op: "is", values: [!values[0]] });
    else if (known === undefined) filters.push({ field, op: "is_not", values });
    else filters[at] = { ...known, values: [...new Set([...known.values, ...values])] };
  }
  return { filters };
}

/** "List them", "show me the records", where "the last one" is one. */
export const isWhole = ({ word }: Piece): boolean => /^(list|show)|list$/.test(word?.said ?? "");

/** "The last 20 calls": as many as are said, else a hundred of several. */
export function listed(count: Piece, records: Piece, list: Piece = {}): Piece {
  const isMany = records.word?.isPlural || isWhole(list);
  const limit = count.word?.number ?? (isMany ? mostListed : 1);
  // The last 50 by revenue are not the 50 of the most revenue.
  const isLatest =
    count.word?.number !== undefined && /^(last|latest|most recent|newest|recent)/.test(list.word?.said ?? "last");
  return { ...withoutNoun(records), listing: true, limit, ...(isLatest && { isLatest: true as const }) };
}

const withoutNoun = ({ noun: _noun, word: _word, ...rest }: Piece): Piece => rest;

/** "The 5 longest calls". */
export function longest({ subject }: Setting, end: Piece, count: Piece, records: Piece): Piece | undefined {
  if (subject.length === null) return undefined;
  const limit = count.word?.number ?? (records.word?.isPlural ? defaultTop : 1);
  return { ...withoutNoun(records), ...speedEnd(end), listing: true, limit, orderBy: subject.length };
}

const ofPart = ["filters", "anyOf", "isAtWork", "noun", "word", "isOfLength", "isOfEachWeek", "isFigure"];
const ofWhole = [...ofPart, "period"];
const isMadeOf = (piece: Piece, keys: readonly string[]) => Object.keys(piece).every((key) => keys.includes(key));

/** "What percentage of failed calls were busy": the part that the second condition leaves of the first. */
export function portioned({ subject }: Setting, whole: Piece | undefined, part: Piece): Piece | undefined {
  const portion = [...(part.filters ?? []), ...(part.anyOf ?? [])];
  if (whole === undefined || portion.length === 0 || !isMadeOf(whole, ofWhole) || !isMadeOf(part, ofPart))
    return undefined;
  // "Whose failure reason was busy" says of which kind, not that there is one.
  if (whole.filters?.some(({ field, op }) => op === "not_empty" && portion.some((each) => each.field === field)))
    return undefined;
  const { filters, anyOf, period } = whole;
  const isAtWork = (whole.isAtWork ?? part.isAtWork) && { isAtWork: true as const };
  const known = { ...(filters && { filters }), ...(anyOf && { anyOf }), ...(period !== undefined && { period }) };
  return { ...known, ...isAtWork, measures: [subject.defaultMeasure], portion };
}

export const asWord = (piece: Piece | undefined, word: Word | undefined): Piece | undefined =>
  piece && { ...piece, ...(word && { word }) };

/** "Which publisher", "which campaigns": what is asked for. */
export function asked(_: Setting, dim: Piece): Piece {
  const { counts, word } = dim;
  // "Which number called" asks for a caller, where "which number was called" does not.
  const groups = word?.said === "number called" ? ["caller"] : (dim.groups ?? []);
  return { groups, asked: word?.isPlural ? "many" : "one", ...(counts && { counts }) };
}

/** "By converted": yes and no. */
export const factGroup = (_: Setting, { word }: Piece): Piece | undefined =>
  word?.flag === undefined ? undefined : { groups: [word.flag] };

/** How many there are of which a fact holds: "converted" of a list of figures. */
export function countOfFact({ subject }: Setting, { word, filters: [filter] = [] }: Piece): Piece | undefined {
  const name = word?.flag === undefined || filter === undefined ? undefined : countOf(subject, filter);
  return name === undefined ? undefined : { measures: [name] };
}

export const isCost = ({ word }: Piece): boolean => /^costs?( us)?$/.test(word?.said ?? "");

/** "Calls conversions revenue": a list without its commas; a count of some before a rate may be of those alone. */
export function row({ subject, isOpen = false }: Setting, one: Piece, others: Piece): Piece | undefined {
  // "How many calls do we pay publishers for" is no list.
  if (/^pa(y|id) .*publishers?$/.test(others.word?.said ?? "")) return undefined;
  // "What does a conversion cost" asks for the cost of one.
  if ((isCost(others) && isSingle(one)) || (isCost(one) && isSingle(others))) return undefined;
  // "What profit did we make", "how many calls did they make": no revenue.
  if (/^(makes?|made|making|earn|earned)$/.test(others.word?.said ?? "")) return undefined;
  if (one.noun) {
    if (!one.word?.isPlural) return undefined;
    return unifyAll([{ measures: [subject.defaultMeasure] }, withoutWord(others)]);
  }
  const [name = "", more] = one.measures ?? [];
  // "P95 webhook latency" is one figure.
  if (/^(p\d+|median)$/.test(one.word?.said ?? "")) return undefined;
  if (measureOf(subject, name).aggregate.kind === "distinct") return undefined;
  const isOfSome = subject.flags.some(({ measure, unmeasure }) => measure === name || unmeasure === name);
  // "What did duplicates cost us": of those alone.
  if (isOfSome && /^(costs?|paid|spent|earned|made)( us)?$/.test(others.word?.said ?? "")) return undefined;
  const isRate = (others.measures ?? []).some((each) => measureOf(subject, each).aggregate.kind === "ratio");
  const isLong = one.word?.said?.includes(" ");
  return more !== undefined || (isOfSome && !isOpen && (isRate || isLong))
    ? undefined
    : unifyAll([withoutWord(one), withoutWord(others)]);
}

const isSingle = ({ word }: Piece): boolean => word !== undefined && !word.isPlural;

/** "First attempt success rate": the rate of those alone, where it is open whether the two stand side by side. */
export const ofSome = ({ isOpen }: Setting, { filters }: Piece, figure: Piece): Piece | undefined =>
  (isOpen || isCost(figure)) && filters ? unifyAll([{ filters }, withoutWord(figure)]) : undefined;

const withoutWord = ({ word: _word, ...rest }: Piece): Piece => rest;

/** "Auctioned calls and their revenue": how many those are, and the revenue of those alone. */
export function ofThose({ subject }: Setting, those: Piece, figures: Piece): Piece | undefined {
  const filters = those.noun ? undefined : those.filters;
  const said = unifyAll([{ measures: [subject.defaultMeasure], ...(filters && { filters }) }, withoutWord(figures)]);
  return said && { ...said, ...(filters && { those: said.measures?.length ?? 0 }) };
}

/** "Zip 02108", "area code 212", "attempt 3": what is in no list is told by the word beside it. */
export function numbered(
  { subject }: Setting,
  { groups: [field = ""] = [] }: Piece,
  { word }: Piece,
): Piece | undefined {
  if (word?.number === undefined || !/\d/.test(word.said ?? "")) return undefined;
  const isQuantity = findQuantity(subject, field) !== undefined;
  const hasShape = findDimension(subject, field)?.shape !== undefined || tagKey(field) !== undefined;
  return isQuantity || hasShape
    ? { filters: [{ field, op: "is", values: [isQuantity ? word.number : (word.said ?? "")] }] }
    : undefined;
}

/** "Texas vs Florida". */
export function sideBySide(one: Piece, other: Piece): Piece | undefined {
  const filters = either(one, other)?.filters;
  const [filter] = filters ?? [];
  return filter && { filters: [filter], groups: [filter.field] };
}

/** "Accepted and refused": of a fact and its opposite the two counts, else grouped by which of the two. */
export function bothWays(setting: Setting, one: Piece, other: Piece): Piece | undefined {
  const flag = findFlag(setting.subject, one.word?.flag ?? "");
  const isSame = one.word?.flag === other.word?.flag;
  const holds = [one, other].map(({ filters: [filter] = [] }) => filter?.values[0] === true);
  const excludes = isSame ? holds[0] !== holds[1] : flag?.rival === other.word?.flag && holds[0] === holds[1];
  if (flag === undefined || !excludes) return undefined;
  const counts = [countOfFact(setting, one), countOfFact(setting, other)];
  const [first, second] = counts;
  const counted = first && second ? unifyAll([first, second]) : undefined;
  if (counted === undefined) return { noun: true, groups: [flag.name] };
  return { ...counted, contrast: flag.name };
}

/** "Because of what": the reasons of records that have some. */
export function reasons({ subject }: Setting): Piece | undefined {
  const reason = subject.dimensions.find(({ reasonOf }) => reasonOf !== undefined);
  return reason && { groups: [reason.name] };
}

/** "What do deliveries fail of": of a fact that has reasons. */
export function reasonsOf(setting: Setting, { filters = [] }: Piece): Piece | undefined {
  const [fact] = filters;
  const counted = fact && countOf(setting.subject, fact);
  const hasThem = setting.subject.dimensions.some(({ reasonOf }) =>
    reasonOf?.some(({ measure }) => measure === counted),
  );
  return hasThem ? both({ noun: true, filters }, reasons(setting)) : undefined;
}

/** "Without any conversions": of the group's figure. */
export function noneOf(setting: Setting, fact: Piece): Piece | undefined {
  const [name] = countOfFact(setting, fact)?.measures ?? [];
  return name === undefined ? undefined : { measures: [name], having: [{ field: name, op: "at_most", values: [0] }] };
}

/** "Answered in under 20 seconds": of how long it rang. */
export function answeredWithin({ subject }: Setting, fact: Piece, bounds: Piece): Piece | undefined {
  const isAnswered =
    subject.name === "calls" && fact.word?.flag === "connected" && fact.filters?.[0]?.values[0] === true;
  const [bound, other] = bounds.word?.bounds ?? [];
  if (!isAnswered || bound?.unit !== "seconds" || other !== undefined) return undefined;
  return { filters: [{ field: "wait_time", op: bound.op, values: [bound.value] }] };
}

/** "Updates", "deletions", "conversion postbacks": the records of that kind. */
export function deeds({ subject }: Setting, names: Piece): Piece | undefined {
  const field = names.filters?.[0]?.field ?? "";
  const isKind = names.word?.isPlural && findDimension(subject, field)?.values !== undefined;
  return (subject.name === "audit_logs" && field === "action") || isKind ? names : undefined;
}

/** "Weekends vs weekdays". */
export function kindsOfDay(one: Piece, other: Piece): Piece | undefined {
  const days = [one, other].map(({ filters: [filter] = [] }) => filter?.values.length);
  return days.includes(2) && days.includes(5) ? { groups: ["kind_of_day"] } : undefined;
}

/** Two names, two kinds of days, two times of day, or a fact and its opposite, side by side. */
export function held(one: Piece, other: Piece): Piece | undefined {
  const [side, rival] = [one.filters?.[0], other.filters?.[0]];
  if (side?.field === "hour_of_day") return rival?.field === side.field ? besideHours(one, other) : undefined;
  const isFact = typeof side?.values[0] === "boolean" && typeof rival?.values[0] === "boolean";
  if (isFact) return isDeepStrictEqual(side, rival) ? undefined : { groups: [side.field] };
  return kindsOfDay(one, other) ?? sideBySide(one, other);
}

/** "Calls with the highest payout", "top 10 calls by revenue". */
export function listedBy(
  { subject }: Setting,
  end: Piece,
  count: Piece,
  records: Piece,
  { word }: Piece,
): Piece | undefined {
  const number = findQuantity(subject, word?.quantity ?? "");
  const isMany = records.word?.isPlural || word?.isPlural;
  const limit = count.word?.number ?? (isMany ? defaultTop : 1);
  return number && { listing: true, limit, orderBy: number.name, direction: end.direction ?? "desc" };
}

/** "How many requests did we reject": what comes in is refused. */
export function rejected({ subject }: Setting): Piece | undefined {
  if (subject.name === "incoming_webhook_requests") return { filters: [{ field: "failed", op: "is", values: [true] }] };
  return subject.name === "inbound_rtb_requests"
    ? { filters: [{ field: "outcome", op: "is", values: ["refused"] }] }
    : undefined;
}

/** What is slow or fast: an answer to a request, a target that answers a call. */
export function speed(setting: Setting, as: Piece = {}): Piece | undefined {
  const { subject } = setting;
  if ((as.word?.statistic ?? "avg") !== "avg")
    return statistic(setting, as, {
      word: { quantity: subject.name === "calls" ? "wait_time" : (subject.length ?? "") },
    });
  const names = subject.name === "calls" ? ["avg_wait_time"] : ["avg_response_time", "avg_time"];
  const name = names.find((each) => subject.measures.some((measure) => measure.name === each));
  return name === undefined ? undefined : { measures: [name] };
}

/** "Earned $500 in payout": the verb says nothing of its own where a figure is said. */
export const isMaking = ({ word }: Piece): boolean =>
  /^(earn|earned|earns|made|make|makes|making|brought|brings?)$/.test(word?.said ?? "");

/** "What did Acme bring in": of calls the revenue. */
export const broughtIn = ({ subject }: Setting, who: Piece = {}): Piece | undefined =>
  subject.name === "calls" ? { ...who, measures: ["revenue"] } : undefined;

export const speedEnd = ({ word }: Piece): Piece => ({
  direction: /^(longest|slowest|lengthiest)/.test(word?.said ?? "") ? "desc" : "asc",
});
