import { isDeepStrictEqual } from "node:util";
import { findDimension, findMeasure, findQuantity, measureOf } from "../../catalog/catalog.ts";
import { countOf, factCounted } from "../../catalog/fact-counted.ts";
import type { Aggregate, Measure, Subject } from "../../catalog/field.ts";
import { ratioName } from "../../catalog/statistics.ts";
import { type Filter, isGrain, isRecurring, type Plan, type RunningGrain } from "../../plan.ts";
import { toKey } from "../words/tokenize.ts";
import { type Piece, unifyAll } from "./piece.ts";
import type { Setting } from "./production.ts";

/** The records' noun as a figure: how many there are. Other parts are left as they are. */
export const counting = ({ subject }: Pick<Setting, "subject">, ...parts: readonly Piece[]): Piece | undefined =>
  unifyAll(parts.map((part) => (part.noun ? { ...part, measures: [subject.defaultMeasure] } : part)));

const measureIn = ({ subject }: Setting, { measures: [name] = [] }: Piece) => findMeasure(subject, name ?? "");

/** "How many conversions": of what can be counted. */
export function counted(setting: Setting, many: Piece, figure: Piece): Piece | undefined {
  if (/amount/.test(many.word?.said ?? "") && numberNamed(setting, figure) !== undefined)
    return amountOf(setting, figure);
  const { aggregate, unit } = measureIn(setting, figure) ?? {};
  const kind = aggregate?.kind;
  // "How many minutes of talk time", "how many routes were offered".
  if (/^(minutes?|hours?) of/.test(figure.word?.said ?? "") || (kind === "sum" && unit === "count")) return figure;
  return kind === "count" || kind === "distinct" || kind === "repeats" ? figure : undefined;
}

/** "Winning bids", "bids": the number of each record that the last word means. */
export function numberNamed({ subject }: Setting, { word }: Piece): string | undefined {
  const said = toKey((word?.said ?? "").replace(/^.* /, ""));
  return subject.quantities.find(({ words }) => words.some((each) => toKey(each) === said))?.name;
}

/** "Total amount of winning bids": what they come to, not how many there are. */
function amountOf(setting: Setting, figure: Piece): Piece | undefined {
  const [name = ""] = figure.measures ?? [];
  const fact = factCounted(setting.subject, name);
  const quantity = numberNamed(setting, figure);
  if (quantity === undefined) return undefined;
  return { measures: [named(setting, "sum", quantity)], ...(fact && { filters: [fact] }) };
}

export const isOften = /often|times|frequently/;

/** "How many states", "different publishers". */
export function distinct({ subject }: Setting, ...parts: readonly Piece[]): Piece | undefined {
  // "How often do bidders win" counts no bidders.
  if (parts.some(({ word }) => isOften.test(word?.said ?? ""))) return undefined;
  const [name] = parts.at(-1)?.groups ?? [];
  const column = findDimension(subject, name ?? "")?.column;
  const isOfIt = (aggregate: Aggregate) => aggregate.kind === "distinct" && aggregate.column === column;
  const known = subject.measures.find(({ aggregate }) => isOfIt(aggregate)) ?? findMeasure(subject, `distinct_${name}`);
  return known && { measures: [known.name] };
}

/** "How many publishers" that meet a condition, where the catalog counts them itself. */
export function countedDimension({ subject }: Setting, { measures: [name = ""] = [], word }: Piece): Piece | undefined {
  const aggregate = findMeasure(subject, name)?.aggregate;
  const group = subject.dimensions.find(({ column }) => aggregate?.kind === "distinct" && column === aggregate.column);
  return group && /^(how many|number of)/.test(word?.said ?? "")
    ? { groups: [group.name], overGroups: ["count"] }
    : undefined;
}

/** "Median revenue", "average talk time"; an average of a rate is the rate. */
export function statistic(setting: Setting, { word }: Piece, of: Piece): Piece | undefined {
  const said = word?.statistic ?? "";
  const quantity = of.word?.quantity ?? quantityOf(setting, of);
  // Changes last no time.
  if (quantity === "") return undefined;
  if (quantity !== undefined) return { measures: [named(setting, said, quantity)] };
  const measure = measureIn(setting, of);
  return said === "avg" && measure !== undefined && !addsUp(measure) ? { measures: [measure.name] } : undefined;
}

/** "Bid latency p95". */
export function statisticBehind(setting: Setting, of: Piece, said: Piece): Piece | undefined {
  return /^(p\d+|median)$/.test(said.word?.statistic ?? "") ? statistic(setting, said, of) : undefined;
}

