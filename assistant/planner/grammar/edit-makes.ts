import { isDeepStrictEqual } from "node:util";
import { binName, findBin, isBin } from "../../catalog/bins.ts";
import { findDimension, findFlag, findQuantity, measureOf } from "../../catalog/catalog.ts";
import { countOf, factCounted } from "../../catalog/fact-counted.ts";
import type { Filter, RunningGrain } from "../../plan.ts";
import { daysEarlier, yearEarlier } from "../period/earlier.ts";
import { readPeriod } from "../period/period.ts";
import { offHours, ofGroups, ofRecords, workHours } from "./bounds.ts";
import { addsUp, counting, divided, isGrouped, rateOf, statistic, tellsWhy } from "./figures.ts";
import { opposites } from "./makes.ts";
import type { Bound, Edit, Piece, Word } from "./piece.ts";
import type { Make, Setting } from "./production.ts";

export const edit = (said: Edit, piece: Piece | undefined): Piece | undefined =>
  piece && { ...piece, edit: { ...piece.edit, ...said } };
/** Words that only say what a question does to the answer before. */
export const says =
  (said: Edit): Make =>
  () => ({ edit: said });
export const goesOn = says({ goesOn: true });
export const overall = {
  sentence: "Do you mean all groups together, or all time?",
  options: ["just the total", "for all time"],
};

export const beside = ({ edit: _, ...more }: Piece): Piece => ({ edit: { more } });

/** "Compare with Acme", behind an answer about Best: each by itself. */
export function comparedWith({ previous }: Setting, names: Piece): Piece | undefined {
  const [filter, other] = names.filters ?? [];
  const same = previous?.filters.find(({ field, op }) => field === filter?.field && op === "is");
  if (filter === undefined || other !== undefined || same === undefined) return undefined;
  return { edit: { more: { filters: [filter], groups: [filter.field] } } };
}

/** The names in the catalog of what a piece names. */
function namesOf({ measures = [], groups = [], filters = [], period }: Piece): readonly string[] {
  return [...measures, ...groups, ...filters.map(({ field }) => field), ...(period === undefined ? [] : ["period"])];
}

export const factsOf = ({ filters = [] }: Piece): Piece =>
  removing({ filters: filters.filter(({ values }) => typeof values[0] === "boolean") });

export const removing = (piece: Piece): Piece => ({ edit: { removed: namesOf(piece) } });

/** Whether the answer before has what is to go. */
export function isThere({ previous }: Setting, { edit: gone }: Piece): boolean {
  if (previous === undefined) return false;
  const shown = [
    "period",
    ...previous.dimensions,
    previous.grain,
    ...previous.measures,
    ...previous.filters.map(({ field }) => field),
  ];
  const { removed = [] } = gone ?? {};
  return removed.length > 0 && removed.every((name) => shown.includes(name));
}

export function replacing(setting: Setting, one: Piece | undefined, other: Piece = {}): Piece | undefined {
  const gone = removing(counting(setting, other) ?? {});
  return one && isThere(setting, gone) ? edit({ ...gone.edit, goesOn: true }, one) : undefined;
}

export const rankedBy = ({ measures: [by] = [] }: Piece): Piece => (by === undefined ? {} : { orderBy: by });
export const numberOf = ({ word }: Piece): Piece => (word?.number === undefined ? {} : { limit: word.number });

/** "The median instead": of the number that the figure before was made of. */
export function ofBefore(setting: Setting, said: Piece): Piece | undefined {
  const { previous, subject } = setting;
  const [name, other] = previous?.measures ?? [];
  if (name === undefined || other !== undefined) return undefined;
  const { aggregate: whole } = measureOf(subject, name);
  // A sum per record of all records is their average.
  const isMean = whole.kind === "ratio" && whole.of.kind === "count" && whole.of.where === undefined;
  const aggregate = isMean && whole.scale === 1 ? whole.part : whole;
  const column = "column" in aggregate ? aggregate.column : undefined;
  const quantity = subject.quantities.find((each) => each.column === column)?.name;
  const found = statistic(setting, said, { measures: [name], ...(quantity && { word: { quantity } }) });
  return found && edit({ ofBefore: true }, found);
}

