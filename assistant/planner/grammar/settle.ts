import { isDeepStrictEqual } from "node:util";
import { workdays } from "../../calendar.ts";
import { findDimension, findFlag, findMeasure, findQuantity, measureOf } from "../../catalog/catalog.ts";
import { countOf, factCounted } from "../../catalog/fact-counted.ts";
import { isLessBetter } from "../../catalog/less-is-better.ts";
import { alternatives, type Filter, isGrain } from "../../plan.ts";
import { ofGroups } from "./bounds.ts";
import { addsUp, distinct, divided, rateOf } from "./figures.ts";
import { held } from "./makes.ts";
import { type Moved, type Piece, unify } from "./piece.ts";
import { defaultTop, mostListed, type Setting } from "./production.ts";

/** What the words come to in the end, where several of them together say another thing than each by itself. */
export const settled = (spoken: Piece, setting: Setting, notes: string[]): Piece =>
  [
    liveNow,
    withOwnLimit,
    besideOther,
    eachOfAll,
    ownCount,
    wholeCall,
    withThings,
    withReasons,
    contrasted,
    asRates,
    withRate,
    rateOfThose,
    perUnit,
    withCount,
    shareOfSome,
    countOfRate,
    listedWhole,
    countedGroup,
    besideRest,
    movers,
    rankedWithin,
    firstFew,
    endToEnd,
  ].reduce((piece, settle) => settle(piece, setting), withBids(spoken, setting, notes));

/** "Calls by state, only over 20": of the one figure of each group. */
function withOwnLimit(said: Piece, setting: Setting): Piece {
  const { ownLimit: bounds, ...rest } = said;
  const [figure, other] = said.measures ?? (said.noun ? [setting.subject.defaultMeasure] : []);
  const isOfOne = figure !== undefined && other === undefined && !(said.noun && said.measures);
  if (bounds === undefined || !isOfOne || !said.groups?.length) return said;
  const limit = ofGroups(setting, { measures: [figure] }, { word: { bounds } });
  return (limit && unify(rest, limit)) ?? said;
}

/** "… on Mondays any better than it is on Fridays": each of the two by itself, or the one time against the other. */
function besideOther(said: Piece, { subject }: Setting): Piece {
  const { heldTo, moves: _moves, movedTo: _movedTo, ...rest } = said;
  const { measures, period, filters: [side] = [] } = heldTo ?? {};
  const own = said.measures ?? (said.noun ? [subject.defaultMeasure] : undefined);
  if (heldTo === undefined || (measures !== undefined && !isDeepStrictEqual(measures, own))) return said;
  if (period !== undefined)
    return said.period == null || said.versus
      ? said
      : { ...rest, ...(period && { versus: { kind: "period", period } }) };
  const fields = [side?.field, findFlag(subject, side?.field ?? "")?.rival];
  const sides = said.filters?.filter(({ field }) => fields.includes(field)) ?? [];
  const both = sides.length > 0 && held({ filters: sides }, heldTo);
  const filters = rest.filters?.filter((each) => !sides.includes(each)) ?? [];
  return (both && unify({ ...rest, filters }, both)) || said;
}

/** "Calls right now": those in progress. */
const liveNow = (said: Piece, { subject }: Setting): Piece => {
  const isOfCalls = said.noun === true && (said.measures ?? ["calls"]).every((name) => name === "calls");
  const isTimed = said.period !== undefined || said.versus !== undefined || said.listing;
  const isLive = said.filters?.some(({ field }) => field === "live");
  return said.isNow && subject.name === "calls" && isOfCalls && !isTimed && !isLive
    ? { ...said, measures: ["live_calls"] }
    : said;
};

/** "Call 01a1…": all that is known of it. */
const wholeCall = (said: Piece, { subject }: Setting): Piece => {
  const isOne = subject.name === "calls" && said.filters?.some(({ field, op }) => field === "call" && op === "is");
  const isShaped = said.measures !== undefined || said.groups !== undefined || said.listing;
  if (!isOne || isShaped) return said;
  const { trend: _trend, ...call } = said;
  return { ...call, listing: true, limit: mostListed };
};