/** The number of each record that a figure is made of. */
function quantityOf(setting: Setting, figure: Piece): string | undefined {
  const { subject } = setting;
  const measure = measureIn(setting, figure);
  const own = findQuantity(subject, measure?.name ?? "");
  if (own !== undefined) return own.name;
  const aggregate = measure?.aggregate;
  if (aggregate?.kind !== "average" || !isTime.test(measure?.unit ?? "")) return undefined;
  const known = subject.quantities.filter(({ column }) => column === aggregate.column);
  return (known.find(({ where }) => where === aggregate.where) ?? known[0])?.name;
}

/** "Average calls per day": a total divided among units of time. */
export function averagePer(setting: Setting, stat: Piece, figure: Piece, unit: Piece): Piece | undefined {
  const [grain = ""] = unit.groups ?? [];
  const said = counting(setting, { ...figure });
  const measure = measureIn(setting, said ?? {});
  if (stat.word?.statistic !== "avg" || measure === undefined || !addsUp(measure)) return undefined;
  if (!isGrain(grain) || isRecurring(grain)) return undefined;
  return { measures: [measure.name], averagePer: grain as RunningGrain };
}

/** "Average revenue per day" is no revenue per call: the days say so. */
export function totalPer(setting: Setting, figure: Piece, unit: Piece): Piece | undefined {
  const { aggregate } = measureIn(setting, figure) ?? {};
  const total = aggregate?.kind === "ratio" && aggregate.part.kind === "sum" ? aggregate.part.column : undefined;
  const name = setting.subject.measures.find(
    (each) => each.aggregate.kind === "sum" && each.aggregate.column === total,
  )?.name;
  return name === undefined
    ? undefined
    : averagePer(setting, { word: { statistic: "avg" } }, { measures: [name] }, unit);
}

/** "Percentage of missed calls": the rate where the catalog has one, and "of" says of what. */
export function rate({ subject }: Setting, share: Piece, figure: Piece): Piece | undefined {
  // "Payout as a share of revenue" is the part of another figure.
  if (/^as .* of/.test(share.word?.said ?? "")) return undefined;
  const [name = "", other] = figure.measures ?? [];
  // "Share of its calls converted": what of the calls did.
  const isOfNoun = subject.words.some((noun) => new RegExp(`^${noun}s? \\w+ed$`).test(figure.word?.said ?? ""));
  const isRate = isOfNoun || /^(how many |which )?percent(age)? of( the| our)?$/.test(share.word?.said ?? "");
  const known = isRate && other === undefined ? rateOf(subject, name) : undefined;
  return known === undefined ? { ...figure, share: true } : { measures: [known] };
}

/** True where the words for a number of each record name a figure of all, too: "revenue". */
export const isFigureToo = ({ subject }: Setting, { word }: Piece): boolean =>
  subject.measures.some(({ words }) => words.some((each) => toKey(each) === toKey(word?.said ?? "")));

/** True where a figure may be a number of each record: a sum of it, or its average. */
export function isQuantityToo({ subject }: Setting, { measures: [name] = [], word }: Piece): boolean {
  const { aggregate } = measureOf(subject, name ?? subject.defaultMeasure);
  if (aggregate.kind !== "sum" && aggregate.kind !== "average") return false;
  const isOfMany = /average|avg|mean|median|total|longest|maximum|per |\bp\d/.test(word?.said ?? "");
  return !isOfMany && subject.quantities.some(({ column }) => column === aggregate.column);
}

/** "Ratio of payout to revenue": the figure that the catalog has for it, else the one divided by the other. */
export function ratio(setting: Setting, one: Piece, other: Piece): Piece | undefined {
  const [part, of] = [counting(setting, one), counting(setting, other)].map((piece) => piece?.measures?.[0] ?? "");
  const name = ratioName(part ?? "", of ?? "");
  return findMeasure(setting.subject, name) && { measures: [name] };
}

/** "Payout as a percentage of revenue". */
export function percentOf({ subject }: Setting, one: Piece, share: Piece, other: Piece): Piece | undefined {
  const [part, of] = [one, other].map(({ measures }) => findMeasure(subject, measures?.[0] ?? "")?.unit);
  const name = ratioName(one.measures?.[0] ?? "", other.measures?.[0] ?? "", true);
  if (part !== of) return undefined;
  return share.word?.said?.startsWith("as ") && findMeasure(subject, name) ? { measures: [name] } : undefined;
}

/** Tells if one of the figures is the rate of a fact, which is 100 % of the records that the fact holds of. */
export const hasRateOf = (subject: Subject, measures: readonly string[], fact: Filter): boolean =>
  measures.includes(rateOf(subject, countOf(subject, fact) ?? "") ?? "");

