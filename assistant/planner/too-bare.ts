import type { Plan } from "../plan.ts";
import { leans, opensWithAnd, pointsBack, pointsWithin } from "./leans.ts";
import { sentenceOf } from "./link/item.ts";
import { withoutBefore } from "./not-understood.ts";
import type { Problem } from "./rules/draft.ts";
import { hasRole, namesSubject, type Reading } from "./rules/reading.ts";
import { hasNoShape, isBoundOnly, isFigureOnly, isSortingOnly, narrowsOnly, swapsFigure } from "./says-only.ts";

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
  const measured = draft.measures.length > 0 || namesSubject(reading);
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
