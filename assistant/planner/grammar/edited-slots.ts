import { binAlias, isBin } from "../../catalog/bins.ts";
import { findDimension, findFlag, findMeasure, findQuantity, subjectOf } from "../../catalog/catalog.ts";
import { factCounted } from "../../catalog/fact-counted.ts";
import type { Subject } from "../../catalog/field.ts";
import { capital } from "../../phrasing/figure.ts";
import { alternatives, type Filter, isGrain, isRecurring, type Plan } from "../../plan.ts";
import { earlierOf, trendGrain, weekdayWithin } from "../period/earlier.ts";
import { hasRateOf, rateOf } from "./figures.ts";
import type { Edit, Piece } from "./piece.ts";
import type { Setting } from "./production.ts";
import { type Groups, groupsOf, oneUnit } from "./slots.ts";

/** What a follow-up says and the answer before; each slot of the next plan is found from them. */
export interface Editing extends Setting {
  readonly previous: Plan;
  readonly said: Piece;
  readonly edit: Edit;
  readonly more: Piece;
  readonly groups: Groups;
  /** It names groups of its own. */
  readonly regroups: boolean;
}

/** Why the answer before cannot be edited so, in words. */
export interface Unfit {
  readonly unfit: string;
  /** Follow-ups that it may stand for. */
  readonly options?: readonly string[];
}

export const none = { period: null, compare: null, grain: null, running: null };

/** Two units of time that do not cross; undefined where it is something else that does not fit. */
export function crossed(names: readonly string[]): Unfit | undefined {
  return names.filter(isGrain).length < 2 ? undefined : { unfit: oneUnit(names) };
}

/** "Which of these have a rate over 50 %": of those that are left by the bounds before. */
export function boundsKept({ previous, said, edit }: Editing): Plan["having"] {
  const fields = (said.having ?? []).map(({ field }) => field);
  return edit.points ? previous.having.filter(({ field }) => !fields.includes(field)) : [];
}

