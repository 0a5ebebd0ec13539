import type { Subject } from "../catalog/field.ts";
import { type Item, sentenceOf } from "./link/item.ts";
import { after, hasRole, namesSubject, type Reading, senses } from "./rules/reading.ts";

/** "Best campaigns": by what? The count alone would be a guess. */
export const isVagueRanking = (reading: Reading): boolean => {
  const { draft, subject } = reading;
  if (isOfQuality(reading)) return true;
  return (
    draft.order !== null &&
    draft.order.by === null &&
    !namesSubject(reading) &&
    draft.measures.length === 0 &&
    subject.name === "calls" &&
    !draft.listing
  );
};

/** "The worst traffic", "best calls": the fewest or the most are not meant. */
function isOfQuality(reading: Reading): boolean {
  const { draft, items, subject } = reading;
  const at = items.findIndex((item) => /^(best|worst|poorest|weakest)$/i.test(item.said));
  const isCount = (index: number) =>
    senses(reading, index).some(
      (each) => each.kind === "subject" || (each.kind === "measure" && each.name === subject.defaultMeasure),
    );
  const isSaid = items.some((_, index) => hasRole(reading, index, "by", "sort") && isCount(after(reading, index)));
  const ranks = !draft.listing && draft.order?.by === subject.defaultMeasure;
  return at >= 0 && isCount(after(reading, at)) && ranks && !isSaid;
}

export const whichRank = ({ items }: Reading) => ({
  sentence: "By which figure should I rank?",
  options: ["revenue", "profit", "calls", "conversion rate"].map((measure) => `${sentenceOf(items)} by ${measure}`),
});

/** "The highest revenue": of which things? A total is not what was asked. */
export const whichGroup = ({ items, subject }: Reading) => ({
  sentence: "What should I rank?",
  options: [...subject.dimensions.slice(0, 3).map(({ words }) => words[0]), "day"].map(
    (group) => `${sentenceOf(items)} by ${group}`,
  ),
});

/** "How are we doing this month" tells the month. */
const tells = (item: Item): boolean => item.kind !== "stop" && !/^(who|what|which|how)\b/i.test(item.said);

export const whichFigure = ({ items, subject }: Reading) => ({
  sentence: "Which figure do you want to see?",
  options: [...allOf(subject), ...figuresOf(subject)].map(
    (measure) => `${measure} ${asHeld(sentenceOf(items.filter(tells)))}`,
  ),
});
/** "How did last week compare to …": what is held against another period is compared. */
const asHeld = (sentence: string): string => sentence.replace(/\bcompares? (?=to\b|with\b|against\b)/i, "compared ");

/** "How did last week compare": all that one looks at first, in one answer. */
const allOf = ({ name }: Subject): readonly string[] =>
  name === "calls" ? ["calls, revenue, profit and conversion rate"] : [];

/** "How is Acme doing this month": by no figure. */
export const isVagueState = ({ items, draft }: Reading): boolean =>
  draft.measures.length + draft.dimensions.length === 0 &&
  draft.filters.length > 0 &&
  /^(so )?how(['’]?s| is| are| was| were| did| do| does| has| have) (?!many|much|often|long)/i.test(
    sentenceOf(items),
  ) &&
  /\b(doing|do|done|performing|perform|performed|going|go|gone|looking|look|faring|fare)\b/i.test(sentenceOf(items));

/** What one asks for first of each kind of records, in words. */
export const figuresOf = ({ name, measures, noun }: Subject): readonly string[] =>
  name === "calls"
    ? ["calls", "revenue", "profit", "conversion rate"]
    : [noun.many, ...measures.slice(1, 4).map(({ words }) => words[0])];
