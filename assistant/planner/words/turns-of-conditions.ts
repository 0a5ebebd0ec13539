import type { Turn } from "./turn.ts";

/** Conditions that are told by a verb, or behind what they take away. */
export const turnsOfConditions: readonly Turn[] = [
  [/\b(?:as )?per (?:the )?audit log\b/giu, "in the audit log"],
  // "states that brought in over $1000"
  [
    /\b(?:brought|brings?|pulled|pulls?|took|takes?) in (?=(?:over|under|more|less|at|up|above|below)\b[\w ]*\$)/giu,
    "made ",
  ],
  [/\b(\d+) or more times\b/giu, "at least $1 times"],
  // "attempts beyond the 4th", "from the 3rd attempt on"
  [/\b(?:beyond|after|past) the (\d+)(?:st|nd|rd|th) (?:try|attempt)\b/giu, "where attempt over $1"],
  [/\bfrom the (\d+)(?:st|nd|rd|th) (?:try|attempt) on(?:wards?)?\b/giu, "where attempt at least $1"],
  // "bidder timeouts, Fairhaven Life excluded"
  [
    /[,;] ?(?! ?(?:how many|number|count)\b)([^,;?]+?) (?:is |are )?(?:excluded|left out|removed)(?=$|[,;?.])/giu,
    " excluding $1",
  ],
  // "leave California out", "leaving Texas out"
  [/\bleav(?:e|ing) (?!out\b)([^,;?]+?) out\b/giu, "excluding $1"],
  // "states that gave us fewer than 5 calls"
  [
    /\b(?:that |who |which )?(?:gave|gives?|sent|sends?|brought|brings?) us (?=(?:fewer|more|less|over|under|at least|at most|up to)\b)/giu,
    "with ",
  ],
  // "pairs that made more than $500 profit": the figure stands behind
  [
    /\b(?:that |who |which )?(?:(?:have |has |had )?(?:made|makes?|earned|earns?|generated|brought in|brought)(?: us)?) (?=(?:over|under|more than|less than|at least|at most|up to|above|below)\s+\$?[\d,.]+k?\s+(?:in |of )?(?:revenue|profit|payout|margin)\b)/giu,
    "with ",
  ],
  // "publishers running under 30% margin"
  [/\brunning (?=(?:under|over|below|above|at)\b)/giu, "with "],
  // "the week before it"
  [/\b((?:day|week|month|quarter|year|period) before) (?:it|that|this)\b/giu, "$1"],
  // "all publishers together": no grouping
  [
    /,? ?\b(?:(?:for|across|of|over) )?all (?:of )?(?:our |the |my )?(?:campaign|offer|publisher|affiliate|vendor|buyer|advertiser|client|target|state|webhook|source|partner)s (?:together|combined|taken together)\b/giu,
    "",
  ],
  // "numbers converting below 40%"
  [
    /\b(?:that |who |which )?convert(?:ed|s|ing)? (?=(?:at )?(?:over|under|more than|less than|at least|at most|up to|above|below|better than|worse than)\s+\d+(?:\.\d+)? ?(?:%|percent))/giu,
    "with conversion rate ",
  ],
  // "how many requests did we reject"
  [/\b(?:did|do|have) we (?:reject|refuse|turn (?:down|away))(?:ed|d)?\b/giu, "were rejected"],
  [/\b(?:did|do|have) we accept(?:ed)?\b/giu, "were accepted"],
  // "which publisher's pings got refused most"
  [
    /\bwhich (publisher|buyer|campaign|target|webhook)['’]s (pings|calls|requests|bids|deliveries) (?:got|get|were|are|was) ([a-z]+) (?:the )?most(?: often)?\b/giu,
    "which $1 has the most $3 $2",
  ],
  // "calls that found no eligible route", "went out over SIP", "where the buyer paid us nothing"
  [
    /\b(?:that |which )?(?:found|had|got|met) no (?=(?:eligible )?(?:route|target|buyer)\b|answer\b|bid\b)/giu,
    "with no ",
  ],
  [/\b((?:went|go|goes|sent|routed|delivered|came|come)(?: out| in)?) over (?=[a-z])/giu, "$1 via "],
  [/\b(?:where |for which |that )?(?:the )?(?:buyers?|targets?|clients?) paid (?:us )?nothing\b/giu, "with no revenue"],
  // "calls we paid the publisher for but couldn't bill"
  [/\b(?:that |which )?we (?:paid|pay|are paying) (?:the |our |a )?publishers? for\b/giu, "payable"],
  [/\b(?:did|do|have) we (?:pay|paid) (?:(?:the |our )?publishers? )?for\b(?= (?:but|and|yet)\b)/giu, "payable"],
  [
    /\b(?:(?:that |which )?we )?(?:could(?:n['’]?t| not)|can(?:['’]?t|not| not)|did(?:n['’]?t| not)|do(?:n['’]?t| not)) (?:bill|charge|invoice)\b(?: (?:to )?(?:the |any |our |a )?buyers?)?(?: for)?/giu,
    "not receivable",
  ],
  // "took more than one dial attempt but did get answered", "died with a 503", "no route offered"
  [/\bbut (?:did|were|was|they did|they were) (?:get |got |still )*/giu, "and "],
  [/\b(?:died|ended up|blew up|bounced) with\b/giu, "with"],
  [/\b(?:with |that had |having )no routes? (?:was |were )?offered\b/giu, "that were not filled"],
  [/,? ?\b(?:please )?(?:don['’]?t|do not) count\b(?! as\b)/giu, " excluding"],
  [/\bwe (?:are |were |keep |kept )?(?:refusing|rejecting|turning away)\b/giu, "refused"],
  // "first-time callers only: …"
  [
    /,? ?\b(?:(?:for )?(?:first[- ]time|new) callers only|only (?:for )?(?:first[- ]time|new) callers)\b/giu,
    " not repeat",
  ],
  // "calls that carry a utm_source"
  [
    /\b(?:that|which) (?:carry|carries|carried|have|has|had|bear|bore|came with|come with) (?=(?:an?|any) )/giu,
    "with ",
  ],
  // "calls where we lost money (profit below zero)": said twice
  [
    /(?<=\b(?:lost|lose|losing|loses|lost us) money\b.*) ?\((?:profit (?:below|under|less than) (?:zero|\$?0)|negative profit)\)/giu,
    "",
  ],
  // "through the api vs by users"
  [/\b(vs|versus) (?:by )?(?:the |real )?users\b/giu, "$1 by hand"],
  [/\b(vs|versus) (?:the )?api keys?\b/giu, "$1 by api key"],
  // "skip anything under 20 calls"
  [
    /[,;]? ?[-–]? ?\b(?:skip|skipping|ignore|ignoring|exclude|excluding|leave out|leaving out|drop|dropping) (?:anything|anyone|any|everything|everyone|everybody|those|the ones|ones|all) (?:with )?(?:under|below|less than|fewer than) (\$?\d[\d,.]*)/giu,
    " with at least $1",
  ],
  // "cached ones not counted"
  [
    /[,;] ?(?:the )?([a-z]+(?: [a-z]+)?) ones? (?:are |is )?(?:not counted|excluded|left out|not included)\b/giu,
    " excluding $1",
  ],
  // "calls that the target ended", "calls we sold by auction", "over the inbound webhooks", "refused because of tcpa_blocked"
  [/\bthat (?:the )?(caller|target|system) (?:ended|hung up on|terminated)\b/giu, "ended by the $1"],
  [/\bcalls (?:did|do|have|that) we (?:sell|sold) (?:by|at|through|via|in) auction\b/giu, "calls sold by auction"],
  [/\bover (?=(?:the |our )?(?:inbound|incoming|outgoing) webhooks?\b)/giu, "via "],
  [/\bbecause of (?=[a-z]+_[a-z]+\b)/giu, "with reason "],
  [/\bpublisher pings\b/giu, "inbound pings"],
  // "spanish": by the tag, where the language is named
  [/\bspanish\b(?![\s-]speaking)(?=.*\blanguage\b)/giu, "es"],
  [/\benglish\b(?![\s-]speaking)(?=.*\blanguage\b)/giu, "en"],
  [/\boutbound (?=(?:timeouts?|bids?)\b)/giu, "rtb "],
  // "calls worth more than $50", "calls we had to pay for"
  [/\bworth (?=(?:over|more than|at least|under|less than|above|below|up to)\b|\$)/giu, "with "],
  [/\bcalls (?:that |which )?we (?:had to |have to |must )?(?:pay|paid) for\b/giu, "payable calls"],
  // "yesterdays calls", "last weeks revenue"
  [/\b(yesterday|today|(?:last|this) (?:week|month|quarter|year))s\b/giu, "$1"],
  // "turned down", "one row per hook", "counted by actor"
  [/\bturned down\b(?! by\b)/giu, "refused"],
  [/,? (?:with )?(?:one|a) (?:row|line|column) (?=(?:per|for each|for every)\b)/giu, " "],
  // "between 9 and 5": of the clock
  [
    /(?<!\b(?:duration|time|revenue|payout|profit|margin|rate|attempts?|bids?|with|of|is|was|were) )\bbetween (6|7|8|9|10|11) and ([1-5])\b(?= (?:on|in|last|this|by|per|each|every|yesterday|today|since)\b|[?.,;]|$)/giu,
    "between $1am and $2pm",
  ],
  [
    /\b(?:during |in |within )?(?:business|office|working|opening) hours,? ?\(?(\d{1,2} ?(?:am)?) ?(?:-|–|to|until) ?(\d{1,2} ?pm)\)?/giu,
    "between $1 and $2",
  ],
  // "made it through on the first try"
  [/\b(?:made it|got|went) through\b(?=.*\b(?:try|attempt)\b)/giu, "delivered"],
  // "under Redwood", "answered with an error", "hitting cap_reached", "that say not_accepted"
  [/\bunder (?=[A-Z][a-z]+ [A-Z][a-z])/gu, "of "],
  [/\banswered with (?:an )?errors?\b/giu, "that failed"],
  [/\b(?:hitting|that say|that said|saying) (?=[a-z]+_[a-z]+)/giu, "with reason "],
  // "excluding the CRM one"
  [/\b(excluding|except|without|not) the ([\p{L}\p{N}]+) ones?\b/giu, "$1 $2"],
  // "to date", "since the start": all there is
  [/\bfrom ([^,;?]+?) to date\b/giu, "since $1"],
  [/(?<!\b(?:month|quarter|year|week|q[1-4]|\d{4})[ -])\bto date\b,?/giu, ""],
  [/\bsince the (?:start|beginning)\b(?! of)/giu, ""],
  [/\bsince ([a-z]+) (?:began|started)\b/giu, "since $1"],
  // "on the second attempt"
  ...["second|2nd", "third|3rd", "fourth|4th", "fifth|5th"].map(
    (said, step): Turn => [
      new RegExp(`\\b(?:on|at|with|in|after) (?:the|their|its|a) (?:${said}) (?:delivery )?(?:attempt|try)\\b`, "giu"),
      `with attempt number ${step + 2}`,
    ],
  ),
  // "callers who called 3 times and never converted"
  [
    /(?<=^(?:which )?callers (?:who|that) (?:have )?called\b.*) (?:and|but) never converted\b/giu,
    " and no conversions",
  ],
  // "from October on", "from October 1st onwards"
  [
    /\bfrom ((?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?|\d{4}-\d\d-\d\d) (?:onwards?|on|forward)(?=[?.,;!]|$| (?:by|per|and|only)\b)/giu,
    "since $1",
  ],
  // "payable yet unbillable", "zip codes behind Acme's calls", "by weekday name"
  [/ yet (?=un|not )/giu, " but "],
  [/\bbehind (?=[A-Z])/gu, "of "],
  [/\bby (weekday|month|day)(?:['’]s)? names?\b/giu, "by $1"],
  // "calls sold by auction: revenue and conversion rate"
  [/^(calls (?:sold|bought|won)\b[^:?]*): (?!how\b)(.+?)(?=,|[?.!]*$)/iu, "$2 of $1"],
  // "failed deliveries for each of our outgoing webhooks"
  [
    /\b(?:for |per |by )?each of (?:our |the )?(?:(?:outgoing|incoming|outbound|inbound) )?(?:web)?hooks\b/giu,
    "by webhook",
  ],
  // "calls where we pay the publisher but can't bill the buyer"
  [
    /\b(?:that |which |where )we (?:pay|paid) (?:the |our |a )?publishers?(?: for)?(?= (?:but|and|yet)\b)/giu,
    "payable",
  ],
  // "min 20 calls"
  [/(?<!\d ?)\bmin\.? (?=\d+ [a-z])/giu, "at least "],
  [/(?<!\d ?)\bmax\.? (?=\d+ [a-z])/giu, "at most "],
  // "are we up or down on calls this month compared to last month"
  [
    /^(?:are|were) we (?:up or down|doing better or worse|better or worse|ahead or behind) (?:on|in|for|with|off) (?:our )?/iu,
    "",
  ],
  // "mornings only (6 to noon)": what it means anyway
  [/\b(mornings?(?: only)?) \((?:from )?6 ?(?:am)? ?(?:to|-|until) ?(?:noon|12(?: ?pm)?)\)/giu, "$1"],
  // "did they post", "answers we could not parse"
  [/\bdid (.+?) post\b(?= (?:last|this|in|on|since|today|yesterday|by|per)\b|[?.]|$)/giu, "did $1 send"],
  [
    /\b(?:bidder |buyer )?(?:answers|responses|replies) (?:that |which )?(?:we |i )?(?:couldn['’]?t|could not|can['’]?t|cannot) (?:parse|read)\b/giu,
    "unreadable answers",
  ],
  // "needed 5 or more attempts, ie attempt at least 5"
  [/,? ?\(?\bi\.?e\b\.?,? (?=\S)/giu, ", "],
  // "spanish vs english speaking callers", "in spanish": the language is told by its code
  [/\b(spanish|english)(?: (vs|versus|and|or|&) )(spanish|english)[\s-]speaking\b/giu, "$1 speaking $2 $3 speaking"],
  [/\bspanish[\s-]speaking(?: callers)?\b/giu, "language es"],
  [/\benglish[\s-]speaking(?: callers)?\b/giu, "language en"],
  // "over the hours of the day"
  [
    /\b(?:over|across|through|throughout) the (hour|day|week|month|weekday)s( of the (?:day|week))?\b(?! (?:of|in|since|from|before|after)\b)/giu,
    "by $1$2",
  ],
  // "who ended them - caller, target or system?": all there are
  [
    /(?<=\bwho ended\b.*) ?[-–—:(,] ?(?:the )?(?:caller|target|system|us|them)(?:, (?:the )?(?:caller|target|system))*,? or (?:the )?(?:caller|target|system|us|them)\b\)?(?=[?.!,]|$)/giu,
    "",
  ],
  [/\bby who (?:ended|hung up on) (?:them|it|the calls?)\b/giu, "by who ended the call"],
  [/\b(?:on )?weekdays only\b|\bonly (?:on )?weekdays\b/giu, "only on weekdays"],
];