/** "Revenue of converted vs unconverted calls": each of the two by itself. */
function contrasted(said: Piece, { subject }: Setting): Piece {
  const { contrast: named, measures = [], groups = [], ...rest } = said;
  if (named === theRest) {
    const counted = measures.map((name) => (name === subject.defaultMeasure ? undefined : factCounted(subject, name)));
    const conditions = [...(said.filters ?? []), ...counted.filter((each) => each != null)];
    const [fact, other] = conditions.filter(({ values }) => typeof values[0] === "boolean");
    if (fact === undefined || other !== undefined) return said;
    const figures = measures.filter((_, index) => counted[index] == null);
    const filters = said.filters?.filter((each) => each !== fact) ?? [];
    return {
      ...rest,
      ...(figures.length > 0 ? { measures: figures } : { noun: true }),
      filters,
      groups: [...groups, fact.field],
    };
  }
  const contrast = named;
  const flag = subject.flags.find(({ name }) => name === contrast);
  const rival = subject.flags.find(({ name }) => name === flag?.rival);
  const counts = [flag?.measure, flag?.unmeasure, rival?.measure];
  const others = measures.filter((name) => !counts.includes(name));
  if (flag === undefined || others.length === 0) return said;
  return { ...rest, measures: others, groups: [...groups, flag.name] };
}

/** "How many failed, and the failure rate": of the failed alone the rate would say nothing. */
function countOfRate(said: Piece, { subject }: Setting): Piece {
  const { measures = [], filters = [] } = said;
  const fact = filters.find((each) => {
    const rate = rateOf(subject, countOf(subject, each) ?? "");
    return rate !== undefined && measures.includes(rate);
  });
  const count = fact && countOf(subject, fact);
  if (
    fact === undefined ||
    count === undefined ||
    !(said.isGoingOn || said.isTally || measures.includes(subject.defaultMeasure))
  )
    return said;
  const counted = said.isTally && !measures.includes(subject.defaultMeasure) ? [count] : [];
  const figures = [...counted, ...measures.map((name) => (name === subject.defaultMeasure ? count : name))];
  return { ...said, measures: figures, filters: filters.filter((each) => each !== fact) };
}

/** "From people, from the API key and from the system": all of a closed list bar nothing, so they are groups. */
function eachOfAll(said: Piece, { subject }: Setting): Piece {
  const all = (said.filters ?? []).find(({ field, op, values }) => {
    const known = findDimension(subject, field)?.values ?? [];
    return op === "is" && known.length > 2 && known.every(({ value }) => values.includes(value));
  });
  return all === undefined ? said : { ...said, groups: [...new Set([...(said.groups ?? []), all.field])] };
}

/** Where the plain count leaves records out, those of which a fact holds are counted by the fact's own figure. */
function ownCount(said: Piece, { subject }: Setting): Piece {
  const { measures = [subject.defaultMeasure], filters = [], noun } = said;
  // "How many deliveries needed 3 attempts": the deliveries, not the attempts.
  if (measures.length === 2 && measures.includes(subject.defaultMeasure) && measures.includes("messages"))
    return { ...said, measures: ["messages"] };
  const all = subject.measures.find(({ name }) => name === subject.defaultMeasure)?.aggregate;
  const isPartial = all?.kind === "count" && all.where !== undefined;
  const [fact, other] = filters.filter(({ values }) => values[0] === true);
  const own = subject.flags.find(({ name }) => name === fact?.field)?.measure;
  const isPlain = noun === true && measures.length === 1 && measures[0] === subject.defaultMeasure && !said.listing;
  if (!isPartial || !isPlain || own === undefined || other !== undefined || said.portion !== undefined) return said;
  return {
    ...said,
    measures: [own],
    filters: filters.filter((each) => each !== fact),
    ...(said.orderBy === subject.defaultMeasure && { orderBy: own }),
  };
}

