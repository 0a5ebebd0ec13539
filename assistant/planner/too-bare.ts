import { opensWithAnd, pointsBack, pointsWithin } from "./leans.ts";
import { sentenceOf } from "./link/item.ts";
import { withoutBefore } from "./not-understood.ts";
import type { Problem } from "./rules/draft.ts";
import { hasRole, namesSubject, type Reading } from "./rules/reading.ts";
import { hasNoShape, isFigureOnly } from "./says-only.ts";

/** "Payout per minute" is a figure; "how long until someone answers" is a question. */
const mostBareWords = 3;

/** A question too short to be one by itself, or one that goes on from an answer that is not there. */
export function tooBare(reading: Reading): Problem | undefined {
  const { items, draft } = reading;
  // What is live is so now.
  if (draft.measures.includes("live_calls")) return undefined;
  const figureOnly = isFigureOnly(reading);
  const follow = items.some((_, index) => hasRole(reading, index, "follow"));
  const measured = draft.measures.length > 0 || namesSubject(reading);
  if (pointsBack(items) && measured && !pointsWithin(reading))
    return figureOnly ? overWhat(reading) : goingOnFromWhat(reading);
  if (figureOnly && (opensWithAnd(items) || follow)) return overWhat(reading);
  if (
    figureOnly &&
    items.length === 1 &&
    (items[0]?.said.split(" ").length ?? 0) <= mostBareWords &&
    !/\b(total|median|average|longest|how many|number)\b/i.test(items[0]?.said ?? "")
  )
    return overWhat(reading);
  const isCounted = items.some((_, index) => hasRole(reading, index, "how_many"));
  const nameOnly =
    hasNoShape(reading) &&
    !isCounted &&
    !measured &&
    !describesRecords(reading) &&
    draft.period === undefined &&
    draft.filters.length > 0;
  return nameOnly ? whichOfName(reading) : undefined;
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

function overWhat({ items, subject, draft }: Reading): Problem {
  const figure =
    items.find(
      (item) => item.kind === "meanings" && item.meanings.some(({ kind }) => ["measure", "subject"].includes(kind)),
    )?.said ?? subject.noun.many;
  const group = subject.dimensions[0]?.words[0];
  const said = draft.measures.length > 1 ? subject.noun.many : figure;
  return {
    sentence: `Over which time, and by what, do you want to see ${said}?`,
    options: [
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