/** "And the week before": a unit of time back; "the same time yesterday", "the same month last year". */
export function movedBack({ previous, zone }: Setting, { word }: Piece): Piece | undefined {
  const said = word?.said ?? "";
  const [unit = "period"] = /day|week|month|quarter|year/.exec(said) ?? [];
  if (!/\b(same|this time|ago|earlier|week before)\b/.test(said) || / before$/.test(said))
    return { edit: { movesBack: unit as RunningGrain | "period" } };
  if (previous?.period == null) return undefined;
  const period = /year/.test(said)
    ? yearEarlier(previous.period, unit, zone)
    : daysEarlier(previous.period, /\by(ester)?day|day before/.test(said) ? 1 : 7, zone);
  return period === null ? undefined : { period };
}

/** "Who is second": behind the first ones of the ranking before, else of its figure. */
export function placed({ previous }: Setting, { skip = 0, limit = 1, ...end }: Piece): Piece | undefined {
  if (previous === undefined || skip < 1 || skip > 99) return undefined;
  return { ...end, skip, limit, direction: end.direction ?? previous.order?.direction ?? "desc" };
}

/** Whether the answer before is of the records of one fact. */
export const hasFact = ({ previous, subject }: Setting): boolean =>
  previous === undefined ||
  previous.filters.some(({ values }) => typeof values[0] === "boolean") ||
  previous.measures.some((name) => factCounted(subject, name) !== undefined);

/** "And the others": what the single condition of the answer before leaves out. */
export function opposed({ previous, subject }: Setting, isMeant: (filter: Filter) => boolean): Piece | undefined {
  const [measure = "", more] = previous?.measures ?? [];
  const counted = factCounted(subject, measure);
  const [filter, hour, ...others] = [...(previous?.filters ?? []), ...(counted === undefined ? [] : [counted])].filter(
    isMeant,
  );
  if (filter === undefined || more !== undefined || filter.or !== undefined) return undefined;
  if (hour !== undefined)
    return isDeepStrictEqual([filter, hour, ...others], workHours)
      ? { edit: { goesOn: true, removed: workHours.map(({ field }) => field) }, anyOf: [offHours], isAtWork: true }
      : undefined;
  const isFact = typeof filter.values[0] === "boolean";
  const op = isFact ? "is" : (opposites[filter.op] ?? (filter.op === "is" ? "is_not" : undefined));
  if (op === undefined) return undefined;
  const values = isFact ? [filter.values[0] !== true] : filter.values;
  const figure = filter === counted ? { measures: [subject.defaultMeasure] } : {};
  return edit({ goesOn: true }, { ...figure, filters: [{ field: filter.field, op, values }] });
}

/** "In percent": each group's part; of a single figure its part of all. */
export const asShare = (setting: Setting): Piece | undefined =>
  isGrouped(setting.previous) ? { share: true, edit: { ofBefore: true } } : shareOf(setting, {});

/** "What share of their calls is that": what was counted, of all of those that it is of. */
export function shareOf({ previous, subject }: Setting, { word }: Piece): Piece | undefined {
  const [measure = "", other] = previous?.measures ?? [];
  const fact = factCounted(subject, measure);
  if (previous === undefined || other !== undefined || !addsUp(measureOf(subject, measure || subject.defaultMeasure)))
    return undefined;
  const hasGroups = isGrouped(previous);
  if (hasGroups && rateOf(subject, measure) !== undefined) return { edit: { asRate: true } };
  const isOwner = ({ field, op }: Filter) =>
    !hasGroups && word?.said !== undefined && op === "is" && findDimension(subject, field) !== undefined;
  const owners = previous.filters.filter(isOwner);
  const portion = [...previous.filters.filter((each) => !owners.includes(each)), ...(fact === undefined ? [] : [fact])];
  if (portion.length === 0 || (word?.said !== undefined && owners.length === 0 && !hasGroups)) return undefined;
  const removed = portion.map(({ field }) => field).filter((name) => !owners.some(({ field }) => field === name));
  return edit(
    { goesOn: true, removed },
    { measures: [fact === undefined ? measure : subject.defaultMeasure], portion },
  );
}

