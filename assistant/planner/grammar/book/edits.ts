import { countOf } from "../../../catalog/fact-counted.ts";
import { weekdayBefore } from "../../period/earlier.ts";
import { ofGroups } from "../bounds.ts";
import {
  asLong,
  beside,
  boundBefore,
  comparedWith,
  edit,
  factsOf,
  goesOn,
  hasFact,
  inverse,
  isThere,
  movedBack,
  numberOf,
  ofBefore,
  ofNoun,
  ofShown,
  opposed,
  overall,
  partOf,
  placed,
  rankedBy,
  reasons,
  rejected,
  removing,
  replacing,
  says,
  shareOf,
  stepped,
  turnedTo,
} from "../edit-makes.ts";
import { counting } from "../figures.ts";
import { endOf, highest, negated } from "../makes.ts";
import { both, type Piece, unify, unifyAll } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";
import { against, movedTo } from "../times.ts";

/**
 * How a follow-up is built: phrases as in any question, and what only the answer before gives sense to. A follow-up is a
 * row of them; `apply-edit.ts` makes the next plan of it.
 */
export const edits: readonly Production[] = [
  p("edit", "phrase"),
  // "Same for profit": the ranking, too, is of that.
  p("edit", "SAME|MAKE|'use'", (_, { word }) => ({
    edit: { goesOn: true, ...(/same/.test(word?.said ?? "") && { instead: true as const }) },
  })),
  p("edit", "ONLY|NOW", says({ narrows: true })),
  p("edit", "^ 'no' ','", says({ points: true })),
  p("edit", "^ 'nope'|'nah'|'sorry'|'actually'|'wait'|'great'|'perfect'|'nice'|'cool'|'well'|'hm'|'hmm'", goesOn),
  p("edit", "^ AND|BUT", says({ points: true })),
  p("edit", "^ 'and_over' period", (_, period) => edit({ points: true }, period)),
  p("edit", "OF? THOSE|'then'", (_, { word }) => ({
    edit: { points: true, ...(/^(those|these|them)$/.test(word?.said ?? "") && { ofShown: true as const }) },
  })),
  p("edit", "WHAT_ABOUT", goesOn),
  p("edit", "WHAT_ABOUT figure", (_, _what, figure) => edit({ goesOn: true }, figure)),
  p("edit", "INSTEAD", says({ goesOn: true, instead: true })),
  p("edit", "shown THOSE?", () => ({})),
  p("edit", "'what' names 'do'? $", ({ subject }, names) =>
    names.filters?.[0]?.field === "actor" && subject.name === "audit_logs"
      ? edit({ goesOn: true }, { ...names, groups: ["action"] })
      : undefined,
  ),
  // "What did she delete" asks which things.
  p("edit", "what-of !names !paying-for", () => ({})),
  p("what-of", "'what'|'whats'|'which' THOSE"),
  p("what-of", "'what'|'whats' !THOSE"),
  p("edit", "OF? 'whole' OF? period"),

  // Beside what is there: "also profit", "by publisher too", "and Florida as well".
  p("edit", "ALSO shown? beside ALSO?", (_, _also, _shown, more) => beside(more)),
  p("edit", "ALSO STATISTIC AND STATISTIC", (setting, _also, one, other) => {
    const both = [ofBefore(setting, one), ofBefore(setting, other)];
    const more = both.flatMap((piece) => piece?.measures ?? []);
    return more.length === both.length ? beside({ measures: more }) : undefined;
  }),
  p("edit", "beside ALSO", (_, more) => beside(more)),
  p("edit", "STATISTIC ALSO", (setting, statistic) => {
    const found = ofBefore(setting, statistic);
    return found && beside(found);
  }),
  // "And their revenue".
  p("edit", "AND|WITH THOSE beside-figures", (_, those, more) =>
    /^(their|its|his|her)$/.test(those.word?.said ?? "") ? edit({ ofShown: true }, beside(more)) : undefined,
  ),
  p("edit", "^ WITH beside-figures", (_, more) => beside(more)),
  p("beside", "beside-figures|group|divided"),
  p("beside", "OF|WITH? names"),
  p("beside-figures", "figure-list|NOUN", counting),
  p("edit", "VERSUS OF? names", comparedWith),
  // "Put the profit next to it".
  p("edit", "AND? 'put'|WITH? beside AND THOSE $", (_, more) => beside(more)),
  // "And how much of that was payout".
  p("edit", "AND? 'how' 'much' OF THOSE? figure", (_, _those, figure) => edit({ goesOn: true }, figure)),
  // "Is that more than last month".
  p("edit", "THOSE? MORE_THAN|LESS_THAN|VERSUS OF? period", (setting, ...parts) =>
    against(setting, {}, parts.at(-1) ?? {}),
  ),

  // Of a series each group, of groups a series: "split that by campaign".
  p("edit", "divided"),
  p("divided", "DIVIDE group-names", (_, _by, groups) => edit({ divides: true }, groups)),
  p("divided", "split THOSE? 'up'|'out'? BY group-names", (_, _split, _those, groups) =>
    edit({ divides: true }, groups),
  ),
  p("divided", "split names 'up'|'out'? BY group-names", (_, _split, names, groups) =>
    edit({ divides: true }, unify(names, groups)),
  ),
  p("split", "'split'|'break'|'slice'|'segment'"),

  // What goes: "without the buyer", "drop profit", "forget Texas", "no breakdown".
  p("edit", "REMOVE|NOT removed", (setting, _not, gone) => (isThere(setting, gone) ? gone : undefined)),
  p("removed", "gone"),
  p("removed", "gone AND removed"),
  p("gone", "DIM|GRAIN|KIND|MEASURE|NOUN|FLAG|FLAGGED 'filter'|'filters'?", (_, name) => removing(name)),
  p("edit", "ALL DIM NOW?", (setting, name) => (isThere(setting, removing(name)) ? removing(name) : undefined)),
  p("edit", "REMOVE excluded-list", (setting, not, list) =>
    isThere(setting, factsOf(list)) ? undefined : edit({ takesOut: true }, negated(setting, not, list)),
  ),
  p("edit", "REMOVE|NOT VALUE 'key'|'keys'", (setting, not, name) => negated(setting, not, name)),
  p("edit", "REMOVE|NOT THOSE excluded-list", (setting, not, _those, list) => negated(setting, not, list)),
  p("edit", "SCOPE", says({ narrows: true })),
  p("edit", "NOT NOUN OF|WITH names", (setting, not, _noun, list) => negated(setting, not, list)),
  p("edit", "REMOVE|NOT ALL? 'filter'|'filters'|'condition'|'conditions'", says({ drops: ["filters"] })),
  p("edit", "REMOVE|NOT 'minimum'|'maximum'|'threshold'|'cutoff'|'limit'", says({ drops: ["bounds"] })),
  p("edit", "TOTAL !figure !NOUN", says({ drops: ["groups"] })),
  p("edit", "TOTAL figure|NOUN", (setting, _total, figure) => counting(setting, figure)),
  p("edit", "^ AND|ONLY|NOW? 'overall' $", says({ asks: overall })),
  p("edit", "REMOVE|NOT TOTAL|BREAKDOWN", says({ drops: ["groups"] })),
  p("edit", "PLAIN", says({ drops: ["shares"] })),

  // One for another: "by campaign instead of buyer", "profit not payout", "swap calls for revenue".
  p("edit", "MEASURE|NOUN INSTEAD_OF MEASURE|NOUN", (setting, one, _of, other) => replacing(setting, one, other)),
  p("edit", "OF? replaced INSTEAD_OF|NOT OF? replaced", (setting, one, _of, other) => replacing(setting, one, other)),
  p("replaced", "FLAG|FLAGGED|name|period"),
  p("edit", "BY|DIVIDE? group-name INSTEAD_OF|NOT BY? group-name", (setting, ...parts) =>
    replacing(setting, parts.at(-3), parts.at(-1)),
  ),
  p("edit", "'by' figure INSTEAD_OF|NOT figure", (setting, one, _of, other) =>
    replacing(setting, { ...one, ...rankedBy(one) }, other),
  ),
  p("edit", "SWAP swapped OF|WITH|AND|BY swapped", (setting, _swap, other, one) =>
    replacing(setting, counting(setting, one), other),
  ),
  p("swapped", "MEASURE|NOUN|DIM|GRAIN|KIND|name"),
  p("edit", "STATISTIC INSTEAD_OF|NOT STATISTIC", (setting, said) => ofBefore(setting, said)),

  // Figures of the answer before, in another way: "the median", "as a rate", "as a share".
  p("edit", "STATISTIC", ofBefore),
  p("edit", "AS_RATE", says({ asRate: true })),
  p("edit", "'as' EACH? GRAIN", (_, grain) => edit({ narrows: true }, grain)),
  p("edit", "'as' figure-list|series|CHART", (_, figures) => edit({ narrows: true }, figures)),
  p("edit", "SHARE OF? ALL? TOTAL?", () => ({ share: true, edit: { ofBefore: true } })),
  // "What share of their calls is that", "as a percentage of all calls".
  p("edit", "WHICH? SHARE OF? ALL? THOSE? NOUN $", (setting, ...parts) => shareOf(setting, parts.at(-2) ?? {})),
  p("edit", "SHARE OF? ALL? THOSE? which-ones", (setting, ...parts) => partOf(setting, parts.at(-1) ?? {})),
  p("edit", "WHICH? SHARE OF? ALL? THOSE OF names", ({ previous }, ...parts) =>
    previous === undefined || previous.dimensions.length > 0 || previous.measures.length !== 1
      ? undefined
      : edit({ ofBefore: true }, { measures: [...previous.measures], portion: parts.at(-1)?.filters ?? [] }),
  ),
  // "How does that compare with the 30 days before".
  p("edit", "'how' THOSE? &VERSUS when", (_, ...parts) => parts.at(-1)),
  p("edit", "WHAT_ABOUT FLAG|FLAGGED", (setting, _what, fact) => turnedTo(setting, fact)),
  p("edit", "NUMBER STEPS", stepped),
  p("edit", "STEPS OF? NUMBER", (setting, _steps, width) => stepped(setting, width)),

  // Another time: "and the month before", "compared with September".
  p("edit", "OF? PREVIOUS_PERIOD|DAYS_BEFORE|YEAR_BEFORE", movedBack),
  p("edit", "OF? PERIOD EARLIER THOSE? $", ({ previous, zone }, { period: day }) => {
    const period =
      previous?.period?.from == null || day == null ? null : weekdayBefore(day, previous.period.from, zone);
    return period ? { period } : undefined;
  }),
  p("edit", "VERSUS THOSE? WITH|'to'|VERSUS? OF? PREVIOUS_PERIOD", () => ({ versus: { kind: "before" } })),
  p("edit", "OF? LIST COUNT", (setting, _last, count) => asLong(setting, count)),
  p("edit", "OF? THAT_PERIOD", ({ previous }) =>
    previous === undefined ? undefined : { period: previous.period, edit: { thatPeriod: true } },
  ),

  // Order and limit: "the five best", "make it 5", "biggest one only", "lowest first".
  p("edit", "only? COUNT WITH end figure", (setting, _only, count, end, figure) =>
    both(numberOf(count), highest(setting, end, figure)),
  ),
  p("edit", "^ AND WHICH|WHO? 'one'? MEASURE? TOP|BOTTOM 'one'? $", (setting, ...parts) =>
    endOf(setting, parts.at(-1) ?? {}),
  ),
  // "Who is second", "and the third best", "the next 5".
  p("edit", "WHICH|WHO? nth THOSE? $", (setting, ...parts) => placed(setting, parts.at(-2) ?? {})),
  p("nth", "PLACE|RUNNER_UP end?", (_, place, end) => ({ ...end, skip: (place.word?.number ?? 2) - 1 })),
  p("nth", "'next' COUNT", ({ previous }, { word }) =>
    previous?.limit == null || previous.order === null
      ? undefined
      : { ...numberOf({ word: word ?? {} }), skip: previous.limit + (previous.order.skip ?? 0) },
  ),
  p("edit", "end COUNT? 'enough'", (_, end, count) => ({ ...end, ...numberOf(count) })),
  p("edit", "WHICH OF? THOSE? VERB? end", (_, ...parts) => ({ ...parts.at(-1), limit: 1 })),
  p("edit", "WHICH THOSE? OF? THOSE? end figure", (setting, ...parts) => {
    const [end = {}, figure = {}] = parts.slice(-2);
    return both({ limit: 1, edit: { points: true } }, highest(setting, end, figure));
  }),
  // "Which of them are up", "and those that fell", "which made less than in September".
  p("edit", "WHICH|WHO|THOSE|WITH OF? THOSE? VERB? CHANGE", (_, ...parts) => movers(parts.at(-1))),
  p("edit", "WHICH|WHO|THOSE|WITH OF? THOSE? VERB? moved period", (setting, ...parts) => {
    const [moved, other] = parts.slice(-2);
    return both(movers(moved), against(setting, {}, other ?? {}));
  }),
  p("moved", "CHANGE|MORE_THAN|LESS_THAN|BETTER VERSUS|'on'|'from'|'since'|'in'?", (_, moved) => moved),
  p("edit", "BUT group|when"),
  p("edit", "'how' THOSE? OF names", (_, ...parts) => edit({ goesOn: true }, parts.at(-1))),
  p("edit", "'what' OF THOSE? which-ones", (_, _those, which) => edit({ points: true }, which)),
  p("edit", "WHICH DIM|GRAIN|KIND VERB? end", (_, ...parts) => ({
    ...parts.at(-1),
    groups: parts[0]?.groups ?? [],
    limit: 1,
  })),
  p("edit", "MAKE COUNT", (_, _make, count) => edit({ goesOn: true }, numberOf(count))),
  p("edit", "'sort'|'order'|'rank'|'show' THOSE? OF? TOP|BOTTOM|DESCENDING|ASCENDING", (setting, ...parts) =>
    endOf(setting, parts.at(-1) ?? {}),
  ),

  // The records behind: "list them", "how many of those converted", "which states are they from".
  p("edit", "LIST|shown ALL? THOSE? NOUN? OF? $", says({ those: "listed" })),
  p(
    "edit",
    "COUNT? LIST COUNT? THOSE? OF|WITH? names|FLAG|FLAGGED THOSE?",
    (_, one, _list, other, _those, { filters = [] }) => ({
      ...numberOf(one),
      ...numberOf(other),
      filters,
      edit: { those: "listed" },
    }),
  ),
  p("edit", "'what' THOSE? FLAG|FLAGGED OF $", (setting, _those, fact) => reasons(setting, fact)),
  p("edit", "OF? WHICH DIM|GRAIN|KIND THOSE? BOTTOM|TOP $", (setting, group, _those, end) =>
    unify(endOf(setting, end), { groups: group.groups ?? [], limit: 1 }),
  ),
  p("edit", "WHICH OF? THOSE? DIM|GRAIN|KIND", (setting, _those, group) =>
    isThere(setting, removing(group)) ? { edit: { points: true } } : undefined,
  ),
  // "How many got refused", of requests; behind those of another fact it may be asked of all.
  p("edit", "HOW_MANY OF? ALL? THOSE? NOUN? which-ones", (setting, _many, those, noun, which) =>
    those.word ? howMany(setting, which) : noun.word || hasFact(setting) ? undefined : countedOf(setting, which),
  ),
  p("edit", "!'what' WHICH OF? THOSE which-ones", (_, _those, which) => edit({ points: true }, which)),
  p("which-ones", "WITH? FLAG|FLAGGED", (_, ...parts) => ({ filters: parts.at(-1)?.filters ?? [] })),
  p("which-ones", "REJECTS", rejected),
  p("which-ones", "OF|WITH|'by'? names|exclusion"),
  p("edit", "only? names DIM|KIND", (setting, _only, names, kind) => ofShown(setting, names, kind)),
  p("edit", "OF? names MEASURE? only? DIM|KIND", (setting, names, figure, _only, kind) =>
    figure.measures === undefined
      ? ofShown(setting, names, kind)
      : both(ofNoun(setting, names, figure), ofShown(setting, names, kind)),
  ),
  p("edit", "only? DIM|KIND OF names only?", (setting, _only, kind, names) => ofShown(setting, names, kind)),
  p("edit", "only? names MEASURE only?", (setting, _only, names, figure) => ofNoun(setting, names, figure)),
  p("edit", "'why' THOSE? FLAG|FLAGGED|REJECTS? ','?", reasons),

  // Bounds of the figures before: "only those over $500", "publishers with more than 50", "drop those under 20 calls".
  p("edit", "bound-before", (_, bound) => edit({ ofBefore: true }, bound)),
  p("bound-before", "WHICH? OF? THOSE OF|WITH? amount", (setting, _those, amount) => boundBefore(setting, amount)),
  // "Where it is below 80 %".
  p("bound-before", "WITH THOSE? amount", (setting, _those, amount) => boundBefore(setting, amount)),
  p("bound-before", "WHICH OF? THOSE? OF|WITH? figure OF? amount", (setting, ...parts) =>
    ofGroups(setting, parts.at(-2) ?? {}, parts.at(-1) ?? {}),
  ),
  p("bound-before", "DIM|GRAIN|KIND OF|WITH? amount", (setting, dim, amount) =>
    isThere(setting, removing(dim)) ? boundBefore(setting, amount) : undefined,
  ),
  p("bound-before", "amount", (setting, amount) =>
    amount.word?.bounds?.every(({ unit }) => unit === null) ? boundBefore(setting, amount) : undefined,
  ),
  p("bound-before", "THOSE OF|WITH? amount OF? figure|NOUN", (setting, _those, amount, figure) =>
    ofGroups(setting, figure, amount),
  ),
  p("edit", "REMOVE|NOT EACH? bound-before", (_, _not, bound) => inverse(bound)),

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

/** "How many got refused": by the figure of the catalog, where it has one. */
function countedOf(setting: Setting, which: Piece): Piece | undefined {
  const [filter, other] = which.filters ?? [];
  const name = filter && other === undefined ? countOf(setting.subject, filter) : undefined;
  return name === undefined ? howMany(setting, which) : edit({ goesOn: true }, { measures: [name] });
}

/** "Which of them fell": those that moved that way alone. */
function movers(said: Piece = {}): Piece | undefined {
  const { movedTo: moved } = movedTo(said);
  return moved === "up" || moved === "down" ? { edit: { points: true, moved } } : undefined;
}
