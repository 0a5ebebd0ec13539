/** What small words do in a question. */
export type Role =
  | "by"
  | "which"
  | "all"
  | "top"
  | "bottom"
  | "busiest"
  | "not"
  | "more_than"
  | "at_least"
  | "less_than"
  | "at_most"
  | "between"
  | "how_many"
  | "list"
  | "longest"
  | "shortest"
  | "versus"
  | "previous_period"
  | "year_before"
  | "trend"
  | "share"
  | "and"
  | "or"
  | "of"
  | "with"
  | "follow";

export const roleWords: Readonly<Record<Role, readonly string[]>> = {
  by: [
    "by",
    "per",
    "each",
    "every",
    "for each",
    "for every",
    "by each",
    "across",
    "group by",
    "grouped by",
    "split by",
    "broken down by",
    "break down by",
    "breakdown by",
    "in each",
  ],
  which: ["which", "which of our", "what", "who"],
  all: ["all", "all of the", "our", "the different"],
  top: ["top", "best", "highest", "most", "largest", "biggest", "greatest", "best performing", "top performing"],
  busiest: ["busiest", "peak"],
  bottom: ["bottom", "worst", "lowest", "least", "fewest", "smallest", "worst performing"],
  not: [
    "not",
    "exclude",
    "excluding",
    "except",
    "without",
    "other than",
    "no",
    "didnt",
    "did not",
    "wasnt",
    "were not",
    "was not",
    "dont",
    "do not",
    "does not",
    "never",
    "except for",
    "outside of",
    "non",
    "werent",
  ],
  more_than: [
    "more than",
    "greater than",
    "longer than",
    "over",
    "above",
    "exceeding",
    "higher than",
    "slower than",
    "larger than",
    ">",
  ],
  at_least: ["at least", "no less than", "minimum of", "not less than", ">="],
  less_than: [
    "less than",
    "shorter than",
    "under",
    "below",
    "fewer than",
    "lower than",
    "faster than",
    "smaller than",
    "<",
  ],
  at_most: ["at most", "no more than", "up to", "maximum of", "<="],
  between: ["between"],
  how_many: ["how many", "number of", "count of", "count", "total number of", "how many of"],
  list: ["list", "last", "latest", "most recent", "newest", "list of", "list the", "details of"],
  longest: ["longest", "slowest"],
  shortest: ["shortest", "fastest"],
  versus: ["vs", "versus", "compared to", "compared with", "against", "compare", "comparing", "in comparison to"],
  previous_period: ["previous period", "the previous period", "period before", "the period before", "previous one"],
  year_before: ["month", "week", "day", "quarter", "period", "time"].flatMap((unit) =>
    ["last year", "of last year", "in last year", "previous year", "of the previous year", "a year ago"].flatMap(
      (year) => [`same ${unit} ${year}`, `the same ${unit} ${year}`],
    ),
  ),
  trend: ["trend", "over time", "timeline", "evolution", "trending"],
  share: [
    "share",
    "share of",
    "share of the",
    "percent",
    "percent of",
    "percent of the",
    "percentage",
    "percentage of",
    "percentage of the",
    "%",
    "% of",
    "% of the",
    "proportion",
    "proportion of",
    "as a share",
    "as share",
    "as a percent",
    "as percent",
    "as a percentage",
    "as percentage",
    "as a share of",
    "as a percent of",
    "as a percentage of",
    "as %",
    "in percent",
  ],
  or: ["or"],
  and: ["and", ",", "plus", "as well as", "along with"],
  of: ["of", "from", "for", "on", "in", "among", "to"],
  follow: [
    "only",
    "just",
    "instead",
    "what about",
    "how about",
    "same",
    "now",
    "again",
    "filter to",
    "limit to",
    "restrict to",
    "narrow to",
  ],
  with: ["with", "where", "having", "that have", "that had", "whose", "who had", "which had"],
};

/** Words that carry nothing a plan could hold. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a an the of for in on at to from me us our we i my you your is are was were be been being do does did done have has had " +
    "show give get see find display tell please can could would should like want need what whats how much there that these those " +
    "and or with it its they them their so up out about into during within through than then hello hi hey thanks thank " +
    "report table chart graph plot heat map heatmap data figure figures result results statistics stats breakdown overall total totals combined " +
    "came come comes coming received receive receives happened happen got went go going sent send take taken took place occurred long by each " +
    "break down split grouped total performance handled generated generate brought bring produced produce lasted lasting - , " +
    "number many lot any some s per said using based calculate compute look looking let lets sort sorted order ordered which who time"
  ).split(" "),
);