/** "What share of bids do we win": of two counts, the one as a share of the other. */
export function rateOfTwo(setting: Setting, whole: Piece, part: Piece): Piece | undefined {
  const [of, counted] = [measureIn(setting, whole)?.aggregate, measureIn(setting, part)?.aggregate];
  const known = setting.subject.measures.find(
    ({ aggregate }) =>
      aggregate.kind === "ratio" &&
      aggregate.scale === 100 &&
      isDeepStrictEqual([aggregate.part, aggregate.of], [counted, of]),
  );
  return known && { measures: [known.name] };
}

/** The count as a share of what it is counted among: "abandoned calls … as a rate". */
export function rateOf(subject: Subject, name: string): string | undefined {
  const counted = findMeasure(subject, name)?.aggregate;
  if (counted?.kind !== "count" || counted.where === undefined) return undefined;
  return subject.measures.find(
    ({ aggregate }) =>
      aggregate.kind === "ratio" && aggregate.part.kind === "count" && aggregate.part.where === counted.where,
  )?.name;
}

/** The conditions under which one of the rates would always be 100 %: "timeouts, with the timeout rate". */
export const factsOfRates = (subject: Subject, measures: readonly string[]): readonly Filter[] =>
  subject.measures.flatMap(({ name }) => {
    const rate = rateOf(subject, name);
    return rate !== undefined && measures.includes(rate) ? (factCounted(subject, name) ?? []) : [];
  });

/** A measure of the catalog where it says the same: one figure has one name. */
export function named({ subject }: Pick<Setting, "subject">, statistic: string, quantity: string): string {
  const name = `${statistic}_${quantity}`;
  const wanted = findMeasure(subject, name)?.aggregate;
  return subject.measures.find(({ aggregate }) => isDeepStrictEqual(aggregate, wanted))?.name ?? name;
}

/** A total, which time can divide; a rate or a mean is an average already. */
export const addsUp = ({ aggregate: { kind } }: Measure): boolean => kind === "count" || kind === "sum";

/** The units of times, of which the plain figure is the mean. */
const isTime = /^(seconds|ms)$/;

/** Whether the records that the plan counts have the reasons that it groups them by: only then it tells why. */
export function tellsWhy({ dimensions, measures, filters }: Plan, subject: Subject): boolean {
  const reason = subject.dimensions.find((each) => each.reasonOf !== undefined && dimensions.includes(each.name));
  const counts = (reason?.reasonOf ?? []).map(({ measure }) => measure);
  const isFact = (field: string) => {
    const flag = subject.flags.find((each) => each.name === field);
    return field === "outcome" || counts.some((count) => count === flag?.measure || count === flag?.unmeasure);
  };
  return (
    measures.length > 0 &&
    measures.every(
      (measure) =>
        counts.includes(measure) || (measure === subject.defaultMeasure && filters.some(({ field }) => isFact(field))),
    )
  );
}

/** True where an answer shows groups. */
export const isGrouped = (plan: Pick<Plan, "dimensions" | "grain"> | undefined): boolean =>
  plan !== undefined && (plan.dimensions.length > 0 || plan.grain !== null);

/** The measure that the catalog has for the one divided by the other. */
export function divided({ subject }: Setting, figure: Piece, unit: Piece): Piece | undefined {
  const of = findMeasure(subject, unit.measures?.[0] ?? "")?.aggregate;
  const part = findMeasure(subject, figure.noun ? subject.defaultMeasure : (figure.measures?.[0] ?? ""));
  const known = subject.measures.find((each) => part !== undefined && divides(each, part, of));
  if (known !== undefined) return { measures: [known.name] };
  // "Webhook deliveries per notified call".
  const name = ratioName(part?.name ?? "", unit.noun ? "" : (unit.measures?.[0] ?? ""));
  return part?.unit === "count" && of?.kind === "distinct" && findMeasure(subject, name)
    ? { measures: [name] }
    : undefined;
}

/** "Average payout" is one per call already; per conversion it is the whole payout that is divided. */
function divides({ aggregate }: Measure, { aggregate: figure, words }: Measure, of: unknown): boolean {
  if (aggregate.kind !== "ratio" || aggregate.scale === 100 || !isDeepStrictEqual(aggregate.of, of)) return false;
  const isMean = figure.kind === "ratio" && words.some((word) => word.startsWith("average"));
  return isDeepStrictEqual(aggregate.part, figure.kind === "ratio" && isMean ? figure.part : figure);
}
