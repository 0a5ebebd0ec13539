import { phrases } from "./phrases.ts";

/** What asks for a grouping, a ranking, a list, a share, a series or a comparison. */
export const shapeWords = {
  by: phrases(
    "by, per, each, every, for each, for every, by each, across, group by, grouped by, split by, " +
      "broken down by, break down by, breakdown by, in each, within each, according to, depending on, " +
      "broken out by, segmented by, separated by, sliced by, breakdown per, break it down by, " +
      "break that down by, break them down by",
  ),
  which: phrases("which, which of our, what, who, which of the, which of my, whose"),
  all: phrases("all, all of the, our, all our, all of our, any, every one of, the various"),
  top: phrases(
    "top, best, highest, most, largest, biggest, greatest, best performing, top performing, leading, " +
      "top ranking, rank, ranking of",
  ),
  busiest: phrases(
    "busiest, peak, most active, highest volume, most common, most frequent, commonest, quietest, least busy",
  ),
  bottom: phrases(
    "bottom, worst, lowest, least, fewest, smallest, worst performing, poorest, weakest, quietest, least busy",
  ),
  list: phrases(
    "list, last, latest, most recent, newest, list of, list the, list all, list out, list me, " +
      "details of, details on, details for, detail of, recent, individual, raw, every single, each single",
  ),
  oldest: phrases("oldest, earliest, very first, first"),
  longest: phrases("longest, slowest, lengthiest"),
  shortest: phrases("shortest, fastest"),
  single: phrases(
    "single call, on a single call, in a single call, of a single call, for a single call, single, " +
      "on one call, in one call",
  ),
  sort: phrases(
    "sorted by, sort by, ordered by, order by, ranked by, rank by, in order of, sorted on, ordered on, " +
      "sort on, sort it by, sort them by, sort that by, rank them by, ranked on",
  ),
  descending: phrases(
    "descending, in descending order, highest first, highest to lowest, from highest to lowest, " +
      "high to low, from high to low, largest first, biggest first, best first, desc, " +
      "best to worst, from best to worst, largest to smallest, most to least",
  ),
  ascending: phrases(
    "ascending, in ascending order, lowest first, lowest to highest, from lowest to highest, " +
      "low to high, from low to high, smallest first, worst first, asc, worst to best, " +
      "from worst to best, smallest to largest, least to most",
  ),
  how_many: phrases(
    "how many, number of, count of, count, total number of, how many of, the number of, " +
      "how many total, total count of, amount of, quantity of, the count of, how often, how many time, " +
      "number of time, how frequently",
  ),
  distinct: phrases("different, distinct, unique, how many different, how many distinct, how many unique"),
  share: phrases(
    "share, share of, share of the, percent, percent of, percent of the, percentage, percentage of, " +
      "percentage of the, %, % of, % of the, proportion, proportion of, as a share, as share, " +
      "as a percent, as percent, as a percentage, as percentage, as a share of, as a percent of, " +
      "as a percentage of, as %, in percent, what fraction of, fraction of, portion of, part of, " +
      "portion, fraction, contribution of, contribution to, contribution, percentage breakdown of, distribution of, " +
      "split of, mix, mix of, percentage of all, percent of all, share of all, % of all, share of our, " +
      "percentage of our, percent of our, share of total, percent of total, percentage of total, " +
      "% of total, as a share of the total, as a percentage of the total, as a percent of the total, " +
      "as percentage of total, as a percentage of total, as a percent of total, relative share of",
  ),
  ratio: phrases("ratio, ratio of, ratio between, divided by"),
  spread: phrases(
    "distribution, distribution of, distributed, spread of, histogram, histogram of, frequency distribution, " +
      "frequency distribution of",
  ),
  steps: phrases(
    "bucket, bucket of, in bucket of, into bucket of, bin, bin of, in bin of, into bin of, step, in step of, " +
      "step of, increment, increment of, in increment of, chunk of, in chunk of, interval, interval of, in interval of, with bucket of, with bin of",
  ),
  trend: phrases("trend, over time, timeline, evolution, trending, trended, time series, develop, developed"),
  running: phrases(
    "cumulative, cumulatively, running total, running total of, running sum of, running, accumulated, " +
      "cumulative total of, running count of, cumulated, accumulating, cumulative sum of",
  ),
  change: phrases(
    "growth, growth of, growth in, growth rate of, growth rate, change, change in, change of, " +
      "percent change, percent change in, percentage change, percentage change in, changed, grow, grew, " +
      "grown, increase, increased, increase in, decrease, decreased, decrease in, difference, " +
      "difference in, delta, drop, dropped, decline, declined, % change, % change in, go up, went up, gone up, " +
      "go down, went down, gone down, lost, lose, (go/went/gone) (up/down) or (up/down), (rise/rose/risen) or (fall/fell/fallen), (increase/increased) or (decrease/decreased), rise, rose, risen, fell, fall, fallen, dip, dipped",
  ),
  over_over: phrases(
    "month over month, mom, m/m, month on month, week over week, wow, w/w, week on week, day over day, " +
      "dod, day on day, quarter over quarter, qoq, quarter on quarter, year over year, yoy, y/y, " +
      "year on year",
  ),
  versus: phrases(
    "vs, versus, compared to, compared with, against, compare, comparing, in comparison to, " +
      "in comparison with, comparison of, relative to, compares to, compares with, v, compare to, " +
      "compare with, stack up against, comparison, than",
  ),
  in_unit: phrases("(in)? (ms/millisecond), in (second/minute/hour/dollar/percent)"),
  side_by_side: phrases("side by side, separately, individually, each separately"),
  better: phrases("better, worse, better on, worse on, higher, lower, stronger, weaker, more, fewer"),
  same_part: phrases(
    "(the)? same (stretch/part/portion) of, (the)? same (stretch/part), (the)? same (period/days/dates) (of)?",
  ),
  previous_period: phrases(
    "(the)? (previous/prior) period, (the)? period before, (the)? (previous/prior/preceding) one, (the)? one before, " +
      "(the)? (day/week/month/quarter) before, the year before, the (previous/prior) (day/week/month/quarter), " +
      "the preceding (period/week/month)",
  ),
  year_before: phrases(
    "(the)? same (month/week/day/quarter/period/time) " +
      "(last year/of last year/in last year/previous year/of the previous year/a year ago)",
  ),
} as const;