/** "By buyer" takes the place of the groups; "also by buyer" and "split by day" of a series stand beside them. */
export function groupsAfter({
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
  const crosses = edit.divides && previous.grain !== null && grain !== null && isRecurring(grain);
  if (more.groups === undefined && !divides && !divided && !crosses) return groups;
  const grains = [previous.grain, grain].filter((each) => each !== null);
  if (grains[0] !== grains[1] && grains.length > 1)
    return (
      groupsOf({ groups: [...grains, ...previous.dimensions, ...dimensions] }, setting, none, []) ?? crossed(grains)
    );
  return { dimensions: [...new Set([...previous.dimensions, ...dimensions])], grain: grain ?? previous.grain };
}

/** "And the month before?" goes back from the period of the answer before. */
export function periodAfter({ previous, said, edit, zone }: Editing): Plan["period"] | Unfit {
  const unit = edit.movesBack;
  if (unit === undefined && said.period != null)
    return weekdayWithin(said.period, previous.period, zone) ?? said.period;
  if (unit === undefined) return said.period === undefined ? previous.period : said.period;
  const earlier = previous.period && said.period === undefined ? earlierOf(previous.period, unit, zone) : null;
  const label = capital(previous.period?.label ?? "all time");
  return earlier ?? { unfit: `${label} is no ${unit} that another one comes before; say which dates you mean.` };
}

/** "And calls?": the noun is the figure. */
export const isNounAlone = ({ said, regroups }: Editing): boolean =>
  said.noun === true &&
  !regroups &&
  said.filters === undefined &&
  said.having === undefined &&
  said.limit === undefined;

export function measuresAfter(editing: Editing): readonly string[] {
  const { previous, said, edit, more, subject } = editing;
  const wasListing = previous.columns.length > 0;
  const shown = wasListing || edit.those === "counted" ? [subject.defaultMeasure] : previous.measures;
  const { removed = [] } = edit;
  // "Repeat calls", "and from new callers"; "wins", "and lost": how many calls those made.
  const isDenied = (name: string) => {
    const fact = factCounted(subject, name);
    const rival = findFlag(subject, fact?.field ?? "")?.rival;
    return said.filters?.some(({ field, values: [value] }) =>
      field === fact?.field ? value === (fact.values[0] !== true) : field === rival && value === true,
    );
  };
  if (edit.asRate) return shown.map((name) => rateOf(subject, name) ?? name);
  const own = said.measures ?? (isNounAlone(editing) ? [subject.defaultMeasure] : []);
  const isBound = said.having !== undefined && own.every((name) => said.having?.some(({ field }) => field === name));
  const isOrder = said.orderBy !== undefined || said.direction !== undefined;
  const replaces = own.length > 0 && !isBound && (wasListing || !isOrder);
  // The first few by some figure stay those few.
  const ranked = previous.limit !== null && !wasListing && !edit.instead ? previous.order : null;
  if (replaces) return [...new Set([...own, ...(ranked === null ? [] : [ranked.by]), ...(more.measures ?? [])])];
  const left = shown.flatMap((name) =>
    removed.includes(name) ? [] : isDenied(name) ? [subject.defaultMeasure] : [name],
  );
  return [...new Set([...left, ...own, ...(more.measures ?? [])])];
}

/** "Make it the top 6", "bottom 5": by what was ranked before; "payout instead": by that. */
export function orderAfter({ previous, said, edit }: Editing): { by: string | null; direction: "asc" | "desc" } | null {
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

/** "Remove Florida" from "Texas or Florida" leaves Texas; of the only one it leaves no condition. */
function lessOf(kept: readonly Filter[], { field, op, values }: Filter): Filter | undefined {
  const same = kept.find((each) => each.field === field && each.op === "is");
  if (op !== "is_not" || same === undefined || !values.every((value) => same.values.includes(value))) return undefined;
  return { ...same, values: same.values.filter((value) => !values.includes(value)) };
}

/** "Percent of calls from New York", "what about NJ": it is the part that changes, not what it is a part of. */
const isOfPart = ({ previous, said }: Editing, { field }: Filter): boolean =>
  said.share !== true && said.portion === undefined && previous.portion.some((each) => each.field === field);

export function portionAfter(editing: Editing): readonly Filter[] {
  const changed = (editing.said.filters ?? []).filter((each) => isOfPart(editing, each));
  const fields = new Set(changed.map(({ field }) => field));
  return [...editing.previous.portion.filter(({ field }) => !fields.has(field)), ...changed];
}

/** A condition takes the place of the one on the same field, or joins it ("also Florida"). */
export function filtersAfter(editing: Editing): Filter[] {
  const { previous, edit, more, subject } = editing;
  const { removed = [], drops = [] } = edit;
  const said = (editing.said.filters ?? []).filter((each) => !isOfPart(editing, each));
  // "Duplicates last month", "how much payout on those": the records that were counted, where no groups may be meant.
  const isOfThose = edit.points && editing.said.measures !== undefined && previous.dimensions.length === 0;
  const isOfCounted =
    edit.those === "counted" ||
    (isOfThose && previous.grain === null) ||
    (edit.ofCounted && editing.said.measures !== undefined);
  const counted = isOfCounted ? factCounted(subject, previous.measures[0] ?? "") : undefined;
  const before = counted === undefined ? previous.filters : [...previous.filters, counted];
  // "How many of those were filled", "fill rate by campaign": of the filled alone it would be 100 %.
  const kept = drops.includes("filters")
    ? []
    : before.filter((each) => !removed.includes(each.field) && !hasRateOf(subject, editing.said.measures ?? [], each));
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

/** The same plan of other records, where all that it says is said of those, too; else what they lack, in words. */
export function carry(previous: Plan, subject: Subject): Plan | { readonly lack: string } {
  const from = subjectOf(previous.subject);
  const conditions = [...previous.filters, ...previous.portion].flatMap(alternatives);
  const fields = [...previous.dimensions.filter((name) => !isGrain(name)), ...conditions.map(({ field }) => field)];
  const lacking = fields.find((name) => !knows(subject, name));
  if (lacking !== undefined)
    return {
      lack: findDimension(from, lacking)?.words[0] ?? findFlag(from, lacking)?.words[0] ?? inWords(lacking, from),
    };
  const renamed = new Map<string, string>([[from.time, subject.time]]);
  for (const name of new Set([
    ...previous.measures,
    ...previous.having.flatMap(alternatives).map(({ field }) => field),
  ])) {
    const measure = measureLike(name, { from, to: subject });
    if (measure === undefined) return { lack: inWords(name, from) };
    renamed.set(name, measure);
  }
  const by = previous.order === null ? undefined : renamed.get(previous.order.by);
  if (previous.order !== null && by === undefined) return { lack: inWords(previous.order.by, from) };
  const inTheirWords = ({ field, or, ...bound }: Filter): Filter => ({
    ...bound,
    field: renamed.get(field) ?? field,
    ...(or && { or: or.map(inTheirWords) }),
  });
  return {
    ...previous,
    subject: subject.name,
    measures: previous.measures.map((name) => renamed.get(name) ?? name),
    having: previous.having.map(inTheirWords),
    order: previous.order === null || by === undefined ? null : { ...previous.order, by },
    columns: previous.columns.length === 0 ? [] : [...subject.listing],
  };
}

const inWords = (figure: string, subject: Subject): string =>
  (findMeasure(subject, figure) ?? findQuantity(subject, figure))?.words[0] ?? figure;

const knows = (subject: Subject, name: string): boolean =>
  (findDimension(subject, name) ?? findFlag(subject, name) ?? findQuantity(subject, name)) !== undefined;

/** Counts for counts: all records, or those of a fact that both have; any other figure by its name. */
function measureLike(name: string, { from, to }: { readonly from: Subject; readonly to: Subject }): string | undefined {
  if (name === from.defaultMeasure) return to.defaultMeasure;
  const flag = from.flags.find(({ measure }) => measure === name);
  if (flag !== undefined) return findFlag(to, flag.name)?.measure;
  return to.measures.find((measure) => measure.name === name)?.name;
}
