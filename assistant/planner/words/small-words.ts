import { formsOf } from "../../catalog/verb-forms.ts";
import { phrasesOf } from "../../catalog/wording.ts";

/** Wordings parted by commas; "comma" is the sign itself. */
export const phrases = (list: string): readonly string[] =>
  list.split(", ").flatMap((wording) => (wording === "comma" ? "," : phrasesOf(wording)));

const downwards =
  "highest to lowest/the highest to the lowest/high to low/hi to lo/best to worst/largest to smallest/biggest to smallest/most to least/most to fewest/big to small/top to bottom/most expensive to cheapest";
const upwards =
  "lowest to highest/the lowest to the highest/low to high/lo to hi/worst to best/smallest to largest/smallest to biggest/least to most/fewest to most/small to big/bottom to top/cheapest to most expensive/cheapest to priciest";

/** What asks for a grouping, a ranking, a list, a share, a series or a comparison. */
const shapeWords = {
  by: phrases(
    "by, per, each, every, across, according to, depending on, (for/by/in/within/per) each, (for/by) every, (by/per/for) individual, as per, " +
      "(split/splitting/broken/broken down/break down/breaking down/broken out/divide/divided/subdivided/separated/segment/segmented/slice/sliced/cut/diced/partitioned/disaggregated/grouped/group/grouping/bucketed/categorized/categorised/classified/stratified/aggregated/rolled up/sorted into/distributed/spread/breakdown) (up/out)? (by/per/across/over/among/amongst/into/between), " +
      "(break/split/group/slice/divide/roll) (it/that/them) (down/up/out)? by, with (a)? (breakdown/split) by, breakdown per, (with)? (a/one) (row/line/column/bar/entry/number/figure) (per/for each/for every), on the basis of, (listed/arranged/ordered) by",
  ),
  which: phrases("which, which of our, what, who, which of the, which of my, whose"),
  all: phrases("all, all of the, our, all our, all of our, any, (every/each) one of, the various, anywhere"),
  top: phrases(
    "top, best, highest, most, largest, biggest, greatest, strongest, foremost, leading, (best/top/highest/strongest/most) (performing/ranking/ranked/earning), " +
      "rank, ranking of, (by far/far and away/easily/hands down/clearly) the (most/best/highest/largest/biggest), (the)? (absolute/very) (most/best/highest), " +
      "the (best/highest) (total/number) of, number one, no 1, most expensive, most costly, priciest, (the)? (furthest/farthest/steepest/sharpest/deepest/hardest), (the)? most (sharply/steeply/strongly/dramatically/significantly/heavily/severely), by the most",
  ),
  busiest: phrases(
    "busiest, peak, most active, highest volume, most common, most frequent, commonest, quietest, least busy, " +
      "(most/least) (used/popular), main, primary, most often, most frequently, most commonly",
  ),
  runner_up: phrases("(the)? runner up, (the)? runner - up, (the)? (runners up/runners - up)"),
  mostly: phrases("mostly, most of the time, mainly, primarily, usually"),
  bottom: phrases(
    "bottom, worst, lowest, least, fewest, smallest, poorest, weakest, slimmest, thinnest, tiniest, cheapest, least expensive, (worst/lowest/least/poorest/weakest/bottom) (performing/ranking/ranked/earning), " +
      "(by far/easily/clearly) the (least/worst/lowest/fewest), quietest, least busy",
  ),
  list: phrases(
    "list, listed (individually/separately/one by one)?, list (the lot/them all/it all/all of them/everything), last, latest, show (me)? (the/those/all/all the)? (record/entry), most recent, newest, (whole/full/complete/entire) list, list of (all)? (the)?, list the, list all, list out, list me, " +
      "details of, details on, details for, detail of, recent, individual, raw, every single, each single",
  ),
  oldest: phrases("oldest, earliest, very first, first, (on/at the) top"),
  longest: phrases("longest, slowest, lengthiest"),
  shortest: phrases("shortest, fastest, quickest"),
  single: phrases(
    "single call, on a single call, in a single call, of a single call, for a single call, single, " +
      "on one call, in one call",
  ),
  sort: phrases(
    "(sorted/ordered/ranked/sort/arranged/arrange/order/rank/listed) (by/on), in order of, (sort/order/rank) (it/them/that/these/those) by",
  ),
  descending: phrases(
    "(sorted/sort/ordered/order/ranked/rank)? (in)? (descending/decreasing/desc) (order)?, " +
      "(with/starting with/beginning with)? (the)? (highest/most/most common/most frequent/most expensive/priciest/largest/biggest/best/greatest/busiest/heaviest) (one)? (first/1st/on top/at the top/at top), " +
      "(starting/beginning) (with/from) the (highest/most/largest/biggest/best/greatest/top), from the (top/largest/biggest/highest), " +
      `(sorted/ordered/ranked/sort/rank/order)? (it/them)? (from)? (${downwards}), (as)? (a)? ranking, ranked, in ranked order, largest down, top down`,
  ),
  ascending: phrases(
    "(sorted/sort/ordered/order/ranked/rank)? (in)? (ascending/increasing/asc) (order)?, " +
      "(with/starting with/beginning with)? (the)? (lowest/cheapest/smallest/least/fewest/worst/weakest/poorest) (one)? (first/1st/on top/at the top/at top), " +
      "(starting/beginning) (with/from) the (lowest/cheapest/smallest/least/fewest/worst), bottom up, " +
      `(sorted/ordered/ranked/sort/rank/order)? (it/them)? (from)? (${upwards})`,
  ),
  how_many: phrases(
    "how many, number of, count of, count, total number of, how many of, the number of, " +
      "how many total, total count of, amount of, quantity of, the count of, how often, how many time, " +
      "number of time, how frequently",
  ),
  distinct: phrases("different, distinct, unique, how many different, how many distinct, how many unique"),
  share: phrases(
    "(how many/which)? (share/percent/percentage/%) (of (the/all/our/total)?)?, as (a)? (share/percent/percentage/%) (of (the/all/total/the total)?)?, " +
      "in (percent/% of), (proportion/portion/fraction/mix) (of)?, contribution (of/to)?, what fraction of, part of, percentage breakdown of, " +
      "(distribution/split/relative share) of",
  ),
  ratio: phrases("ratio, ratio of, ratio between, divided by"),
  spread: phrases(
    "distribution, distribution of, (evenly)? (distributed/spread), spread of, histogram, histogram of, frequency distribution, " +
      "frequency distribution of",
  ),
  steps: phrases(
    "(in/into)? (bucket/bin) of, with (bucket/bin) of, bucket, in bucket of, bin, (in)? step of, step, (in)? (increment/chunk/interval) of, increment, interval",
  ),
  trend: phrases("trend, over time, timeline, evolution, trending, trended, time series, develop, developed"),
  running: phrases(
    "cumulative, cumulatively, running total, running total of, running sum of, running, as (a)? (running/cumulative) total, accumulated, " +
      "cumulative total of, running count of, cumulated, accumulating, cumulative sum of",
  ),
  moving: phrases("(moving/rolling/trailing) (average/mean) (of/for/in)?"),
  change: phrases(
    "growth (of/in)?, growth rate (of)?, change (in/of)?, (percent/percentage/%) change (in)?, (increase/decrease/difference) (in/of)?, " +
      "(increase/increased) or (decrease/decreased), (go/went/gone/going/trending/is/are/was/were/been) (up/down), (go/went/gone/going/trending) (up/down) or (up/down), " +
      "~rise or ~fall, ~improve or ~worsen, (up/down) or (up/down), (higher/lower) or (higher/lower), " +
      "(more/fewer/less) or (more/fewer/less), (get/got/gotten)? better or worse, worse or better, changed, ~grow, increased, decreased, delta, ~drop, ~decline, lost, lose, ~move, ~improve, ~worsen, ~rise, ~fall, " +
      "~dip, slipping, slipped, ~shrink, ~jump, ~climb, ~soar, ~surge, spiked, shot up, expanded, ramped up, ~plunge, ~plummet, tanked, ~slump, ~tumble, " +
      "slid, crashed, dwindled, sank, nosedived, ~deteriorate",
  ),
  over_over: phrases(
    "month over month, mom, m/m, month on month, week over week, wow, w/w, week on week, day over day, " +
      "(from)? (day to day/week to week/month to month/quarter to quarter), (from)? one (day/week/month/quarter) to the next, dod, day on day, quarter over quarter, qoq, quarter on quarter, year over year, yoy, y/y, " +
      "year on year",
  ),
  rest: phrases(
    "(all)? (the)? rest (of (the)? (day/time/hour/call))?, (everything/everyone/everybody/everywhere/all) else, (all)? (the)? others",
  ),
  versus: phrases(
    "vs, versus, compared to, compared with, against, compare, comparing, in comparison to, " +
      "in comparison with, comparison of, relative to, compares to, compares with, v, compare to, whereas, " +
      "compare with, stack up against, (up/down) (on/from/over), comparison, than, as against, as opposed to, in contrast to",
  ),
  in_unit: phrases("(in)? (ms/millisecond), in (second/minute/hour/dollar/percent)"),
  side_by_side: phrases(
    "side by side, (kept/shown/listed)? (apart/separate/separately) (from each other/from one another), separately, individually, each separately, (each)? on its own, (each)? on their own, (each)? by (itself/themselves)",
  ),
  better: phrases("better, worse, better on, worse on, higher, lower, stronger, weaker, more, fewer, less"),
  slower: phrases("(slower/faster/quicker/longer/shorter) (at/in)? (answering/responding/to answer/to respond)?"),
  same_part: phrases(
    "(with/to)? (the)? same (stretch/part/portion) of, (the)? same (stretch/part), (the)? same (period/days/dates) (of)?, (at/by)? (the)? same (point/stage) (of/in)?",
  ),
  previous_period: phrases(
    "(the)? (previous/prior) period, (the)? period before, (the)? (previous/prior/preceding) one, (the)? one before, " +
      "(the)? (day/week/month/quarter) before, the year before, the (previous/prior) (day/week/month/quarter), " +
      "the preceding (period/week/month)",
  ),
  days_before: phrases(
    "(the)? same (day/weekday/time/hours) (last week/the week before/a week ago/one week ago/yesterday/the day before), (a/one) week (ago/earlier/before), (this/the same) time (yesterday/last week), yesterday (by/at)? (this/the)? (same time/time)",
  ),
  year_before: phrases(
    "(the)? same (month/week/day/quarter/period/time) " +
      "(last year/of last year/in last year/previous year/of the previous year/a year ago)",
  ),
} as const;

