import { isDeepStrictEqual } from "node:util";
import { findQuantity, measureOf, subjectOf } from "../../catalog/catalog.ts";
import { factCounted } from "../../catalog/fact-counted.ts";
import { capital } from "../../phrasing/figure.ts";
import { measureLabel } from "../../phrasing/scope.ts";
import type { Filter, Plan } from "../../plan.ts";
import { faultOf } from "../../plan-faults.ts";
import { complete, hasUnit, isMean, type Parsed } from "./complete.ts";
import {
  boundsKept,
  carry,
  crossed,
  type Editing,
  filtersAfter,
  groupsAfter,
  isNounAlone,
  measuresAfter,
  none,
  orderAfter,
  periodAfter,
  portionAfter,
  type Unfit,
} from "./edited-slots.ts";
import { addsUp, factsOfRates, isGrouped, rateOf } from "./figures.ts";
import type { Edit, Piece } from "./piece.ts";
import { mostListed, type Setting } from "./production.ts";
import { groupsOf, limitOf, timesOf, toOrder, withOrder } from "./slots.ts";

/**
 * The next plan: that of the answer before with the edit applied. "another" where the question is one of its own,
 * undefined where the answer before has nothing that the edit could be of.
 */
export function applyEdit(piece: Piece, setting: Setting): Parsed | Unfit | "another" | undefined {
  const { previous } = setting;
  if (previous === undefined) return undefined;
  const { edit = {}, anyOf = [], ...stated } = piece;
  const all = anyOf.length === 0 ? stated : { ...stated, filters: [...(stated.filters ?? []), ...anyOf] };
  // "Only pauses and resumes" are not grouped by.
  const { last: _last, ...narrowed } = all;
  const said = sorted(edit.narrows && all.groups === undefined ? narrowed : all, setting);
  if (edit.asks !== undefined) return { unfit: edit.asks.sentence, options: edit.asks.options };
  if (edit.subject !== undefined) return carried(previous, said, edit);
  // "How long were they on average": the mean of that, not of what was shown before.
  if (edit.ofBefore && previous.measures.length < (said.measures?.length ?? 0)) return undefined;
  if (edit.thatPeriod && said.measures !== undefined && said.groups !== undefined) return whole(said, setting);
  if (edit.thatPeriod && Object.keys(said).length === 1) return undefined;
  if (said.listing && !edit.instead && !edit.goesOn) return undefined;
  if (!said.listing && isOwn(said, edit, setting)) return "another";
  if (aloneOnly.some((key) => said[key] !== undefined && (key !== "moves" || said.versus === undefined)))
    return undefined;
  if (said.compares && Object.keys(said).length === 1 && edit.more === undefined) return undefined;
  if (saysNothing(said, edit) || (said.better && said.measures === undefined)) return undefined;
  if (mayBeOfGroups(said, setting))
    return {
      unfit: `Is that asked of each group, or of each of the ${setting.subject.noun.many}? Please ask it as a whole question.`,
    };
  if (edit.those === "listed" || said.listing) return relisted(said, edit, setting);
  const notes: string[] = [];
  const groups = groupsOf(
    { ...said, groups: [...(said.groups ?? []), ...(edit.more?.groups ?? [])] },
    setting,
    none,
    notes,
  );
  if (groups === undefined) return crossed(said.groups ?? []);
  const regroups = isGrouped(groups);
  const editing = { ...setting, previous, said, edit, more: edit.more ?? {}, groups, regroups };
  const plan = next(editing, notes);
  if (plan === undefined || "unfit" in plan) return plan;
  if (plan.period?.from != null && Date.parse(plan.period.from) > setting.now)
    return { unfit: `${plan.period.label} lies in the future; I can only report on what has happened.` };
  if (!isAsSaid(said, plan, setting)) return undefined;
  const leans = Object.keys(edit).length > 0 || said.groups === undefined || said.period === undefined;
  return checked(plan, { notes, leans });
}

/** "Sort by revenue", behind a list that is whole: by what each of the records has of it. */
function sorted({ measures, isTally, ...said }: Piece, { previous, subject }: Setting): Piece {
  const isOrder = measures?.length === 1 && measures[0] === said.orderBy && previous?.limit === mostListed;
  const isOfEach = isOrder && previous.columns.length > 0 && findQuantity(subject, said.orderBy ?? "") !== undefined;
  return isOfEach ? said : { ...said, ...(measures && { measures }), ...(isTally && { isTally }) };
}

/** "In ms", "on average": of a figure that is one. */
const isAsSaid = (said: Piece, { measures, share, compare }: Plan, setting: Setting): boolean =>
  (said.unit === undefined || share || compare !== null || hasUnit({ ...said, measures }, setting)) &&
  (!said.isMean || measures.some((name) => isMean(measureOf(setting.subject, name))));

/** What says something of a question of its own alone. */
const aloneOnly = [
  "reasons",
  "those",
  "lists",
  "single",
  "besides",
  "moves",
  "often",
  "isCount",

  "showsColumns",
] as const;

