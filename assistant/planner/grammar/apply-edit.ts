import { binAlias, isBin } from "../../catalog/bins.ts";
import { findQuantity, grainWords, measureOf, subjectOf } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import { capital } from "../../phrasing/figure.ts";
import { type Filter, type Grain, isGrain, isRecurring, type Plan } from "../../plan.ts";
import { faultOf } from "../../plan-faults.ts";
import { earlierOf } from "../period/earlier.ts";
import { trendGrain } from "../period/trend-grain.ts";
import { defaultTop, mostListed } from "../rules/draft.ts";
import { rateOf } from "../rules/share.ts";
import { listOf, toOrder, withOrder } from "../to-plan.ts";
import { carry } from "./carry.ts";
import type { Edit, Piece } from "./piece.ts";
import type { Setting } from "./production.ts";
import { complete, groupsOf, type Parsed, timesOf } from "./sentence.ts";

/** What a follow-up says and the answer before; each slot of the next plan is found from them. */
interface Editing extends Setting {
  readonly previous: Plan;
  readonly said: Piece;
  readonly edit: Edit;
  readonly more: Piece;
  readonly groups: Groups;
  /** It names groups of its own. */
  readonly regroups: boolean;
}

interface Groups {
  readonly dimensions: string[];
  readonly grain: Grain | null;
}

/** Why the answer before cannot be edited so, in words. */
export interface Unfit {
  readonly unfit: string;
  /** Follow-ups that it may stand for. */
  readonly options?: readonly string[];
}

/**
 * The next plan: that of the answer before with the edit applied. "another" where the question is one of its own,
 * undefined where the answer before has nothing that the edit could be of.
 */
export function applyEdit(piece: Piece, setting: Setting): Parsed | Unfit | "another" | undefined {
  const { previous } = setting;
  if (previous === undefined) return undefined;
  const { edit = {}, ...said } = piece;
  if (edit.asks !== undefined) return { unfit: edit.asks.sentence, options: edit.asks.options };
  if (edit.subject !== undefined) return carried(previous, said, edit);
  if (edit.thatPeriod)
    return said.measures === undefined || said.groups === undefined ? undefined : whole(said, setting);
  if (said.listing && !edit.instead && !edit.goesOn) return undefined;
  if (!said.listing && isOwn(said, edit, setting)) return "another";
  if (aloneOnly.some((key) => said[key] !== undefined)) return undefined;
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
  const regroups = groups.dimensions.length > 0 || groups.grain !== null;
  const editing = { ...setting, previous, said, edit, more: edit.more ?? {}, groups, regroups };
  const plan = next(editing, notes);
  if (plan === undefined || "unfit" in plan) return plan;
  if (plan.period?.from != null && Date.parse(plan.period.from) > setting.now)
    return { unfit: `${plan.period.label} lies in the future; I can only report on what has happened.` };
  const leans = Object.keys(edit).length > 0 || said.groups === undefined || said.period === undefined;
  return checked(plan, { notes, leans });
}

/** What says something of a question of its own alone. */
const aloneOnly = ["reasons", "loses", "sides", "those", "lists", "single", "besides", "moves", "often"] as const;

const checked = (plan: Plan, { notes = [], leans = true }: Partial<Parsed>): Parsed | Unfit => {
  const unfit = faultOf(plan);
  return unfit === undefined ? { plan, notes, leans } : { unfit };
};

function whole(said: Piece, setting: Setting): Parsed | undefined {
  const parsed = complete(said, setting);
  return parsed !== undefined && "plan" in parsed ? { ...parsed, leans: true } : undefined;
}

const none = { period: null, compare: null, grain: null, running: null };

/** Two units of time that do not cross; undefined where it is something else that does not fit. */
function crossed(names: readonly string[]): Unfit | undefined {
  const [one, other] = names.filter(isGrain).map((grain) => grainWords[grain]);
  return other === undefined
    ? undefined
    : { unfit: `I can group by one unit of time at a time, not by ${one} and ${other}.` };
}