/** What goes on from the answer before. */
const goingOn = {
  only: phrases(
    "only, (nothing/none/nobody) but, just, solely, exclusively, specifically, strictly, purely, (restrict/limit/narrow/filter) (that/this/it/them) to, alone, now only, only for, only the, just for, just the, but only, filter to, limit to, restrict to, narrow to, " +
      "(only/just) (care about/interested in), (only/just) (count/consider/include/use) (the)?, (count/consider/include/use) only (the)?, narrow it down to, narrow down to, drill into, drill down into, zoom in on, focus on",
  ),
  what_about: phrases("what about, how about"),
  same: phrases(
    "same, same for, the same for, same thing, the same thing, same thing for, same thing but, the same thing but, same but, the same but, the same, " +
      "do the same for",
  ),
  make: phrases("make that, make it, switch to, change to, change it to"),
  instead: phrases("instead, rather"),
  now: phrases("now, again, ok now, but for"),
} as const;

/** "If we", in front of what is counted alone or left out. */
const ifWe = "(if/when/once/suppose) (i/we/you/one)";

/** What narrows, joins, or goes on from the answer before. */
const conditionWords = {
  not: phrases(
    "not, ~exclude, except, without, other than, no, never, " +
      "(do/does/did/is/are/was/were/have/has/had/could/would/should/ca/wo/ai/need)nt, " +
      "(do/does/did/is/are/was/were/have/has/had/could/would/should/can) not, cannot, ~fail to, except for, outside of, outside, non, " +
      "but not, (leave/leaving) (out/aside), (leave/take) off, ignore, ignoring, apart from, aside from, besides, ~omit, net of, " +
      "skip, skipping, ~disregard, minus, not (counting/including), keeping out, (do not/dont/without/never) (count/counting/include/including/considering), " +
      `${ifWe} (exclude/excluding/ignore/skip/disregard/omit/drop/remove/leave out/leave aside/set aside/take out/take away/forget about/do not count/dont count/do not include/dont include), ` +
      "(setting/putting/left/set/put)? aside, (left/taken) out",
  ),
  empty: phrases("missing, unknown, blank, empty, undefined, lacking"),
  scope: phrases(
    "(looking/considering/counting/keeping/taking/concentrating/focusing) (only/just) (at/on)?, (only/just) (considering/counting/looking at), " +
      `${ifWe} (only/just) (look at/consider/count/counted/take/keep/include/use), ${ifWe} (look/consider/count/take/keep) (only/just) (at)?, ` +
      `${ifWe} (limit/restrict/confine/narrow) (it/this/that/them/myself/ourselves)? (down)? to, ${ifWe} (look at/looked at/focus on/concentrate on), ` +
      "keep only, counting, considering, limited to, restricted to, limiting to, restricting to, limiting it to, restricting it to, among, out of",
  ),
  work_hours: phrases("(during/in/within)? (our/the)? (business/office/working/opening) hour"),
  off_hours: phrases(
    "(after/outside/outside of/out of/off/non/non -) (our/the)? (business/office/working/opening)? hour, (not during/not in/not within) (business/office/working/opening) hour",
  ),
  idle: phrases("inactive, idle, dormant"),
  contains: phrases("~contain, that contain, with the word, mentioning"),
  more_than: phrases(
    "(more/greater/longer) (than/as), over, above, exceeding, higher than, slower than, " +
      "larger than, bigger than, (and/plus) more than, in excess of, beyond, exceed, exceeds, exceeded, greater, >, topped, surpassed, passed, crossed",
  ),
  at_least: phrases(
    "at least, and at least, no less than, minimum of, not less than, a minimum of, min, min of, minimum, >=",
  ),
  less_than: phrases(
    "(less/shorter/fewer) (than/as), and (less/fewer) than, under, below, lower than, faster than, smaller than, " +
      "short of, <",
  ),
  at_most: phrases("at most, no more than, up to, maximum of, not more than, no longer than, max, max of, <="),
  between: phrases("between"),
  or_more: phrases(
    "or more, or longer, or over, or above, or higher, and up, and above, or greater, and more, " +
      "or slower, or later, or beyond, and beyond, and over, plus more",
  ),
  or_less: phrases("or less, or fewer, or shorter, or under, or below, or lower, and below, or faster"),
  later: phrases("after, later than, past"),
  earlier: phrases("before, earlier than, prior to, until"),
  or: phrases("or"),
  but: phrases("but, although, though, yet"),
  and: phrases("and, comma, plus, then, and then, as well as, along with, together with, next to, alongside"),
  of: phrases(
    "of, from, for, on, in, (fell/fall/falls/falling) on, among, to, via, through, at, amongst, within, during, under the, because of, due to, owing to, about, behind, " +
      "(with/in) (respect/regard/regards/reference/relation) to, as (regards/to/for), regarding, concerning, in (terms/respect) of, in connection with, when it comes to, throughout, spanning, covering, " +
      "(in/over) the course of, (over/for/across)? the (duration/entirety/length) of, (belonging/pertaining/relating/related/attributable/attributed/credited/linked/tied/specific) to, associated with, " +
      "(on behalf/courtesy/on the part) of, thanks to, (obtained/acquired/sourced/gotten/received/flowing) from, " +
      "(~sell/~route/~forward/~transfer/~hand/~direct/~dispatch/~assign/~bridge/~distribute/~allocate/~pass) (over/on/along)? to, " +
      "(forwarded/transferred/routed/passed/passed on/passed along/handed over/purchased/accepted/fielded/sourced/referred) by, " +
      "(is/are/was/were)? (down to/caused by), cause of",
  ),
  with: phrases(
    "with, where, having, that have, that had, whose, who had, which had, who have, which have, " +
      "that has, ~carry, bearing, when, needing, requiring, (that/which)? (needed/required), (that/which) took",
  ),
  loses: phrases(
    "~lose (us/me)? money (on/with/from)?, unprofitable, loss making, loss - making, at a loss, in the red, " +
      "(negative profit/with a negative profit/with negative profit)",
  ),
  verb: phrases("make, made, ~answer, ~carry out, ~respond, ~perform, ~launch"),
  as_rate: phrases(
    "rate please, rate instead, just the rate, as a rate, as rate, as rates, as a rate instead, in rates",
  ),
  instead_of: phrases("instead of, rather than, in place of"),
  swap: phrases("swap, replace, exchange, substitute"),
  follow: Object.values(goingOn).flat(),
  ...goingOn,
  that_period: phrases(
    "(in/for/over/during/within) (that/that same/the same) (month/week/day/quarter/year/period/time/stretch/timeframe)",
  ),
  also: phrases("also, add, also include, include, and also, as well, too, in addition"),
  remove: phrases(
    "remove, drop the, drop, clear, reset, undo, forget, take out, take away, get rid of, ditch, hide, lose the, collapse the, scrap, strip out",
  ),
  rejects: phrases(
    "reject, refuse, pass on, turn down, (~reject/~refuse/~decline) (us/our), ~pass on us, ~turn us down, (decline/refuse) to bid",
  ),
  plain: phrases(
    "as number, in number, as absolute number, in absolute number, absolute number, as plain number, as count, as amount, " +
      "as dollar, in absolute term",
  ),
  /** Turns of phrase that change no plan. */
  filler: phrases(
    "(responsible/accountable/to blame) for, to the outside (world)?, just (the)? (one/single)? number, (only/just) one number, i am, (company/organization/org/network/platform/system) wide, companywide, across the board, as a (whole/company/team/business), on the whole, all told, all together, all in all, " +
      "(as/so) long as, on (the)? condition that, in (general/aggregate/sum/practice/reality/fact/all), in the end, at large, at all, (~come) (out)? of (it/that/this/them/those), per se, as such, give or take, (sort/kind) of, of course, for real, with us, (~turn) out (to be)?, end up (as/being)?, ends up (as/being)?, ended up (as/being)?, (became/become/becomes), (~sum/~add/~tot) up, our way, (go/going/gone/went) live, " +
      "(are/is)? (in/on) (the/our) (system/platform/database/records/books/file), on (record/file), (end/ended/ending/wind/wound/come/came) up with",
  ),
} as const;

