import { findDimension, findFlag, findMeasure, findQuantity, subjectOf } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import { alternatives, type Filter, isGrain, type Plan } from "../../plan.ts";

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
