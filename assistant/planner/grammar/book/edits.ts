import { isDeepStrictEqual } from "node:util";
import { countOf } from "../../../catalog/fact-counted.ts";
import { weekdayBefore } from "../../period/earlier.ts";
import { amount as amountOf } from "../bounds.ts";
import {
  asLong,
  asShare,
  beside,
  boundBefore,
  boundOfEach,
  comparedWith,
  edit,
  factsOf,
  goesOn,
  hasFact,
  inverse,
  isThere,
  isTimeBefore,
  movedBack,
  numberOf,
  ofBefore,
  ofRows,
  ofShown,
  opposed,
  overall,
  partOf,
  perUnit,
  placed,
  rankedBy,
  reasons,
  rebound,
  removing,
  replacing,
  says,
  shareOf,
  stepped,
  turnedTo,
} from "../edit-makes.ts";
import { averagePer, counting } from "../figures.ts";
import { endOf, highest, negated, speedEnd } from "../makes.ts";
import { both, type Piece, unify, unifyAll } from "../piece.ts";
import { mostListed, type Production, production as p, type Setting } from "../production.ts";
import { against, movedTo } from "../times.ts";

/**
 * How a follow-up is built: phrases as in any question, and what only the answer before gives sense to. A follow-up is a
 * row of them; `apply-edit.ts` makes the next plan of it.
 */
