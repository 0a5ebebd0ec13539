import { isDeepStrictEqual } from "node:util";
import { findMeasure } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import type { Filter } from "../../plan.ts";
import { hasRole, indexesOf, type Reading, senses, use } from "./reading.ts";

/** "share of calls by publisher": each group's part. "percentage of calls from Texas": the part that a condition leaves. */
export function readShare(reading: Reading): void {
  const { draft } = reading;
  const roles = indexesOf(reading, "share");
  const [first] = roles;
  if (first === undefined) return;
  use(reading, ...roles);
  const portion = draft.filters.filter((filter) => isPortion(reading, filter, first));
  if (portion.length === 0) {
    const rate = asRate(reading, first) ?? rateOfTwo(reading) ?? rateOfNoun(reading, first);
    if (rate === undefined) draft.share = true;
    else draft.measures = [rate];
    return;
  }
  const inner = innermost(reading, portion);
  // Of each such group it is all.
  if (inner.some(({ field, op }) => op === "is" && draft.dimensions.includes(field))) {
    const sentence =
      "That share of each group is all of it; ask for the share of each, or for the share of some of all.";
    draft.problems.push({ sentence, options: [] });
  }
  draft.portion = [...inner];
  draft.filters = draft.filters.filter((filter) => !inner.includes(filter));
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

/** "Percentage of billable calls per target": of each target's calls; "share of billable calls" is each target's part of them. */
function asRate({ draft, items, subject }: Reading, share: number): string | undefined {
  const [measure = "", other] = draft.measures;
  const isSaid = /^percent(age)? of( the| our)?$/i.test(items[share]?.said ?? "");
  const named = items.findIndex(
    (item, at) =>
      at > share && item.kind !== "stop" && senses({ items, subject }, at).every(({ kind }) => kind !== "value"),
  );
  const isBeside = senses({ items, subject }, named).some((each) => each.kind === "measure" && each.name === measure);
  return isSaid && isBeside && other === undefined ? rateOf(subject, measure) : undefined;
}

/** "What percentage of Acme's calls were duplicates": of the calls, how many were such. */
function rateOfNoun(reading: Reading, share: number): string | undefined {
  const { draft, items, subject } = reading;
  const [measure = "", other] = draft.measures;
  const noun = items.findIndex((_, at) => at > share && senses(reading, at).some(({ kind }) => kind === "subject"));
  const counted = items.findIndex((_, at) =>
    senses(reading, at).some((each) => each.kind === "measure" && each.name === measure),
  );
  const isSaid = items
    .slice(noun + 1, counted)
    .some(({ said }) => /^(are|were|was|is|have|had|got|get|been)$/i.test(said));
  return noun >= 0 && counted > noun && isSaid && other === undefined ? rateOf(subject, measure) : undefined;
}

/** "What share of bids do we win": of two counts, the one as a share of the other. */
function rateOfTwo({ draft, subject }: Reading): string | undefined {
  const [whole, part, more] = draft.measures.map((name) => findMeasure(subject, name)?.aggregate);
  if (whole === undefined || part === undefined || more !== undefined) return undefined;
  return subject.measures.find(
    ({ aggregate }) =>
      aggregate.kind === "ratio" &&
      aggregate.scale === 100 &&
      isDeepStrictEqual([aggregate.part, aggregate.of], [part, whole]),
  )?.name;
}

/** Conditions that stand behind the noun and before the grouping: "of calls from Texas by publisher". */
function isPortion(reading: Reading, filter: Filter, share: number): boolean {
  const place = reading.draft.places.get(`${filter.field} ${filter.op}`) ?? -1;
  const noun = reading.items.findIndex((_, index) => index > share && isNoun(reading, index));
  const group = reading.items.findIndex((_, index) => index > noun && hasRole(reading, index, "by"));
  return noun >= 0 && place > noun && (group < 0 || place < group);
}
const isNoun = (reading: Reading, index: number): boolean =>
  senses(reading, index).some(({ kind }) => kind === "measure" || kind === "subject");

/** "of calls from Texas that converted": the name narrows what is asked about, the fact is what is asked. */
function innermost({ subject, draft }: Reading, portion: readonly Filter[]): readonly Filter[] {
  const isFact = ({ field }: Filter) =>
    subject.flags.some(({ name }) => name === field) ||
    subject.quantities.some(({ name }) => name === field) ||
    subject.dimensions.some(({ name, values }) => name === field && values !== undefined);
  const facts = portion.filter(isFact);
  if (facts.length > 0 && facts.length < portion.length) return facts;
  const last = Math.max(...portion.map(({ field, op }) => draft.places.get(`${field} ${op}`) ?? -1));
  return facts.length > 1 ? portion.filter(({ field, op }) => draft.places.get(`${field} ${op}`) === last) : portion;
}
