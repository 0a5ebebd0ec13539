import { measureOf } from "../catalog/catalog.ts";
import type { Plan } from "../plan.ts";
import type { Item } from "./link/item.ts";
import type { Problem } from "./rules/draft.ts";
import { hasRole, type Reading, senses } from "./rules/reading.ts";
import type { Word } from "./words/tokenize.ts";

/** Wordings that sound like one figure and mean another, with questions that are sure. */
interface Doubt {
  readonly said: RegExp;
  readonly sentence: string;
  readonly instead: readonly string[];
}
const counts = "\\b(?:how many|number of|count of|count)";
const doubts: readonly Doubt[] = [
  {
    said: /\bcalls? (?:with|having|that have|that had|which had|where) (?:any |some )?(revenue|payout|profit)\b(?! (?:of|over|above|under|below|more|greater|less|higher|lower|larger|smaller|fewer|at|between|exceeding|up|no|not|is|was|[<>]))/i,
    sentence: "Only the calls with a $1 above zero, or calls and $1 side by side?",
    instead: ["calls with $1 over 0", "calls and $1"],
  },
  {
    said: /(?<!(?:calls? (?:from|by|of)|(?:revenue|payout|profit|margin|epc|rate|duration) (?:from|of|by|on|for)) )\b(?:repeat|returning) callers?\b(?! rate)/i,
    sentence: "Do you want to count the callers or their calls?",
    instead: ["unique callers of repeat calls", "repeat calls"],
  },
  {
    // Those that webhooks told of are counted once each.
    said: /\b(?:unique|distinct) (?:phone )?calls?\b(?!(?: [^ ,]+){0,6} (?:web)?hooks?\b)/i,
    sentence: "Do you mean calls that are no duplicates, or callers, each counted once?",
    instead: ["non duplicate calls", "unique callers"],
  },
  {
    said: new RegExp(
      `${counts}(?: of)?(?: the| our| my| active| different| distinct)* webhooks?\\b(?! (?:deliver|request|retr|fail|succe|time|error|attempt|call|were|got|did))`,
      "i",
    ),
    sentence: "I cannot count webhooks; I can count what was delivered to them.",
    instead: ["how many webhook deliveries"],
  },
  {
    said: /\b(who|which (?:buyer|target|client|advertiser)s?|what) pays? (?:us )?(?:the )?best\b(?! per\b)/i,
    sentence: "Who pays the most for a call, or the most in all?",
    instead: ["$1 pays the most per call", "$1 pays the most"],
  },
  {
    said: /\b(who|which (?:buyer|target|client|advertiser)s?|what) pays? (?:us )?(?:the )?worst\b(?! per\b)/i,
    sentence: "Who pays the least for a call, or the least in all?",
    instead: ["$1 pays the least per call", "$1 pays the least"],
  },
  {
    said: /\b((?:campaign|offer|publisher|affiliate|state|keyword)s?) pays? (?:us )?(?:the )?(best|most|highest|worst|least|lowest)\b/i,
    sentence: "What buyers pay, or what publishers are paid?",
    instead: ["$1 has the $2 revenue", "$1 has the $2 payout"],
  },
  {
    said: /\b(best|highest|top|most|worst|lowest|least) paying ((?:buyer|client|advertiser|target)s?)\b(?! per\b)/i,
    sentence: "By what is paid for a call, or by all of it?",
    instead: ["$1 $2 by revenue per call", "$1 $2 by revenue"],
  },
  {
    said: /\b(?:who sends?|which publishers? (?:sends?|sent|brings?))(?: us)? the (longest) calls\b/i,
    sentence: "By their average, or by the $1 single call?",
    instead: ["which publisher has the highest average duration", "which publisher has the highest longest duration"],
  },
];

const negative = /\p{L}\s+[-−–]\s?\$?\d+(?![\d-])/u;
const negativeCount = /\b(top|bottom|best|worst|over|above|under|below|than)\s+[-−–]\s*\$?\d/iu;
const ofUnit = /\b(days?|weeks?|months?|quarters?|years?|hours?|weekdays?)\b/i;

const isMeasure = (item: Item): boolean =>
  item.kind === "meanings" && item.meanings.some(({ kind }) => kind === "measure");

/** What the words alone leave open, or ask for what cannot be told. */
export function doubtAbout(text: string, items: readonly Item[]): Problem | undefined {
  if (negativeCount.test(text) || negative.test(text.replace(/\s[-−–]\s/g, " to ")))
    return { sentence: "I cannot read a number below zero there.", options: [] };
  const question = items.map(({ said }) => said).join(" ");
  for (const { said, sentence, instead } of doubts) {
    const match = said.exec(question);
    if (match === null) continue;
    const [, one = "", two = ""] = match;
    const fill = (pattern: string) => pattern.replaceAll("$1", one.toLowerCase()).replaceAll("$2", two.toLowerCase());
    const options = instead.map((words) => question.replace(match[0], fill(words)));
    return { sentence: fill(sentence), options };
  }
  return countOfUnits(question, items);
}

