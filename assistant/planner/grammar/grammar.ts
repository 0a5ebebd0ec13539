import { measureOf } from "../../catalog/catalog.ts";
import {
  amount,
  between,
  exactly,
  ofColumn,
  ofCounted,
  ofGroups,
  ofHours,
  ofRecords,
  ofTimes,
  perMessage,
} from "./bounds.ts";
import { clauseBook } from "./clauses.ts";
import { countBook } from "./counts.ts";
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
  kindsOfDay,
  listed,
  listedBy,
  longest,
  negated,
  none,
  noneOf,
  numbered,
  ofKind,
  ofSome,
  ofThose,
  orderedBy,
  portioned,
  ranked,
  reasons,
  rejected,
  row,
  sideBySide,
  speed,
  speedEnd,
} from "./makes.ts";
import { overGroupsBook } from "./over-groups.ts";
import { type Piece, unify, unifyAll } from "./piece.ts";
import { type Production, production as p, type Setting } from "./production.ts";
import { spreadBook } from "./spreads.ts";
import { against, changedMost, joinedWith, overOver, samePartOf, throughBoth, untilNow, yearBefore } from "./times.ts";

/**
 * The grammar of questions: how the phrases are built that a question consists of. A question is a row of phrases that do
 * not contradict each other; `sentence.ts` finds the fewest that explain all its words.
 */