/** How each role is said. */
export const roleWords = { ...shapeWords, ...conditionWords };

/** What small words do in a question. */
export type Role = keyof typeof roleWords;

/** Articles, pronouns, auxiliaries, courtesies, and adverbs of how sure or how exact it is. */
const words =
  "a an the our my your we i us me you it its is are was were be been being do does did have has had having can could may would " +
  "should that these those this there theres there's who which they them such please pls plz hi hey hello ok okay so thanks im ive ill id lets weve youve theyve itd youd theyd if - / in up " +
  "inbound outbound incoming outgoing kinda sorta gotta wanna gonna lol lmao haha hehe btw imo tbh fyi nah oh ooh ah hm hmm um uh hiya heya sorry sry ya yall youre " +
  "basically literally honestly roughly approximately approx usually typically generally normally ordinarily commonly kindly exactly precisely actually truly really " +
  "very quite even probably perhaps maybe possibly presumably supposedly apparently reportedly evidently obviously clearly certainly definitely surely indeed frankly simply merely essentially " +
  "practically virtually officially eventually ultimately effectively finally lastly firstly secondly nevertheless moreover furthermore meanwhile likewise similarly therefore thus hence " +
  "down back still each one far someone somebody anyone anybody people myself ourselves themselves itself altogether respectively apiece thank thx ty cheers em meant already into actual respective";