/** "Texas callers", behind figures by caller: what is shown by them is of those. */
export function ofShown({ previous }: Setting, names: Piece, { groups: [name = ""] = [] }: Piece): Piece | undefined {
  const isIts = names.filters?.every(({ field }) => field === name);
  return isIts || previous?.dimensions.includes(name) || name === "caller" ? edit({ narrows: true }, names) : undefined;
}

/** "What percent converted", "got a bid": the rate where the catalog has one, else that part of the records. */
export function partOf({ subject }: Setting, { filters = [], measures: [counted] = [] }: Piece): Piece | undefined {
  const [fact, other] = filters;
  const isFact = other === undefined && fact?.values[0] === true;
  const count = isFact ? findFlag(subject, fact.field)?.measure : counted;
  const rate = rateOf(subject, count ?? "");
  if (rate === undefined && fact === undefined) return undefined;
  const part = rate === undefined ? { measures: [subject.defaultMeasure], portion: filters } : { measures: [rate] };
  return edit({ ofBefore: true }, part);
}

/** A single fact behind a rate is the rate of that one: "what about connected", where "only connected" is a condition more. */
export function turnedTo(setting: Setting, { filters: [fact] = [] }: Piece): Piece | undefined {
  const { previous, subject } = setting;
  const isFact = ({ field }: Filter) => findFlag(subject, field) !== undefined;
  if (previous === undefined || fact === undefined) return undefined;
  if (previous.portion.length > 0 && previous.portion.every(isFact)) return edit({ goesOn: true }, { portion: [fact] });
  const [measure, more] = previous.measures;
  const isRate = more === undefined && subject.flags.some((flag) => rateOf(subject, flag.measure) === measure);
  return isRate ? edit({ goesOn: true }, partOf(setting, { filters: [fact] })) : undefined;
}

/** "In buckets of 10 instead": the same steps, of another width. */
export function stepped({ previous, subject }: Setting, { word }: Piece): Piece | undefined {
  const bin = findBin(subject, previous?.dimensions.find(isBin) ?? "");
  const { number = 0, unit = null } = word ?? {};
  const width = Number(number.toFixed(2));
  const fits = (unit === null || unit === bin?.quantity.unit) && width > 0 && width === number && width < 1e9;
  return bin && fits ? edit({ goesOn: true }, { groups: [binName(bin.quantity.name, width)] }) : undefined;
}

/** "The last 30", behind the last 7 days: of days. */
export function asLong({ previous, now, zone }: Setting, { word }: Piece): Piece | undefined {
  const unit = /^last \d+ ([a-z]+)$/.exec(previous?.period?.label ?? "")?.[1];
  const found = unit === undefined ? undefined : readPeriod(["last", String(word?.number), unit], now, zone);
  return found && { period: found.period };
}

/** "Why did they fail", "why not the others": by the reasons that what is counted then has. */
export function reasons({ previous, subject }: Setting, said: Piece = {}): Piece | undefined {
  const reason = subject.dimensions.find(({ reasonOf }) => reasonOf !== undefined);
  const [fact] = said.filters ?? [];
  const counted = fact && countOf(subject, fact);
  if (previous === undefined || reason === undefined) return undefined;
  if (fact !== undefined && !reason.reasonOf?.some(({ measure }) => measure === counted)) return undefined;
  const isCounted =
    previous.measures.every((name) => name === counted) ||
    previous.filters.some((each) => isDeepStrictEqual(each, fact));
  const own: Piece = fact === undefined || isCounted ? {} : { measures: [subject.defaultMeasure], filters: [fact] };
  const plan = {
    ...previous,
    ...(own.measures && { measures: [...own.measures] }),
    filters: [...previous.filters, ...(own.filters ?? [])],
    dimensions: [reason.name],
  };
  return tellsWhy(plan, subject)
    ? edit({ points: true, ...(own.filters && { goesOn: true }) }, { ...own, groups: plan.dimensions })
    : undefined;
}

