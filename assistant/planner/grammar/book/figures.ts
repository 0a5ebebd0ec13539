import { findDimension, findMeasure, findQuantity, measureOf } from "../../../catalog/catalog.ts";
import { countOf, factCounted } from "../../../catalog/fact-counted.ts";
import { isLessBetter } from "../../../catalog/less-is-better.ts";
import {
  counted,
  counting,
  distinct,
  divided,
  isFigureToo,
  isOften,
  numberNamed,
  percentOf,
  rateOf,
  ratio,
  statistic,
  statisticBehind,
} from "../figures.ts";
import {
  bothWays,
  broughtIn,
  countOfFact,
  deeds,
  factGroup,
  highest,
  negated,
  ofSome,
  ofThose,
  row,
} from "../makes.ts";
import { both, type Piece, unify, unifyAll } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";

/** Figures: "revenue", "how many calls", "median talk time", "revenue and payout". */
export const figuresPage: readonly Production[] = [
  // "Calls billed" are some, no figure beside them.
  p("figure", "!buyer-payment ~NOUN|!participle MEASURE"),
  p("participle", "!FLAGGED FLAG"),
  // "What margin did we make": the verb says nothing of its own.
  p("figure", "MEASURE making", (_, figure) => figure),
  // "How many times did we ask Acme for a bid".
  p("making", "MEASURE|NOUN|'make'|'makes'|'needed'|'required'", (_, { word }) =>
    /^(make|makes|made|making|earn|earned|earning|needed|required|for .*)$/.test(word?.said ?? "") ? {} : undefined,
  ),
  // "Ring time by buyer": on average.
  p("figures", "QUANTITY &BY|&EACH|&$", timeOnAverage),
  // "Field updates that were invalid": records of that kind.
  p("figures", "^ ALL? names !NOUN", (setting, names) =>
    names.isFigure ? undefined : both(deeds(setting, names), { noun: true }),
  ),
  p("figure", "HOW_MANY OF? ALL? NOUN making?", (setting, _, noun) => counting(setting, { ...noun, isCounted: true })),
  // "What did Dana change", "what got deleted": which things; "what did Dana do": by action.
  p("figures", "'what' names NOUN?", ({ subject }, said, noun) => {
    const isOf = (name: string) => said.filters?.every(({ field }) => field === name);
    if (subject.name !== "audit_logs") return undefined;
    if (noun.noun || isOf("action")) return { ...said, noun: true, things: true };
    return isOf("actor") ? { ...said, noun: true, groups: ["action"] } : undefined;
  }),
  // "How many postback retries", "how many Texas conversions".
  p("figure", "HOW_MANY OF? ALL? NOUN|names? MEASURE making?", (setting, many, { filters }, figure) =>
    filters ? both({ filters }, counted(setting, many, figure)) : counted(setting, many, figure),
  ),
  // "How many calls did Acme make".
  p("figure", "HOW_MANY? OF? ALL? NOUN|MEASURE names making", (setting, many, figure, { filters = [] }) =>
    both({ filters }, counting(setting, { ...figure, ...(many.word && { isCounted: true }) })),
  ),
  p("figure", "distinct-figure"),
  // "How many publishers were active", "how many states did callers come from".
  p("figure", "MEASURE|distinct-figure ALL? 'active'|callers", ({ subject }, figure) =>
    measureOf(subject, figure.measures?.[0] ?? "").aggregate.kind === "distinct" ? figure : undefined,
  ),
  p("figure", "STATISTIC OF? ALL? NOUN? QUANTITY|MEASURE", (setting, said, _noun, of) => statistic(setting, said, of)),
  p("figure", "NOUN? QUANTITY|MEASURE STATISTIC", (setting, records, of, said) =>
    records.word?.isPlural ? undefined : statisticBehind(setting, of, said),
  ),
  p("figure", "QUANTITY OF STATISTIC", (setting, of, said) => statistic(setting, said, of)),
  // "Ratio of missed to answered calls", "missed vs answered ratio".
  p("figure", "RATIO ALL? ratio-side 'to'|AND|VERSUS|OF? ALL? ratio-side", (setting, _, one, other) =>
    ratio(setting, one, other),
  ),
  p("figure", "ratio-side 'to'|VERSUS|AND? ratio-side RATIO", (setting, one, other) => ratio(setting, one, other)),
  p("ratio-side", "MEASURE|NOUN|counted-fact"),
  p("counted-fact", "fact NOUN?", countOfFact),
  p("counted-fact", "'failed_to'", ({ subject }) => {
    const count = subject.flags.find(({ name }) => name === "failed")?.measure;
    return count === undefined ? undefined : { measures: [count] };
  }),
  p("figure", "MEASURE SHARE MEASURE", percentOf),
  p("figures", "figure-list"),
  p("figures", "!^ ALL? NOUN"),
  p("figures", "^ ALL? NOUN", ({ previous }, noun) =>
    previous === undefined && noun.word?.isPlural ? { ...noun, leads: true } : noun,
  ),
  p("figures", "!^ &'and' AND PERIOD? figure-list", (_, when, figures) => both({ ...when, alongside: true }, figures)),
  p("figures", "OF ALL? NOUN", ({ previous }, noun) => (previous === undefined ? noun : undefined)),
  p("figures", "sides-of-fact"),
  p("phrase", "sides-of-fact &figure"),
  p("sides-of-fact", "OF|WITH? fact such-records? other-side", (setting, one, _noun, other) =>
    bothWays(setting, one, other),
  ),
  p("other-side", "VERSUS such-records? OF|WITH? fact such-records? !callers", (_, _records, fact) => fact),
  p("other-side", "AND|OR fact such-records? !callers", (_, fact) => fact),
  p(
    "sides-of-fact",
    "OF|WITH? fact such-records? VERSUS|AND|OR such-records? NOT fact such-records?",
    (setting, one, _noun, _records, _not, other) =>
      one.word?.flag === other.word?.flag ? both({ noun: true }, factGroup(setting, one)) : undefined,
  ),
  // "First-time callers' conversion rate vs repeat".
  p(
    "sides-of-fact",
    "'how'? 'well'? fact such-records? !callers figure|how-well BETTER? VERSUS fact such-records?",
    (setting, one, _noun, figure, ...parts) => both(figure, contrasting(setting, one, parts.at(-2) ?? {})),
  ),
  p("figures", "'how' 'well'? such-whole? how-well"),
  p("how-well", "FLAG", howWell),
  p("such-whole", "names|FLAG|FLAGGED|DAYS|PARTS? such-records?", (_, which) => ({ filters: which.filters ?? [] })),
  p("such-whole", "all-of-kind"),
  p("all-of-kind", "ALL? DIM", (_, dim) =>
    dim.word?.isPlural && dim.groups?.[0] !== "caller" ? { groups: dim.groups ?? [] } : undefined,
  ),
  p("group", "!EACH BY fact VERSUS fact such-records?", contrasting),
  p("such-records", "NOUN|callers|'ones'|'one'", () => ({})),
  p("fact", "FLAG|FLAGGED"),
  p("asking", "^ 'whose'"),
  p("group", "^ 'whose' !DIM !GRAIN !KIND !NOUN", () => ({ asked: "many" })),
  p("figures", "!asking !where-paid !'when' WITH 'their'? figure-list", ({ previous }, figures) =>
    previous === undefined ? figures : undefined,
  ),
  // "… I would like their revenue alongside".
  p("figures", "WITH|'their' figure-list AND $"),
  // "Talk time by buyer, median".
  p(
    "figures",
    "QUANTITY|MEASURE group|when|condition|figures when|condition? ',' STATISTIC &$|&','|&BY|&EACH|&PERIOD|&OF",
    (setting, of, ...parts) => both(...parts.slice(0, -1), statisticBehind(setting, of, parts.at(-1) ?? {})),
  ),
  // "Are we making or losing money on Acme".
  p("figures", "OR|^ LOSES &names", ofProfit),
  // "How much did we lose": an amount, where "how much did calls drop" is a change.
  p("figures", "AND? 'how' 'much' 'lose'|'lost'", ofProfit),
  // "What did Acme lose or make", "did we make or lose money on Best".
  p("figures", "making OR LOSES|'lose'|'lost'|'losing'", ofProfit),
  p("figures", "'lose'|'lost'|'losing' OR making", ofProfit),
  // "… and what they earned": beside what is counted.
  p("figures", "&'and' AND 'what'|'how' 'much'? figure &$|&','|&PERIOD|&OF", ({ subject }, figure) =>
    findMeasure(subject, figure.measures?.[0] ?? "")?.aggregate.kind === "sum" ? beside(figure) : undefined,
  ),
  p("figures", "HOW_MANY OF? ALL? of-records", (setting, _many, records) =>
    records.noun && records.measures === undefined ? counting(setting, records) : undefined,
  ),
  p("figures", "',' facts $", (_, facts) => ({ ...facts, besides: true })),
  p("figure-list", "figure"),
  p("figure-list", "figure AND more-figures", (_, figure, more) => unify(figure, more)),
  p("figure-list", "figure VERSUS more-figures", (setting, figure, more) =>
    areRivals(setting, figure, more) ? undefined : unify(figure, more),
  ),
  // "Agreed payout versus what was really paid": the totals of both.
  p("figure-list", "OF? QUANTITY AND|VERSUS 'what'|'actual'? figure", (setting, one, other) =>
    both(totalBeside(setting, one, other), other),
  ),
  p("figure-list", "!heading NOUN AND|VERSUS figure-list", (setting, noun, more) =>
    both(counting(setting, noun), more),
  ),
  p("heading", "NOUN ','", (_, { word }) => (/rtb$/.test(word?.said ?? "") ? {} : undefined)),
  p("figure-list", "OF NOUN|figure AND OF figure-list|NOUN", (setting, one, other) =>
    both(counting(setting, one), counting(setting, other)),
  ),
  p("figure-list", "NOUN|figure figure-list", row),
  p("figure-list", "FLAGGED figure", ofSome),
  // "How much revenue did repeat callers bring us": that of those.
  p("figures", "&'how' 'how' 'much' figure FLAGGED bringing", (_, figure, fact) =>
    both({ filters: fact.filters ?? [] }, { measures: figure.measures ?? [] }),
  ),
  p("bringing", "'bring'|'brought'|'generate'|'generated' OF?", () => ({})),
  p("figure-list", "MEASURE NOUN !FLAG !OF !WITH !amount", (setting, figure, noun) =>
    row(setting, figure, counting(setting, noun) ?? {}),
  ),
  p("figure-list", "FLAG AND figure-list", (setting, fact, more) => both(countOfFact(setting, fact), more)),
  p("figure-list", "FLAG|FLAGGED VERSUS FLAGGED", bothWays),
  p("figure-list", "NOUN AND facts", (setting, noun, facts) => both(counting(setting, noun), facts)),
  p("figure-list", "FLAGGED|NOUN AND|WITH 'their' figure-list", ofThose),
  p("figure-list", "NOUN AND FLAG 'ones'", (setting, noun, fact) =>
    both(counting(setting, noun), countOfFact(setting, fact)),
  ),
  p("more-figures", "figure-list"),
  p("more-figures", "NOUN", counting),
  p("facts", "FLAG AND FLAG", (setting, one, other) => both(countOfFact(setting, one), countOfFact(setting, other))),
];

