import { binAlias, isBin } from "../catalog/bins.ts";
import type { Subject } from "../catalog/field.ts";
import { type Filter, isRecurring, type Plan } from "../plan.ts";
import { earlierOf, previousOf } from "./period/earlier.ts";
import { trendGrain } from "./period/trend-grain.ts";
import type { Draft } from "./rules/draft.ts";
import { rateOf } from "./rules/share.ts";
import { sameElapsed } from "./rules/time.ts";
import { toOrder, withOrder } from "./to-plan.ts";
import { turned } from "./turned.ts";

interface Given {
  readonly subject: Subject;
  readonly zone: string;
  readonly now: number;
}

/** The previous plan with the slots that a follow-up names put in place of its own. */
export function patch(previous: Plan, said: Draft, { subject, zone, now }: Given): Plan {
  const draft = turned(previous, said, subject);
  const regrouped = draft.dimensions.length > 0 || draft.grain !== null;
  const wasListing = previous.columns.length > 0;
  const isListing = wasListing && !regrouped && draft.measures.length === 0 && !draft.share;
  const groups = groupsOf(previous, draft);
  const measures = isListing ? [] : withOrder(measuresOf(previous, draft, subject), draft, subject);
  const kept = previous.order !== null && (isListing || measures.includes(previous.order.by)) ? previous.order : null;
  const period = periodOf(previous, draft, zone);
  return {
    ...previous,
    measures,
    over_groups: regrouped || draft.measures.length > 0 ? [] : previous.over_groups,
    ...groups,
    filters: filtersOf(previous, ofAll(previous, draft)),
    having: draft.having.length > 0 ? draft.having : draft.unbounds ? [] : previous.having,
    period,
    compare: compareOf(previous, draft, { period, zone, now }),
    order: toOrder({ ...draft, ...groups, order: rankedAsBefore(previous, draft) }, measures, subject) ?? kept,
    limit: draft.limit ?? (regrouped || (wasListing && !isListing) ? null : previous.limit),
    limit_per: draft.limitPer ?? (regrouped ? null : previous.limit_per),
    columns: isListing ? previous.columns : [],
    // The organization's own zone, whatever the client sent back.
    zone,
    ...besidesOf(previous, draft, groups),
    chart: draft.chart ?? (regrouped || draft.measures.length > 0 ? null : previous.chart),
  };
}

/** "Make it the top 6", "bottom 5": by what was ranked before; "payout instead": by that. */
function rankedAsBefore(previous: Plan, { order, measures, instead, replaced }: Draft): Draft["order"] {
  const [measure] = measures;
  if (previous.order === null) return order;
  const takesPlace = instead || replaced.includes(previous.order.by);
  if (order === null && takesPlace && measure !== undefined)
    return { by: measure, direction: previous.order.direction };
  return order !== null && order.by === null && measure === undefined
    ? { by: previous.order.by, direction: order.direction }
    : order;
}

type Groups = Pick<Plan, "dimensions" | "grain">;

/** "By buyer" takes the place of the groups; "also by buyer" and "break it down by day" of a series stand beside them. */
function groupsOf(previous: Plan, draft: Draft): Groups {
  const regrouped = draft.dimensions.length > 0 || draft.grain !== null;
  const needsTime = draft.running !== null && previous.grain === null;
  if (draft.ungroups) return { dimensions: [], grain: null };
  if (!regrouped) {
    const isLeft = (name: string | null) => name !== null && !draft.removed.includes(name);
    const grain = needsTime ? trendGrain(previous.period) : previous.grain;
    return { dimensions: previous.dimensions.filter(isLeft), grain: isLeft(grain) ? grain : null };
  }
  const [bin, other] = draft.dimensions;
  if (bin !== undefined && other === undefined && draft.grain === null && rebins(previous, bin))
    return { ...previous, dimensions: previous.dimensions.map((name) => (sameBin(name, bin) ? bin : name)) };
  // "Make it weekly": of a series by campaign, too.
  if (draft.grain !== null && previous.grain !== null && draft.dimensions.length === 0 && !isRecurring(draft.grain))
    return { dimensions: previous.dimensions, grain: draft.grain };
  const isGone = previous.grain !== null && draft.replaced.includes(previous.grain);
  const divides = draft.divides && previous.grain !== null && draft.grain === null && !isGone;
  // "Split that by month", of figures by bidder: a series of each.
  const divided =
    draft.divides &&
    previous.grain === null &&
    draft.grain !== null &&
    draft.dimensions.length === 0 &&
    previous.dimensions.length === 1;
  if (!draft.adds && !divides && !divided) return { dimensions: draft.dimensions, grain: draft.grain };
  return {
    dimensions: [...new Set([...previous.dimensions, ...draft.dimensions])],
    grain: draft.grain ?? previous.grain,
  };
}

/** "In buckets of 10 instead": the same steps, of another width. */
const rebins = ({ dimensions }: Plan, bin: string): boolean => dimensions.some((name) => sameBin(name, bin));
const sameBin = (name: string, bin: string): boolean => isBin(name) && isBin(bin) && binAlias(name) === binAlias(bin);