function next(editing: Editing, notes: string[]): Plan | Unfit | undefined {
  const { previous, said, edit, subject, zone, regroups } = editing;
  const groups = groupsAfter(editing);
  const period = periodAfter(editing);
  if (groups === undefined || "unfit" in groups) return groups;
  if (period !== null && "unfit" in period) return period;
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
  const draft = { order, ofQuality: said.quality === true, listing, ...groups };
  const measures = listing ? [] : withOrder(measuresAfter(editing), draft, subject);
  if (measures.length === 0 && !listing) return undefined;
  const kept = previous.order !== null && (listing || measures.includes(previous.order.by)) ? previous.order : null;
  const ranked = toOrder(draft, measures, subject);
  if (order !== null && ranked === null) return undefined;
  const isShaped =
    said.direction !== undefined || said.orderBy !== undefined || said.limit !== undefined || said.versus !== undefined;
  const isPart = said.share === true || said.portion !== undefined || said.running != null || said.averagePer != null;
  const drops = (what: "groups" | "bounds" | "shares") => edit.drops?.includes(what) === true;
  const plain = drops("shares") || drops("groups");
  return {
    ...previous,
    measures,
    over_groups: said.overGroups ?? (regroups || said.measures !== undefined ? [] : previous.over_groups),
    ...groups,
    filters: filtersAfter(editing),
    having: said.having !== undefined ? [...said.having] : drops("bounds") ? [] : previous.having,
    period: times.period,
    compare:
      said.versus !== undefined
        ? times.compare
        : said.period === undefined && edit.movesBack === undefined && said.running == null
          ? previous.compare
          : null,
    order: ranked ?? kept,
    limit: said.limit ?? limitOf(said) ?? (regroups || (rows && !listing) ? null : previous.limit),
    limit_per: regroups ? null : previous.limit_per,
    columns: listing ? previous.columns : [],
    // The organization's own zone, whatever the client sent back.
    zone,
    share: said.share ?? (isPart || plain || isShaped ? false : previous.share),
    portion: plain ? [] : [...(said.portion ?? portionAfter(editing))],
    running: times.running ?? (plain || isPart || isShaped || groups.grain === null ? null : previous.running),
    average_per: said.averagePer ?? (isPart ? null : previous.average_per),
    chart: said.chart ?? (regroups || said.measures !== undefined || edit.asRate ? null : previous.chart),
  };
}

/** "Over 20 sec only", of average times by target: of a target's average, or of each call? */
function mayBeOfGroups({ filters = [], noun }: Piece, { previous, subject }: Setting): boolean {
  const [measure] = previous?.measures ?? [];
  const isGrouped = previous !== undefined && previous.dimensions.length + (previous.grain === null ? 0 : 1) > 0;
  const unit = findQuantity(subject, subject.length ?? "")?.unit;
  const isOfLength = ({ field, op }: Filter) => field === subject.length && op !== "is" && op !== "is_not";
  const isSame = measure !== undefined && measureOf(subject, measure).unit === unit;
  return isGrouped && isSame && noun === undefined && filters.some(isOfLength);
}

/** "Only", "show it". */
const saysNothing = (
  said: Piece,
  { goesOn: _, points: _points, narrows: _narrows, instead: _instead, ...edit }: Edit,
): boolean => Object.keys(said).length + Object.keys(edit).length === 0;

/** Whether it is a question of its own: it names figures or records, and hardly says that it goes on from an answer. */
function isOwn(said: Piece, edit: Edit, { previous, subject }: Setting): boolean {
  const { measures = [], noun, groups = [], filters = [], having, period, versus, orderBy, direction } = said;
  const names = measures.length > 0 || [noun, said.portion, said.spread].some((each) => each !== undefined);
  if (!names && !said.counts?.isOwn) return false;
  if (edit.goesOn || edit.instead || edit.more || edit.subject) return false;
  const wasGrouped = previous !== undefined && previous.dimensions.length + (previous.grain === null ? 0 : 1) > 0;
  const isShown = (name: string) => name === previous?.grain || previous?.dimensions.includes(name) === true;
  const isWhole = !groups.every(isShown) || said.spread !== undefined || period !== undefined || versus !== undefined;
  const isPlain = !isWhole && groups.length + filters.length === 0 && !said.share;
  const isOrder = (orderBy ?? direction) !== undefined && isPlain;
  const isFigure = isPlain && orderBy === undefined && having === undefined && said.limit === undefined;
  const isBound = wasGrouped && having !== undefined && !isWhole && filters.length === 0;
  if (edit.narrows && !isWhole) return false;
  if (edit.points) return !(isFigure || isBound || isOrder);
  if (isOrder || (edit.ofBefore && isPlain)) return false;
  const wasListing = previous !== undefined && previous.columns.length > 0;
  return !(isFigure && (wasGrouped || (noun && wasListing) || swaps(measures, previous, subject)));
}

