const calls = "(?:our |the |my )?(calls?(?: (?:to|from|for|of|on|in) .+?)?)";
const fail = "(?:fail(?:ed|ing)?|missed|unanswered|not connect(?:ed|ing)?)";

/** Whole turns of phrase, and the plain questions that they are; in this order. */
const turns: readonly (readonly [RegExp, string])[] = [
  // Why calls failed is known, each has its reason; of all else it is not told why: "why did calls to Acme fail yesterday".
  [
    new RegExp(
      `^(?:please )?why (?:did|do|are|were|have|has) (?:so many |many |most |all |some )?${calls} (?:been )?${fail}\\b`,
      "iu",
    ),
    "$1 that failed by failure reason",
  ],
  [
    new RegExp(
      `\\b(?:the )?reasons? (?:why |that |for which )?${calls} (?:(?:are|were|get|got|have|did) )?${fail}\\b`,
      "giu",
    ),
    "$1 that failed by failure reason",
  ],
  [
    new RegExp(`^(?:please )?why (?:did|do|are|were|have|has) (.+?)['’]s calls (?:been )?${fail}\\b`, "iu"),
    "calls of $1 that failed by failure reason",
  ],
  // "calls that failed because the target was busy"
  [
    /\bbecause (?:of )?(?:(?:the|a) (?:target|line|agent|buyer) was |(?:there|it) was )?(?=busy\b|no answer\b|no (?:eligible )?route\b)/giu,
    "with ",
  ],
  [/\bbecause (?:nobody|no one|no-one) (?:answered|picked up)\b/giu, "with no answer"],
  [/^what went wrong with (?:our |the |my )?(calls\b.*)$/iu, "$1 that failed by failure reason"],
  // "who called us the most", "which number calls most often": callers are told by how often they call
  [
    /\b(?:who|(?:which|what) (?:caller|number|phone number|person)) (?:called|calls|call|phoned|rang)(?: us| in)? (?:the )?most(?: often| frequently)?\b/giu,
    "top caller by calls",
  ],
  // "biggest spenders", "top spending buyers"
  [/\b(biggest|top|highest|largest)(?:[\s-]spending buyers| (?:spend|pay)ers)\b/giu, "$1 buyers by revenue"],
  [/\b(biggest|top|highest|largest)(?:[\s-]spending buyer| (?:spend|pay)er)\b/giu, "$1 buyer by revenue"],
  // "paid vs unpaid calls": of those that publishers are paid for
  [/\bpaid (vs|versus|and|or) (?:unpaid|not paid|non-?paid)\b/giu, "payable $1 unpayable"],
  [/\b(?:unpaid|not paid|non-?paid) (vs|versus|and|or) paid\b/giu, "unpayable $1 payable"],
  // "states that brought in over $1000"
  [
    /\b(?:brought|brings?|pulled|pulls?|took|takes?) in (?=(?:over|under|more|less|at|up|above|below)\b[\w ]*\$)/giu,
    "made ",
  ],
  // "how long does Acme take to answer", "which target takes the longest to answer"
  [/\bhow long (?:does|do|did) (.+?) take to (?:answer|pick up|connect)\b/giu, "average wait time of $1"],
  [/\btak(?:es|e|ing) (?:the )?longest to (?:answer|pick up|connect)\b/giu, "has the highest average wait time"],
];

/** The question in plain words, where it has such a turn. */
export const withPlainTurns = (question: string): string =>
  turns.reduce((text, [said, meant]) => text.replace(said, meant), question);
