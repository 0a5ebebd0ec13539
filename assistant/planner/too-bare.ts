import { measureOf } from "../catalog/catalog.ts";
import type { Plan } from "../plan.ts";
import { type Item, sentenceOf } from "./link/item.ts";
import { withoutBefore } from "./not-understood.ts";
import type { Problem } from "./rules/draft.ts";
import { hasRole, type Reading, senses } from "./rules/reading.ts";

const pronouns = new Set(["their", "theirs", "them", "they", "those", "it", "its", "he", "she", "him", "his", "her"]);
const wordOf = ({ said }: Item): string => said.toLowerCase();
const pointsBack = (items: readonly Item[]): boolean =>
  items.some((item) => pronouns.has(wordOf(item)) || /^(what|how much) .*\b(they|it|those|these)\b/.test(wordOf(item)));
/** "Calls to bidders, and how much revenue did they bring": what is pointed at stands in the same question. */
const pointsWithin = (reading: Reading): boolean => {
  const at = reading.items.findIndex((item) => pronouns.has(wordOf(item)));
  return reading.items
    .slice(0, Math.max(0, at))
    .some((_, index) =>
      senses(reading, index).some(
        (each) =>
          ["subject", "dimension", "value"].includes(each.kind) ||
          (each.kind === "measure" && measureOf(reading.subject, each.name).aggregate.kind === "count"),
      ),
    );
};
/** "And revenue?", "ok and revenue?". */
const opensWithAnd = (items: readonly Item[]): boolean => {
  const first = items.find(({ said }) => !/^(ok|okay|right|so)$/i.test(said));
  return first !== undefined && wordOf(first) === "and";
};
/** "What's the timeout rate then". */
const endsWithThen = (items: readonly Item[]): boolean =>
  items.length > 1 && items.at(-1)?.said.toLowerCase() === "then";
/** "and profit?", "show me their profit": goes on from something. */
export const leans = ({ items }: Reading): boolean => opensWithAnd(items) || endsWithThen(items) || pointsBack(items);

const namesNoun = (reading: Reading): boolean =>
  reading.items.some((_, index) => senses(reading, index).some(({ kind }) => kind === "subject"));

const hasNoShape = ({ draft }: Reading): boolean =>
  draft.dimensions.length + draft.having.length === 0 &&
  draft.grain === null &&
  draft.order === null &&
  draft.limit === null &&
  draft.compare === null &&
  !draft.listing &&
  !draft.share;

/** Figures and nothing else: no period, no groups, no conditions. */
export const isFigureOnly = (reading: Reading): boolean =>
  hasNoShape(reading) &&
  reading.draft.filters.length === 0 &&
  reading.draft.period === undefined &&
  (reading.draft.measures.length > 0 || namesNoun(reading));

/** "Only those with at least 70 calls": of the groups before. */
const isBoundOnly = ({ draft, groupedBefore }: Reading): boolean =>
  groupedBefore &&
  draft.having.length > 0 &&
  draft.dimensions.length + draft.filters.length === 0 &&
  draft.measures.every((name) => draft.having.some(({ field }) => field === name));

/** "And by profit instead": the ranking of the groups before. */
const isSortingOnly = ({ draft, groupedBefore }: Reading): boolean =>
  groupedBefore &&
  draft.order !== null &&
  draft.dimensions.length + draft.filters.length + draft.having.length === 0 &&
  draft.grain === null &&
  draft.period === undefined;

/** "And for facebook traffic only": fewer of the records before, where no figure is named. */
const narrowsOnly = ({ draft, items }: Reading): boolean =>
  draft.measures.length + draft.dimensions.length === 0 &&
  draft.filters.length > 0 &&
  items.some(({ said }) => /^(?:only|just)\b/i.test(said));

/** "Highest bid" behind "average bid by week": another statistic of the same number, so of the same records. */
export function swapsFigure(reading: Reading, previous: Plan): boolean {
  const { subject, draft } = reading;
  if (previous.subject !== subject.name || !isFigureOnly(reading)) return false;
  const columnOf = (name: string) => {
    const { aggregate } = measureOf(subject, name);
    return "column" in aggregate && aggregate.kind !== "sum" && aggregate.kind !== "distinct" ? aggregate.column : "";
  };
  const [before, now] = [previous.measures, draft.measures];
  const column = columnOf(now[0] ?? subject.defaultMeasure);
  return before.length === 1 && now.length === 1 && column !== "" && columnOf(before[0] ?? "") === column;
}