/** "How many days had revenue above 6000": a count of days is no figure of ours. */
function countOfUnits(question: string, items: readonly Item[]): Problem | undefined {
  const counted = new RegExp(`${counts}(?: of)?(?: the| our| all| different)* ${ofUnit.source}`, "i").exec(question);
  const unit = counted?.[1]?.toLowerCase();
  if (unit === undefined) return undefined;
  const measure = items.find(isMeasure)?.said ?? "calls";
  const period = items.find(({ kind }) => kind === "period")?.said ?? "";
  const one = unit.replace(/s$/, "");
  const option = `${measure} by ${one} ${period}`.trim();
  return { sentence: `I cannot count ${one}s; ask "${option}" instead.`, options: [option] };
}

const lengthWords = new Set(
  "duration length long longest shortest acl aht talk handle connected wait time latency slowest fastest response".split(
    " ",
  ),
);
const unitWords = /^(hours?|hrs|minutes?|mins|seconds?|secs|ms|milliseconds?)$/;

/** "Total duration in hours": the unit of a figure is no unit of time to group by; figures keep their own unit. */
export function withoutUnits(words: readonly Word[]): { readonly words: readonly Word[]; readonly notes: string[] } {
  const at = words.findIndex(
    ({ text }, index) =>
      text === "in" && unitWords.test(words[index + 1]?.text ?? "") && words[index + 2]?.text !== "of",
  );
  if (at < 0 || !words.some(({ text }) => lengthWords.has(text))) return { words, notes: [] };
  const said = words[at + 1]?.text ?? "";
  const kept = words.some(({ text }) => /^(latency|response)$/.test(text)) ? "milliseconds" : "seconds";
  const unit = /^m(s|illi)/.test(said) ? "milliseconds" : said.startsWith("sec") ? "seconds" : said;
  const notes = unit === kept ? [] : [`I took "in ${said}" as the unit of the figure; in the table it is in ${kept}.`];
  return { words: words.filter((_, index) => index !== at && index !== at + 1), notes };
}

const pronouns = new Set(["their", "theirs", "them", "they", "those", "it", "its"]);
const wordOf = ({ said }: Item): string => said.toLowerCase();
const pointsBack = (items: readonly Item[]): boolean =>
  items.some((item) => pronouns.has(wordOf(item)) || /^(what|how much) .*\b(they|it|those|these)\b/.test(wordOf(item)));
/** "Calls to bidders, and how much revenue did they bring": what is pointed at stands in the same question. */
const pointsWithin = (reading: Reading): boolean => {
  const at = reading.items.findIndex((item) => pronouns.has(wordOf(item)));
  const joint = reading.items.findIndex((item, index) => index < at && /^(and|with|,)$/.test(wordOf(item)));
  return (
    joint > 0 &&
    reading.items
      .slice(0, joint)
      .some((_, index) => senses(reading, index).some(({ kind }) => kind === "subject" || kind === "dimension"))
  );
};
const opensWithAnd = ([first]: readonly Item[]): boolean => first !== undefined && wordOf(first) === "and";
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

/** A question too short to be one by itself, or one that goes on from an answer that is not there or does not fit. */
export function tooBare(reading: Reading, previous: Plan | undefined): Problem | undefined {
  const { items, draft, subject } = reading;
  // What is live is so now.
  if (draft.listsThem || (previous === undefined && draft.measures.includes("live_calls"))) return undefined;
  const figureOnly = isFigureOnly(reading);
  const follow = items.some((_, index) => hasRole(reading, index, "follow"));
  const fits = previous !== undefined && previous.subject === subject.name && previous.columns.length === 0;
  const measured = draft.measures.length > 0 || namesNoun(reading);
  if (leans(reading) && previous !== undefined && measured && !(fits && (figureOnly || isBoundOnly(reading))))
    return goingOnFromWhat(reading);
  if (previous === undefined && pointsBack(items) && measured && !(draft.measures.length > 1 && pointsWithin(reading)))
    return figureOnly ? overWhat(reading) : goingOnFromWhat(reading);
  if (previous === undefined && figureOnly && (opensWithAnd(items) || follow)) return overWhat(reading);
  if (
    figureOnly &&
    items.length === 1 &&
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
    sentence: "I am not sure what that goes on from. Please ask it as a whole question.",
    options: alone
      ? [
          items
            .slice(1)
            .map(({ said }) => said)
            .join(" "),
        ]
      : [],
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
  const name = items.map(({ said }) => said).join(" ");
  const over = /^(for|from|of|on|in|to|over|at|not|without|excluding)\b/i.test(name) ? name : `for ${name}`;
  return {
    sentence: `What do you want to know of ${name}?`,
    options: [`revenue ${over} last month`, `calls ${over} last month`, `calls ${over} of all time`],
  };
}