/** "Times out most, as a rate": the rate of what is counted or limited to. */
function asRates({ asRate: asked, ...said }: Piece, { subject }: Setting): Piece {
  // "Missed calls by target in percent".
  const isOfCounts = said.measures?.every((name) => findMeasure(subject, name)?.unit !== "percent");
  const isPart = said.share || said.moves || said.versus !== undefined || said.portion !== undefined;
  const isRate = said.unit === "percent" && said.groups !== undefined && isOfCounts && !isPart;
  const asRate = asked ?? (isRate ? "of all" : undefined);
  if (asRate === undefined) return said;
  const { measures = [], filters = [], groups = [], anyOf = [], ...rest } = said;
  const counts = measures.filter((name) => name !== subject.defaultMeasure);
  const fact = filters.find((each) => countOf(subject, each) !== undefined);
  const count = counts[0] ?? (fact && countOf(subject, fact));
  // Each reason's part of those that failed: the rate of it would be all.
  const isOfReasons = subject.dimensions.some(
    ({ name, reasonOf }) => groups.includes(name) && reasonOf?.some(({ measure }) => measure === count),
  );
  if (asRate === "of all" && isOfReasons) return { ...said, share: true };
  const rate = rateOf(subject, count ?? "");
  // "Delivered on the first try, as a percentage of all attempts": the part that both leave of all.
  const facts = filters.filter(({ values: [value] }) => typeof value === "boolean");
  const counted = counts[0] === undefined ? undefined : factCounted(subject, counts[0]);
  const parts = counted === undefined ? facts : [counted, ...facts];
  if (asRate === "of all" && parts.length > 1 && counts.length < 2 && (counts.length === 0 || counted !== undefined))
    return {
      ...said,
      measures: [subject.defaultMeasure],
      filters: filters.filter((each) => !facts.includes(each)),
      portion: [...parts],
    };
  if (rate === undefined || counts.length > 1) {
    // "Short calls by publisher as a percentage of their calls": what the conditions leave of the whole.
    const isWhole = ({ field }: Filter) =>
      asRate === "of theirs" && subject.dimensions.some(({ name }) => name === field);
    const portion = [...filters.filter((each) => !isWhole(each)), ...anyOf];
    const isPart = portion.length > 0 && counts.length < 2 && (groups.length === 0 || asRate === "of theirs");
    const figure = counts[0] ?? subject.defaultMeasure;
    if (isPart && addsUp(measureOf(subject, figure)))
      return { ...rest, groups, measures: [figure], filters: filters.filter(isWhole), portion };
    return count === undefined && asRate === "of all" ? { ...said, share: true } : { ...said, asRate };
  }
  return {
    ...said,
    measures: [rate],
    ...(said.orderBy !== undefined && { orderBy: rate }),
    filters: counts.length > 0 ? filters : filters.filter((each) => each !== fact),
  };
}

/** "How many duplicates …, and what percentage of the calls is that": the rate beside the count, or the part of all. */
function withRate({ rateToo, ...said }: Piece, { subject }: Setting): Piece {
  if (!rateToo) return said;
  const { measures = [], filters = [] } = said;
  const counts = measures.filter((name) => name !== subject.defaultMeasure);
  const rate = rateOf(subject, counts[0] ?? "");
  if (rate !== undefined && counts.length === 1) return { ...said, measures: [...counts, rate] };
  const [part, other] = filters;
  return counts.length === 0 && part !== undefined && other === undefined
    ? { ...said, measures: [subject.defaultMeasure], filters: [], portion: [part] }
    : { ...said, rateToo };
}

/** "Connected calls by buyer and what share of those converted": how many those are, and the rate among them. */
function rateOfThose(said: Piece, { subject }: Setting): Piece {
  const { measures = [], those, filters = [] } = said;
  const [counted = "", all, rate = ""] = measures;
  const isRate = those === 2 && all === subject.defaultMeasure && findMeasure(subject, rate)?.unit === "percent";
  const fact = isRate ? factCounted(subject, counted) : undefined;
  return fact === undefined ? said : { ...said, measures: measures.slice(1), filters: [...filters, fact] };
}