export const edits: readonly Production[] = [
  p("edit", "phrase"),
  // "Same for profit": the ranking, too, is of that.
  p("edit", "SAME|MAKE|'use' 'ranking'|'list'|'table'|'chart'|'figures'?", (_, { word }) => ({
    edit: { goesOn: true, ...(/same/.test(word?.said ?? "") && { instead: true as const }) },
  })),
  // "Same ranking but on revenue", "the same with profit".
  p(
    "edit",
    "SAME 'ranking'|'list'|'table'|'chart'|'figures'? BUT? OF|WITH figure-list|NOUN",
    (setting, _same, figure) => edit({ goesOn: true, instead: true }, counting(setting, figure)),
  ),
  p("edit", "ONLY|NOW|SCOPE", says({ narrows: true })),
  p("edit", "^ 'no' ','", says({ points: true })),
  p("edit", "^ AND|BUT", says({ points: true })),
  p("edit", "^ 'and_over' period", (_, period) => edit({ points: true }, period)),
  p("edit", "~ALL !all-of-them ALL? OF? THOSE|'then'", (_, { word }) => ({
    edit: { points: true, ...(/^(those|these|them)$/.test(word?.said ?? "") && { ofShown: true as const }) },
  })),
  // "The payout on them": of the records that were counted, where "for those" may be of the groups that are shown.
  p("edit", "~ALL 'on'|'of'|'from' THOSE", (_, { word }) =>
    /^(those|these|them)$/.test(word?.said ?? "") ? { edit: { points: true, ofCounted: true } } : undefined,
  ),
  // "All of them": not the first few alone, nor those within a bound.
  p("edit", "all-of-them"),
  p("all-of-them", "^ shown? ALL OF? THOSE $", ({ previous }) => {
    const drops = previous?.limit != null ? "limit" : (previous?.having.length ?? 0) > 0 ? "bounds" : undefined;
    return { edit: { points: true, ...(drops && { drops: [drops] }) } };
  }),
  p("edit", "WHAT_ABOUT figure?", (_, _what, figure) => edit({ goesOn: true }, figure)),
  // "Calls from Lantern as a percentage of all", "and of the revenue"; "for calls that converted" is of those.
  p("edit", "OF figure|NOUN &$", (setting, figure) => edit({ goesOn: true }, counting(setting, figure))),
  p("edit", "^ OF ALL? NOUN !$", says({ narrows: true })),
  p("edit", "INSTEAD", says({ goesOn: true, instead: true })),
  p("edit", "shown|'group' THOSE?", () => ({})),
  // "What did she delete" asks which things.
  p("edit", "what-of !names !payment", () => ({})),
  p("edit", "'what' THOSE NOUN $", ({ subject }) =>
    subject.name === "audit_logs" ? edit({ points: true }, { groups: ["entity"] }) : undefined,
  ),
  p("what-of", "'what'|'whats'|'which' THOSE"),
  // "And how was it on weekdays", "how do the same campaigns do in October".
  p("edit", "'how' 'much'|'many'|'high'? THOSE? &PARTICLE|&period|&THAT_PERIOD|&PREVIOUS_PERIOD|&NOT|&VERSUS", goesOn),
  p("edit", "'how'? SAME DIM|GRAIN|KIND", (setting, _same, name) =>
    isThere(setting, removing(name)) ? { edit: { ofShown: true } } : undefined,
  ),
  // "How does October compare with that".
  p("edit", "'how' OF? period VERSUS THOSE? $", ({ previous }, { period }) =>
    period && previous?.period ? { period, versus: { kind: "period", period: previous.period } } : undefined,
  ),
  p("edit", "OF? 'whole' OF? period"),
  // "Was it better last week".
  p("edit", "^ THOSE? BETTER OF? period $", (setting, ...parts) => against(setting, {}, parts.at(-1) ?? {})),

  // Beside what is there: "also profit", "by publisher too", "and Florida as well".
  p("edit", "ALSO shown? beside ALSO?", (_, _also, _shown, more) => beside(more)),
  p("edit", "beside ALSO", (_, more) => beside(more)),
  // "And their revenue".
  p("edit", "AND|WITH THOSE beside-figures", (_, those, more) =>
    /^(their|its|his|her)$/.test(those.word?.said ?? "") ? edit({ ofShown: true }, beside(more)) : undefined,
  ),
  p("edit", "^ NOW? WITH beside-figures", (_, _now, more) => beside(more)),
  p("beside", "beside-figures|group|divided"),
  p("beside", "OF|WITH? names"),
  p("beside-figures", "figure-list|NOUN", counting),
  p("edit", "'how'? THOSE? VERSUS THOSE? WITH|'to'|OF? names", (setting, ...parts) =>
    comparedWith(setting, parts.at(-1) ?? {}),
  ),
  // "Put the profit next to it".
  p("edit", "AND? 'put'|WITH? beside AND THOSE $", (_, more) => beside(more)),
  // "Is that more than last month", "compare both to October": both figures.
  p(
    "edit",
    "'how'? 'much'|'many'? THOSE? MORE_THAN|LESS_THAN|VERSUS THOSE|'both'? 'to'|WITH? OF? period",
    (setting, _those, _than, { word }, period) =>
      word?.said !== "both" || setting.previous?.measures.length === 2 ? against(setting, {}, period) : undefined,
  ),

  // Of a series each group, of groups a series: "split that by campaign".
  p("edit", "divided"),
  p("divided", "DIVIDE group-names", (_, _by, groups) => edit({ divides: true }, groups)),
  p("divided", "split THOSE|names? 'up'|'out'? BY group-names", (_, _split, names, groups) =>
    edit({ divides: true }, unify(names, groups)),
  ),
  p("edit", "BUT $", () => ({})),
  // "And how does that split by buyer".
  p("edit", "AND? 'how' THOSE? divided|group", (_, ...parts) => edit({ divides: true }, parts.at(-1) ?? {})),
  p("split", "'split'|'break'|'slice'|'segment'"),

  // What goes: "without the buyer", "drop profit", "forget Texas", "no breakdown".
  p("edit", "REMOVE|NOT removed", (setting, _not, gone) => (isThere(setting, gone) ? gone : undefined)),
  p("removed", "gone"),
  p("gone", "DIM|GRAIN|KIND|MEASURE|NOUN|FLAG|FLAGGED 'filter'|'filters'?", (_, name) => removing(name)),
  p("edit", "ALL DIM NOW?", (setting, name) => (isThere(setting, removing(name)) ? removing(name) : undefined)),
  p("edit", "REMOVE excluded-list", (setting, not, list) =>
    isThere(setting, factsOf(list)) ? undefined : edit({ takesOut: true }, negated(setting, not, list)),
  ),
  p("edit", "REMOVE|NOT VALUE 'key'|'keys'", (setting, not, name) => negated(setting, not, name)),
  p("edit", "REMOVE|NOT THOSE|NOUN OF|WITH? excluded-list", (setting, not, _noun, list) => negated(setting, not, list)),
  p("edit", "REMOVE|NOT ALL? dropped", (_, _not, gone) => gone),
  p("dropped", "'filter'|'filters'|'condition'|'conditions'", says({ drops: ["filters"] })),
  p("dropped", "'minimum'|'maximum'|'threshold'|'cutoff'|'limit'", says({ drops: ["bounds"] })),
  p("dropped", "TOTAL|BREAKDOWN", says({ drops: ["groups"] })),
  p("edit", "TOTAL !figure !NOUN", says({ drops: ["groups"] })),
  p("edit", "^ AND|ONLY|NOW? 'overall' $", says({ asks: overall })),
  p("edit", "PLAIN", says({ drops: ["shares"] })),

  // One for another: "by campaign instead of buyer", "profit not payout", "swap calls for revenue".
  p("edit", "OF|BY|DIVIDE? swapped INSTEAD_OF|NOT OF|BY? swapped", (setting, lead, one, _not, other) =>
    replacing(setting, { ...counting(setting, one), ...(lead.word?.said === "by" && rankedBy(one)) }, other),
  ),
  p("edit", "SWAP|'change'|'switch' swapped OF|WITH|AND|BY|'to' swapped", (setting, _swap, other, one) =>
    replacing(setting, counting(setting, one), other),
  ),
  p("swapped", "MEASURE|NOUN|group-name|FLAG|FLAGGED|name|period"),
  p("edit", "figure-before INSTEAD_OF|NOT STATISTIC", (_, figure) => figure),

  // The figure of the answer before in another way, wherever one may stand: "the median", "by average", "per call".
  p("figure", "figure-before"),
  p("figure-before", "OF? STATISTIC !figure !QUANTITY !NOUN !GRAIN !OF !unit", (setting, said) =>
    ofBefore(setting, said),
  ),
  p("figure-before", "OF? STATISTIC? unit OF? STATISTIC?", (setting, one, unit, other) =>
    perUnit(setting, unit, one.word ?? other.word),
  ),
  p("series", "OF? STATISTIC? EACH GRAIN OF? STATISTIC?", (setting, one, grain, other) => {
    const [figure = "", more] = setting.previous?.measures ?? [];
    const said = one.word === undefined ? other : one;
    return more === undefined && said.word ? averagePer(setting, said, { measures: [figure] }, grain) : undefined;
  }),
  p("edit", "AS_RATE", says({ asRate: true })),
  p("edit", "'as' EACH? GRAIN|figure-list|series|CHART", (_, ...parts) => edit({ narrows: true }, parts.at(-1))),
  p("edit", "WHICH? SHARE OF? ALL? TOTAL? THOSE? &$|&AND|&BY|&EACH|&','", (setting) => asShare(setting)),
  // "What share of all revenue is that", "of their calls".
  p("edit", "WHICH? SHARE OF? ALL? THOSE? figure|NOUN EACH? OF? THOSE? OF? $", (setting, share, those, of) => {
    if (of.noun) return shareOf(setting, those);
    const isOfAll = /\ball\b|\btotal\b/.test(share.word?.said ?? "");
    return isOfAll && isDeepStrictEqual(of.measures, setting.previous?.measures) ? asShare(setting) : undefined;
  }),
  // "What percent converted", "what share of them got a bid".
  p("edit", "SHARE OF? ALL? THOSE? which-ones|MEASURE", (setting, _share, those, which) =>
    which.measures === undefined || those.word ? partOf(setting, which) : undefined,
  ),
  p("edit", "WHAT_ABOUT FLAG|FLAGGED", (setting, _what, fact) => turnedTo(setting, fact)),
  p("edit", "NUMBER|STEPS OF? NUMBER|STEPS", (setting, ...parts) =>
    stepped(setting, parts.find(({ word }) => word?.number !== undefined) ?? {}),
  ),

  // Another time: "and the month before", "compared with September".
  p("edit", "OF? PREVIOUS_PERIOD|DAYS_BEFORE|YEAR_BEFORE", movedBack),
  p("edit", "OF? PERIOD EARLIER THOSE? $", ({ previous, zone }, { period: day }) => {
    const period =
      previous?.period?.from == null || day == null ? null : weekdayBefore(day, previous.period.from, zone);
    return period ? { period } : undefined;
  }),
  // "Last month too".
  p("edit", "OF? period ALSO $", (_, period) => edit({ goesOn: true }, period)),
  p("edit", "OF? LIST COUNT", (setting, _last, count) => asLong(setting, count)),
  p("edit", "OF? THAT_PERIOD", ({ previous }) =>
    previous === undefined ? undefined : { period: previous.period, edit: { thatPeriod: true } },
  ),

  // Order and limit: "the five best", "make it 5", "biggest one only", "lowest first".
  p("edit", "^ AND? MEASURE? end THOSE? $", (_, _verb, end, { word }) =>
    word?.said === "one" ? { ...end, limit: 1 } : end,
  ),
  // The end of figures that are times.
  p("end", "LONGEST|SHORTEST", (setting, end) => (isTimeBefore(setting) ? speedEnd(end) : undefined)),
  // "Who is second", "and the third best", "the next 5".
  p("edit", "WHICH|WHO? nth THOSE? $", (setting, ...parts) => placed(setting, parts.at(-2) ?? {})),
  p("nth", "PLACE|RUNNER_UP end?", (_, place, end) => ({ ...end, skip: (place.word?.number ?? 2) - 1 })),
  // "And the next worst".
  p("nth", "'next' end", ({ previous }, _next, end) =>
    previous?.limit == null ? undefined : { ...end, limit: 1, skip: previous.limit + (previous.order?.skip ?? 0) },
  ),
  p("nth", "REST|'next' COUNT?", ({ previous }, rest, count) =>
    previous?.limit == null || previous.order === null || (rest.word?.said === "next") !== (count.word !== undefined)
      ? undefined
      : { limit: count.word?.number ?? mostListed, skip: previous.limit + (previous.order.skip ?? 0) },
  ),
  p("edit", "end COUNT? 'enough'", (_, end, count) => ({ ...end, ...numberOf(count) })),
  p("edit", "WHICH|WHO 'one'? OF? THOSE? VERB|MEASURE|'brought'? end THOSE?", (_, ...parts) => ({
    ...parts.at(-2),
    limit: 1,
  })),
  p("edit", "WHICH THOSE? OF? THOSE? end figure", (setting, ...parts) => {
    const [end = {}, figure = {}] = parts.slice(-2);
    return both({ limit: 1, edit: { points: true } }, highest(setting, end, figure));
  }),
  // "Which of them are up", "and those that fell", "only the buyers where it went down", "which made less than in September".
  p("edit", "rows VERB? CHANGE", (setting, ...parts) => moversSince(setting, parts.at(-1))),
  p("edit", "rows VERB? moved period", (setting, ...parts) => {
    const [moved, other] = parts.slice(-2);
    return both(movers(moved), against(setting, {}, other ?? {}));
  }),
  p("moved", "CHANGE|MORE_THAN|LESS_THAN|BETTER VERSUS|'on'|'from'|'since'|'in'?", (_, moved) => moved),
  // What the answer before shows: "which of them", "the ones that", "states with", "where it".
  p("rows", "only? shown-rows WITH|WHICH? THOSE?", (_, _only, rows) => rows),
  p("shown-rows", "WHICH|WHO|ALL|WITH? OF? THOSE|'anything'|'everything'|'any' OF? THOSE?", ofRows),
  p("shown-rows", "WHICH|WHO|WITH", ofRows),
  p("shown-rows", "WHICH|ALL|EACH|'any'? DIM|GRAIN|KIND", (setting, ...parts) =>
    isThere(setting, removing(parts.at(-1) ?? {})) ? ofRows(setting) : undefined,
  ),
  p("head", "rows"),
  p("edit", "OF? WHICH DIM|GRAIN|KIND THOSE|VERB? end", (_, ...parts) => ({
    ...parts.at(-1),
    groups: parts[0]?.groups ?? [],
    limit: 1,
  })),
  p("edit", "MAKE COUNT", (_, _make, count) => edit({ goesOn: true }, numberOf(count))),
  p("edit", "'sort'|'order'|'rank'|'show' THOSE? OF? TOP|BOTTOM|DESCENDING|ASCENDING", (setting, ...parts) =>
    endOf(setting, parts.at(-1) ?? {}),
  ),

  // The records behind: "list them", "how many of those converted", "which states are they from".
  p("edit", "LIST|shown ALL? THOSE? NOUN? OF? &$|&','", says({ those: "listed" })),
  // "The last five of those", "the five most recent ones".
  p("edit", "shown|LIST? COUNT? LIST COUNT? OF? THOSE? $", (_, shown, one, _list, other, those) =>
    (shown.word ?? those.word) && (one.word ?? other.word)
      ? { ...numberOf(one), ...numberOf(other), edit: { those: "listed" } }
      : undefined,
  ),
  // "List the ones under 90 seconds".
  p("edit", "COUNT? LIST COUNT? THOSE? which-ones|FLAGGED THOSE?", (_, one, _list, other, _those, which) => ({
    ...which,
    ...numberOf(one),
    ...numberOf(other),
    edit: { those: "listed" },
  })),
  // "How many got refused", of requests; behind those of another fact it may be asked of all. "How many were under a
  // minute" is of those that were counted.
  p("edit", "HOW_MANY OF? ALL? THOSE? NOUN? which-ones ALSO?", (setting, _many, those, noun, which) =>
    those.word || (!noun.word && hasFact(setting) && hasNoFact(which))
      ? howMany(setting, which)
      : noun.word || hasFact(setting)
        ? undefined
        : countedOf(setting, which),
  ),
  p("edit", "!'what' WHICH OF? THOSE which-ones", (_, _those, which) => edit({ points: true }, which)),
  p("which-ones", "WITH? FLAG|FLAGGED", (_, ...parts) => ({ filters: parts.at(-1)?.filters ?? [] })),
  p("which-ones", "OF|WITH|'by'? names|exclusion|of-length|hours|DAYS|PARTS"),
  // "Only the ones where something was paused".
  p("edit", "THOSE WITH thing names", (_, _those, _thing, names) => edit({ narrows: true }, names)),
  // "Failed webhooks this week", "which one".
  p("edit", "^ AND? WHICH THOSE $", ({ previous, subject: { dimensions } }) =>
    previous?.dimensions.length === 0 && dimensions[0]?.name === "webhook"
      ? edit({ points: true }, { groups: ["webhook"] })
      : undefined,
  ),
  p("edit", "only? OF? names NOUN? only? DIM|KIND", (setting, _one, names, _noun, _only, kind) =>
    ofShown(setting, names, kind),
  ),
  p("edit", "only? DIM|KIND OF names only?", (setting, _only, kind, names) => ofShown(setting, names, kind)),
  p("edit", "'why' NOT? THOSE? NOT? why-of? ','?", (setting, one, _those, other, fact) => {
    const not = one.word ? one : other;
    return reasons(setting, not.word && fact.edit === undefined ? negated(setting, not, fact) : fact);
  }),
  p("why-of", "FLAG|FLAGGED|REJECTS|opposite"),

  // Bounds of the figures before: "only those over $500", "publishers with more than 50", "drop those under 20 calls".
  p("edit", "bound-before", (_, bound) => edit({ ofBefore: true }, bound)),
  p("edit", "REMOVE|NOT EACH? bound-before", (_, _not, bound) => inverse(bound)),
  p("bound-before", "of-groups"),
  p("bound-before", "rows OF|WITH? amount", (setting, _rows, amount) => boundBefore(setting, amount)),
  p("bound-before", "only? amount only?", (setting, one, amount, other) =>
    (boundOfEach(setting) && !one.edit && !other.edit) ||
    amount.word?.bounds?.some(({ unit }) => isTime.test(unit ?? ""))
      ? undefined
      : boundBefore(setting, amount),
  ),
  // "Calls over 10 minutes", "and over 20".
  p("edit", "WHAT_ABOUT|AND? OF? amount", (setting, ...parts) => rebound(setting, parts.at(-1) ?? {})),
  p("edit", "^ OR_MORE NUMBER", (setting, { word }, number) =>
    /^and (over|above|beyond)/.test(word?.said ?? "") ? rebound(setting, amountOf("more_than", number)) : undefined,
  ),

  // "The same for everyone else", "and outside of it", "those that did not", "the shorter ones", "on the other days".
  p("edit", "SAME|WHAT_ABOUT? OF? opposite $", (_, ...parts) => parts.at(-1)),
  p("opposite", "REST", (setting) => opposed(setting, () => true)),
  p("opposite", "THOSE? NOT THOSE? 'hours'|'times'|'days'?", (setting, one, _not, other) =>
    (one.word ?? other.word) === undefined ? undefined : opposed(setting, () => true),
  ),
  p("opposite", "SLOWER THOSE|NOUN", (setting, { word }) =>
    opposed(setting, ({ op }) =>
      (/^(less|at_most)/.test(op) ? /^(longer|slower)/ : /^(short|fast|quick)/).test(word?.said ?? ""),
    ),
  ),
  p("opposite", "REST DIM|GRAIN|DAYS", (setting, _rest, { groups: [name = "day"] = [] }) =>
    opposed(setting, ({ field }) => field === name || (field === "day_of_week" && name === "day")),
  ),
  p("edit", "SAME|WHAT_ABOUT OTHER", (_, _same, other) => other),
  // "Same for buyers", "the same for buyers and revenue".
  p("edit", "SAME DIM|KIND AND? figure?", (_, _same, dim, ...figures) =>
    dim.word?.isPlural ? both(edit({ goesOn: true }, dim), unifyAll(figures)) : undefined,
  ),
];

