import { binName, findBin, isBin } from "../../catalog/bins.ts";
import { findFlag, findQuantity, measureOf } from "../../catalog/catalog.ts";
import type { Filter, FilterOp, RunningGrain } from "../../plan.ts";
import { readPeriod } from "../period/period.ts";
import { rateOf } from "../rules/share.ts";
import { tellsWhy } from "../why.ts";
import { ofGroups } from "./bounds.ts";
import { counting, statistic } from "./figures.ts";
import { endOf, negated } from "./makes.ts";
import { type Edit, type Piece, unify } from "./piece.ts";
import { type Make, type Production, production as p, type Setting } from "./production.ts";
import { against, yearBefore } from "./times.ts";

const edit = (said: Edit, piece: Piece | undefined): Piece | undefined =>
  piece && { ...piece, edit: { ...piece.edit, ...said } };
/** Words that only say what a question does to the answer before. */
const says =
  (said: Edit): Make =>
  () => ({ edit: said });
const goesOn = says({ goesOn: true });
const overall = {
  sentence: "Do you mean all groups together, or all time?",
  options: ["just the total", "for all time"],
};

/**
 * How a follow-up is built: phrases as in any question, and what only the answer before gives sense to. A follow-up is a
 * row of them; `apply-edit.ts` makes the next plan of it.
 */
