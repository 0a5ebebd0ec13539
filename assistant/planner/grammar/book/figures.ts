import { findQuantity } from "../../../catalog/catalog.ts";
import { counted, counting, distinct, isFigureToo, percentOf, ratio, statistic, statisticBehind } from "../figures.ts";
import { bothWays, countOfFact, factGroup, ofSome, ofThose, row } from "../makes.ts";
import { both, type Piece, unify } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";

/** Figures: "revenue", "how many calls", "median talk time", "revenue and payout". */
export const figuresPage: readonly Production[] = [
  p("figure", "MEASURE"),
  // "Ring time by buyer": on average.
  p("figures", "QUANTITY &BY|&EACH|&$", timeOnAverage),
  p("figure-list", "MEASURE AND QUANTITY", (setting, figure, quantity) =>
    /^(average|avg|mean) /.test(figure.word?.said ?? "") ? both(figure, timeOnAverage(setting, quantity)) : undefined,
  ),
  p("figure", "HOW_MANY OF? ALL? NOUN", (setting, _, noun) => counting(setting, noun)),
  p("figures", "AND HOW_MANY NOUN $", (setting, _, noun) => both({ isCounted: true }, counting(setting, noun))),
  // "What did Dana change", "what got deleted": which things.
  p("figures", "'what' names NOUN", ({ subject }, who) =>
    subject.name === "audit_logs" ? { ...who, noun: true, things: true } : undefined,
  ),
  p("figures", "'what' names", ({ subject }, deed) =>
    subject.name === "audit_logs" && deed.filters?.every(({ field }) => field === "action")
      ? { ...deed, noun: true, things: true }
      : undefined,
  ),
  p("figure", "HOW_MANY OF? ALL? MEASURE", counted),
  p("figure", "HOW_MANY DISTINCT? ALL? DIM", distinct),
  p("figure", "HOW_MANY FLAG NOUN", (setting, _, flag, noun) => both(flag, counting(setting, noun))),
  p("figure", "DISTINCT DIM", distinct),
  p("figure", "STATISTIC OF? ALL? QUANTITY|MEASURE", statistic),
  p("figure", "QUANTITY|MEASURE STATISTIC", statisticBehind),
  p("figure", "RATIO ALL? MEASURE|NOUN 'to'|AND|VERSUS|OF ALL? MEASURE|NOUN", (setting, _, one, other) =>
    ratio(setting, one, other),
  ),
  p("figure", "MEASURE 'to' MEASURE RATIO", (setting, one, other) => ratio(setting, one, other)),
  p("figure", "MEASURE RATIO MEASURE", (setting, one, _, other) => ratio(setting, one, other)),
  p("figure", "MEASURE SHARE MEASURE", percentOf),
  p("figures", "figure-list"),
  p("figures", "OF? ALL? NOUN"),
  p("figures", "FLAG AND|VERSUS|OR FLAG", bothWays),
  p("figures", "OF|WITH? fact such-records? VERSUS OF|WITH? fact such-records?", (setting, one, _noun, other) =>
    bothWays(setting, one, other),
  ),
  p(
    "figures",
    "OF|WITH? fact such-records? VERSUS|AND|OR NOT fact such-records?",
    (setting, one, _noun, _not, other) =>
      one.word?.flag === other.word?.flag ? both({ noun: true }, factGroup(setting, one)) : undefined,
  ),
  p("group", "BY fact VERSUS fact such-records?", (setting, one, other) => {
    const sides = bothWays(setting, one, other);
    const flag = sides?.contrast ?? sides?.groups?.[0];
    return flag === undefined ? undefined : { groups: [flag] };
  }),
  p("such-records", "NOUN|callers|'ones'", () => ({})),
  p("fact", "FLAG|FLAGGED"),
  p("figures", "WITH 'their'? figure-list", ({ previous }, figures) => (previous === undefined ? figures : undefined)),
  p("figures", "HOW_MANY of-records", (setting, _many, records) =>
    records.noun && records.measures === undefined ? counting(setting, records) : undefined,
  ),
  p("figures", "'in'|'for' !FLAGGED figure"),
  p("figures", "',' facts $", (_, facts) => ({ ...facts, besides: true })),
  p("figures", "HOW_MANY NOUN FLAG when? AND HOW_MANY FLAG", (setting, _many, _noun, one, when, more, other) =>
    / of$/.test(more.word?.said ?? "")
      ? undefined
      : both(when, both(countOfFact(setting, one), countOfFact(setting, other))),
  ),
  p("figure-list", "figure"),
  p("figure-list", "figure AND|VERSUS more-figures", (_, figure, more) => unify(figure, more)),
  p("figure-list", "NOUN AND|VERSUS figure-list", (setting, noun, more) => both(counting(setting, noun), more)),
  p("figure-list", "NOUN|figure figure-list", row),
  p("figure-list", "FLAGGED figure", ofSome),
  p("figure-list", "MEASURE NOUN !FLAG !OF !WITH !amount", (setting, figure, noun) =>
    row(setting, figure, counting(setting, noun) ?? {}),
  ),
  p("figure-list", "FLAG AND|VERSUS figure-list", (setting, fact, more) => both(countOfFact(setting, fact), more)),
  p("figure-list", "NOUN AND facts", (setting, noun, facts) => both(counting(setting, noun), facts)),
  p("figure-list", "FLAGGED|NOUN AND|WITH 'their' figure-list", ofThose),
  p("figure-list", "NOUN AND FLAG 'ones'", (setting, noun, fact) =>
    both(counting(setting, noun), countOfFact(setting, fact)),
  ),
  p("more-figures", "figure-list"),
  p("more-figures", "NOUN", counting),
  p("facts", "FLAG AND FLAG", (setting, one, other) => both(countOfFact(setting, one), countOfFact(setting, other))),
  p("facts", "FLAG AND facts", (setting, one, others) => both(countOfFact(setting, one), others)),
];

function timeOnAverage(setting: Setting, quantity: Piece): Piece | undefined {
  const unit = findQuantity(setting.subject, quantity.word?.quantity ?? "")?.unit;
  if ((unit !== "seconds" && unit !== "ms") || isFigureToo(setting, quantity)) return undefined;
  return statistic(setting, { word: { statistic: "avg" } }, quantity);
}