/** "What did Acme earn last month per connected minute": each figure divided by that. */
function perUnit({ per, ...said }: Piece, setting: Setting): Piece {
  if (per === undefined) return said;
  const known = (name: string) => divided(setting, { measures: [name] }, { measures: [per] })?.measures?.[0];
  const measures = (said.measures ?? []).flatMap((name) => known(name) ?? []);
  if (measures.length === 0 || measures.length !== said.measures?.length) return { ...said, per };
  const having = said.having?.map((each) => ({ ...each, field: known(each.field) ?? each.field }));
  const by = said.orderBy === undefined ? undefined : known(said.orderBy);
  return { ...said, measures, ...(having && { having }), ...(by !== undefined && { orderBy: by }) };
}

/** "Share of weekend calls last month", without groups: the part of all. */
function shareOfSome(said: Piece, { subject }: Setting): Piece {
  const { share, isCounted: _, filters = [], measures = [subject.defaultMeasure], groups = [], ...rest } = said;
  const isPlain = groups.length === 0 && !said.trend && said.portion === undefined && said.direction === undefined;
  const [name = "", more] = measures;
  if (!share || !isPlain || filters.length !== 1 || more !== undefined || !addsUp(measureOf(subject, name)))
    return said;
  return { ...rest, measures, portion: filters };
}

/** "What percentage converted, and how many calls were there": the rate beside the count. */
function withCount(said: Piece, { subject }: Setting): Piece {
  const { portion, measures = [], ...rest } = said;
  const [part, other] = portion ?? [];
  const rate = rateOf(subject, (part && countOf(subject, part)) ?? "");
  if (!said.isCounted || rate === undefined || other !== undefined) return said;
  return { ...rest, measures: [...measures, rate] };
}

/** "Calls by state, the first ten": the highest, of what has no order of its own. */
const firstFew = (said: Piece): Piece =>
  said.isCount && said.direction === undefined && said.groups?.every((name) => !isGrain(name))
    ? { ...said, direction: "desc" }
    : said;

/** "Which brings in the most, and which the least": all of them, in order. */
function endToEnd({ bothEnds, ...said }: Piece): Piece {
  if (!bothEnds) return said;
  // "The top 5, all of them".
  const isFew = bothEnds === "of all" && ![undefined, 1, defaultTop, mostListed].includes(said.limit);
  if (isFew || (bothEnds === "said" && said.direction === undefined)) return { ...said, bothEnds };
  const { limit: _limit, asked: _asked, ranked: _ranked, isHighest: _isHighest, ...rest } = said;
  return rest;
}

/** "How many publishers sent us traffic": without a bound they are a figure of the catalog, of the records that are counted. */
function countedGroup(said: Piece, setting: Setting): Piece {
  const { groups: [group, other] = [], measures = [], having = [], overGroups, ...rest } = said;
  const isCount = overGroups?.length === 1 && overGroups[0] === "count" && having.length === 0;
  const found =
    isCount && group !== undefined && other === undefined ? distinct(setting, { groups: [group] }) : undefined;
  const { subject } = setting;
  const facts = measures.map((name) => (name === subject.defaultMeasure ? null : factCounted(subject, name)));
  // "Webhooks" are what is counted as often as what sends it.
  const isNoun = subject.words.some((word) => word.split(" ").includes(group ?? ""));
  if (found === undefined || isNoun || facts.includes(undefined)) return said;
  const filters = [...(said.filters ?? []), ...facts.filter((fact) => fact != null)];
  return { ...rest, ...found, ...(filters.length > 0 && { filters }) };
}

/** "Is the conversion rate better on weekends": than on the other days. */
function besideRest(said: Piece): Piece {
  const { filters = [], groups = [], better, movedTo, versus, moves } = said;
  const when = filters.find(({ field, op }) => (field === "day_of_week" || field === "part_of_day") && op === "is");
  if (!better || movedTo === undefined || when === undefined || versus !== undefined || moves || groups.some(isGrain))
    return said;
  const isKind = when.values.length === 7 - workdays || when.values.length === workdays;
  const group = when.field === "part_of_day" ? when.field : isKind ? "kind_of_day" : "day_of_week";
  const { compares: _compares, movedTo: _movedTo, ...rest } = said;
  return { ...rest, filters: filters.filter((each) => each !== when), groups: [group, ...groups] };
}