export const edits: readonly Production[] = [
  p("edit", "phrase"),
  p("edit", "SAME|MAKE|'use'", goesOn),
  p("edit", "^ AND|BUT? ONLY|NOW", goesOn),
  p("edit", "^ AND|BUT? ONLY of-groups", (_, _only, bound) => edit({ goesOn: true }, bound)),
  p("edit", "ONLY|NOW", says({ narrows: true })),
  p("edit", "OF SAME", goesOn),
  p("edit", "^ 'no' ','", says({ points: true })),
  p("edit", "^ 'nope'|'nah'|'sorry'|'actually'|'wait'|'great'|'perfect'|'nice'|'cool'|'well'|'hm'|'hmm'", goesOn),
  p("edit", "^ AND|BUT", says({ points: true })),
  p("edit", "^ 'and_over' period", (_, period) => edit({ points: true }, period)),
  p("edit", "OF? THOSE|'then'", says({ points: true })),
  p("edit", "WHAT_ABOUT", goesOn),
  p("edit", "WHAT_ABOUT figure", (_, _what, figure) => edit({ goesOn: true }, figure)),
  p("edit", "INSTEAD", says({ goesOn: true, instead: true })),
  p("edit", "shown|'what'|'whats' THOSE?", () => ({})),
  p("edit", "OF? 'whole' OF? period"),

  // Beside what is there: "also profit", "by publisher too", "and Florida as well".
  p("edit", "ALSO shown? beside", (_, _also, _shown, more) => beside(more)),
  p("edit", "^ shown? beside ALSO", (_, _shown, more) => beside(more)),
  p("edit", "beside ALSO", (_, more) => beside(more)),
  p("edit", "^ WITH beside-figures", (_, more) => beside(more)),
  p("beside", "beside-figures|group|divided"),
  p("beside", "OF|WITH? names"),
  p("beside-figures", "figure-list|NOUN", counting),
  p("edit", "VERSUS OF? names", comparedWith),

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
  p("edit", "only 'by'? VALUE 'key'|'keys'"),
  p("edit", "REMOVE|NOT NUMBER", (setting, not, number) => excluding(setting, not, numberShown(setting, number))),
  p("edit", "only? NUMBER THOSE?", (setting, _only, number) => numberShown(setting, number)),
  p("edit", "REMOVE|NOT excluded-list THOSE", (setting, not, list) => negated(setting, not, list)),
  p("edit", "'leave' excluded-list 'out'", (setting, list) => negated(setting, {}, list)),
  p("edit", "NOT NOUN OF|WITH names", (setting, not, _noun, list) => negated(setting, not, list)),
  p("edit", "REMOVE|NOT ALL? 'filter'|'filters'|'condition'|'conditions'", says({ drops: ["filters"] })),
  p("edit", "REMOVE|NOT 'minimum'|'maximum'|'threshold'|'cutoff'|'limit'", says({ drops: ["bounds"] })),
  p("edit", "TOTAL !figure !NOUN", says({ drops: ["groups"] })),
  p("edit", "TOTAL figure|NOUN", (setting, _total, figure) => counting(setting, figure)),
  p("edit", "BREAKDOWN", () => ({})),
  p("edit", "^ AND|ONLY|NOW? 'overall' $", says({ asks: overall })),
  p("edit", "REMOVE|NOT TOTAL|BREAKDOWN", says({ drops: ["groups"] })),
  p("edit", "PLAIN", says({ drops: ["shares"] })),

  // One for another: "by campaign instead of buyer", "profit not payout", "swap calls for revenue".
  p("edit", "MEASURE|NOUN INSTEAD_OF MEASURE|NOUN", (setting, one, _of, other) => replacing(setting, one, other)),
  p("edit", "MEASURE NOT !FLAGGED MEASURE", (setting, one, _not, other) => replacing(setting, one, other)),
  p("edit", "FLAG|FLAGGED INSTEAD_OF|NOT FLAG|FLAGGED", (setting, one, _of, other) => replacing(setting, one, other)),
  p("edit", "OF? name INSTEAD_OF|NOT OF? name", (setting, one, _of, other) => replacing(setting, one, other)),
  p("edit", "OF? period INSTEAD_OF|NOT OF? period", (setting, one, _of, other) => replacing(setting, one, other)),
  p("edit", "BY|DIVIDE? group-name INSTEAD_OF|NOT BY? group-name", (setting, ...parts) =>
    replacing(setting, parts.at(-3), parts.at(-1)),
  ),
  p("edit", "'by' figure INSTEAD_OF|NOT figure", (setting, one, _of, other) =>
    replacing(setting, { ...one, ...rankedBy(one) }, other),
  ),
  p("edit", "SWAP MEASURE|NOUN OF|WITH|AND|BY MEASURE|NOUN", (setting, _swap, other, one) =>
    replacing(setting, counting(setting, one), other),
  ),
  p("edit", "SWAP DIM|GRAIN|KIND OF|WITH|AND|BY DIM|GRAIN|KIND", (setting, _swap, other, one) =>
    replacing(setting, one, other),
  ),
  p("edit", "SWAP name OF|WITH|AND|BY name", (setting, _swap, other, one) => replacing(setting, one, other)),
  p("edit", "STATISTIC INSTEAD_OF|NOT STATISTIC", (setting, said) => ofBefore(setting, said)),

  // Figures of the answer before, in another way: "the median", "as a rate", "as a share".
  p("edit", "STATISTIC", ofBefore),
  p("edit", "AS_RATE", says({ asRate: true })),
  p("edit", "CHART 'chart'|'graph'|'plot'"),
  p("edit", "'as' figure-list|series|CHART", (_, figures) => edit({ narrows: true }, figures)),
  p("edit", "SHARE OF? ALL? TOTAL?", () => ({ share: true, edit: { ofBefore: true } })),
  p("edit", "SHARE OF? ALL? THOSE? which-ones", (setting, ...parts) => partOf(setting, parts.at(-1) ?? {})),
  p("edit", "WHAT_ABOUT FLAG|FLAGGED", (setting, _what, fact) => turnedTo(setting, fact)),
  p("edit", "^ AND FLAG|FLAGGED", turnedTo),
  p("edit", "NUMBER STEPS", stepped),
  p("edit", "STEPS OF? NUMBER", (setting, _steps, width) => stepped(setting, width)),

  // Another time: "and the month before", "compared with September".
  p("edit", "OF? PREVIOUS_PERIOD", movedBack),
  p("edit", "VERSUS THOSE WITH|'to'|VERSUS? OF? PREVIOUS_PERIOD", () => ({ versus: { kind: "before" } })),
  p("edit", "VERSUS THOSE WITH|'to'|VERSUS? OF? YEAR_BEFORE", (setting, ...parts) =>
    yearBefore(setting, parts.at(-1) ?? {}),
  ),
  p("edit", "VERSUS THOSE WITH|'to'|VERSUS? OF? period", (setting, ...parts) =>
    against(setting, {}, parts.at(-1) ?? {}),
  ),
  p("edit", "OF? LIST COUNT", (setting, _last, count) => asLong(setting, count)),
  p("edit", "OF? THAT_PERIOD", ({ previous }) =>
    previous === undefined ? undefined : { period: previous.period, edit: { thatPeriod: true } },
  ),

  // Order and limit: "the five best", "make it 5", "biggest one only", "lowest first".
  p("edit", "COUNT end", (_, count, end) => ({ ...end, ...numberOf(count) })),
  p("edit", "end COUNT? 'enough'", (_, end, count) => ({ ...end, ...numberOf(count) })),
  p("edit", "end THOSE", (_, end) => ({ ...end, limit: 1 })),
  p("edit", "WHICH THOSE? VERB? end", (_, ...parts) => ({ ...parts.at(-1), limit: 1 })),
  p("edit", "WHICH DIM|GRAIN|KIND VERB? end", (_, ...parts) => ({
    ...parts.at(-1),
    groups: parts[0]?.groups ?? [],
    limit: 1,
  })),
  p("edit", "MAKE COUNT", (_, _make, count) => edit({ goesOn: true }, numberOf(count))),
  p("edit", "'sort' sorted", (_, end) => end),
  p("sorted", "DESCENDING|ASCENDING", endOf),

  // The records behind: "list them", "how many of those converted", "which states are they from".
  p("edit", "LIST|shown ALL? THOSE NOUN? $", says({ those: "listed" })),
  p("edit", "COUNT? LIST COUNT? names|FLAG|FLAGGED THOSE", (_, one, _list, other, { filters = [] }) => ({
    ...numberOf(one),
    ...numberOf(other),
    filters,
    edit: { those: "listed" },
  })),
  p("edit", "HOW_MANY THOSE? $", ({ previous }) =>
    previous?.columns.length === 0 ? undefined : { edit: { those: "counted" } },
  ),
  p("edit", "HOW_MANY OF? ALL? THOSE which-ones", (_, _many, _those, which) => edit({ those: "counted" }, which)),
  p("edit", "WHICH OF? THOSE which-ones", (_, _those, which) => edit({ points: true }, which)),
  p("which-ones", "WITH? FLAG"),
  p("which-ones", "FLAGGED", (_, { filters = [] }) => ({ filters })),
  p("which-ones", "REJECTS", rejected),
  p("which-ones", "OF|WITH? names|exclusion"),
  p("edit", "only? names|FLAG THOSE", (_, _only, which) => edit({ narrows: true }, which)),
  p("edit", "THOSE OF|WITH|BY? names|FLAG", (_, _those, which) => edit({ points: true }, which)),
  p("edit", "only? names DIM|KIND", (setting, _only, names, kind) => ofShown(setting, names, kind)),
  p("edit", "OF? names MEASURE? only? DIM|KIND", (setting, names, figure, _only, kind) =>
    figure.measures === undefined
      ? ofShown(setting, names, kind)
      : both(ofNoun(setting, names, figure), ofShown(setting, names, kind)),
  ),
  p("edit", "only? DIM|KIND OF names only?", (setting, _only, kind, names) => ofShown(setting, names, kind)),
  p("edit", "only? names MEASURE only?", (setting, _only, names, figure) => ofNoun(setting, names, figure)),
  p("edit", "WHICH DIM|GRAIN|KIND THOSE OF?", (_, groups) => edit({ points: true }, groups)),
  p("edit", "WHICH DIM|GRAIN|KIND names|FLAG THOSE OF?", (_, groups, which) =>
    edit({ points: true }, unify(groups, which)),
  ),
  p("edit", "'why' THOSE? FLAG|FLAGGED|REJECTS? ','?", reasons),

  // Bounds of the figures before: "only those over $500", "publishers with more than 50", "drop those under 20 calls".
  p("edit", "bound-before", (_, bound) => edit({ ofBefore: true }, bound)),
  p("bound-before", "WHICH? THOSE OF|WITH? amount", (setting, _those, amount) => boundBefore(setting, amount)),
  p("bound-before", "DIM|GRAIN|KIND OF|WITH? amount", (setting, dim, amount) =>
    isThere(setting, removing(dim)) ? boundBefore(setting, amount) : undefined,
  ),
  p("bound-before", "amount", (setting, amount) =>
    amount.word?.bounds?.every(({ unit }) => unit === null) ? boundBefore(setting, amount) : undefined,
  ),
  p("bound-before", "THOSE OF|WITH? figure OF? amount", (setting, _those, figure, amount) =>
    ofGroups(setting, figure, amount),
  ),
  p("bound-before", "THOSE OF|WITH? amount OF? figure|NOUN", (setting, _those, amount, figure) =>
    ofGroups(setting, counting(setting, figure) ?? {}, amount),
  ),
  p("edit", "REMOVE|NOT EACH? bound-before", (_, _not, bound) => inverse(bound)),

  p("edit", "SAME|WHAT_ABOUT OTHER", (_, _same, other) => other),
  p("edit", "SAME DIM|KIND", (_, _same, dim) => (dim.word?.isPlural ? edit({ goesOn: true }, dim) : undefined)),
];