const checked = (plan: Plan, { notes = [], leans = true }: Partial<Parsed>): Parsed | Unfit => {
  const unfit = faultOf(plan);
  return unfit === undefined ? { plan, notes, leans } : { unfit };
};

function whole(said: Piece, setting: Setting): Parsed | undefined {
  const parsed = complete(said, setting);
  return parsed !== undefined && "plan" in parsed ? { ...parsed, leans: true } : undefined;
}

function next(editing: Editing, notes: string[]): Plan | Unfit | undefined {
  const { previous, said, edit, subject, zone, regroups } = editing;
  const groups = groupsAfter(editing);
  const period = periodAfter(editing);
  if (groups === undefined || "unfit" in groups) return groups;
  if (period !== null && "unfit" in period) return period;
  const isOfSome = previous.having.length > 0 || (previous.limit !== null && previous.columns.length === 0);
  if (edit.ofShown && isOfSome && said.period !== undefined && said.having === undefined) return { unfit: ofOtherTime };
  const times = timesOf(
    {
      ...said,
      groups: [...groups.dimensions, ...(groups.grain === null ? [] : [groups.grain])],
      ...(period && { period }),
    },
    editing,
    notes,
  );
  if (times === undefined) return undefined;
  const rows = previous.columns.length > 0;
  const listing =
    rows &&
    !regroups &&
    !isNounAlone(editing) &&
    said.measures === undefined &&
    !said.share &&
    edit.those === undefined;
  const order = orderAfter(editing);
  const after = filtersAfter(editing);
  const draft = { order, ofQuality: said.quality === true, listing, ...groups, filters: after };
  const measures = listing ? [] : withOrder(measuresAfter(editing), draft, subject);
  if (measures.length === 0 && !listing) return undefined;
  const doubt = ofThoseOrAll(editing, after, measures);
  if (doubt !== undefined) return doubt;
  const kept = previous.order !== null && (listing || measures.includes(previous.order.by)) ? previous.order : null;
  const ranked = toOrder(draft, measures, subject);
  if (order !== null && ranked === null) return undefined;
  const compare =
    said.versus !== undefined
      ? times.compare
      : said.period === undefined && edit.movesBack === undefined && said.running == null
        ? previous.compare
        : null;
  const [by = "", more] = measures;
  const isMoved = edit.moved !== undefined;
  if (isMoved && (compare === null || more !== undefined || groups.dimensions.length === 0)) return undefined;
  const isSame = ranked !== null && previous.order?.by === ranked.by && previous.order.direction === ranked.direction;
  const behind = ranked && { ...(isSame && previous.order), ...ranked, skip: said.skip };
  const isShaped =
    said.direction !== undefined || said.orderBy !== undefined || said.limit !== undefined || said.versus !== undefined;
  const isPart = said.share === true || said.portion !== undefined || said.running != null || said.averagePer != null;
  const drops = (what: "groups" | "bounds" | "shares" | "limit") => edit.drops?.includes(what) === true;
  const plain = drops("shares") || drops("groups");
  const isTotal = (name: string) => addsUp(measureOf(subject, name));
  return {
    ...previous,
    measures,
    over_groups: said.overGroups ?? (regroups || said.measures !== undefined ? [] : previous.over_groups),
    ...groups,
    filters: after.filter((filter) => !isSideOf(filter, measures, editing)),
    having:
      said.having !== undefined ? [...boundsKept(editing), ...said.having] : drops("bounds") ? [] : previous.having,
    period: times.period,
    compare,
    order: isMoved
      ? { by, direction: edit.moved === "up" ? "desc" : "asc", of: "difference", only: true }
      : said.skip === undefined
        ? (ranked ?? kept)
        : behind,
    limit: said.limit ?? limitOf(said) ?? (regroups || drops("limit") || (rows && !listing) ? null : previous.limit),
    limit_per: regroups ? null : previous.limit_per,
    columns: listing ? previous.columns : [],
    // The organization's own zone, whatever the client sent back.
    zone,
    share: said.share ?? (isPart || plain || isShaped || !measures.every(isTotal) ? false : previous.share),
    portion: plain ? [] : [...(said.portion ?? portionAfter(editing))],
    running_over: said.runningOver ?? (times.running === null ? previous.running_over : null),
    running: times.running ?? (plain || isPart || isShaped || groups.grain === null ? null : previous.running),
    average_per: said.averagePer ?? (isPart ? null : previous.average_per),
    chart: said.chart ?? (regroups || said.measures !== undefined || edit.asRate ? null : previous.chart),
  };
}

const ofOtherTime = "Those were found by their figures of another time. Please ask for them by name.";

/** "Only the failed ones", then "as a rate": the rate of the failed alone would be 100 %. */
const isSideOf = (filter: Filter, measures: readonly string[], { previous, subject }: Editing): boolean =>
  previous.filters.includes(filter) && factsOfRates(subject, measures).some((fact) => isDeepStrictEqual(fact, filter));