/** Words that any answer fits. */
const nouns =
  "total figure number result report stat record entry data series statistic setup row line column " +
  "amount matrix crosstab metric info information dataset spreadsheet kpi fact";
/** Verbs of mere being, having, coming, going, doing and asking: what is counted was there, came or was made. */
const verbs =
  "account want need like know let happen occur exist receive generate produce provide look differ vary return last plot chart graph tend " +
  "contribute reach arrive land belong work hit use submit buy supply get come take make run go send ring split hold throw stand deal put";
/** Such verbs that may as well be the name of something, or begin one: "Quote Desk", a tag "end". */
const verbsOrNames =
  "hear concern trigger tell burn rack post book accrue end involve serve express experience encounter stay remain yield quote " +
  "interest lay appear draw drive fire log process enter clock track originate attract feed refer push pump spawn rake amass boast enjoy pour roll initiate ship " +
  "furnish realize realise represent constitute comprise purchase absorb consume";
/** What is done with figures: asked for, and in figures "as plotted". Whoever is "checking" them makes a remark. */
const requestsOrNames =
  "fetch retrieve render dump query examine inspect explore assess evaluate analyze analyse grab check verify confirm identify determine compile extract gather print " +
  "compute calculate summarize summarise visualize visualise tabulate itemize itemise organize organise arrange display present total tally measure aggregate illustrate";