/** "First attempts vs retries": the two sides of a fact. */
function areRivals({ subject }: Setting, ...sides: readonly Piece[]): boolean {
  const [one, other] = sides.map(({ measures = [] }) => factCounted(subject, measures[0] ?? "")?.field);
  return subject.flags.some(({ name, rival }) => name === one && rival !== undefined && rival === other);
}

function ofProfit({ subject }: Setting): Piece | undefined {
  return subject.name === "calls" ? { measures: ["profit"] } : undefined;
}

/** The two sides of a fact as groups. */
function contrasting(setting: Setting, one: Piece, other: Piece): Piece | undefined {
  const sides = bothWays(setting, one, other);
  const flag = sides?.contrast ?? sides?.groups?.[0];
  return flag === undefined ? undefined : { groups: [flag] };
}

/** "How do they convert": at what rate; of what went wrong it asks for more than that. */
function howWell(setting: Setting, fact: Piece): Piece | undefined {
  const name = rateOf(setting.subject, countOfFact(setting, fact)?.measures?.[0] ?? "");
  const isNow = !/ed$/.test(fact.word?.said ?? "");
  return name === undefined || !isNow || isLessBetter(setting.subject.name, name) ? undefined : { measures: [name] };
}

/** The total of an amount that has no figure of its own, beside a total. */
function totalBeside(setting: Setting, quantity: Piece, { measures: [name = ""] = [] }: Piece): Piece | undefined {
  const { kind } = findMeasure(setting.subject, name)?.aggregate ?? {};
  const isMoney = findQuantity(setting.subject, quantity.word?.quantity ?? "")?.unit === "money";
  if (kind !== "sum" || !isMoney || isFigureToo(setting, quantity)) return undefined;
  return statistic(setting, { word: { statistic: "sum" } }, quantity);
}