/** "Payout per minute" is a figure; "how long until someone answers" is a question. */
const mostBareWords = 3;

/** A question too short to be one by itself, or one that goes on from an answer that is not there or does not fit. */
export function tooBare(reading: Reading, previous: Plan | undefined): Problem | undefined {
  const { items, draft, subject } = reading;
  // What is live is so now.
  if (draft.listsThem || (previous === undefined && draft.measures.includes("live_calls"))) return undefined;
  const figureOnly = isFigureOnly(reading);
  const follow = items.some((_, index) => hasRole(reading, index, "follow"));
  const fits = previous !== undefined && previous.subject === subject.name && previous.columns.length === 0;
  const measured = draft.measures.length > 0 || namesNoun(reading);
  const isOfThatPeriod = draft.keepsPeriod && !figureOnly;
  if (
    leans(reading) &&
    previous !== undefined &&
    measured &&
    !isOfThatPeriod &&
    !(fits && (figureOnly || isBoundOnly(reading) || isSortingOnly(reading) || narrowsOnly(reading)))
  )
    return goingOnFromWhat(reading);
  if (previous === undefined && pointsBack(items) && measured && !pointsWithin(reading))
    return figureOnly ? overWhat(reading) : goingOnFromWhat(reading);
  if (previous === undefined && figureOnly && (opensWithAnd(items) || follow)) return overWhat(reading);
  // "Win rate?", behind an answer by groups: of the same ones.
  if (fits && figureOnly && reading.groupedBefore) return undefined;
  if (
    figureOnly &&
    items.length === 1 &&
    (items[0]?.said.split(" ").length ?? 0) <= mostBareWords &&
    !(fits && swapsFigure(reading, previous)) &&
    !/\b(total|median|average|longest|how many|number)\b/i.test(items[0]?.said ?? "")
  )
    return overWhat(reading, fits);
  const isCounted = items.some((_, index) => hasRole(reading, index, "how_many"));
  const nameOnly =
    hasNoShape(reading) &&
    !isCounted &&
    !measured &&
    !describesRecords(reading) &&
    draft.period === undefined &&
    draft.filters.length > 0;
  return previous === undefined && nameOnly ? whichOfName(reading) : undefined;
}

/** "Missed but longer than 30 seconds", "billable but not payable calls": facts of records, not a name. */
const describesRecords = ({ draft, subject, items }: Reading): boolean => {
  const isFact = (name: string) => subject.flags.some((flag) => flag.name === name);
  const isNoun = items.some(
    (item) => item.kind === "meanings" && item.meanings.some((each) => each.kind === "flag" && each.noun),
  );
  return draft.filters.some(({ field }) => isFact(field)) && (draft.filters.length > 1 || isNoun);
};

function goingOnFromWhat({ items }: Reading): Problem {
  const alone = opensWithAnd(items) && !pointsBack(items);
  return {
    sentence: withoutBefore,
    options: alone ? [sentenceOf(items.slice(1))] : [],
  };
}

function overWhat({ items, subject, draft }: Reading, fits = false): Problem {
  const figure =
    items.find(
      (item) => item.kind === "meanings" && item.meanings.some(({ kind }) => ["measure", "subject"].includes(kind)),
    )?.said ?? subject.noun.many;
  const group = subject.dimensions[0]?.words[0];
  const said = draft.measures.length > 1 ? subject.noun.many : figure;
  return {
    sentence: `Over which time, and by what, do you want to see ${said}?`,
    options: [
      ...(fits ? [`what about ${said}`] : []),
      `${said} last month`,
      `${said} by ${group} last month`,
      `${said} by day last 30 days`,
      `${said} of all time`,
    ],
  };
}

function whichOfName({ items }: Reading): Problem {
  const name = sentenceOf(items);
  const over = /^(for|from|of|on|in|to|over|at|not|without|excluding)\b/i.test(name) ? name : `for ${name}`;
  return {
    sentence: `What do you want to know of ${name}?`,
    options: [`revenue ${over} last month`, `calls ${over} last month`, `calls ${over} of all time`],
  };
}
