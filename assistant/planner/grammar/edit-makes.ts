import { isDeepStrictEqual } from "node:util";
import { binName, findBin, isBin } from "../../catalog/bins.ts";
import { findDimension, findFlag, measureOf } from "../../catalog/catalog.ts";
import { factCounted } from "../../catalog/fact-counted.ts";
import type { Filter, RunningGrain } from "../../plan.ts";
import { daysEarlier, yearEarlier } from "../period/earlier.ts";
import { readPeriod } from "../period/period.ts";
import { offHours, ofGroups, workHours } from "./bounds.ts";
import { counting, rateOf, statistic, tellsWhy } from "./figures.ts";
import { opposites } from "./makes.ts";
import type { Edit, Piece } from "./piece.ts";
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

/** "What share of their calls is that": what was counted, of all of those that it is of. */
export function shareOf({ previous, subject }: Setting, { word }: Piece): Piece | undefined {
  const [measure = "", other] = previous?.measures ?? [];
  const fact = factCounted(subject, measure);
  if (previous === undefined || other !== undefined || (fact === undefined && measure !== subject.defaultMeasure))
    return undefined;
  const isGrouped = previous.dimensions.length > 0 || previous.grain !== null;
  if (isGrouped && rateOf(subject, measure) !== undefined) return { edit: { asRate: true } };
  const isOwner = ({ field, op }: Filter) =>
    !isGrouped && word?.said !== undefined && op === "is" && findDimension(subject, field) !== undefined;
  const owners = previous.filters.filter(isOwner);
  const portion = [...previous.filters.filter((each) => !owners.includes(each)), ...(fact === undefined ? [] : [fact])];
  if (portion.length === 0 || (word?.said !== undefined && owners.length === 0 && !isGrouped)) return undefined;
  const removed = portion.map(({ field }) => field).filter((name) => !owners.some(({ field }) => field === name));
  return edit({ goesOn: true, removed }, { measures: [subject.defaultMeasure], portion });
}

/** "Texas callers", behind figures by caller: what is shown by them is of those. */
export function ofShown({ previous }: Setting, names: Piece, { groups: [name = ""] = [] }: Piece): Piece | undefined {
  const isIts = names.filters?.every(({ field }) => field === name);
  return isIts || previous?.dimensions.includes(name) || name === "caller" ? edit({ narrows: true }, names) : undefined;
}

/** "Only es traffic": another word for the records. */
export const ofNoun = ({ subject }: Setting, names: Piece, { measures: [name] = [] }: Piece): Piece | undefined =>
  name === subject.defaultMeasure ? edit({ narrows: true }, { ...names, noun: true }) : undefined;

/** "What percent converted": the rate where the catalog has one, else that part of the records. */
export function partOf({ subject }: Setting, { filters = [] }: Piece): Piece | undefined {
  const [fact, other] = filters;
  if (fact === undefined) return undefined;
  const isFact = other === undefined && fact.values[0] === true;
  const rate = isFact ? rateOf(subject, findFlag(subject, fact.field)?.measure ?? "") : undefined;
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

/** "How many of those did we refuse". */
export function rejected({ subject }: Setting): Piece | undefined {
  const flag = subject.flags.find(({ words }) => words.some((word) => /\b(refused|rejected)\b/.test(word)));
  return flag && { filters: [{ field: flag.name, op: "is", values: [true] }] };
}

/** "Why did they fail": by the reasons that what was counted has. */
export function reasons({ previous, subject }: Setting, ...said: readonly Piece[]): Piece | undefined {
  const reason = subject.dimensions.find(({ reasonOf }) => reasonOf !== undefined);
  const fact = said.flatMap(({ filters = [] }) => filters)[0]?.field;
  const counted = subject.flags.find(({ name }) => name === fact);
  const has = ({ measure }: { readonly measure: string }) =>
    measure === counted?.measure || measure === counted?.unmeasure;
  const plan = previous && reason && { ...previous, dimensions: [reason.name] };
  if (plan === undefined || !tellsWhy(plan, subject) || (fact !== undefined && !reason?.reasonOf?.some(has)))
    return undefined;
  return edit({ points: true }, { groups: plan.dimensions });
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