const book: readonly Production[] = [
  p("phrase", "!bounded figures !figure !named-records"),
  p("bounded", "QUANTITY OF? amount", ofRecords),
  p("named-records", "names NOUN"),
  p("phrase", "group|rank|condition|when|list|part|series|CHART|opening"),
  p("opening", "^ 'what'|'whats' !names", () => ({})),
  p("opening", "^ 'what' &names", ({ subject }) => (subject.name === "audit_logs" ? {} : undefined)),
  p("opening", "^ 'how' 'much'? !KIND", () => ({})),
  p("figures", "^ 'what' names figure"),
  p("figure", "MEASURE names answering", (setting, figure, names) =>
    /^how long/.test(figure.word?.said ?? "") ? both(names, speed(setting)) : undefined,
  ),
  p("opening", "'how' 'much'", () => ({})),
  p("opening", "^ VERSUS", () => ({ compares: true })),
  p("opening", "'overall'", () => ({})),
  p("opening", "SIDE_BY_SIDE", () => ({ compares: true })),
  p("opening", "BETTER", () => ({ compares: true, better: true })),
  p("opening", "^ WHICH BETTER", () => ({ compares: true, better: true })),
  p("opening", "^ LIST", () => ({ lists: true })),
  p("opening", "^ shown", () => ({})),
  p("opening", "'their'|'his'|'her'|'its'", () => ({ besides: true })),
  p("figures", "OF 'their'|'his'|'her'|'its' NOUN"),
  p("opening", "'gave'|'give'|'gives'|'hit'|'hits'|'saw'|'see'|'seen'|'gimme'|'arrived'|'arrive'|'pulled'", () => ({})),
  p("opening", "EACH &$|&','|&PERIOD", () => ({ compares: true })),
  p("opening", "'doing'|'going'|'performing'|'performed'|'faring'|'fared'|'looking'|'gone'", () => ({ better: true })),
  p("opening", "VERB $", () => ({})),
  p("opening", "PARTICLE !GRAIN", () => ({})),
  p("opening", "'out'", () => ({})),
  p("opening", "'who'|'what'|'whats' &ALL|&end|&COUNT|&MEASURE|&SHARE|&MORE_THAN|&AT_LEAST|&LESS_THAN", () => ({})),
  p("opening", "^ 'to' &shown", () => ({})),
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
  p("figures", "',' facts $", (_, facts) => ({ ...facts, besides: true })),
  p("figures", "HOW_MANY NOUN FLAG when? AND HOW_MANY FLAG", (setting, _many, _noun, one, when, more, other) =>
    / of$/.test(more.word?.said ?? "")
      ? undefined
      : both(when, first(countOfFact(setting, one), countOfFact(setting, other))),
  ),
  p("figure-list", "figure"),
  p("figure-list", "figure AND|VERSUS more-figures", (_, figure, more) => unify(figure, more)),
  p("figure-list", "NOUN AND|VERSUS figure-list", (setting, noun, more) => first(counting(setting, noun), more)),
  p("figure-list", "NOUN|figure figure-list", row),
  p("figure-list", "FLAGGED figure", ofSome),
  p("figure-list", "MEASURE NOUN !FLAG !OF !WITH !amount", (setting, figure, noun) =>
    row(setting, figure, counting(setting, noun) ?? {}),
  ),
  p("figure-list", "FLAG AND|VERSUS figure-list", (setting, fact, more) => first(countOfFact(setting, fact), more)),
  p("figure-list", "NOUN AND facts", (setting, noun, facts) => first(counting(setting, noun), facts)),
  p("figure-list", "FLAGGED|NOUN AND|WITH 'their' figure-list", ofThose),
  p("figure-list", "NOUN AND FLAG 'ones'", (setting, noun, fact) =>
    first(counting(setting, noun), countOfFact(setting, fact)),
  ),
  p("more-figures", "figure-list"),
  p("more-figures", "NOUN", counting),
  p("facts", "FLAG AND FLAG", (setting, one, other) => first(countOfFact(setting, one), countOfFact(setting, other))),
  p("facts", "FLAG AND facts", (setting, one, others) => first(countOfFact(setting, one), others)),

  // Groups: "by campaign and day", "daily", "which publishers", "campaign revenue".
  p("group", "OF? BY group-names"),
  p("group", "OF? EACH group-names", (_, groups) => ({ ...groups, each: groups.groups ?? [] })),
  p("group", "GRAIN"),
  p("group", "OF? EACH OF ALL? DIM|KIND"),
  p("group", "OF? WHICH ALL? DIM 'called_us'|'called'|'phoned'|'rang'", (setting, dim) =>
    asked(setting, dim.groups?.[0] === "number" ? { ...dim, groups: ["caller"] } : dim),
  ),
  p("opening", "'called'|'calling'|'phoned'|'rang'|'dialed' !DIM", () => ({})),
  p("group", "OF? WHICH ALL? DIM|GRAIN|KIND", asked),
  p("group", "OF? WHO"),
  p("group", "'because_of'|'due_to' WHICH", reasons),
  p("group", "DIM figure-list"),
  p("group", "DIM 'x' group-names"),
  p("group", "DIM BY DIM", (_, one, other) => (one.word?.isPlural ? undefined : unify(one, other))),
  p("group", "GRAIN VERSUS|'x' GRAIN"),
  p("figure", "MEASURE 'to' ALL? DIM", (_, figure, party) =>
    party.word?.isPlural && /^(publisher|buyer)$/.test(party.groups?.[0] ?? "") ? figure : undefined,
  ),
  p("figure", "NOUN MEASURE", (_, noun, figure) => (noun.word?.isPlural ? undefined : figure)),
  p("group", "^ LIST? DIM", (setting, _list, dim) => (dim.word?.isPlural ? asked(setting, dim) : undefined)),
  p("group", "^ DIM 'x'|BY|AND group-names"),
  p("group-names", "group-name"),
  p("group-names", "group-name AND|BY|'x' BY? group-names"),
  p("group-name", "ALL? DIM|GRAIN|KIND"),
  p("group", "OF? BY FLAG", factGroup),
  p("group", "OF? BY group-names !',' AND FLAG", (setting, groups, fact) => both(groups, factGroup(setting, fact))),
  p("group", "'why'", () => ({ reasons: true })),
  p("condition", "'because' OF? names"),
  p("condition", "'over' names"),
  p("group", "'over'|'across'|'throughout' ALL? GRAIN"),
  p("condition", "NOUN 'to'? 'pay'|'paid'|'paying' 'for' &OF|&PERIOD|&$|&AND|&BUT|&NOT", (setting, noun) =>
    setting.subject.name === "calls"
      ? { ...noun, filters: [{ field: "payable", op: "is", values: [true] }] }
      : undefined,
  ),
  p("condition", "of-length|of-records BUT FLAG"),
  p("series", "TREND", () => ({ trend: true })),
  p("series", "RUNNING", () => ({ running: "total" })),
  p("series", "OF? STATISTIC OF? ALL? counted-figure EACH GRAIN", averagePer),
  p("series", "STATISTIC GRAIN counted-figure", (setting, of, grain, figure) => averagePer(setting, of, figure, grain)),
  p("series", "counted-figure EACH GRAIN OF STATISTIC", (setting, figure, grain, of) =>
    averagePer(setting, of, figure, grain),
  ),
  p("series", "average-of-one EACH GRAIN BY|EACH? group-names?", (setting, figure, grain, groups) =>
    both(groups, totalPer(setting, figure, grain)),
  ),
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
  p(
    "rank",
    "end OF? COUNT? DIM|GRAIN|KIND OF|BY ALL? figure-list|NOUN",
    (setting, { orderBy: _, ...end }, count, name, figure) =>
      both(ranked(setting, end, count, name), orderedBy(counting(setting, figure))),
  ),
  p(
    "rank",
    "COUNT end DIM|GRAIN|KIND OF|BY ALL? figure-list|NOUN",
    (setting, count, { orderBy: _, ...end }, name, figure) =>
      both(ranked(setting, end, count, name), orderedBy(counting(setting, figure))),
  ),
  p("rank", "end ALL? figure|NOUN", (setting, end, figure) => highest(setting, end, counting(setting, figure))),
  p("rank", "figure end 'often'?", (setting, figure, end) => highest(setting, end, figure)),
  p("rank", "FLAG end 'often'?", (setting, fact, end) => highest(setting, end, countOfFact(setting, fact))),
  p("rank", "COUNT DIM|GRAIN|KIND WITH end figure|NOUN", (setting, count, name, end, figure) =>
    both(ranked(setting, {}, count, name), highest(setting, end, counting(setting, figure))),
  ),
  p("rank", "'who_called_us' TOP|BOTTOM", (setting, end) => ({
    ...endOf(setting, end),
    noun: true,
    groups: ["caller"],
    asked: "one",
  })),
  p("rank", "FLAG end NOUN", (setting, fact, end, noun) => both(fact, highest(setting, end, counting(setting, noun)))),
  p("rank", "'by' !DIM !KIND figure-list|NOUN", (setting, figures) => orderedBy(counting(setting, figures))),
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
  p("rank", "TOP|BOTTOM 'often'|'frequently'? &$|&period|&','|&OF", (setting, end) =>
    /^(most|least|fewest)$/.test(end.word?.said ?? "")
      ? { ...endOf(setting, end), noun: true, often: true }
      : undefined,
  ),
  p("rank", "end kinds figure|NOUN", (setting, end, kinds, figure) =>
    both({ filters: [], ...kinds }, highest(setting, end, counting(setting, figure))),
  ),
  p("rank", "end FLAG figure", (setting, end, fact, figure) => both(fact, highest(setting, end, figure))),
  p("rank", "TOP|BOTTOM OLDEST", endOf),
  p("rank", "end MEASURE OLDEST", (_, end, figure) => both({ direction: end.direction ?? "desc" }, orderedBy(figure))),
  p("rank", "DIM|GRAIN|KIND WITH end ALL? figure|NOUN", (setting, dim, end, figure) =>
    both(asked(setting, dim), highest(setting, end, counting(setting, figure))),
  ),
  p("rank", "LONGEST|SHORTEST COUNT? DIM|KIND OF|BY figure", (setting, end, count, name, figure) =>
    both(ranked(setting, speedEnd(end), count, name), orderedBy(figure)),
  ),
  p("rank", "LONGEST|SHORTEST COUNT? DIM", (setting, end, count, name) =>
    both(ranked(setting, speedEnd(end), count, name), orderedBy(speed(setting))),
  ),
  p("rank", "LONGEST|SHORTEST OF STATISTIC|answering", (setting, end, of) =>
    of.word?.statistic === undefined || of.word.statistic === "avg"
      ? both({ ...speedEnd(end), isHighest: true }, orderedBy(speed(setting)))
      : undefined,
  ),
  p("rank", "LONGEST|SHORTEST answering", (setting, end) =>
    both({ ...speedEnd(end), isHighest: true }, orderedBy(speed(setting))),
  ),
  p("answering", "'to' VERB|'answer'|'respond'|'reply'|'connect'", () => ({})),
  p("rank", "LONGEST|SHORTEST OLDEST", (_, end) => speedEnd(end)),
  p("rank", "end COUNT", (_, end, count) => ({ ...end, ...(count.word?.number && { limit: count.word.number }) })),
  p("rank", "DESCENDING|ASCENDING", endOf),

  // Conditions: "from Texas", "that converted", "on weekends", "over 5 minutes", "excluding Acme and duplicates".
  p("condition", "only? OF|WITH|'by'? names|DAYS|PARTS|hours|of-length|of-records|of-groups only?"),
  p("condition", "only? WITH? FLAG NOUN only?", ({ previous }, only, flag, noun, more) =>
    unifyAll([only, flag, previous === undefined ? {} : noun, more]),
  ),
  p("condition", "only? WITH? FLAG only?", (_, only, flag, more) =>
    /^[^_ ]*ing$/.test(flag.word?.said ?? "") ? undefined : unifyAll([only, flag, more]),
  ),
  p("condition", "OF|WITH FLAGGED"),
  p("condition", "only NOUN|FLAGGED WITH? names|FLAG|of-length"),
  p("condition", "FLAG BUT FLAG|FLAGGED"),
  p("condition", "only FLAGGED", (_, only, { filters = [] }) => ({ ...only, filters })),
  p("condition", "FLAGGED only", (_, { filters = [] }, only) => ({ ...only, filters })),
  p("only", "ONLY", () => ({ edit: { narrows: true } })),
  p("condition", "names NOUN"),
  p("condition", "OF FLAG NOUN|callers?", (_, flag) => flag),
  p("callers", "DIM", (_, dim) => (dim.groups?.[0] === "caller" ? {} : undefined)),
  p("condition", "OF|WITH amount QUANTITY", (setting, bounds, quantity) => ofRecords(setting, quantity, bounds)),
  p("condition", "OF|WITH NUMBER QUANTITY", (setting, number, quantity) =>
    ofRecords(setting, quantity, exactly(number)),
  ),
  p("condition", "WITH without DIM", (_, _without, dim) => none("empty", dim)),
  p("condition", "DAYS AND|OR OF? DAYS", (_, one, other) => either(one, other)),
  p("condition", "exclusion"),
  p("condition", "EMPTY|without ALL? DIM", ({ previous }, _empty, dim) =>
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
  p("name", "DIM ANY OR|AND ANY", (setting, dim, one, other) =>
    either(numbered(setting, dim, one) ?? {}, numbered(setting, dim, other) ?? {}),
  ),
  p("name", "STATUS"),
  p("names", "name 'ones'|'one'"),
  p("names", "name names", (_, one, others) => (one.filters?.[0]?.field === "state" ? either(one, others) : undefined)),
  // Names that are held against each other are groups.
  p("condition", "OF? name NOUN? VERSUS OF? sides NOUN?", (_, one, _noun, other) => sideBySide(one, other)),
  p("sides", "name"),
  p("sides", "name VERSUS OF? sides", (_, one, other) => either(one, other)),
  p("condition", "OF? DAYS|WEEKDAYS VERSUS|AND|OR OF? DAYS|WEEKDAYS", (_, one, other) => kindsOfDay(one, other)),
  p("condition", "OF? DAYS VERSUS OF? DAYS", (_, one, other) => sideBySide(one, other)),
  p("condition", "OF? PARTS VERSUS OF? PARTS", (_, one, other) => sideBySide(one, other)),
  p("condition", "only? OF WEEKDAYS only?", (_, _only, days) => days),
  p("condition", "only WEEKDAYS", (_, _only, days) => days),
  p("condition", "WEEKDAYS only", (_, days) => days),
  p("condition", "'tagged'|'carry'|'carrying'|'carried'|'carries' names"),
  p("condition", "WITH QUANTITY amount", ofRecords),
  p("condition", "FLAG|FLAGGED 'ones'|'one'", (_, flag) => ({ filters: flag.filters ?? [] })),
  p("condition", "REJECTS", rejected),
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
  p("amount", "bound"),
  p("amount", "bound 'to' VERB|'process'|'answer'|'respond'", (_, bounds) => bounds),
  p("bound", "MORE_THAN NUMBER", (_, _op, number) => amount("more_than", number)),
  p("bound", "AT_LEAST NUMBER", (_, _op, number) => amount("at_least", number)),
  p("bound", "LESS_THAN NUMBER", (_, _op, number) => amount("less_than", number)),
  p("bound", "AT_MOST NUMBER", (_, _op, number) => amount("at_most", number)),
  p("bound", "NUMBER 'times' OR_MORE", (_, number) => amount("at_least", { word: { ...number.word, said: "times" } })),
  p("bound", "NUMBER OR_MORE 'times'", (_, number) => amount("at_least", { word: { ...number.word, said: "times" } })),
  p("bound", "NUMBER OR_MORE", (_, number) => amount("at_least", number)),
  p("bound", "NUMBER OR_LESS", (_, number) => amount("at_most", number)),
  p("bound", "BETWEEN NUMBER AND NUMBER", (_, _between, low, high) => between(low, high)),
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
  p("of-records", "FLAG !'for' OF amount", answeredWithin),
  p("of-records", "FLAGGED OF amount", (setting, fact, bounds) =>
    first(answeredWithin(setting, fact, bounds), countOfFact(setting, fact)),
  ),
  p("counted-records", "HOW_MANY MEASURE|NOUN", counted),
  p("counted-records", "MEASURE", (setting, figure) => counted(setting, {}, figure)),
  p("of-records", "DIM OF? amount", ofColumn),
  p("of-records", "STATUS"),
  p("of-records", "figure amount", ofCounted),
  p("of-records", "FLAG amount", (setting, fact, bounds) =>
    fact.word?.flag === "retried" ? perMessage(setting, bounds, 1) : undefined,
  ),
  p("of-records", "NOUN OF? names? MEASURE amount", (setting, _noun, names, figure, bounds) => {
    const quantity = columnOfSum(setting, figure);
    const records = quantity === undefined ? undefined : ofRecords(setting, { word: { quantity } }, bounds);
    return records && unifyAll([{ noun: true }, names, records]);
  }),
  p("of-records", "quantity-alone OF? amount", ofRecords),
  p("of-records", "amount OF? quantity-alone", (setting, bounds, quantity) => ofRecords(setting, quantity, bounds)),
  p("quantity-alone", "QUANTITY", (setting, quantity) =>
    isFigureToo(setting, quantity) && !setting.isOpen ? undefined : quantity,
  ),
  p("of-groups", "figure-alone OF? amount !of-figure", ofGroups),
  p("of-groups", "amount OF? figure-alone", (setting, bounds, figure) => ofGroups(setting, figure, bounds)),
  p("of-groups", "amount NOUN", (setting, bounds, noun) => ofGroups(setting, counting(setting, noun) ?? {}, bounds)),
  p("of-groups", "head OF|WITH? figure OF? amount !of-figure", (setting, head, figure, bounds) =>
    both(head, ofGroups(setting, figure, bounds)),
  ),
  p("of-groups", "head OF|WITH? amount OF? figure|NOUN", (setting, head, bounds, figure) =>
    both(head, ofGroups(setting, counting(setting, figure) ?? {}, bounds)),
  ),
  p("of-groups", "head 'running' amount OF? figure", (setting, head, bounds, figure) =>
    both(head, ofGroups(setting, figure, bounds)),
  ),
  p("of-groups", "head WITH|WHO|PARTICLE|'who'? amount 'times'?", ofTimes),
  p("of-groups", "head WHO amount OF? figure|NOUN", (setting, head, _who, bounds, figure) =>
    both(head, ofGroups(setting, counting(setting, figure) ?? {}, bounds)),
  ),
  p("of-groups", "head PARTICLE|VERB|WHO amount !OF", (setting, head, _verb, bounds) =>
    both(head, ofMoney(setting, bounds)),
  ),
  p("of-records", "MEASURE amount", (setting, figure, bounds) => {
    const quantity = /^(paid|pays?|costs?|made|makes?|earned|brought)/.test(figure.word?.said ?? "")
      ? columnOfSum(setting, figure)
      : undefined;
    return quantity === undefined ? undefined : ofRecords(setting, { word: { quantity } }, bounds);
  }),
  p("of-records", "MEASURE amount OF QUANTITY", (setting, figure, bounds, quantity) =>
    columnOfSum(setting, figure) === quantity.word?.quantity ? ofRecords(setting, quantity, bounds) : undefined,
  ),
  p("of-groups", "head VERB amount OF? figure|NOUN", (setting, head, _verb, bounds, figure) =>
    both(head, ofGroups(setting, counting(setting, figure) ?? {}, bounds)),
  ),
  p("of-groups", "BUT figure-alone OF? amount", ofGroups),
  p("of-groups", "head WITH? LOSES", (_, head) => both(head, losing)),
  p("of-groups", "LOSES head", (_, _loses, head) => both(head, losing)),
  p("condition", "names callers"),
  p("bound-records", "NOUN OF|WITH|'where'? LOSES", () => ({
    noun: true,
    filters: [{ field: "profit", op: "less_than", values: [0] }],
    word: { isPlural: true },
  })),
  p("of-groups", "head without ALL? FLAGGED", (setting, head, _, fact) => both(head, noneOf(setting, fact))),
  p("of-figure", "OF? figure"),
  p("head", "WHICH DIM|GRAIN|KIND", asked),
  p("head", "DIM|GRAIN|KIND", (_, dim) => (dim.word?.isPlural ? dim : undefined)),
  p("figure-alone", "figure", (setting, figure) =>
    isQuantityToo(setting, figure) && !setting.isOpen ? undefined : figure,
  ),

  // Times of day.
  p("hours", "LATER|AT_LEAST HOUR", (_, _later, hour) => ofHours({ from: hour })),
  p("hours", "EARLIER|LESS_THAN HOUR", (_, _earlier, hour) => ofHours({ to: hour })),
  p("hours", "BETWEEN HOUR AND HOUR", (_, _between, from, to) => ofHours({ from, to })),
  p("hours", "HOUR 'to'|'-'|'until' HOUR", (_, from, to) => ofHours({ from, to })),

  // When, and against what.
  p("when", "OF|'over'? only? period only?", (_, ...parts) => parts.find(({ period }) => period !== undefined)),
  p("period", "'far'? PERIOD 'far'?"),
  p("period", "PERIOD 'to' 'date'", untilNow),
  p("when", "OF PERIOD 'on'|'onwards'|'onward'|'forward'", untilNow),
  p("when", "'to' 'date'", () => ({ period: null })),
  p("when", "VERSUS OF? SAME_PART OF? period", (setting, _part, other) => samePartOf(setting, other)),
  p("when", "OVER_OVER CHANGE", overOver),
  p("when", "OF? period VERSUS OF? period", against),
  p("when", "OF? period AND OF? period", joinedWith),
  p("when", "OF? period OR OF? period", throughBoth),
  p("when", "VERSUS OF? period AND|VERSUS OF? period", against),
  p("when", "WITH|'to' period", (setting, other) => against(setting, {}, other)),
  p("when", "VERSUS OF? period", (setting, other) => against(setting, {}, other)),
  p("when", "VERSUS PREVIOUS_PERIOD", () => ({ versus: { kind: "before" } })),
  p("when", "VERSUS YEAR_BEFORE", yearBefore),
  p("when", "OVER_OVER", overOver),
  p("when", "CHANGE", () => ({ moves: true })),

  // Lists of single records: "the last 20 calls", "list converted calls", "the 5 longest calls".
  p("list", "LIST COUNT? LIST? records", (_, list, count, _other, records) => listed(count, records, list)),
  p("list", "COUNT LIST records", (_, count, _list, records) => listed(count, records)),
  p("list", "LONGEST|SHORTEST COUNT? records", longest),
  p("list", "COUNT LONGEST|SHORTEST records", (setting, count, end, records) => longest(setting, end, count, records)),
  p("records", "NOUN|FLAGGED|bound-records"),
  p("records", "NOUN? names", (setting, _noun, names) => deeds(setting, names)),
  p("list", "^ shown LIST? ALL? records", (_, _shown, _list, records) => ({ ...listed({}, records), shown: true })),
  p("list", "^ shown LIST? COUNT LIST? records", (_, _shown, _list, count, _other, records) => listed(count, records)),
  p("list", "LIST|shown|'pull' EACH records", (_, _list, records) =>
    listed({}, asWord(records, { ...records.word, isPlural: true }) ?? {}),
  ),
  p("list", "LIST|shown|'pull'? EACH thing", (_, _list, things) => listed({}, things)),
  p("list", "LIST|shown|'pull' 'what' &names", (setting) =>
    setting.subject.name === "audit_logs" ? listed({}, { word: { isPlural: true } }) : undefined,
  ),
  p("list", "NOUN WITH end QUANTITY", (setting, noun, end, number) => listedBy(setting, end, {}, noun, number)),
  p("list", "LIST? end COUNT? NOUN OF|BY QUANTITY", (setting, _list, end, count, noun, number) =>
    listedBy(setting, end, count, noun, number),
  ),
  p("list", "LIST COUNT? end COUNT? QUANTITY", (setting, _list, one, end, two, number) =>
    listedBy(setting, end, { ...one, ...two }, {}, number),
  ),
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
  p("part", "SHARE OF? !FLAGGED figure OF|WITH names", (_, _share, figure, names) =>
    both(figure, { portion: names.filters ?? [] }),
  ),
  p("part", "SHARE OF? ALL? whole when? PARTICLE? part-of-it", (setting, _share, whole, when, _particle, part) =>
    both(when, portioned(setting, whole, part)),
  ),
  p("part", "HOW_MANY 'out' OF ALL whole part-of-it", (setting, _many, whole, part) => portioned(setting, whole, part)),
  p("whole", "PERIOD whole"),
  p("part-of-it", "'carried'|'carry'|'carries'|'tagged' names"),
  p("whole", "NOUN|FLAGGED"),
  p("whole", "FLAG|names NOUN", (_, kind) => kind),
  p("whole", "NOUN OF names", (_, _noun, names) => names),
  p("part-of-it", "OF|WITH? names|FLAG|FLAGGED|DAYS|PARTS|hours|of-length|exclusion"),
  p("part-of-it", "OF|WITH? QUANTITY amount", ofRecords),
];

const pages: readonly Production[] = [...book, ...countBook, ...spreadBook, ...overGroupsBook, ...clauseBook, ...edits];

/** "Campaigns losing money": the greatest loss first. */
const losing: Piece = {
  measures: ["profit"],
  having: [{ field: "profit", op: "less_than", values: [0] }],
  loses: true,
};

/** "States that brought in over $1000": money that comes in. */
const ofMoney = (setting: Setting, bounds: Piece): Piece | undefined =>
  setting.subject.name === "calls" && bounds.word?.bounds?.every(({ unit }) => unit === "money")
    ? ofGroups(setting, { measures: ["revenue"] }, bounds)
    : undefined;

/** What each record has of a total. */
const columnOfSum = ({ subject }: Setting, { measures: [name] = [] }: Piece): string | undefined => {
  const aggregate = name === undefined ? undefined : measureOf(subject, name).aggregate;
  return aggregate?.kind === "sum"
    ? subject.quantities.find(({ column }) => column === aggregate.column)?.name
    : undefined;
};

const both = (one: Piece, other: Piece | undefined): Piece | undefined => other && unify(one, other);

const three = ([end = {}, count = {}, name = {}]: readonly Piece[]): [Piece, Piece, Piece] => [end, count, name];

/** The figures of the one before those of the other. */
const first = (one: Piece | undefined, other: Piece | undefined): Piece | undefined =>
  one && other && unify(one, other);

/** Conditions of a list that is excluded, whatever their fields. */
const listOf = (one: Piece, others: Piece): Piece => ({
  filters: [...(one.filters ?? []), ...(others.filters ?? [])],
});

/** The productions by their name. */
export const grammar: ReadonlyMap<string, readonly Production[]> = new Map(
  [...new Set(pages.map(({ name }) => name))].map((name) => [name, pages.filter((each) => each.name === name)]),
);