/** The count, beside whatever else is asked for: "how many of them converted, and what revenue did they make". */
const howMany = ({ subject }: Setting, which: Piece): Piece | undefined =>
  edit({ those: "counted" }, { ...which, measures: [subject.defaultMeasure] });

/** Tells if none of the conditions is a yes or no, such as "converted". */
const hasNoFact = ({ filters = [] }: Piece): boolean => filters.every(({ values }) => typeof values[0] !== "boolean");

/** "How many got refused": by the figure of the catalog, where it has one. */
function countedOf(setting: Setting, which: Piece): Piece | undefined {
  const [filter, other] = which.filters ?? [];
  const name = filter && other === undefined ? countOf(setting.subject, filter) : undefined;
  return name === undefined ? howMany(setting, which) : edit({ goesOn: true }, { measures: [name] });
}

/** "Over 20 seconds": a group's average, or each record's length? */
const isTime = /^(seconds|ms)$/;

/** "Which of them fell": those that moved that way alone. */
function movers(said: Piece = {}): Piece | undefined {
  const { movedTo: moved } = movedTo(said);
  return moved === "up" || moved === "down" ? { edit: { points: true, moved } } : undefined;
}

/** From the period before, where the answer before holds nothing against it. */
const moversSince = ({ previous }: Setting, said: Piece | undefined): Piece | undefined =>
  previous?.compare == null ? both(movers(said), { versus: { kind: "before", isUnit: true } }) : movers(said);