const excluding = (setting: Setting, not: Piece, list: Piece | undefined) => list && negated(setting, not, list);
const both = (one: Piece | undefined, other: Piece | undefined): Piece | undefined => one && other && unify(one, other);

const beside = ({ edit: _, ...more }: Piece): Piece => ({ edit: { more } });

/** "Compare with Acme", behind an answer about Best: each by itself. */
function comparedWith({ previous }: Setting, names: Piece): Piece | undefined {
  const [filter, other] = names.filters ?? [];
  const same = previous?.filters.find(({ field, op }) => field === filter?.field && op === "is");
  if (filter === undefined || other !== undefined || same === undefined) return undefined;
  return { edit: { more: { filters: [filter], groups: [filter.field] } } };
}

/** The names in the catalog of what a piece names. */
function namesOf({ measures = [], groups = [], filters = [], period }: Piece): readonly string[] {
  return [...measures, ...groups, ...filters.map(({ field }) => field), ...(period === undefined ? [] : ["period"])];
}

const factsOf = ({ filters = [] }: Piece): Piece =>
  removing({ filters: filters.filter(({ values }) => typeof values[0] === "boolean") });

const removing = (piece: Piece): Piece => ({ edit: { removed: namesOf(piece) } });

/** Whether the answer before has what is to go. */
function isThere({ previous }: Setting, { edit: gone }: Piece): boolean {
  if (previous === undefined) return false;
  const shown = [
    "period",
    ...previous.dimensions,
    previous.grain,
    ...previous.measures,
    ...previous.filters.map(({ field }) => field),
  ];
  const { removed = [] } = gone ?? {};
  return removed.length > 0 && removed.every((name) => shown.includes(name));
}