/** "RTB calls by campaign", then "profit per call": of those, or of all calls? */
function ofThoseOrAll(editing: Editing, filters: readonly Filter[], measures: readonly string[]): Unfit | undefined {
  const { previous, said, edit, subject } = editing;
  if (said.measures === undefined || edit.instead || edit.removed !== undefined) return undefined;
  const lost = previous.measures.find((name) => {
    const fact = factCounted(subject, name);
    return fact !== undefined && !filters.some((each) => isDeepStrictEqual(each, fact));
  });
  const stays = (name: string) =>
    (measureOf(subject, name).aggregate.kind === "count" && !(edit.narrows && said.filters !== undefined)) ||
    name === rateOf(subject, lost ?? "");
  if (lost === undefined || measures.some(stays)) return undefined;
  const { many } = subject.noun;
  const those = measureLabel(subject, lost).toLowerCase();
  return { unfit: `Is that asked of all ${many}, or of ${those} alone? Please ask it as a whole question.` };
}

/** "Over 20 sec only", of average times by target: of a target's average, or of each call? */
function mayBeOfGroups({ filters = [], noun }: Piece, { previous, subject }: Setting): boolean {
  const [measure] = previous?.measures ?? [];
  const unit = findQuantity(subject, subject.length ?? "")?.unit;
  const isOfLength = ({ field, op }: Filter) =>
    field === subject.length &&
    op !== "is" &&
    op !== "is_not" &&
    !previous?.filters.some((each) => each.field === field);
  const isSame = measure !== undefined && measureOf(subject, measure).unit === unit;
  return isGrouped(previous) && isSame && noun === undefined && filters.some(isOfLength);
}

/** "Only", "show it". */
const saysNothing = (
  said: Piece,
  { goesOn: _, points: _points, narrows: _narrows, instead: _instead, ...edit }: Edit,
): boolean => Object.keys(said).length + Object.keys(edit).length === 0;

/** Whether it is a question of its own: it names figures or records, and hardly says that it goes on from an answer. */
function isOwn(said: Piece, edit: Edit, { previous }: Setting): boolean {
  const { measures = [], noun, groups = [], filters = [], having, period, versus, orderBy, direction } = said;
  const names = measures.length > 0 || [noun, said.portion, said.spread].some((each) => each !== undefined);
  if (!names && !said.counts?.isOwn) return false;
  if (edit.goesOn || edit.instead || edit.more || edit.subject || edit.those || edit.thatPeriod) return false;
  const isShown = (name: string) => name === previous?.grain || previous?.dimensions.includes(name) === true;
  const isWhole = !groups.every(isShown) || said.spread !== undefined || period !== undefined || versus !== undefined;
  const isPlain = !isWhole && groups.length + filters.length === 0 && !said.share;
  const isOrder = (orderBy ?? direction) !== undefined && isPlain;
  const isFigure = isPlain && orderBy === undefined && having === undefined && said.limit === undefined;
  const isBound = isGrouped(previous) && having !== undefined && !isWhole && filters.length === 0;
  if ((edit.narrows || edit.ofBefore) && !isWhole) return false;
  if (edit.points) return !(isFigure || isBound || isOrder);
  if (isOrder) return false;
  return !isFigure;
}

/** "Same for webhooks": the plan before, of other records. */
function carried(previous: Plan, said: Piece, { subject }: Edit): Parsed | Unfit | undefined {
  if (subject === undefined || Object.keys(said).length > 0) return undefined;
  const plan = carry(previous, subjectOf(subject));
  return "lack" in plan
    ? { unfit: `${capital(subjectOf(subject).noun.many)} have no "${plan.lack}".` }
    : checked(plan, {});
}

/** The records that the figure before counted; undefined where it is no count of records that share a fact. */
function listOf(previous: Plan, limit: number, setting: Setting): Plan | undefined {
  const [measure = "", other] = previous.measures;
  if (previous.columns.length > 0) return previous;
  const isAll = measure === setting.subject.defaultMeasure;
  const fact = isAll ? undefined : factCounted(setting.subject, measure);
  if (other !== undefined || (fact === undefined && !isAll)) return undefined;
  const isShaped = previous.having.length + previous.portion.length > 0 || previous.compare !== null;
  if (isShaped || previous.limit !== null) return undefined;
  const filters = previous.filters.filter(({ field }) => field !== fact?.field);
  const said = { listing: true as const, limit, filters: fact === undefined ? filters : [...filters, fact] };
  return whole({ ...said, period: previous.period }, setting)?.plan;
}

/** "List them", "the 5 latest converted ones instead". */
function relisted(said: Piece, edit: Edit, setting: Setting): Parsed | Unfit | undefined {
  const { previous } = setting;
  const base = previous && listOf(previous, said.limit ?? mostListed, setting);
  if (base === undefined) return undefined;
  const { listing: _, limit, ...rest } = said;
  const editing = { ...setting, previous: base, said: rest, edit, more: {}, groups: none, regroups: false };
  const plan: Plan = {
    ...base,
    filters: filtersAfter({ ...editing, groups: { dimensions: [], grain: null } }),
    limit: limit ?? base.limit,
  };
  return checked(plan, {});
}
