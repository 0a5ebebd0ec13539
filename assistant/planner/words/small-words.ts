import { phrasesOf } from "../../catalog/wording.ts";

/** Wordings parted by commas; "comma" is the sign itself. */
export const phrases = (list: string): readonly string[] =>
  list.split(", ").flatMap((wording) => (wording === "comma" ? "," : phrasesOf(wording)));

/** What asks for a grouping, a ranking, a list, a share, a series or a comparison. */
const shapeWords = {
  by: phrases(
    "by, per, each, every, across, according to, depending on, (for/by/in/within) each, for every, (group/grouped) by, " +
      "(split/broken down/break down/broken out/segmented/separated/sliced/breakdown) by, breakdown per, (break/split/group/slice/divide/roll) (it/that/them) (down/up/out)? by",
  ),
  which: phrases("which, which of our, what, who, which of the, which of my, whose"),
  all: phrases("all, all of the, our, all our, all of our, any, every one of, the various"),
  top: phrases(
    "top, best, highest, most, largest, biggest, greatest, best performing, top performing, leading, " +
      "top ranking, rank, ranking of",
  ),
  busiest: phrases(
    "busiest, peak, most active, highest volume, most common, most frequent, commonest, quietest, least busy, " +
      "main, primary, most often, most frequently, most commonly",
  ),
  runner_up: phrases("(the)? runner up, (the)? runner - up, (the)? (runners up/runners - up)"),
  mostly: phrases("mostly, most of the time, mainly, usually"),
  bottom: phrases(
    "bottom, worst, lowest, least, fewest, smallest, worst performing, poorest, weakest, quietest, least busy",
  ),
  list: phrases(
    "list, last, latest, most recent, newest, list of, list the, list all, list out, list me, " +
      "details of, details on, details for, detail of, recent, individual, raw, every single, each single",
  ),
  oldest: phrases("oldest, earliest, very first, first"),
  longest: phrases("longest, slowest, lengthiest"),
  shortest: phrases("shortest, fastest, quickest"),
  single: phrases(
    "single call, on a single call, in a single call, of a single call, for a single call, single, " +
      "on one call, in one call",
  ),
  sort: phrases(
    "(sorted/ordered/ranked/sort) (by/on), order by, rank by, in order of, (sort (it/them/that)/rank them) by",
  ),
  descending: phrases(
    "descending, in descending order, " +
      "(highest/most/most common/most frequent/most expensive/priciest/largest/biggest/best) (one)? (first/on top/at the top), " +
      "(from)? (highest to lowest/high to low/best to worst/largest to smallest/biggest to smallest/most to least/big to small/most expensive to cheapest), desc",
  ),
  ascending: phrases(
    "ascending, in ascending order, (lowest/cheapest/smallest/least/fewest/worst) (one)? (first/on top/at the top), (from)? (lowest to highest/low to high/worst to best/smallest to largest/smallest to biggest/least to most/small to big/cheapest to most expensive/cheapest to priciest), " +
      "asc",
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
    "distribution, distribution of, distributed, spread of, histogram, histogram of, frequency distribution, " +
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
      "(rise/rose/risen) or (fall/fell/fallen), (improve/improved) or (worsen/worsened), (up/down) or (up/down), (higher/lower) or (higher/lower), " +
      "(more/fewer/less) or (more/fewer/less), (get/got/gotten)? better or worse, worse or better, changed, grow, grew, grown, growing, increased, " +
      "decreased, delta, drop, dropped, dropping, decline, declined, declining, lost, lose, move, moved, improve, improved, improving, worsen, worsened, " +
      "worsening, rise, rose, risen, rising, fell, fall, fallen, falling, dip, dipped, slipping, slipped, shrinking, shrank, jumped",
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
      "in comparison with, comparison of, relative to, compares to, compares with, v, compare to, " +
      "compare with, stack up against, (up/down) (on/from/over), comparison, than, as against, as opposed to, in contrast to",
  ),
  in_unit: phrases("(in)? (ms/millisecond), in (second/minute/hour/dollar/percent)"),
  side_by_side: phrases(
    "side by side, separately, individually, each separately, (each)? on its own, (each)? on their own, (each)? by (itself/themselves)",
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
    "only, just, (restrict/limit/narrow/filter) (that/this/it/them) to, alone, now only, only for, only the, just for, just the, but only, filter to, limit to, restrict to, narrow to, " +
      "narrow it down to, narrow down to, drill into, drill down into, zoom in on, focus on",
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

/** What narrows, joins, or goes on from the answer before. */
const conditionWords = {
  not: phrases(
    "not, exclude, excluding, except, without, other than, no, didnt, did not, wasnt, were not, " +
      "was not, dont, do not, does not, never, except for, outside of, outside, non, werent, arent, " +
      "are not, is not, isnt, doesnt, wont, cant, cannot, but not, leaving out, ignoring, apart from, besides, excludes, omit, net of, " +
      "omitting, leave out, leave aside, leave off, take off, ignore, skip, skipping, disregard, minus, not counting, not including, leaving aside, disregarding, aside from, keeping out, " +
      " couldnt, have not, havent, has not, hasnt, had not, failed to",
  ),
  empty: phrases("missing, unknown, blank, empty, undefined, lacking"),
  scope: phrases(
    "(looking/considering/counting/keeping/taking) (only/just) (at)?, (only/just) (considering/counting/looking at), " +
      "keep only, counting, considering, limited to, restricted to, limiting to, restricting to, limiting it to, restricting it to, among, out of",
  ),
  work_hours: phrases("(during/in/within)? (our/the)? (business/office/working/opening) hour"),
  off_hours: phrases(
    "(after/outside/outside of/out of/off/non/non -) (our/the)? (business/office/working/opening)? hour, (not during/not in/not within) (business/office/working/opening) hour",
  ),
  idle: phrases("inactive, idle, dormant"),
  contains: phrases("contains, contain, that contain, with the word, mentioning"),
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
    "of, from, for, on, in, (fell/fall/falls/falling) on, among, to, via, through, at, with respect to, amongst, within, during, under the, because of, due to, owing to, about, behind, in terms of",
  ),
  with: phrases(
    "with, where, having, that have, that had, whose, who had, which had, who have, which have, " +
      "that has, carry, carried, carrying, carries, bearing, containing, when, needing, needed, that needed, which needed, requiring, required, that required, that took, which took",
  ),
  loses: phrases(
    "(lose/losing/lost) (us)? money (on/with/from)?, unprofitable, loss making, loss - making, at a loss, in the red, " +
      "(negative profit/with a negative profit/with negative profit)",
  ),
  verb: phrases(
    "make, made, makes, answered, answers, answering, carry out, carried out, responded, responds, respond, performed, launched",
  ),
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
    "reject, refuse, pass on, rejects us, reject us, rejected us, refused us, declined us, turned us down, refuses us, refuse us, passes on us, turn down, turns down, " +
      "turns us down, declines us, decline us, declines our, rejects our, refuses our, decline to bid, refuse to bid",
  ),
  plain: phrases(
    "as number, in number, as absolute number, in absolute number, absolute number, as plain number, as count, as amount, " +
      "as dollar, in absolute term",
  ),
} as const;

