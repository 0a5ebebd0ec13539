import type { Turn } from "./turn.ts";

/** Figures that are told by a verb, or by who has them. */
export const turnsOfFigures: readonly Turn[] = [
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
  // "how long does Acme take to answer", "which target takes the longest to answer"
  [/\bhow long (?:does|do|did) (.+?) take to (?:answer|pick up|connect)\b/giu, "average wait time of $1"],
  [/\btak(?:es|e|ing) (?:the )?longest to (?:answer|pick up|connect)\b/giu, "has the highest average wait time"],
  [/\bhangs? up\b/giu, "hung up"],
  [/\bphon(?:ed|es)\b/giu, "called"],
  [
    /\b(?<!callers? )wait(?:ing)?(?: times?)? (?:before|until|till) (?:(?:the )?(?:pick-?up|answer(?:ing)?)|(?:some(?:one|body)|any(?:one|body)|(?:an?|the) (?:agent|target|buyer)|they|we) (?:picks?|picked) up|(?:some(?:one|body)|any(?:one|body)|(?:an?|the) (?:agent|target|buyer)|they|we) answer(?:s|ed)?)\b/giu,
    "wait time",
  ],
  [/\bresponse ms\b/giu, "response time"],
  // "reasons with counts": they are counted anyway
  [/\bwith (?:the |their )?counts?\b/giu, ""],
  // "median rather than average"
  [
    /\b(median|average|mean|p\d\d) (?:rather than|instead of) (?:the |an? )?(?:median|average|mean|p\d\d)\b/giu,
    "$1 instead",
  ],
  // "% growth": what changes is told in percent anyway
  [/(?:%|\bpercent|\bpercentage) (?=(?:growth|change|increase|decrease)\b)/giu, ""],
  // "callers with more than 3 calls and how many each": the bound's figure is shown
  [/,? and how many each\b/giu, ""],
  // "which weekday do conversions mostly land on"
  [
    /\b(which|what) (weekday|day of (?:the )?week|hour(?: of (?:the )?day)?|time of day|state|month|day) do (?:most (?:of )?)?(?:our |the |my )?(.+?) (?:mostly |usually |typically |mainly )?(?:land|fall|happen|occur|come in|come|arrive|start)(?: on| in| at| from)?(?=[?.,]|$)/giu,
    "$1 $2 has the most $3",
  ],
  // "which targets kept callers waiting the longest", "kept callers waiting over 30 seconds"
  [
    /\b(?:keeps?|kept|leaves?|left) (?:the |our )?(?:callers?|people) (?:waiting|on hold) (?:the )?longest\b/giu,
    "had the highest average wait time",
  ],
  [
    /\b(?:keeps?|kept|leaves?|left) (?:the |our )?(?:callers?|people) (?:waiting|on hold)\b(?: for)?/giu,
    "with wait time",
  ],
  // "who is hanging up, caller or target?"
  [
    /^who(?:['’]s| is| was| are) (?:usually |mostly )?hanging up(?: (?:on us|first|more))?/iu,
    "calls by who ended the call",
  ],
  // "who changed things"
  [/^who changed (?:things|something|anything|stuff)\b/iu, "changes by actor"],
  // "who hung up first last month", "who ended the converted calls"
  [
    /^who (?:usually |mostly |normally )?(?:hung up|hangs up|ended (?:the|our|these) calls?|ended it)(?: first)?(?! the (?:most|least))(?= (?:last|this|in|on|since|today|yesterday|from|for|of)\b|[?.:,]|$)/iu,
    "calls by who ended the call",
  ],
  [/^who (?:ended|hung up on|terminated) (?:the |our )?((?:[a-z]+ )?calls)\b/iu, "$1 by who ended the call"],
  // "what did Acme bring in"
  [/^what did (.+?) bring in\b/iu, "revenue of $1"],
  // What is owed is told as what it came to
  [/^(who|which buyer) owes us (?:the )?most\b/iu, "top buyer by revenue"],
  [/\b(?:how much |what )?(?:do|did|will|would) (?:we|i) owe(?: in (?:payouts?|total))?\b/giu, "payout of"],
  [/\b(?:payouts? (?:is |are )?owed|owed payouts?|owed in payouts?)\b/giu, "payout"],
  [
    /\b(?:how much |what )?(?:is|are|does|do|will|would|did) ((?:each|every|the) [a-z]+|[A-Z]\w+(?: [A-Z]\w+)*) (?:going to )?owe us\b/gu,
    "revenue of $1",
  ],
  [/\b(?:how much |what )?(?:are|is|were) (?:we|i) owed\b/giu, "revenue"],
  // "which number rang the most", "racked up the most failures"
  [/\b(?:rang|rings|got rung) (?:the )?most(?: often)?\b/giu, "has the most calls"],
  [/\b(?:racks?|racked|ran|piled|piles?) up the (most|fewest|least)\b/giu, "has the $1"],
  [
    /\b(?:changed|edited|touched|modified) the most (?:settings|things|objects|config(?:uration)?|stuff)\b/giu,
    "made the most changes",
  ],
  // "how long was the longest call"
  [/^how long (?:was|is|were) (?:the |our )?(longest|shortest) calls?\b/iu, "$1 call duration"],
  [/\b(?:typical|usual|average) \(median\)/giu, "median"],
  [/\bfailed first attempts\b/giu, "first attempts that failed"],
  // "weekday against hour"
  [
    /,? ?\b(weekday|day of (?:the )?week|hour(?: of (?:the )?day)?|month|week) (?:against|vs\.?|versus|x) (weekday|day of (?:the )?week|hour(?: of (?:the )?day)?|month|week)\b/giu,
    " by $1 and $2",
  ],
  // "Grandview wants its billable rate", "my boss wants to see the revenue"
  [
    /^(?:my|our|the) (?:boss|ceo|cfo|manager|client|team|director|partner|customer)s? (?:wants?|needs?|asks? for|asked for|is asking for|would like)(?: to (?:see|know|have))? /iu,
    "",
  ],
  [
    /^([A-Z][\w&]*(?: [A-Z][\w&]*){0,4}) (?:wants?|needs?|asks? for|asked for|is asking for|would like)(?: to (?:see|know|have))? (?:its|their|his|her) (.+?)(?=[?.!]*$)/u,
    "$2 of $1",
  ],
  // "waiting until Keystone East picked up"
  [
    /\b[Hh]ow long (?:were|are|did) (?:the |our )?callers? (?:waiting|wait|kept waiting|on hold) (?:until|before|till) ([A-Z][\w&]*(?: [A-Z][\w&]*){0,5}) (?:picked|picks) up\b/u,
    "average wait time of $1",
  ],
  // "what share of each publisher's pings turned into a call", "routes were offered", "how they convert"
  [
    /\b(?:what )?(?:share|percentage|percent|%|part) of (?:each|every) (publisher|campaign)['’]s pings (?:turned into|became|led to|ended in) (?:an? )?calls?\b/iu,
    "ping to call rate by $1",
  ],
  [/\broutes (?:were|are|got) offered\b/giu, "routes offered"],
  [/\bhow (?:well )?(?:they|it|those) convert(?:ed|s)?(?: \(rate\))?/giu, "conversion rate"],
  [/\bwhat payout did we quote (.+?) on average\b/iu, "average best payout for $1"],
  // "which numbers rang last week and how often"
  [/^which (.+?) (?:rang|called(?: in| us)?) (.*?),? and how (?:often|many times)(?=[?.!]*$)/iu, "calls by $1 $2"],
  // "and how much revenue was that"
  [/\band how much (revenue|payout|profit|margin) (?:was|is) (?:that|it|this)\b/giu, "and their $1"],
  // "what did Acme bid on average", "what are we paying Acme", "how long did the longest call last"
  [/^what did (.+?) bid on average\b/iu, "average bid of $1"],
  [/^what (?:are|were) we paying\b/iu, "payout of"],
  [/^how long did the (longest|shortest) call\b(.*?) last(?=[?.!]*$)/iu, "$1 call duration$2"],
  [/\b(different|distinct|unique) people (?:who |that )?called(?: us)?\b/giu, "$1 callers"],
  [/\b(growth|change|increase|decrease|drop) in (?:percent|%)/giu, "$1"],
  [/\bhighest and lowest (winning|won|losing|lost) bids?\b/giu, "maximum and minimum $1 bid"],
  [
    /\bwhich (bidder|buyer|formula)s? times? out (?:the )?most(?: often)?\b(.*?),? as a rate\b/iu,
    "which $1 has the highest timeout rate$2",
  ],
  [
    /\bhow many (?:different |distinct |unique )?calls did (.+?) (?:notify|tell)(?: (?:us|them|anyone))?(?: about| of)?(?= (?:last|this|in|on|since|from|by|per)\b|[?.!]|$)/iu,
    "how many calls were notified by webhooks of $1",
  ],
  // "quoted publishers": what they were offered
  [/\bbest payouts? (?:that )?we (?:quoted|offered|told|gave) (?:to )?(?:our |the )?publishers\b/giu, "best payout"],
  // "which hooks ran into timeouts and how often"
  [
    /^which (hooks|webhooks|publishers|buyers|targets|campaigns|bidders|formulas|states) (?:ran into|had|hit|got|saw) (?!no\b|zero\b|not\b|never\b)(.+?),? and how (?:often|many(?: times| each)?)(?=[?.!]*$)/iu,
    "$2 by $1",
  ],
  // "two most common reasons why pings got no route"
  [
    /\breasons? (?:why|that|for which) (?=(?:our |the |[a-z]+ )?(?:pings|requests|bids|webhooks|deliveries) (?:got|get|were|are|had) (?:no|refused|rejected|skipped|unfilled|lost|rate)\b)(.+?)(?=[?.!]*$)/iu,
    "reason of $1",
  ],
  // "the shortest calls on average", "rang more than 30 seconds before being answered"
  [
    /\b(?:sends?|sent|has|had|gets?|got|takes?|took)(?: us)? the shortest calls on average\b/giu,
    "has the lowest average duration",
  ],
  [
    /\b(?:sends?|sent|has|had|gets?|got|takes?|took)(?: us)? the longest calls on average\b/giu,
    "has the highest average duration",
  ],
  [
    /\brang (?:for )?((?:more than|over|less than|under|at least|at most|longer than) \d+ (?:seconds?|secs?|s|minutes?|mins?))(?: before (?:being |getting |it was |they were )?(?:answered|picked up|pick ?up))?\b/giu,
    "with wait time $1",
  ],
  // "what share of our bids won"
  [
    /\b(?:what )?(?:share|percentage|percent|fraction|%|part) of (?:our |the )?(?:bids|pings|auctions) (?:did we |do we |that |which |we |have )*(?:won|win)\b/giu,
    "win rate",
  ],
  [/\bhow much did (?:each|every) (bidder|buyer|formula) bid on average\b/giu, "average bid by $1"],
  // "how many calls did Keystone take per day on average"
  [
    /^how many (calls|conversions|pings|deliveries|requests|bids) (?:did|do|does|has|have) (.+?) (?:take|taken|get|got|receive|received|send|sent|make|made) (?:per|a|each|every) (day|week|month|hour) on average\b/iu,
    "average $1 per $3 of $2",
  ],
  [/\bwhat best payout did we (?:quote|offer) on average\b/iu, "average best payout"],
  // "what were calls worth", "minutes of talk time"
  [/^what (?:were|are|was|is) (?:the |our )?(.+?) worth\b/iu, "revenue of $1"],
  [/\bminutes of (talk|connected) time\b(?=.*\bby\b)/giu, "talk time"],
  [/(?:\.\.\.|…|,)? ?in (?:seconds|secs) is (?:fine|ok|okay|good)\b/giu, ""],
  // "which bidder is slowest to answer"
  [
    /\b(?:is|was|are|were) (?:the )?(?:fastest|quickest) to (?:answer|respond|reply|bid)\b/giu,
    "has the lowest response time",
  ],
  // "at which hours of the day do people abandon"
  [
    /^(?:at |on |in |during )?(?:which|what) (hours of (?:the )?day|hours|weekdays|days of the week) (?:do|did) (?:people|callers|folks|they) (?:mostly |usually )?abandon(?: calls)?\b/iu,
    "abandoned calls by $1",
  ],
  // "calls from first-time callers vs returning ones"
  [
    /\b(calls|conversions|revenue|profit) (?:from|by|of) (?:first[- ]time(?: callers?)?|new callers?) (?:vs|versus|and|or|compared (?:to|with)) (?:the )?(?:repeat|returning)(?: callers?| ones)?\b/giu,
    "$1 by repeat",
  ],
  [
    /\b(calls|conversions|revenue|profit) (?:from|by|of) (?:repeat|returning)(?: callers?)? (?:vs|versus|and|or|compared (?:to|with)) (?:the )?(?:first[- ]time(?: callers?| ones)?|first[- ]timers|new (?:callers?|ones))\b/giu,
    "$1 by repeat",
  ],
  [
    /\brepeat callers['’]? (.+?) (?:vs|versus|compared (?:to|with)) (?:first[- ]time(?: callers?)?|first[- ]timers|new callers)\b/giu,
    "$1 by repeat",
  ],
  [
    /\b(.+?) of repeat callers (?:vs|versus|compared (?:to|with)) (?:first[- ]time(?: callers?)?|first[- ]timers|new callers)\b/giu,
    "$1 by repeat",
  ],
  [/\bcalls (from|by|of) (?:first[- ]time callers?|first[- ]timers|new callers)\b/giu, "calls not repeat"],
  [/\bfirst[- ]time(?:rs| callers)\b/giu, "new callers"],
  // "the slowest response our receivers gave us"
  [/\bresponse (?:that )?(?:our |the )?(?:receivers?|customers?|clients?|endpoints?) gave(?: us)?\b/giu, "response"],
  // "slowest webhook response per hook", "the fastest response of a bidder": of single ones
  [
    /(?<!\b(?:has|had|have|with|got) (?:the )?)\b(?:slowest|longest) ((?:incoming|outgoing|inbound|outbound) )?(webhook|hook|delivery|bidder|bid|buyer|ping)?(?:['’]s)? ?response(?: times?)?\b(?!s)/giu,
    "maximum $1$2 response time",
  ],
  [
    /(?<!\b(?:has|had|have|with|got) (?:the )?)\b(?:fastest|quickest|shortest) ((?:incoming|outgoing|inbound|outbound) )?(webhook|hook|delivery|bidder|bid|buyer|ping)?(?:['’]s)? ?response(?: times?)?\b(?!s)/giu,
    "minimum $1$2 response time",
  ],
  // "min, average and max bid"
  [/\bmin\b(?=(?:,| and| &| \/)? (?:average|avg|mean|median|max|p\d\d)\b)/giu, "minimum"],
  [/(?<=\b(?:minimum|min|average|avg|mean|median|p\d\d)(?:,| and|,? &| \/) )max\b/giu, "maximum"],
  [/(?<=\b(?:maximum|max|average|avg|mean|median|p\d\d)(?:,| and|,? &| \/) )min\b/giu, "minimum"],
];
