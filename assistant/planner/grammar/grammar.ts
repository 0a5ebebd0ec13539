import { amount, between, ofGroups, ofHours, ofRecords } from "./bounds.ts";
import { edits } from "./edits.ts";
import {
  averagePer,
  counted,
  counting,
  distinct,
  isFigureToo,
  isQuantityToo,
  percentOf,
  rate,
  rateOfTwo,
  ratio,
  statistic,
  statisticBehind,
  totalPer,
} from "./figures.ts";
import {
  answeredWithin,
  asked,
  asWord,
  bothWays,
  containing,
  countOfFact,
  deeds,
  either,
  endOf,
  factGroup,
  highest,
  listed,
  longest,
  negated,
  none,
  noneOf,
  numbered,
  ofKind,
  ofThose,
  orderedBy,
  portioned,
  ranked,
  row,
  sideBySide,
} from "./makes.ts";
import { type Piece, unify, unifyAll } from "./piece.ts";
import { type Production, production as p } from "./production.ts";
import { against, changedMost, joinedWith, overOver, throughBoth, untilNow, yearBefore } from "./times.ts";

/**
 * The grammar of questions: how the phrases are built that a question consists of. A question is a row of phrases that do
 * not contradict each other; `sentence.ts` finds the fewest that explain all its words.
 */
