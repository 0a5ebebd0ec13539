import { findDimension, findFlag, findMeasure, findQuantity, subjectOf } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import { isGrain, type Plan } from "../plan.ts";
import { link } from "./link/link.ts";
import type { Linking } from "./link/linking.ts";
import { toWords } from "./words/tokenize.ts";
import { withPlainTurns } from "./words/turns.ts";

const same =
  /^(?:and |now |ok,? )?(?:(?:do )?(?:the )?same(?: thing| question)?(?: but)?(?: for| with| of| on)|what about|how about)(?: the| our| my| all)? (.+?)[?.!]*$/i;

/** "Same for webhooks", said of calls: the kind of records that is named now, and nothing else; undefined: no such question. */
export function carriedTo(text: string, previous: Plan, linking: Linking): Subject | undefined {
  const said = same.exec(text.trim())?.[1];
  if (said === undefined) return undefined;
  const [item, other] = link(toWords(withPlainTurns(said, linking.names.namesWith)), linking).filter(
    ({ kind }) => kind !== "stop",
  );
  if (item?.kind !== "meanings" || other !== undefined) return undefined;
  const [named, another] = item.meanings.flatMap((each) => (each.kind === "subject" ? [each.subject] : []));
  return named === undefined || another !== undefined || named === previous.subject ? undefined : subjectOf(named);
}

const sameFor = /^(?:and |now |ok,? )?(?:do )?(?:the )?same\b/i;

/** "Same for pings": records of other kinds than before, and which of them is not said; none where nothing of the sort is asked. */
export function unclearKinds(text: string, previous: Plan, linking: Linking): readonly Subject[] {
  const said = sameFor.test(text.trim()) ? same.exec(text.trim())?.[1] : undefined;
  if (said === undefined) return [];
  const [item, other] = link(toWords(withPlainTurns(said, linking.names.namesWith)), linking).filter(
    ({ kind }) => kind !== "stop",
  );
  if (item?.kind !== "meanings" || other !== undefined) return [];
  const kinds = item.meanings.map((each) => ("subject" in each ? each.subject : previous.subject));
  return kinds.includes(previous.subject) ? [] : [...new Set(kinds)].map(subjectOf);
}

/** The same plan of other records, where all that it says is said of those, too; else what they lack, in words. */
export function carry(previous: Plan, subject: Subject): Plan | { readonly lack: string } {
  const from = subjectOf(previous.subject);
  const conditions = [...previous.filters, ...previous.portion];
  const fields = [...previous.dimensions.filter((name) => !isGrain(name)), ...conditions.map(({ field }) => field)];
  const lacking = fields.find((name) => !knows(subject, name));
  if (lacking !== undefined)
    return {
      lack: findDimension(from, lacking)?.words[0] ?? findFlag(from, lacking)?.words[0] ?? inWords(lacking, from),
    };
  const renamed = new Map<string, string>([[from.time, subject.time]]);
  for (const name of new Set([...previous.measures, ...previous.having.map(({ field }) => field)])) {
    const measure = measureLike(name, { from, to: subject });
    if (measure === undefined) return { lack: inWords(name, from) };
    renamed.set(name, measure);
  }
  const by = previous.order === null ? undefined : renamed.get(previous.order.by);
  if (previous.order !== null && by === undefined) return { lack: inWords(previous.order.by, from) };
  return {
    ...previous,
    subject: subject.name,
    measures: previous.measures.map((name) => renamed.get(name) ?? name),
    having: previous.having.map((each) => ({ ...each, field: renamed.get(each.field) ?? each.field })),
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