/** "Highest bid" behind "average bid by week": another statistic of the same number, so of the same records. */
function swaps(measures: readonly string[], previous: Plan | undefined, subject: Subject): boolean {
  const columnOf = (name: string | undefined) => {
    if (name === undefined) return "";
    const { aggregate } = measureOf(subject, name);
    return "column" in aggregate && aggregate.kind !== "sum" && aggregate.kind !== "distinct" ? aggregate.column : "";
  };
  const [[now, other], [before, more]] = [measures, previous?.measures ?? []];
  return other === undefined && more === undefined && columnOf(now) !== "" && columnOf(now) === columnOf(before);
}

/** "Same for webhooks": the plan before, of other records. */
function carried(previous: Plan, said: Piece, { subject }: Edit): Parsed | Unfit | undefined {
  if (subject === undefined || Object.keys(said).length > 0) return undefined;
  const plan = carry(previous, subjectOf(subject));
  return "lack" in plan
    ? { unfit: `${capital(subjectOf(subject).noun.many)} have no "${plan.lack}".` }
    : checked(plan, {});
}

/** "List them", "the 5 latest converted ones instead". */
function relisted(said: Piece, edit: Edit, setting: Setting): Parsed | Unfit | undefined {
  const { previous, subject } = setting;
  const base = previous && listOf(previous, subject, said.limit ?? (edit.those ? mostListed : null));
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

/** "By buyer" takes the place of the groups; "also by buyer" and "split by day" of a series stand beside them. */
function groupsAfter({
  previous,
  edit,
  more,
  groups,
  regroups,
  said,
  ...setting
}: Editing): Groups | Unfit | undefined {
  const { removed = [] } = edit;
  if (edit.drops?.includes("groups")) return { dimensions: [], grain: null };
  if (!regroups) {
    const isLeft = (name: string | null) => name !== null && !removed.includes(name);
    const grain = said.running != null && previous.grain === null ? trendGrain(previous.period) : previous.grain;
    return { dimensions: previous.dimensions.filter(isLeft), grain: isLeft(grain) ? grain : null };
  }
  const { dimensions, grain } = groups;
  const [bin, other] = dimensions;
  const sameBin = (name: string) => bin !== undefined && isBin(name) && isBin(bin) && binAlias(name) === binAlias(bin);
  if (other === undefined && grain === null && bin !== undefined && previous.dimensions.some(sameBin))
    return { ...previous, dimensions: previous.dimensions.map((name) => (sameBin(name) ? bin : name)) };
  // "Make it weekly": of a series by campaign, too.
  const isOther = grain !== null && previous.grain !== null && dimensions.length === 0 && more.groups === undefined;
  if (isOther && !isRecurring(grain)) return { dimensions: previous.dimensions, grain };
  const isGone = previous.grain !== null && removed.includes(previous.grain);
  const divides = edit.divides && previous.grain !== null && grain === null && !isGone;
  const divided =
    edit.divides &&
    previous.grain === null &&
    grain !== null &&
    dimensions.length === 0 &&
    previous.dimensions.length === 1;
  if (more.groups === undefined && !divides && !divided) return groups;
  const grains = [previous.grain, grain].filter((each) => each !== null);
  if (grains[0] !== grains[1] && grains.length > 1)
    return (
      groupsOf({ groups: [...grains, ...previous.dimensions, ...dimensions] }, setting, none, []) ?? crossed(grains)
    );
  return { dimensions: [...new Set([...previous.dimensions, ...dimensions])], grain: grain ?? previous.grain };
}

/** "And the month before?" goes back from the period of the answer before. */
function periodAfter({ previous, said, edit, zone }: Editing): Plan["period"] | Unfit {
  const unit = edit.movesBack;
  if (unit === undefined) return said.period === undefined ? previous.period : said.period;
  const earlier = previous.period && said.period === undefined ? earlierOf(previous.period, unit, zone) : null;
  const label = capital(previous.period?.label ?? "all time");
  return earlier ?? { unfit: `${label} is no ${unit} that another one comes before; say which dates you mean.` };
}

/** "And calls?": the noun is the figure. */
const isNounAlone = ({ said, regroups }: Editing): boolean =>
  said.noun === true &&
  !regroups &&
  said.filters === undefined &&
  said.having === undefined &&
  said.limit === undefined;

function measuresAfter(editing: Editing): readonly string[] {
  const { previous, said, edit, more, subject } = editing;
  const wasListing = previous.columns.length > 0;
  const shown = wasListing || edit.those === "counted" ? [subject.defaultMeasure] : previous.measures;
  const { removed = [] } = edit;
  if (edit.asRate) return shown.map((name) => rateOf(subject, name) ?? name);
  const own = said.measures ?? (isNounAlone(editing) ? [subject.defaultMeasure] : []);
  const isBound = said.having !== undefined && own.every((name) => said.having?.some(({ field }) => field === name));
  const isOrder = said.orderBy !== undefined || said.direction !== undefined;
  const replaces = own.length > 0 && !isBound && (wasListing || !isOrder);
  // The first few by some figure stay those few.
  const ranked = previous.limit !== null && !wasListing && !edit.instead ? previous.order : null;
  if (replaces) return [...new Set([...own, ...(ranked === null ? [] : [ranked.by]), ...(more.measures ?? [])])];
  const left = shown.filter((name) => !removed.includes(name));
  return [...new Set([...left, ...own, ...(more.measures ?? [])])];
}

/** "Make it the top 6", "bottom 5": by what was ranked before; "payout instead": by that. */
function orderAfter({ previous, said, edit }: Editing): { by: string | null; direction: "asc" | "desc" } | null {
  const { orderBy, direction, measures: [measure] = [] } = said;
  const order =
    orderBy === undefined && direction === undefined ? null : { by: orderBy ?? null, direction: direction ?? "desc" };
  if (previous.order === null) return order;
  const takesPlace = edit.instead || edit.removed?.includes(previous.order.by);
  if (order === null && takesPlace && measure !== undefined)
    return { by: measure, direction: previous.order.direction };
  return order !== null && order.by === null && measure === undefined
    ? { by: previous.order.by, direction: order.direction }
    : order;
}

const limitOf = ({ asked, direction }: Piece): number | null =>
  direction === undefined || asked === undefined ? null : asked === "one" ? 1 : defaultTop;

/** "Remove Florida" from "Texas or Florida" leaves Texas; of the only one it leaves no condition. */
function lessOf(kept: readonly Filter[], { field, op, values }: Filter): Filter | undefined {
  const same = kept.find((each) => each.field === field && each.op === "is");
  if (op !== "is_not" || same === undefined || !values.every((value) => same.values.includes(value))) return undefined;
  return { ...same, values: same.values.filter((value) => !values.includes(value)) };
}

/** "Percent of calls from New York", "what about NJ": it is the part that changes, not what it is a part of. */
const isOfPart = ({ previous, said }: Editing, { field }: Filter): boolean =>
  said.share !== true && said.portion === undefined && previous.portion.some((each) => each.field === field);

function portionAfter(editing: Editing): readonly Filter[] {
  const changed = (editing.said.filters ?? []).filter((each) => isOfPart(editing, each));
  const fields = new Set(changed.map(({ field }) => field));
  return [...editing.previous.portion.filter(({ field }) => !fields.has(field)), ...changed];
}

/** A condition takes the place of the one on the same field, or joins it ("also Florida"). */
function filtersAfter(editing: Editing): Filter[] {
  const { previous, edit, more } = editing;
  const { removed = [], drops = [] } = edit;
  const said = (editing.said.filters ?? []).filter((each) => !isOfPart(editing, each));
  const kept = drops.includes("filters") ? [] : previous.filters.filter(({ field }) => !removed.includes(field));
  const less = said
    .flatMap((each) => lessOf(kept, each) ?? [])
    .filter(({ values }) => edit.takesOut || values.length > 0);
  if (less.length > 0 && less.length === said.length) {
    const fields = new Set(less.map(({ field }) => field));
    return [...kept.filter(({ field }) => !fields.has(field)), ...less.filter(({ values }) => values.length > 0)];
  }
  const fields = new Set(said.map(({ field }) => field));
  const left = kept.filter(({ field }) => !fields.has(field));
  const joined = (more.filters ?? []).map((filter) => {
    const same = left.find(({ field, op }) => field === filter.field && op === filter.op && op === "is");
    return same === undefined ? filter : { ...same, values: [...new Set([...same.values, ...filter.values])] };
  });
  return [...left.filter(({ field }) => !joined.some((each) => each.field === field)), ...said, ...joined];
}