/** "Drop everyone under 20 calls": the others stay. */
export function inverse({ having: [bound, other] = [], ...rest }: Piece): Piece | undefined {
  const op = bound && opposites[bound.op];
  if (bound === undefined || bound.or || op === undefined || other !== undefined) return undefined;
  return edit({ goesOn: true }, { ...rest, having: [{ ...bound, op }] });
}

/** "Only those over $500": a bound on the figure of the answer before. */
export function boundBefore(setting: Setting, amount: Piece): Piece | undefined {
  const { previous, subject } = setting;
  const [name = subject.defaultMeasure, other] = previous?.measures ?? [];
  const wasPlain = previous !== undefined && !previous.share && previous.portion.length === 0 && other === undefined;
  const { having } = (wasPlain ? ofGroups(setting, { measures: [name] }, amount) : undefined) ?? {};
  return having && { having };
}

const comparators = /^(more|less)_than$|^at_/;

/** The one bound of each record that the answer before has. */
export function boundOfEach({ previous, subject }: Setting): Filter | undefined {
  const [bound, more] = (previous?.filters ?? []).filter(
    ({ field, op }) => comparators.test(op) && findQuantity(subject, field) !== undefined,
  );
  return more === undefined && bound?.or === undefined ? bound : undefined;
}

/** "And over 20": that bound, of another number; without a unit it is in the one that comes nearest to the number before. */
export function rebound(setting: Setting, { word }: Piece): Piece | undefined {
  const before = boundOfEach(setting);
  const [bound, more] = word?.bounds ?? [];
  const unit = findQuantity(setting.subject, before?.field ?? "")?.unit;
  if (before === undefined || bound === undefined || more !== undefined || bound.isTimes) return undefined;
  const [value] = before.values.map(Number);
  const steps = bound.unit !== null || unit !== "seconds" ? [1] : [1, 60, 3600];
  const distance = (step: number) => Math.abs(Math.log((bound.value * step || 1) / (value || 1)));
  const [step = 1] = steps.toSorted((a, b) => distance(a) - distance(b));
  const scaled: Bound = { ...bound, value: bound.value * step };
  return edit(
    { goesOn: true },
    ofRecords(setting, { word: { quantity: before.field } }, { word: { bounds: [scaled] } }),
  );
}

/** What the rows of the answer before are, where it has several. */
export const ofRows = ({ previous }: Setting): Piece | undefined =>
  isGrouped(previous) ? { edit: { points: true } } : undefined;

/** "Per call instead": the figure before, divided; a length of each call on average. */
export function perUnit(setting: Setting, unit: Piece, said: Word | undefined): Piece | undefined {
  const [figure, other] = setting.previous?.measures ?? [];
  if (figure === undefined || other !== undefined || (said !== undefined && said.statistic !== "avg")) return undefined;
  const found = divided(setting, { measures: [figure] }, unit);
  if (found !== undefined) return edit({ ofBefore: true }, found);
  const isTotalTime = isTimeBefore(setting) && addsUp(measureOf(setting.subject, figure));
  const isOfRecords = unit.measures?.[0] === setting.subject.defaultMeasure;
  return isTotalTime && isOfRecords ? ofBefore(setting, { word: { statistic: "avg" } }) : undefined;
}

/** Whether the figure before is a time. */
export const isTimeBefore = ({ previous, subject }: Setting): boolean =>
  previous !== undefined &&
  previous.measures.length === 1 &&
  /^(seconds|ms)$/.test(measureOf(subject, previous.measures[0] ?? "").unit);
