import type { Turn } from "./turn.ts";

/** What is said of the answer: its order, what it lists, what it shows instead. */
export const turnsOfLists: readonly Turn[] = [
  // "wait time by target, slowest first"
  [/\b((?:wait|time|latency|duration|p\d\d)\b[^,;]*), (?:slowest|longest) first$/giu, "$1, highest first"],
  [/\b((?:wait|time|latency|duration|p\d\d)\b[^,;]*), (?:fastest|shortest) first$/giu, "$1, lowest first"],
  // "swap calls for revenue"
  [/^swap (?:the )?(\w+(?: \w+)?) (?:for|with) (?:the )?(\w+(?: \w+)?)$/iu, "$2 instead of $1"],
  // "calls from Texas, newest first": a list, whose newest come first by themselves
  [
    /^(?!.*\b(?:by|per)\b)(?:(?:show|give|get|list)(?: me)? )?(.+?),? (?:the )?(?:newest|latest|most recent) first$/iu,
    "list $1",
  ],
  // "everything that Ann deleted, from the audit log"
  [
    /^(?:show me |list |give me |see )?everything (?:that )?(.+?) (changed|deleted|created|added|edited|updated|paused|removed|did)\b/iu,
    "list what $1 $2",
  ],
  // "everything that Ann changed last month, list it"
  [/^(?:list )?(.+?),? (?:and )?(?:please )?list (?:it|them|those|these)(?: all)?(?=[?.!]*$)/iu, "list $1"],
  // "compare with Acme, same thing for them"
  [
    /^((?:and |now )?compare (?:it |that |this )?(?:with|to|against) .+?),? (?:the )?same (?:thing )?for (?:them|it|that one|those)(?=[?.!]*$)/iu,
    "$1",
  ],
  // "biggest one only", "top 3 is enough", "what about the Spanish one"
  [/^(?:and |ok |now )?(?:only |just )?(?:the )?(best|worst) one(?: only)?(?=[?.!]*$)/iu, "$1 1"],
  [/^(?:and |ok |now )?(?:only |just )?(?:the )?(?:biggest|largest|highest|top) one(?: only)?(?=[?.!]*$)/iu, "top 1"],
  [/^(?:and |ok |now )?(?:only |just )?(?:the )?(?:smallest|lowest|bottom) one(?: only)?(?=[?.!]*$)/iu, "bottom 1"],
  [/^((?:the )?(?:top|bottom) \d+) (?:is|are|will be|would be) (?:enough|fine|ok|okay|good|plenty)(?=[?.!]*$)/iu, "$1"],
  [
    /^((?:and |ok |now )?(?:what|how) about) the (?!other\b|best\b|worst\b|last\b|first\b|next\b|same\b)([\p{L}\p{N}]+) ones?(?=[?.!]*$)/iu,
    "$1 $2",
  ],
  // "…, need it for invoices", "…, both columns", "… October numbers"
  [/,? (?:in )?both columns\b/giu, ""],
  [
    /\b(january|february|march|april|may|june|july|august|september|october|november|december|(?:last|this) (?:month|week|quarter|year)|q[1-4]) numbers(?=[?.!]*$)/iu,
    "$1",
  ],
  [/\bmost first(?=[?.!,]*(?:$| ))(?! attempts?| tries| calls?)/giu, "highest first"],
  // "drop the 200s"
  [/^(?:and |now |ok )?(?:drop|remove|hide|skip|lose) the (\d{3}s)\b/iu, "without the $1"],
  // "pull up every call"
  [/^pull up\b/iu, "show"],
  // "…, which hook were they", "biggest latency first"
  [
    /,? (?:and )?(?:which|what) (hook|webhook|campaign|publisher|buyer|target|state|reason|formula|bidder)s? (?:were|are|was|is) (?:they|it|those|that)(?: (?:on|from|for|of|in))?(?=[?.!]*$)/iu,
    " by $1",
  ],
  [
    /,? ?\b(biggest|highest|largest|most|lowest|smallest|fewest) (latency|revenue|profit|payout|margin|calls|conversions|conversion rate|bids) first\b/giu,
    " sorted by $2 $1 first",
  ],
  // "just the CRM one by error class", "which one made the most"
  [
    /^(?:and |ok |now )?(?:only|just) the (?!top\b|best\b|last\b|first\b|same\b|other\b)([\p{L}\p{N}]+(?: [\p{L}\p{N}]+)?) ones?,? (?=by\b|per\b|in\b|from\b|last\b|this\b)/iu,
    "only $1 ",
  ],
  [
    /^(?:and |ok |so )?which (?:one|of them|of those|of these) (?:is|was|are|were) (?:the )?(best|worst)(?=[?.!]*$)/iu,
    "$1 1",
  ],
  [
    /^(?:and |ok |so )?which (?:one|of them|of those|of these) (?:made|makes|earned|brought in|had|has|got|is|was) (?:us )?(?:the )?(?:most|highest|biggest|largest)(?=[?.!]*$)/iu,
    "top 1",
  ],
  [
    /^(?:and |ok |so )?which (?:one|of them|of those|of these) (?:made|makes|earned|brought in|had|has|got|is|was) (?:us )?(?:the )?(?:least|lowest|fewest|smallest)(?=[?.!]*$)/iu,
    "bottom 1",
  ],
  // "and which of them were refused"
  [/^(?:and |so |ok )?which of (?:them|those|these) (?:were|are|got|was|is) ([a-z]+)(?=[?.!]*$)/iu, "only $1"],
  // "…, with the fill rate too", "each on its own"
  [/,? with (?:the |their |its )?([\p{L} ]+?) too(?=[?.!]*$)/iu, " and $1"],
  [/,? each on (?:its|their) own\b,?/giu, ","],
  // "which desks took the most calls? give me five"
  [
    /^which (.+?)[?.,] (?:give|show) me (?:the )?(?:top )?(\d+|two|three|four|five|six|ten)(?=[?.!]*$)/iu,
    "which $2 $1",
  ],
  // "who changed what this month, count per user"
  [/^who changed what\b(.*?),? (?:with )?(?:the )?(?:counts?|number)(?: of changes)? (per|by)\b/iu, "changes$1 $2"],
  // "list the last 5 failed deliveries with their status codes": a list shows them
  [
    /^((?:show me |give me )?(?:the )?(?:list|last|latest|newest)\b.+?),? with (?:their|its) (?:(?:status codes?|outcomes?|errors?|urls?|reasons?|buyers?|targets?|campaigns?|publishers?|durations?|revenue|callers?|attempts?)(?:,| and|, and)? ?)+(?=[?.!]*$)/iu,
    "$1",
  ],
  // "…, best one on top", "and over the last 30 days"
  [
    /,? (?:with )?(?:the )?(best|highest|biggest|worst|lowest|smallest) (?:ones? )?(?:on|at the) top(?=[?.!]*$)/iu,
    ", $1 first",
  ],
  [/^and over (?=the (?:last|past)\b)/iu, "and in "],
  // "split that by month"
  [
    /^(?:and |now |ok )?(?:please )?(?:split|break) (?:that|it|this|them|those) (?:up |down |out )?by\b/iu,
    "broken down by",
  ],
  // "make it 5", "make that 20"
  [/^(?:(?:ok|now|and),? )?(?:make|do) (?:it|that|this) (?:the )?(?:top )?(\d+)(?=[?.!]*$)/iu, "top $1"],
  // "profit not payout"
  [
    /^(revenue|payouts?|profit|margin|calls|conversions|conversion rate|bids|wins|deliveries|requests|pings),? not (?:the )?(revenue|payouts?|profit|margin|calls|conversions|conversion rate|bids|wins|deliveries|requests|pings)(?=[?.!]*$)/iu,
    "$1 instead of $2",
  ],
  // "the CRM one only", "only the google ones"
  [
    /^(?:and |ok |now )?(?:only |just )?(?:the )?(?!top\b|best\b|last\b|first\b|same\b|other\b)([\p{L}\p{N}]+(?: [\p{L}\p{N}]+)?) ones? only(?=[?.!]*$)/iu,
    "only $1",
  ],
  // "…, show me the list", "…, list pls"
  [
    /^(?:list )?(.+?),? (?:and )?(?:(?:please )?(?:show|give|get|send) me (?:the|a) list|list(?:,? (?:please|pls|everything|all|them all))?|as a list)(?=[?.!]*$)/iu,
    "list $1",
  ],
  // "what did Ann change, list everything"
  [/^list what did (.+?) change\b/iu, "list what $1 changed"],
  // "skipped formulas, which ones and how often"
  [
    /^(?:which )?(.+?) (formula|campaign|publisher|buyer|target|state|webhook)s, which ones,?(?: and how (?:often|many|much))?(?=[?.!]*$)/iu,
    "$1 by $2",
  ],
];