function replacing(setting: Setting, one: Piece | undefined, other: Piece = {}): Piece | undefined {
  const gone = removing(counting(setting, other) ?? {});
  return one && isThere(setting, gone) ? edit({ ...gone.edit, goesOn: true }, one) : undefined;
}

const rankedBy = ({ measures: [by] = [] }: Piece): Piece => (by === undefined ? {} : { orderBy: by });
const numberOf = ({ word }: Piece): Piece => (word?.number === undefined ? {} : { limit: word.number });

/** "The median instead": of the number that the figure before was made of. */
function ofBefore(setting: Setting, said: Piece): Piece | undefined {
  const { previous, subject } = setting;
  const [name, other] = previous?.measures ?? [];
  if (name === undefined || other !== undefined) return undefined;
  const { aggregate: whole } = measureOf(subject, name);
  // A sum per record of all records is their average.
  const isMean = whole.kind === "ratio" && whole.of.kind === "count" && whole.of.where === undefined;
  const aggregate = isMean && whole.scale === 1 ? whole.part : whole;
  const column = "column" in aggregate ? aggregate.column : undefined;
  const quantity = subject.quantities.find((each) => each.column === column)?.name;
  const found = statistic(setting, said, { measures: [name], ...(quantity && { word: { quantity } }) });
  return found && edit({ ofBefore: true }, found);
}

/** "And the week before": a unit of time back. */
function movedBack(_: Setting, { word }: Piece): Piece {
  const [unit = "period"] = /day|week|month|quarter|year/.exec(word?.said ?? "") ?? [];
  return { edit: { movesBack: unit as RunningGrain | "period" } };
}

/** "Texas callers", behind figures by caller: what is shown by them is of those. */
function ofShown({ previous }: Setting, names: Piece, { groups: [name = ""] = [] }: Piece): Piece | undefined {
  const isIts = names.filters?.every(({ field }) => field === name);
  return isIts || previous?.dimensions.includes(name) || name === "caller" ? edit({ narrows: true }, names) : undefined;
}

/** "The 200s", behind figures by status code. */
function numberShown({ previous, subject }: Setting, { word }: Piece): Piece | undefined {
  const field = previous?.dimensions.find((name) => findQuantity(subject, name) !== undefined);
  return field === undefined || word?.number === undefined
    ? undefined
    : { filters: [{ field, op: "is", values: [word.number] }] };
}

/** "Only es traffic": another word for the records. */
const ofNoun = ({ subject }: Setting, names: Piece, { measures: [name] = [] }: Piece): Piece | undefined =>
  name === subject.defaultMeasure ? edit({ narrows: true }, { ...names, noun: true }) : undefined;

