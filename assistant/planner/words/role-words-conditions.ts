import { phrases } from "./phrases.ts";

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
export const conditionWords = {
  not: phrases(
    "not, exclude, excluding, except, without, other than, no, didnt, did not, wasnt, were not, " +
      "was not, dont, do not, does not, never, except for, outside of, outside, non, werent, arent, " +
      "are not, is not, isnt, but not, leaving out, ignoring, apart from, besides, excludes, omit, " +
      "omitting, leave out, leave aside, ignore, skip, skipping, disregard, minus, not counting, not including, leaving aside, disregarding, aside from, keeping out, " +
      " couldnt, have not, havent, has not, hasnt, had not, failed to",
  ),
  empty: phrases("missing, unknown, blank, empty, undefined, lacking"),
  scope: phrases(
    "(looking/considering/counting/keeping/taking) (only/just) (at)?, (only/just) (considering/counting/looking at), " +
      "keep only, counting, considering, limited to, restricted to, limiting to, restricting to, limiting it to, restricting it to, among, out of",
  ),
  idle: phrases("inactive, idle, dormant"),
  contains: phrases("contains, contain, that contain, with the word, mentioning"),
  more_than: phrases(
    "more than, greater than, longer than, over, above, exceeding, higher than, slower than, " +
      "larger than, bigger than, (and/plus) more than, in excess of, beyond, exceed, exceeds, exceeded, greater, >, topped, surpassed",
  ),
  at_least: phrases(
    "at least, and at least, no less than, minimum of, not less than, a minimum of, min, min of, minimum, >=",
  ),
  less_than: phrases(
    "less than, and (less/fewer) than, shorter than, under, below, fewer than, lower than, faster than, smaller than, " +
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
  and: phrases("and, comma, plus, then, and then, as well as, along with, together with"),
  of: phrases(
    "of, from, for, on, in, (fell/fall/falls/falling) on, among, to, via, through, at, with respect to, amongst, within, during, under the, because of, due to, owing to, about, behind",
  ),
  with: phrases(
    "with, where, having, that have, that had, whose, who had, which had, who have, which have, " +
      "that has, carry, carried, carrying, carries, bearing, containing, when, needing, needed, that needed, which needed, requiring, required, that required, that took, which took",
  ),
  loses: phrases(
    "(lose/losing/lost) (us)? money (on/with/from)?, unprofitable, loss making, at a loss, in the red, " +
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
    "(in/for/over/during) that (same)? (month/week/day/quarter/year), in that period, for that period, over that period, during that period, in the same period, for the same period, " +
      "over the same period, during the same period, in that time, in that same period, over that time",
  ),
  also: phrases("also, add, also include, include, and also, as well, too, in addition"),
  remove: phrases("remove, drop the, drop, clear, reset, undo, forget, take out, take away, get rid of, ditch"),
  rejects: phrases(
    "reject, refuse, pass on, rejects us, reject us, rejected us, refused us, declined us, turned us down, refuses us, refuse us, passes on us, turn down, turns down, " +
      "turns us down, declines us, decline us, declines our, rejects our, refuses our, decline to bid, refuse to bid",
  ),
  plain: phrases(
    "as number, in number, as absolute number, in absolute number, absolute number, as plain number, as count, as amount, " +
      "as dollar, in absolute term",
  ),
} as const;