function timeOnAverage(setting: Setting, quantity: Piece): Piece | undefined {
  const unit = findQuantity(setting.subject, quantity.word?.quantity ?? "")?.unit;
  if ((unit !== "seconds" && unit !== "ms") || isFigureToo(setting, quantity)) return undefined;
  return statistic(setting, { word: { statistic: "avg" } }, quantity);
}

/** How many there are, of which kind, and how many of those. */
export const countsPage: readonly Production[] = [
  p("figure", "HOW_MANY OF? ALL? kinds NOUN !HOW_MANY", (setting, _, kinds, noun) =>
    both(kinds, counting(setting, noun)),
  ),
  p("figure", "HOW_MANY FLAG MEASURE", (_, _many, flag, figure) => both(flag, figure)),
  // "How many campaign updates": changes, where "how many campaigns were updated" counts campaigns.
  p("figure", "HOW_MANY OF? ALL? names deeds", (_, _many, names, deeds) => both(names, deeds, { noun: true })),
  p("deeds", "names", (_, { word, filters = [] }) =>
    filters[0]?.field === "action" && word?.isPlural ? { filters } : undefined,
  ),
  // "Pings …, with how many we filled", "… and how many timed out": how many of them, beside how many there are.
  p("figures", "AND|WITH AND? HOW_MANY FLAG|names &$|&','|&PERIOD|&OF|&BY|&AND", (setting, _many, part) =>
    beside(countOfKind(setting, part)),
  ),
  p("figure", "~'and' ~'with' HOW_MANY OF? ALL? names !NOUN !deeds", (setting, many, names) =>
    isOften.test(many.word?.said ?? "")
      ? { filters: names.filters ?? [], noun: true }
      : /^how many.* of$/.test(many.word?.said ?? "")
        ? beside(countOfKind(setting, names))
        : names.isFigure
          ? undefined
          : recordsOf(setting, names),
  ),
  p("figure", "HOW_MANY OF? ALL? thing", (_, _many, thing) => thing),
  p("kinds", "kind"),
  p("kind", "names|FLAG|DAYS|PARTS|PERIOD"),
  p("figure", "distinct-figure names? FLAGGED", (_, figure, names, fact) =>
    unifyAll([figure, names, { filters: fact.filters ?? [] }]),
  ),
  p("distinct-figure", "HOW_MANY ALL? its-values", distinct),
  p("distinct-figure", "HOW_MANY? DISTINCT ALL? its-values", distinct),
  p("its-values", "DIM 'values'|'ones'?"),
  p("figures", "those ','? HOW_MANY AND more-figures", (setting, those, _, more) =>
    unifyAll([those, { measures: [setting.subject.defaultMeasure] }, more]),
  ),
  p("those", "FLAGGED", (_, fact) => ({ filters: fact.filters ?? [] })),
  p("those", "FLAGGED rest", (_, fact, rest) => unify({ filters: fact.filters ?? [] }, rest)),
  p("rest", "','? condition|when rest?"),
  // "Of all 5xx errors, how many were …".
  p("part", "^ OF|SCOPE ALL? MEASURE|names OF? NOUN? rest? ','? &HOW_MANY", (setting, _of, whole, _noun, rest) => {
    const fact = factCounted(setting.subject, whole.measures?.[0] ?? "");
    const ofThem = fact ? { filters: [fact] } : counted(setting, {}, whole);
    return both(rest, whole.filters ? { filters: whole.filters } : ofThem);
  }),
  // "Count by reason", "which hooks, and how often": what there is, is counted.
  p("figures", "HOW_MANY &BY|&EACH|&$|&PERIOD|&','|&AND|&PARTICLE", (setting) => countedAll(setting)),
  p("figures", "WITH HOW_MANY", (setting) => countedAll(setting)),
  // "How often do our bidders win": of each.
  p(
    "figures",
    "'how_often'|'how_many_times'|'number_of_times'|'how_frequently' ALL? DIM?",
    (setting, { groups, word } = {}) =>
      word?.isPlural === false || groups?.includes("host")
        ? undefined
        : { ...countedAll(setting), ...(groups && { groups }) },
  ),
  // "And how many converted": of those that are counted, which are shown, too. "How many of those calls failed", behind
  // revenue: that is of all.
  p("figures", "count-of-fact", (_, { noun, ...count }) => (noun ? undefined : beside(count))),
  // "… and did any convert".
  p("figures", "AND 'any' FLAG", (setting, fact) => beside(countOfFact(setting, fact))),
  p("figures", "&'and' AND count-of-fact", ({ previous }, { noun, ...count }) =>
    noun && previous === undefined ? count : undefined,
  ),
  // "How many of their calls were answered and how many were billable"; of those that are counted, the second is a part.
  p("figures", "count-of-fact when? ','? AND? AND? count-of-fact", ({ subject }, { noun, ...one }, when, other) => {
    const fact = factCounted(subject, one.measures?.[0] ?? "");
    if (other.noun) return undefined;
    // "How many came from a ping and how many of those converted": among the first.
    if (other.word)
      return (
        fact &&
        both({ noun: true, filters: [fact], measures: [subject.defaultMeasure] }, when, {
          measures: other.measures ?? [],
        })
      );
    return both(one, when, other, noun ? {} : { besides: true });
  }),
  p(
    "count-of-fact",
    "HOW_MANY OF? ALL? THOSE|'their'? NOUN? OF|WITH? THOSE? NOT? FLAG",
    (setting, { word: many }, its, noun, again, not, fact) => {
      const those = its.word ?? again.word;
      const word = those ?? (/ of$/.test(many?.said ?? "") ? many : undefined);
      const count = countOfFact(setting, not.word ? { ...fact, ...negated(setting, not, fact) } : fact);
      if (count === undefined || (those && setting.previous)) return undefined;
      return { ...count, ...(noun.word && { noun: true }), ...(word && { word }) };
    },
  ),
  p("thing", "'thing'|'things'|'stuff'|'something'|'anything'", (setting) =>
    setting.subject.name === "audit_logs" ? { noun: true, word: { isPlural: true } } : undefined,
  ),
  p("figure", "HOW_MANY? DISTINCT ALL? thing|names", (setting, ...parts) => {
    const { filters, noun } = parts.at(-1) ?? {};
    const things = filters === undefined ? { measures: ["changed_entities"] } : recordsOf(setting, { filters });
    return noun || things?.measures ? both({ filters: filters ?? [] }, things) : undefined;
  }),
  // "How often was each thing paused".
  p("figures", "HOW_MANY EACH thing", (_, _many, thing) => ({ ...thing, groups: ["entity"] })),
  p("figures", "thing"),
  // "Anything longer than 20 minutes".
  p("anything", "'anything'|'everything'"),
  p("anything", "'every' 'thing'"),
  p("figures", "anything &amount|&OF|&WITH|&FLAG|&NOT|&BETWEEN", () => ({ noun: true })),
  // "Pays the most per conversion", "cost per lead": one figure divided by a count.
  p("figure", "HOW_MANY? MEASURE|NOUN unit", (setting, _many, figure, unit) => divided(setting, figure, unit)),
  // "What are we paying Acme per converted call", "bring in the most per call", "earned more per call than …".
  p("series", "unit", ({ previous }, { measures: [per] = [] }) =>
    per && previous === undefined ? { per } : undefined,
  ),
  p("rank", "MEASURE|bringing-in end &unit", (setting, figure, end) => highest(setting, end, figure)),
  p("figures", "bringing-in BETTER? &unit", (_, figure, than) => (than.word ? { ...figure, compares: true } : figure)),
  p("bringing-in", "'bring'|'brings'|'brought'|'bringing' 'in'?", (setting) => broughtIn(setting)),
  // "How much do buyers owe us": all of them.
  p("figures", "'how' 'much' party MEASURE", (_, { groups = [], word }, figure) =>
    word?.isPlural && groups[0] === "buyer" && figure.measures?.[0] === "revenue" ? figure : undefined,
  ),
  // "Revenue less payout", "revenue net of payout".
  p("figure", "MEASURE 'less'|'minus'|'net_of'|'after' ALL? MEASURE", ({ subject }, one, other) =>
    subject.name === "calls" && one.measures?.[0] === "revenue" && other.measures?.[0] === "payout"
      ? { measures: ["profit"] }
      : undefined,
  ),
  p("figures", "STATISTIC fact VERSUS|AND STATISTIC? fact", sidesOfStatistic),
  p("unit", "OF? EACH 'minute'|'min'", ({ subject }) =>
    subject.name === "calls" ? { measures: ["talk_time"] } : undefined,
  ),
  p("unit", "OF? EACH !DIM !KIND NOUN|MEASURE", (setting, unit) =>
    unit.word?.isPlural ? undefined : counting(setting, unit),
  ),
];

