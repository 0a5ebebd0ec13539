import { type Item, sentenceOf } from "./link/item.ts";
import type { Problem } from "./rules/draft.ts";

/** Wordings that sound like one figure and mean another, with questions that are sure. */
interface Doubt {
  readonly said: RegExp;
  readonly sentence: string;
  readonly instead: readonly string[];
}
const counts = "\\b(?:how many|number of|count of|count)";
const paidSince = "What has been paid since is not known here; what it came to?";
const doubts: readonly Doubt[] = [
  {
    said: /\bcallers?['’]?s?['’]? (?:income|salary|salaries|wages?|gender|sex|religion|race|credit)\b/i,
    sentence: "I do not know that of callers.",
    instead: [],
  },
  {
    said: /\b(?:and|or) by how much\b/i,
    sentence: "I cannot tell by how much; ask for the figures themselves.",
    instead: [],
  },
  {
    said: /, (?:and )?which ones(?: and how (?:many|often))?$/i,
    sentence: "Which of what? Say what to group by, such as “by campaign”.",
    instead: [],
  },
  {
    said: /\bcalls? (?:with|having|that have|that had|which had|where) (?:any |some )?(revenue|payout|profit)\b(?! (?:of|over|above|under|below|more|greater|less|higher|lower|larger|smaller|fewer|at|between|exceeding|up|no|not|is|was|[<>]))/i,
    sentence: "Only the calls with a $1 above zero, or calls and $1 side by side?",
    instead: ["calls with $1 over 0", "calls and $1"],
  },
  {
    said: /(?<=\b(?:how many|number of|count of|count) (?:of )?(?:our |the )?)(?:repeat|returning) callers?\b(?! rate)/i,
    sentence: "Do you want to count the callers or their calls?",
    instead: ["unique callers of repeat calls", "repeat calls"],
  },
  {
    said: /\b(?:publisher|affiliate)s? (?:(?:that|who|which) )?(?:have |has )?(?:earned|earns?|made)\b(?= (?:more|less|over|under|at|above|below))/i,
    sentence: "What publishers are paid, or what buyers pay for their calls?",
    instead: ["publishers with payout", "publishers with revenue"],
  },
  {
    said: /\b(?:after|outside|outside of|out of|off|non)[ -](?:business |office |working |opening )?hours\b/i,
    sentence: "I do not know your hours; which times do you mean?",
    instead: ["after 5pm", "before 9am", "on weekends"],
  },
  {
    said: /\b(?:(?:during|in|within) )?(?:business|office|working|opening) hours\b/i,
    sentence: "I do not know your hours; which times do you mean?",
    instead: ["between 9am and 5pm", "between 9am and 5pm on weekdays", "between 8am and 6pm on weekdays"],
  },
  {
    said: /\bper hour of (?:talk time|connected time|talk|call time|calls?)\b/i,
    sentence: "I divide by minutes of talk time, not by hours.",
    instead: ["per minute of talk time"],
  },
  { said: /\bowe(s?)\b/i, sentence: paidSince, instead: ["pay$1"] },
  { said: /\bowed\b/i, sentence: paidSince, instead: ["paid"] },
  { said: /\b(?:is|was) owing\b/i, sentence: paidSince, instead: ["pays"] },
  { said: /\b(?:(?:are|were) )?owing\b/i, sentence: paidSince, instead: ["pay"] },
  {
    said: /\bbest payers?\b/i,
    sentence: "By what is paid for a call, or by all of it?",
    instead: ["best buyer by revenue per call", "best buyer by revenue"],
  },
  {
    said: /\b(?:how many|number of|total) minutes\b(?! of (?:talk|connected))/i,
    sentence: "The minutes for which calls were connected, or from their start to their end?",
    instead: ["total talk time", "total call duration"],
  },
  {
    said: /\bwhen (?:do|did) (?:we|i) (?:get|have|receive) (?:the |our )?(most|fewest) (calls|conversions|revenue)\b/i,
    sentence: "By the hour of the day, or by the day of the week?",
    instead: ["which hour of day has the $1 $2", "which day of week has the $1 $2"],
  },
  {
    // Those that webhooks told of are counted once each.
    said: /\b(?:unique|distinct) (?:phone )?calls?\b(?!(?: [^ ,]+){0,6} (?:web)?hooks?\b)/i,
    sentence: "Do you mean calls that are no duplicates, or callers, each counted once?",
    instead: ["non duplicate calls", "unique callers"],
  },
  {
    said: new RegExp(
      `${counts}(?: of)?(?: the| our| my| active| different| distinct)* webhooks?\\b(?! (?:deliver|request|retr|fail|succe|time|error|attempt|call|were|got|did|had|have|with))`,
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
  {
    said: /\b(?:on |at |during )?(?:the )?week ?nights?\b/i,
    sentence: "From which hour on is it night?",
    instead: ["on weekdays after 6pm", "on weekdays after 8pm"],
  },
  {
    said: /\b(?:at night|during the night)\b/i,
    sentence: "Between which hours is it night?",
    instead: ["between 10pm and 6am", "between 8pm and 8am"],
  },
];

const negative = /\p{L}\s+[-−–]\s?\$?\d+(?![\d-])/u;
const negativeCount = /\b(top|bottom|best|worst|over|above|under|below|than)\s+[-−–]\s*\$?\d/iu;

/** What the words alone leave open, or ask for what cannot be told. */
export function doubtAbout(text: string, items: readonly Item[]): Problem | undefined {
  if (negativeCount.test(text) || negative.test(text.replace(/\s[-−–]\s/g, " to ")))
    return { sentence: "I cannot read a number below zero there.", options: [] };
  const question = sentenceOf(items);
  for (const { said, sentence, instead } of doubts) {
    const match = said.exec(question);
    if (match === null) continue;
    const [, one = "", two = ""] = match;
    const fill = (pattern: string) => pattern.replaceAll("$1", one.toLowerCase()).replaceAll("$2", two.toLowerCase());
    const options = instead.map((words) => question.replace(match[0], fill(words)));
    return { sentence: fill(sentence), options };
  }
  return undefined;
}