/** "And the month before?" goes back from the period of the answer before. */
function periodOf(previous: Plan, { period, movesBack }: Draft, zone: string): Plan["period"] {
  if (period !== undefined) return period;
  return movesBack === null || previous.period === null ? previous.period : earlierOf(previous.period, movesBack, zone);
}

function measuresOf(previous: Plan, draft: Draft, subject: Subject): readonly string[] {
  const wasListing = previous.columns.length > 0;
  const regrouped = draft.dimensions.length > 0 || draft.grain !== null;
  const shown = wasListing ? [subject.defaultMeasure] : previous.measures;
  if (draft.asRate) return shown.map((name) => rateOf(subject, name) ?? name);
  const isBound =
    draft.having.length > 0 && draft.measures.every((name) => draft.having.some(({ field }) => field === name));
  const replaces =
    draft.measures.length > 0 && !draft.adds && !isBound && (wasListing || (!regrouped && draft.order === null));
  // The first few by some figure stay those few.
  const ranked = previous.limit !== null && !wasListing && !draft.instead ? previous.order : null;
  if (replaces) return [...new Set([...draft.measures, ...(ranked === null ? [] : [ranked.by])])];
  return [...new Set([...shown, ...draft.measures])].filter((name) => !draft.removed.includes(name));
}

/** "Remove Florida" from "Texas or Florida" leaves Texas; of the only one it leaves no condition. */
function lessOf(kept: readonly Filter[], { field, op, values }: Filter): Filter | undefined {
  const same = kept.find((each) => each.field === field && each.op === "is");
  if (op !== "is_not" || same === undefined || !values.every((value) => same.values.includes(value))) return undefined;
  return { ...same, values: same.values.filter((value) => !values.includes(value)) };
}

/** "Percent of calls from New York", "what about NJ": it is the part that changes, not what it is a part of. */
const isOfPart = (previous: Plan, draft: Draft, { field }: Filter): boolean =>
  !draft.share && !draft.adds && draft.portion.length === 0 && previous.portion.some((each) => each.field === field);
const ofAll = (previous: Plan, draft: Draft): Draft => ({
  ...draft,
  filters: draft.filters.filter((each) => !isOfPart(previous, draft, each)),
});
function portionOf(previous: Plan, draft: Draft): Plan["portion"] {
  const changed = draft.filters.filter((each) => isOfPart(previous, draft, each));
  const fields = new Set(changed.map(({ field }) => field));
  return [...previous.portion.filter(({ field }) => !fields.has(field)), ...changed];
}

/** A condition takes the place of the one on the same field, or joins it ("also Florida"). */
function filtersOf(previous: Plan, draft: Draft): Filter[] {
  const kept = previous.filters.filter(({ field }) => !draft.removed.includes(field));
  const less = draft.filters
    .flatMap((filter) => lessOf(kept, filter) ?? [])
    .filter(({ values }) => draft.takesOut || values.length > 0);
  if (less.length > 0 && less.length === draft.filters.length) {
    const fields = new Set(less.map(({ field }) => field));
    return [...kept.filter(({ field }) => !fields.has(field)), ...less.filter(({ values }) => values.length > 0)];
  }
  if (!draft.adds) {
    const replaced = new Set(draft.filters.map(({ field }) => field));
    return [...kept.filter(({ field }) => !replaced.has(field)), ...draft.filters];
  }
  const joined = draft.filters.map((filter) => {
    const same = kept.find(({ field, op }) => field === filter.field && op === filter.op && op === "is");
    return same === undefined ? filter : { ...same, values: [...new Set([...same.values, ...filter.values])] };
  });
  return [...kept.filter(({ field }) => !joined.some((each) => each.field === field)), ...joined];
}

function compareOf(
  previous: Plan,
  draft: Draft,
  { period, zone, now }: { readonly period: Plan["period"]; readonly zone: string; readonly now: number },
): Plan["compare"] {
  if (draft.compare !== null) return draft.compare;
  if (draft.compareTo !== null && period !== null) return sameElapsed({ draft, now, zone }, period, draft.compareTo);
  if (draft.againstPrevious && period !== null) return previousOf(period, zone);
  return draft.period === undefined && draft.running === null ? previous.compare : null;
}

/** What the figures are beside plain ones stays while it still fits. */
function besidesOf(
  previous: Plan,
  draft: Draft,
  groups: Groups,
): Pick<Plan, "share" | "portion" | "running" | "average_per"> {
  if (draft.plain || draft.ungroups)
    return { share: false, portion: [], running: null, average_per: previous.average_per };
  const isOther = draft.order !== null || draft.limit !== null || draft.compare !== null || draft.againstPrevious;
  const named = draft.share || draft.portion.length > 0 || draft.running !== null || draft.averagePer !== null;
  if (named)
    return { share: draft.share, portion: draft.portion, running: draft.running, average_per: draft.averagePer };
  return {
    share: previous.share && !isOther,
    portion: portionOf(previous, draft),
    running: groups.grain === null || isOther ? null : previous.running,
    average_per: previous.average_per,
  };
}