/** How each role is said. */
export const roleWords = { ...shapeWords, ...conditionWords };

/** What small words do in a question. */
export type Role = keyof typeof roleWords;

/** Articles, pronouns, auxiliaries and courtesies. */
const words =
  "a an the our my your we i us me you it its is are was were be been being do does did have has had having can could may would " +
  "should that these those this there who which they them please pls plz hi hey hello ok okay so thanks im ill id if - / in up " +
  "inbound outbound incoming outgoing kinda sorta gotta wanna gonna lol lmao haha hehe btw imo tbh fyi nah oh ooh ah hm hmm um uh hiya heya sorry sry ya youre exist exists " +
  "provide provides nevertheless basically literally honestly roughly approximately usually typically generally normally tend tends " +
  "down back still each one far someone somebody anyone anybody people kindly exactly actually altogether respectively apiece thank thx ty cheers em meant already into we'd we've i'd i've they'd they've you've";
/** Words that any answer fits. */
const nouns =
  "total figure number result report stat record entry data series statistic setup row line column " +
  "amount matrix crosstab";
/** Verbs of mere being, having, coming, going, doing and asking: what is counted was there, came or was made. */
const verbs =
  "account want need like know let happen occur receive generate produce look differ vary return last plot chart graph draw " +
  "contribute reach arrive land belong work hit use submit buy";
/** Such verbs that may as well be the name of something, or begin one: "Quote Desk", a tag "end". */
const verbsOrNames =
  "hear concern tell notify burn rack post book accrue end involve serve express experience encounter stay remain yield quote " +
  "interest lay appear";
const irregular =
  "get got getting come came coming take took taken make made making run ran go went gone done send " +
  "sent sending ring rang break split entries varies varied goes saw seen sees seeing given gave gives gimme shown keep kept " +
  "hitting hold held found notified pulled placed called calling phoned recorded registered put laid bought showed very really";

const nounForms = nouns.split(" ").flatMap((noun) => [noun, `${noun}s`]);
const verbForms = (list: string) =>
  list.split(" ").flatMap((verb) => {
    const stem = verb.replace(/e$/, "");
    return [verb, `${verb}s`, `${stem}ed`, `${stem}ing`];
  });
const always = [
  ...`${words} ${irregular}`.split(" "),
  ...nounForms,
  ...verbForms(`${verbs} take make run come send get`),
];

/**
 * The words that change no plan, a closed list. All other words have to be explained by a production.
 */
export const functionWords: ReadonlySet<string> = new Set([...always, ...verbForms(verbsOrNames)]);

/** Words that are no slip of another one and no name: nearly the same, and others that say little by themselves. */
export const stopWords: ReadonlySet<string> = new Set([
  ...always,
  ...(
    "of for on at to from ours show give see find display what whats how much and or with their out about " +
    "during within through than then table breakdown overall combined overview summary summarize going place " +
    "occurred by bought buy grouped performance perform performed performing performs handled handle brought " +
    "bring brings , many lot any some s per fire fired fires based calculate compute sort sorted order " +
    "ordered whom time times drive drove driven drives driving deliver delivering attributed related " +
    "associated pull present list wondering wonder quick quickly just simply currently both together along " +
    "individual respective particular specific as you're via across basis wise according respect kind kinds " +
    "here now right think help mean means curious analysis analyze analyse insight insights view visualize " +
    "visualise render ones sure holds located originating originated originate dialing dialed dial rings side " +
    "next beside alongside try set sets perspective compared doing throughout when where caused due answer " +
    "process respond reply filter filters condition conditions often cause touched pair pairs combo combos " +
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