/** "Average winning bid vs average losing bid": of the number that both are named by, by which of the two. */
function sidesOfStatistic(setting: Setting, said: Piece, one: Piece, again: Piece, other: Piece): Piece | undefined {
  if (again.word !== undefined && again.word.statistic !== said.word?.statistic) return undefined;
  const [quantity, same] = [one, other].map((fact) => numberNamed(setting, fact));
  if (quantity === undefined || quantity !== same) return undefined;
  return both(contrasting(setting, one, other), statistic(setting, said, { word: { quantity } }));
}

const countedAll = ({ previous }: Setting): Piece => ({
  noun: true,
  isTally: true,
  // "How many were there", behind a list.
  ...(previous !== undefined && previous.columns.length > 0 && { edit: { those: "counted" } as const }),
});

const beside = (figure: Piece | undefined): Piece | undefined => figure && { ...figure, besides: true };

/** "Deletions", "5xx errors": records of a kind that the catalog knows; of what was changed how many different ones. */
function recordsOf(setting: Setting, { filters = [] }: Piece): Piece | undefined {
  const { subject } = setting;
  const isClosed = filters.every(
    ({ field }) => /^(status_code|webhook)$/.test(field) || findDimension(subject, field)?.values !== undefined,
  );
  if (!isClosed || filters.length === 0) return undefined;
  const isOfEntities = subject.name === "audit_logs" && filters.every(({ field }) => field === "entity_type");
  return isOfEntities ? { filters, measures: ["changed_entities"] } : { filters, noun: true };
}

/** "How many of them were rate limited": the figure that the catalog has for those. */
function countOfKind({ subject }: Setting, { filters: [filter, other] = [] }: Piece): Piece | undefined {
  const name = filter && other === undefined ? countOf(subject, filter) : undefined;
  return name === undefined ? undefined : { measures: [name] };
}
