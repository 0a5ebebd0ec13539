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
  [/\bhangs? up\b/giu, "hung up"],
  [/\bphon(?:ed|es)\b/giu, "called"],
  [/\bwait(?:ing)?(?: times?)? (?:before|until|till) (?:the )?(?:pick-?up|answer(?:ing)?)\b/giu, "wait time"],
  [/\bresponse ms\b/giu, "response time"],
  [/^how come\b/iu, "why"],
  [/\b(?:as )?per (?:the )?audit log\b/giu, "in the audit log"],
  // "reasons with counts": they are counted anyway
  [/\bwith (?:the |their )?counts?\b/giu, ""],
  // "wait time by target, slowest first"
  [/\b((?:wait|time|latency|duration|p\d\d)\b[^,;]*), (?:slowest|longest) first$/giu, "$1, highest first"],
  [/\b((?:wait|time|latency|duration|p\d\d)\b[^,;]*), (?:fastest|shortest) first$/giu, "$1, lowest first"],
  [/\b(\d+) or more times\b/giu, "at least $1 times"],
  // "attempts beyond the 4th", "from the 3rd attempt on"
  [/\b(?:beyond|after|past) the (\d+)(?:st|nd|rd|th) (?:try|attempt)\b/giu, "where attempt over $1"],
  [/\bfrom the (\d+)(?:st|nd|rd|th) (?:try|attempt) on(?:wards?)?\b/giu, "where attempt at least $1"],
  // "swap calls for revenue"
  [/^swap (?:the )?(\w+(?: \w+)?) (?:for|with) (?:the )?(\w+(?: \w+)?)$/iu, "$2 instead of $1"],
  // "bidder timeouts, Fairhaven Life excluded"
  [/[,;] ?([^,;?]+?) (?:is |are )?(?:excluded|left out|removed)(?=$|[,;?.])/giu, " excluding $1"],
  // "leave California out", "leaving Texas out"
  [/\bleav(?:e|ing) (?!out\b)([^,;?]+?) out\b/giu, "excluding $1"],
  // "median rather than average"
  [
    /\b(median|average|mean|p\d\d) (?:rather than|instead of) (?:the |an? )?(?:median|average|mean|p\d\d)\b/giu,
    "$1 instead",
  ],
  // "states that gave us fewer than 5 calls"
  [
    /\b(?:that |who |which )?(?:gave|gives?|sent|sends?|brought|brings?) us (?=(?:fewer|more|less|over|under|at least|at most|up to)\b)/giu,
    "with ",
  ],
  // "pairs that made more than $500 profit": the figure stands behind
  [
    /\b(?:that |who |which )?(?:made|makes?|earned|earns?|generated|brought in) (?=(?:over|under|more than|less than|at least|at most|up to|above|below)\s+\$?[\d,.]+k?\s+(?:in |of )?(?:revenue|profit|payout|margin)\b)/giu,
    "with ",
  ],
  // "publishers running under 30% margin"
  [/\brunning (?=(?:under|over|below|above|at)\b)/giu, "with "],
  // "% growth": what changes is told in percent anyway
  [/(?:%|\bpercent|\bpercentage) (?=(?:growth|change|increase|decrease)\b)/giu, ""],
  // "callers with more than 3 calls and how many each": the bound's figure is shown
  [/,? and how many each\b/giu, ""],
  // "the week before it"
  [/\b((?:day|week|month|quarter|year|period) before) (?:it|that|this)\b/giu, "$1"],
  // "all publishers together": no grouping
  [
    /,? ?\b(?:(?:for|across|of|over) )?all (?:of )?(?:our |the |my )?(?:campaign|offer|publisher|affiliate|vendor|buyer|advertiser|client|target|state|webhook|source|partner)s (?:together|combined|taken together)\b/giu,
    "",
  ],
  // "calls from Texas, newest first": a list, whose newest come first by themselves
  [
    /^(?!.*\b(?:by|per)\b)(?:(?:show|give|get|list)(?: me)? )?(.+?),? (?:the )?(?:newest|latest|most recent) first$/iu,
    "list $1",
  ],
];

/** The question in plain words, where it has such a turn; what stands in quotes is a name, and left as it is. */
export function withPlainTurns(question: string): string {
  const quoted: string[] = [];
  const masked = question.replace(/["“][^"“”]+["”]/gu, (name) => `quoted${quoted.push(name) - 1}quoted`);
  const plain = turns.reduce((text, [said, meant]) => text.replace(said, meant), masked);
  return quoted.length === 0
    ? plain
    : plain.replace(/quoted(\d+)quoted/gu, (_, at: string) => quoted[Number(at)] ?? "");
}