const nounsOrNames =
  "picture summary snapshot roundup synopsis digest analysis analytics tabulation lowdown scoop grid situation intel performance rundown output outline overview insight " +
  "specific particular readout";
const forms =
  "done entries varies varied saw seen sees seeing gave given gives gimme found shown showed keep kept placed called calling phoned recorded registered handled levels sums quantities pulled pulls pulling break";

const wordsOf = (list: string) => list.split(" ");
const nounForms = (list: string) => wordsOf(list).flatMap((noun) => [noun, `${noun}s`]);
const verbForms = (list: string) => wordsOf(list).flatMap(formsOf);
const always = [...`${words} ${forms}`.split(" "), ...nounForms(nouns), ...verbForms(verbs)];

/**
 * The words that change no plan, a closed list. All other words have to be explained by a production.
 */
export const functionWords: ReadonlySet<string> = new Set([
  ...always,
  ...verbForms(verbsOrNames),
  ...verbForms(requestsOrNames).filter((form) => !form.endsWith("ing")),
  ...nounForms(nounsOrNames),
]);

/** Words that are no slip of another one and no name: nearly the same, and others that say little by themselves. */
export const stopWords: ReadonlySet<string> = new Set([
  ...always,
  ...(
    "of for on at to from ours show give see find display what whats how much and or with their out about " +
    "during within through than then table breakdown overall combined overview summary going place " +
    "by grouped performance perform performed performing performs brought " +
    "bring brings bringing , many lot any some s per based sort sorted order " +
    "ordered whom time times deliver delivering attributed related " +
    "associated pull present list wondering wonder quick quickly just both together along " +
    "individual particular specific as via across basis wise according respect kind kinds " +
    "here now right think help mean means curious analysis insight insights view " +
    "render currently ones sure located originating originated originate dialing dialed dial rings side " +
    "next beside alongside try set sets perspective compared doing throughout when where caused due answer " +
    "respond response responses reply filter filters condition conditions often cause touched pair pairs combo combos " +
    "combination combinations damage pivot stuff carried carrying carry touch touches whole anyway he she him " +
    "his her earned something anything thing things routed forwarded transferred"
  ).split(" "),
]);

/** What people say of anything: by themselves, small-lettered, they are no mention of a longer name that has them. */
export const everydayWords: ReadonlySet<string> = new Set(
  (
    "chance chances team teams group groups company companies folks crew office desk way hand world point deal moment " +
    "search social media email network digital traffic leads live paid organic online idea case reason luck favor favour morning afternoon evening night day week month year"
  ).split(" "),
);