/** "Which converts better, Acme or Best"; "more missed than answered calls by target" are a bound. */
const isSideBySide = ({ groups, contrast, filters }: Piece, movedTo: Moved): boolean =>
  groups?.includes("kind_of_day") ||
  filters?.some(({ values }) => values.length > 1) ||
  (movedTo === "better" || movedTo === "worse" ? groups !== undefined : groups === undefined && contrast !== undefined);

/** "Which publishers dropped": those alone, the furthest first; of no groups it is how the figure moved. */
function movers({ movedTo, ...said }: Piece, { subject }: Setting): Piece {
  if (movedTo === undefined) return said;
  const isHeld = said.versus !== undefined;
  if (said.asked === undefined || said.listing || said.changes)
    return said.moves || isHeld || (said.better && isSideBySide(said, movedTo)) ? said : { ...said, movedTo };
  // Of groups that are held against each other, not against another time.
  if (said.better && !isHeld) return said;
  if (said.direction !== undefined || !(said.moves || isHeld)) return { ...said, movedTo };
  const [by = said.noun ? subject.defaultMeasure : undefined, other] = said.measures ?? [];
  if (other !== undefined) return { ...said, movedTo };
  const isUp = by !== undefined && isLessBetter(subject.name, by) ? movedTo === "worse" : movedTo === "better";
  const { asked: _asked, better: _better, ...rest } = said;
  return {
    ...rest,
    changes: true,
    only: true,
    direction: isUp || movedTo === "up" ? "desc" : "asc",
    ...(by !== undefined && { measures: [by], orderBy: by }),
  };
}

/** "For each campaign, which publisher had the most calls": ranked within each campaign. */
function rankedWithin(said: Piece): Piece {
  const { ranked, asked, each = [], groups = [], direction } = said;
  const [main, other] = groups.filter((name) => !each.includes(name));
  if (ranked !== undefined || asked === undefined || direction === undefined || each.length !== 1) return said;
  return main === undefined || other !== undefined ? said : { ...said, ranked: main };
}

/** Of single records what is asked for is shown, and a bound is of each. */
function listedWhole(said: Piece, { subject }: Setting): Piece {
  const { groups = [], having = [], measures = [], asked, orderBy } = said;
  if (!said.listing) return said;
  // "Highest revenue first": what each of them has of it.
  const isOrdered = orderBy !== undefined && measures.length === 1 && measures[0] === orderBy && having.length === 0;
  if (isOrdered && findQuantity(subject, orderBy) !== undefined) {
    const { measures: _, isHighest: _isHighest, ...listed } = said;
    return listedWhole(listed, { subject } as Setting);
  }
  const quantities = having.flatMap(alternatives).map(({ field }) => findQuantity(subject, field)?.name);
  const areOfEach = having.length > 0 && quantities.every((name) => name !== undefined);
  const { groups: _groups, asked: _asked, ...ungrouped } = said;
  const isColumn = (name: string) =>
    (findDimension(subject, name)?.column ?? name).split(/\W+/).some((column) => subject.listing.includes(column));
  const isShown = asked !== undefined && groups.every(isColumn);
  const left = isShown ? ungrouped : said;
  if (!areOfEach) return left;
  const { having: _having, measures: _measures, ...plain } = left;
  const others = measures.filter((name) => !having.some(({ field }) => field === name));
  return {
    ...plain,
    filters: [...(said.filters ?? []), ...having],
    ...(others.length > 0 && { measures: others }),
  };
}

/** "What got deleted": by the things, unless they are listed or grouped otherwise. */
const withThings = (said: Piece): Piece =>
  said.things && !said.listing && !said.groups?.some((name) => name !== "actor")
    ? { ...said, groups: [...(said.groups ?? []), "entity"] }
    : said;

/** "Compared with those that were not": the other side of the one fact that is said. */
export const theRest = "the rest";

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
