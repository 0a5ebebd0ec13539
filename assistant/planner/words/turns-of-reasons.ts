import type { Turn } from "./turn.ts";

const calls = "(?:our |the |my )?(calls?(?: (?:to|from|for|of|on|in) .+?)?)";
const fail = "(?:fail(?:ed|ing)?|missed|unanswered|not connect(?:ed|ing)?)";

/** Why something failed, asked in other words than by its reasons. */
export const turnsOfReasons: readonly Turn[] = [
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
];