const book: readonly Production[] = [
  p("phrase", "!bounded figures !figure !named-records"),
  p("bounded", "QUANTITY OF? amount", ofRecords),
  p("named-records", "names NOUN"),
  p("phrase", "group|rank|condition|when|list|part|series|CHART|opening"),
  p("opening", "^ 'what'|'whats'|'how'|'which' 'much'?", () => ({})),
  p("opening", "'how' 'much'", () => ({})),
  p("opening", "HOW_MANY $", () => ({})),
  p("opening", "^ VERSUS", () => ({ compares: true })),
  p("opening", "SIDE_BY_SIDE", () => ({ compares: true })),
  p("opening", "BETTER", () => ({ compares: true, better: true })),
  p("opening", "^ LIST|shown", () => ({})),
  p("opening", "VERB $", () => ({})),
  p("shown", "'show'|'give'|'see'|'find'|'display'|'get'|'pull'|'view'"),

  // Figures: "revenue", "how many calls", "median talk time", "revenue and payout".
  p("figure", "MEASURE"),
  p("figure", "HOW_MANY OF? ALL? NOUN", (setting, _, noun) => counting(setting, noun)),
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
  p("figures", "',' facts $"),
  p("figure-list", "figure"),
  p("figure-list", "figure AND|VERSUS more-figures", (_, figure, more) => unify(figure, more)),
  p("figure-list", "NOUN AND|VERSUS figure-list", (setting, noun, more) => first(counting(setting, noun), more)),
  p("figure-list", "NOUN|figure figure-list", row),
  p("figure-list", "MEASURE NOUN !FLAG !OF !WITH !amount", (setting, figure, noun) =>
    row(setting, figure, counting(setting, noun) ?? {}),
  ),
  p("figure-list", "FLAG AND|VERSUS figure-list", (setting, fact, more) => first(countOfFact(setting, fact), more)),
  p("figure-list", "NOUN AND facts", (setting, noun, facts) => first(counting(setting, noun), facts)),
  p("figure-list", "FLAGGED|NOUN AND|WITH 'their' figure-list", ofThose),
  p("more-figures", "figure-list"),
  p("more-figures", "NOUN", counting),
  p("facts", "FLAG AND FLAG", (setting, one, other) => first(countOfFact(setting, one), countOfFact(setting, other))),
  p("facts", "FLAG AND facts", (setting, one, others) => first(countOfFact(setting, one), others)),

  // Groups: "by campaign and day", "daily", "which publishers", "campaign revenue".
  p("group", "OF? BY group-names"),
  p("group", "OF? EACH group-names", (_, groups) => ({ ...groups, each: groups.groups ?? [] })),
  p("group", "GRAIN"),
  p("group", "OF? WHICH ALL? DIM|GRAIN|KIND", asked),
  p("group", "OF? WHO"),
  p("group", "DIM figure-list"),
  p("group", "^ LIST? DIM", (setting, _list, dim) => (dim.word?.isPlural ? asked(setting, dim) : undefined)),
  p("group", "^ DIM 'x'|BY|AND group-names"),
  p("group-names", "group-name"),
  p("group-names", "group-name AND|BY|'x' BY? group-names"),
  p("group-name", "ALL? DIM|GRAIN|KIND"),
  p("group-names", "FLAG", factGroup),
  p("series", "TREND", () => ({ trend: true })),
  p("series", "RUNNING", () => ({ running: "total" })),
  p("series", "OF? STATISTIC OF? ALL? counted-figure EACH GRAIN", averagePer),
  p("series", "STATISTIC GRAIN counted-figure", (setting, of, grain, figure) => averagePer(setting, of, figure, grain)),
  p("series", "counted-figure EACH GRAIN OF STATISTIC", (setting, figure, grain, of) =>
    averagePer(setting, of, figure, grain),
  ),
  p("series", "average-of-one EACH GRAIN", (setting, figure, grain) => totalPer(setting, figure, grain)),
  p("counted-figure", "MEASURE|NOUN"),
  p("counted-figure", "HOW_MANY MEASURE|NOUN", (_, _many, figure) => figure),
  p("average-of-one", "MEASURE", (_, figure) =>
    /^(average|avg|mean) /.test(figure.word?.said ?? "") ? figure : undefined,
  ),

  // Rankings: "top 5 publishers", "the most calls", "by profit", "lowest first".
  p("end", "TOP|BUSIEST|BOTTOM|DESCENDING|ASCENDING", endOf),
  p("rank", "end OF? COUNT? DIM|GRAIN|KIND", ranked),
  p("rank", "OF end OF? COUNT? DIM|GRAIN|KIND", (setting, ...parts) =>
    unify(ranked(setting, ...three(parts)), { among: true }),
  ),
  p("rank", "COUNT end DIM|GRAIN|KIND", (setting, count, end, name) => ranked(setting, end, count, name)),
  p("rank", "end DIM|GRAIN|KIND OF|BY figure-list|NOUN", (setting, { orderBy: _, ...end }, name, figure) =>
    both(ranked(setting, end, {}, name), orderedBy(counting(setting, figure))),
  ),
  p("rank", "end ALL? figure|NOUN", (setting, end, figure) => highest(setting, end, counting(setting, figure))),
  p("rank", "figure end 'often'?", (setting, figure, end) => highest(setting, end, figure)),
  p("rank", "FLAG end 'often'?", (setting, fact, end) => highest(setting, end, countOfFact(setting, fact))),
  p("rank", "COUNT DIM|GRAIN|KIND WITH end figure|NOUN", (setting, count, name, end, figure) =>
    both(ranked(setting, {}, count, name), highest(setting, end, counting(setting, figure))),
  ),
  p("rank", "'by' figure-list|NOUN", (setting, figures) =>
    figures.word?.isKind ? undefined : orderedBy(counting(setting, figures)),
  ),
  p("rank", "SORT figure-list|NOUN", (setting, _sort, figures) => orderedBy(counting(setting, figures))),
  p("rank", "BUSIEST $", endOf),
  p("rank", "CHANGE end", changedMost),
  p("rank", "end CHANGE", (setting, end, change) => changedMost(setting, change, end)),
  p("rank", "end CHANGE OF? figure|NOUN", (setting, end, change, figure) =>
    both(changedMost(setting, change, end), counting(setting, figure)),
  ),
  p("rank", "CHANGE end OF figure|NOUN", (setting, change, end, figure) =>
    both(changedMost(setting, change, end), counting(setting, figure)),
  ),
  p("rank", "end COUNT", (_, end, count) => ({ ...end, ...(count.word?.number && { limit: count.word.number }) })),
  p("rank", "DESCENDING|ASCENDING", endOf),

  // Conditions: "from Texas", "that converted", "on weekends", "over 5 minutes", "excluding Acme and duplicates".
  p("condition", "only? OF|WITH|'by'? names|DAYS|PARTS|hours|of-length|of-records|of-groups only?"),
  p("condition", "only? WITH? FLAG NOUN only?"),
  p("condition", "only? WITH? FLAG only?", (_, only, flag, more) =>
    flag.word?.said?.endsWith("ing") ? undefined : unifyAll([only, flag, more]),
  ),
  p("condition", "OF|WITH FLAGGED"),
  p("condition", "only NOUN|FLAGGED WITH? names|FLAG|of-length"),
  p("condition", "FLAG BUT FLAG|FLAGGED"),
  p("condition", "only FLAGGED", (_, only, { filters = [] }) => ({ ...only, filters })),
  p("condition", "FLAGGED only", (_, { filters = [] }, only) => ({ ...only, filters })),
  p("only", "ONLY", () => ({ edit: { narrows: true } })),
  p("condition", "names NOUN"),
  p("condition", "exclusion"),
  p("condition", "EMPTY|without DIM", ({ previous }, _empty, dim) =>
    // A follow-up takes that group away.
    previous?.dimensions.includes(dim.groups?.[0] ?? "") ? undefined : none("empty", dim),
  ),
  p("condition", "NOT EMPTY DIM", (_, _not, _empty, dim) => none("not_empty", dim)),
  p("condition", "WITH DIM", (_, dim) => (dim.word?.isPlural ? undefined : none("not_empty", dim))),
  p("condition", "DIM CONTAINS ANY", (_, dim, _contains, any) => containing(dim, any)),
  p("without", "NOT", (_, not) => (/^(without|no|lacking)$/.test(not.word?.said ?? "") ? not : undefined)),

  // Names: "Acme", "Texas or Florida", "campaign Solar", "the medicare campaigns".
  p("names", "name"),
  p("names", "name AND|OR OF? names", (_, one, others) => either(one, others)),
  p("name", "VALUE"),
  p("name", "DIM|KIND NAME", (_, dim, name) => ofKind(dim, name)),
  p("name", "NAME DIM|KIND", (_, name, dim) => ofKind(dim, name)),
  p("name", "DIM ANY", numbered),
  // Names that are held against each other are groups.
  p("condition", "OF? name VERSUS OF? name", (_, one, other) => sideBySide(one, other)),
  p("condition", "OF? name AND|VERSUS OF? name SIDE_BY_SIDE", (_, one, other) => sideBySide(one, other)),
  p("condition", "^ VERSUS OF? name AND|VERSUS OF? name", (_, one, other) => sideBySide(one, other)),

  // Exclusions: all of a list is excluded.
  p("exclusion", "NOT|all-but excluded-list", negated),
  p("all-but", "ALL BUT"),
  p("excluded-list", "excluded"),
  p("excluded-list", "excluded !',' AND|OR NOT? excluded-list", (_, one, _not, others) => listOf(one, others)),
  p("excluded-list", "excluded ',' AND? !OF excluded-list", (_, one, others) => listOf(one, others)),
  p("excluded", "OF? ALL? names|FLAGGED|DAYS|PARTS"),
  p("excluded", "ALL? FLAG NOUN?", (_, flag) => flag),

  // Bounds: of each record, or of each group's figure.
  p("amount", "MORE_THAN NUMBER", (_, _op, number) => amount("more_than", number)),
  p("amount", "AT_LEAST NUMBER", (_, _op, number) => amount("at_least", number)),
  p("amount", "LESS_THAN NUMBER", (_, _op, number) => amount("less_than", number)),
  p("amount", "AT_MOST NUMBER", (_, _op, number) => amount("at_most", number)),
  p("amount", "NUMBER OR_MORE", (_, number) => amount("at_least", number)),
  p("amount", "NUMBER OR_LESS", (_, number) => amount("at_most", number)),
  p("amount", "BETWEEN NUMBER AND NUMBER", (_, _between, low, high) => between(low, high)),
  p("of-length", "amount", (setting, bounds) => ofRecords(setting, {}, bounds)),
  p("of-records", "bound-records", (_, { word: _word, ...records }) => records),
  p("bound-records", "NOUN OF|WITH? QUANTITY OF? amount", (setting, noun, quantity, bounds) =>
    asWord(both(noun, ofRecords(setting, quantity, bounds)), noun.word),
  ),
  p("bound-records", "NOUN OF|WITH? amount OF? QUANTITY", (setting, noun, bounds, quantity) =>
    asWord(both(noun, ofRecords(setting, quantity, bounds)), noun.word),
  ),
  p("of-records", "counted-records OF|WITH? amount OF QUANTITY", (setting, records, bounds, quantity) =>
    both(records, ofRecords(setting, quantity, bounds)),
  ),
  p("of-records", "FLAG OF amount", answeredWithin),
  p("of-records", "FLAGGED OF amount", (setting, fact, bounds) =>
    first(answeredWithin(setting, fact, bounds), countOfFact(setting, fact)),
  ),
  p("counted-records", "MEASURE", (setting, figure) => counted(setting, {}, figure)),
  p("of-records", "quantity-alone OF? amount", ofRecords),
  p("of-records", "amount OF? quantity-alone", (setting, bounds, quantity) => ofRecords(setting, quantity, bounds)),
  p("quantity-alone", "QUANTITY", (setting, quantity) => (isFigureToo(setting, quantity) ? undefined : quantity)),
  p("of-groups", "figure-alone OF? amount !of-figure", ofGroups),
  p("of-groups", "amount OF? figure-alone", (setting, bounds, figure) => ofGroups(setting, figure, bounds)),
  p("of-groups", "amount NOUN", (setting, bounds, noun) => ofGroups(setting, counting(setting, noun) ?? {}, bounds)),
  p("of-groups", "head OF|WITH? figure OF? amount !of-figure", (setting, head, figure, bounds) =>
    both(head, ofGroups(setting, figure, bounds)),
  ),
  p("of-groups", "head OF|WITH? amount OF? figure|NOUN", (setting, head, bounds, figure) =>
    both(head, ofGroups(setting, counting(setting, figure) ?? {}, bounds)),
  ),
  p("of-groups", "head without ALL? FLAGGED", (setting, head, _, fact) => both(head, noneOf(setting, fact))),
  p("of-figure", "OF? figure"),
  p("head", "WHICH DIM|GRAIN|KIND", asked),
  p("head", "DIM|GRAIN|KIND", (_, dim) => (dim.word?.isPlural ? dim : undefined)),
  p("figure-alone", "figure", (setting, figure) => (isQuantityToo(setting, figure) ? undefined : figure)),

  // Times of day.
  p("hours", "LATER|AT_LEAST HOUR", (_, _later, hour) => ofHours({ from: hour })),
  p("hours", "EARLIER|LESS_THAN HOUR", (_, _earlier, hour) => ofHours({ to: hour })),
  p("hours", "BETWEEN HOUR AND HOUR", (_, _between, from, to) => ofHours({ from, to })),
  p("hours", "HOUR 'to'|'-'|'until' HOUR", (_, from, to) => ofHours({ from, to })),

  // When, and against what.
  p("when", "OF|'over'? period"),
  p("period", "'far'? PERIOD 'far'?"),
  p("period", "PERIOD 'to' 'date'", untilNow),
  p("when", "OF? period VERSUS OF? period", against),
  p("when", "OF? period AND OF? period", joinedWith),
  p("when", "OF? period OR OF? period", throughBoth),
  p("when", "VERSUS OF? period AND|VERSUS OF? period", against),
  p("when", "WITH|'to' period", (setting, other) => against(setting, {}, other)),
  p("when", "VERSUS OF? period", (setting, other) => against(setting, {}, other)),
  p("when", "VERSUS PREVIOUS_PERIOD", () => ({ versus: { kind: "before" } })),
  p("when", "VERSUS YEAR_BEFORE", yearBefore),
  p("when", "OVER_OVER", overOver),
  p("when", "CHANGE", () => ({ versus: { kind: "change" } })),

  // Lists of single records: "the last 20 calls", "list converted calls", "the 5 longest calls".
  p("list", "LIST COUNT? LIST? records", (_, list, count, _other, records) => listed(count, records, list)),
  p("list", "COUNT LIST records", (_, count, _list, records) => listed(count, records)),
  p("list", "LONGEST|SHORTEST COUNT? records", longest),
  p("list", "COUNT LONGEST|SHORTEST records", (setting, count, end, records) => longest(setting, end, count, records)),
  p("records", "NOUN|FLAGGED|bound-records"),
  p("records", "NOUN? names", (setting, _noun, names) => deeds(setting, names)),
  p("list", "^ shown LIST? ALL? records", (_, _shown, _list, records) => ({ ...listed({}, records), shown: true })),
  p("list", "^ shown LIST? COUNT LIST? records", (_, _shown, _list, count, _other, records) => listed(count, records)),
  p("list", "LIST LIST COUNT? records", (_, list, _other, count, records) => listed(count, records, list)),
  p("records", "names|FLAG|PERIOD records", (_, kind, records) => asWord(unify(kind, records), records.word)),

  // Shares, and the part of a whole under a condition.
  p("part", "SHARE OF? ALL? PERIOD? figure !figure", (setting, share, period, figure) =>
    both(period, rate(setting, share, figure)),
  ),
  p("part", "SHARE OF? figure figure", (setting, _share, whole, part) => rateOfTwo(setting, whole, part)),
  p("part", "SHARE OF? ALL? PERIOD? NOUN", (setting, share, period, noun) =>
    first(period, rate(setting, share, counting(setting, noun) ?? {})),
  ),
  p("part", "SHARE OF? figure OF|WITH names", (_, _share, figure, names) =>
    both(figure, { portion: names.filters ?? [] }),
  ),
  p("part", "SHARE OF? ALL? whole part-of-it", (setting, _share, whole, part) => portioned(setting, whole, part)),
  p("whole", "NOUN|FLAGGED"),
  p("whole", "FLAG|names NOUN", (_, kind) => kind),
  p("whole", "NOUN OF names", (_, _noun, names) => names),
  p("part-of-it", "OF|WITH? names|FLAG|FLAGGED|DAYS|PARTS|hours|of-length|exclusion"),
  p("part-of-it", "OF|WITH? QUANTITY amount", ofRecords),
];

const both = (one: Piece, other: Piece | undefined): Piece | undefined => other && unify(one, other);

const three = ([end = {}, count = {}, name = {}]: readonly Piece[]): [Piece, Piece, Piece] => [end, count, name];

/** The figures of the one before those of the other. */
const first = (one: Piece | undefined, other: Piece | undefined): Piece | undefined =>
  one && other && unify(one, other);

/** Conditions of a list that is excluded, whatever their fields. */
const listOf = (one: Piece, others: Piece): Piece => ({
  filters: [...(one.filters ?? []), ...(others.filters ?? [])],
});

const all = [...book, ...edits];

/** The productions by their name. */
export const grammar: ReadonlyMap<string, readonly Production[]> = new Map(
  [...new Set(all.map(({ name }) => name))].map((name) => [name, all.filter((each) => each.name === name)]),
);