/** "What percent converted": the rate where the catalog has one, else that part of the records. */
function partOf({ subject }: Setting, { filters = [] }: Piece): Piece | undefined {
  const [fact, other] = filters;
  if (fact === undefined) return undefined;
  const isFact = other === undefined && fact.values[0] === true;
  const rate = isFact ? rateOf(subject, findFlag(subject, fact.field)?.measure ?? "") : undefined;
  const part = rate === undefined ? { measures: [subject.defaultMeasure], portion: filters } : { measures: [rate] };
  return edit({ ofBefore: true }, part);
}

/** A single fact behind a rate is the rate of that one: "what about connected", where "only connected" is a condition more. */
function turnedTo(setting: Setting, { filters: [fact] = [] }: Piece): Piece | undefined {
  const { previous, subject } = setting;
  const isFact = ({ field }: Filter) => findFlag(subject, field) !== undefined;
  if (previous === undefined || fact === undefined) return undefined;
  if (previous.portion.length > 0 && previous.portion.every(isFact)) return edit({ goesOn: true }, { portion: [fact] });
  const [measure, more] = previous.measures;
  const isRate = more === undefined && subject.flags.some((flag) => rateOf(subject, flag.measure) === measure);
  return isRate ? edit({ goesOn: true }, partOf(setting, { filters: [fact] })) : undefined;
}

/** "In buckets of 10 instead": the same steps, of another width. */
function stepped({ previous, subject }: Setting, { word }: Piece): Piece | undefined {
  const bin = findBin(subject, previous?.dimensions.find(isBin) ?? "");
  const { number = 0, unit = null } = word ?? {};
  const width = Number(number.toFixed(2));
  const fits = (unit === null || unit === bin?.quantity.unit) && width > 0 && width === number && width < 1e9;
  return bin && fits ? edit({ goesOn: true }, { groups: [binName(bin.quantity.name, width)] }) : undefined;
}

/** "The last 30", behind the last 7 days: of days. */
function asLong({ previous, now, zone }: Setting, { word }: Piece): Piece | undefined {
  const unit = /^last \d+ ([a-z]+)$/.exec(previous?.period?.label ?? "")?.[1];
  const found = unit === undefined ? undefined : readPeriod(["last", String(word?.number), unit], now, zone);
  return found && { period: found.period };
}

/** "How many of those did we refuse". */
function rejected({ subject }: Setting): Piece | undefined {
  const flag = subject.flags.find(({ words }) => words.some((word) => /\b(refused|rejected)\b/.test(word)));
  return flag && { filters: [{ field: flag.name, op: "is", values: [true] }] };
}

/** "Why did they fail": by the reasons that what was counted has. */
function reasons({ previous, subject }: Setting, ...said: readonly Piece[]): Piece | undefined {
  const reason = subject.dimensions.find(({ reasonOf }) => reasonOf !== undefined);
  const fact = said.flatMap(({ filters = [] }) => filters)[0]?.field;
  const counted = subject.flags.find(({ name }) => name === fact);
  const has = ({ measure }: { readonly measure: string }) =>
    measure === counted?.measure || measure === counted?.unmeasure;
  const plan = previous && reason && { ...previous, dimensions: [reason.name] };
  if (plan === undefined || !tellsWhy(plan) || (fact !== undefined && !reason?.reasonOf?.some(has))) return undefined;
  return edit({ points: true }, { groups: plan.dimensions });
}

const opposite: Partial<Record<FilterOp, FilterOp>> = {
  more_than: "at_most",
  at_least: "less_than",
  less_than: "at_least",
  at_most: "more_than",
};
/** "Drop everyone under 20 calls": the others stay. */
function inverse({ having: [bound, other] = [], ...rest }: Piece): Piece | undefined {
  const op = bound && opposite[bound.op];
  if (bound === undefined || op === undefined || other !== undefined) return undefined;
  return edit({ goesOn: true }, { ...rest, having: [{ ...bound, op }] });
}

/** "Only those over $500": a bound on the figure of the answer before. */
function boundBefore(setting: Setting, amount: Piece): Piece | undefined {
  const { previous, subject } = setting;
  const [name = subject.defaultMeasure, other] = previous?.measures ?? [];
  const wasPlain = previous !== undefined && !previous.share && previous.portion.length === 0 && other === undefined;
  const { having } = (wasPlain ? ofGroups(setting, { measures: [name] }, amount) : undefined) ?? {};
  return having && { having };
}
