import { isDeepStrictEqual } from "node:util";
import { findDimension, findMeasure, measureOf } from "../../../catalog/catalog.ts";
import { countOf, factCounted } from "../../../catalog/fact-counted.ts";
import type { OverGroups } from "../../../plan.ts";
import { ofRecords } from "../bounds.ts";
import { counting, numberNamed, rate, rateOf, rateOfTwo } from "../figures.ts";
import { anyOf, negated, portioned, ranked } from "../makes.ts";
import { both, type Piece, unifyAll } from "../piece.ts";
import { type Make, type Production, production as p, type Setting } from "../production.ts";

/** Shares, and the part of a whole under a condition: "what percentage of failed calls were busy". */
export const sharesPage: readonly Production[] = [
  p("part", "SHARE OF? ALL? PERIOD? figure !figure", (setting, share, period, figure) =>
    both(period, rate(setting, share, figure)),
  ),
  // "Texas's share of Acme calls".
  p("part", "names SHARE OF? ALL? such-kind? when? figure|NOUN", (setting, part, _share, whole, when, figure) =>
    both({ filters: whole.filters ?? [], portion: part.filters ?? [] }, when, counting(setting, figure)),
  ),
  p("part", "much OF ALL? period? figure|NOUN when? OF? such together?", (setting, _much, ...parts) => {
    const [period, figure = {}, when, such = {}] = parts;
    return both(period, when, counting(setting, figure), { portion: such.filters ?? [] });
  }),
  // "Share of weekend calls by campaign": each campaign's part of those, or those as a part of each campaign's calls.
  p("part", "SHARE OF? ALL? such-kind NOUN &BY|&EACH", (setting, _share, days, noun) =>
    both({ ...days, share: true }, counting(setting, noun)),
  ),
  p("part", "SHARE OF? ALL? such-kind NOUN &$|&','|&period|&OF|&BY|&EACH", (setting, _share, days) =>
    setting.previous === undefined ? portioned(setting, {}, days) : undefined,
  ),
  // "What fraction of the Acme calls went to each buyer": of those, each buyer's.
  p("part", "SHARE OF? ALL? such-kind NOUN OF EACH group-names", (setting, _share, which, noun, groups) =>
    both({ ...which, share: true }, groups, counting(setting, noun)),
  ),
  // "Calls that waited over 20 seconds as a percentage of connected calls".
  p("part", "bounded-records SHARE OF? ALL? whole", (setting, { filters = [] }, share, whole) =>
    asPart.test(share.word?.said ?? "") ? portioned(setting, whole, { filters }) : undefined,
  ),
  p("bounded-records", "bound-records"),
  p("bounded-records", "NOUN of-length"),
  p("such-kind", "names|DAYS|several-days|PARTS"),
  // "The state split of calls".
  p("part", "group-names SHARE &NOUN|&figure|&names", (_, groups, share) =>
    / of$/.test(share.word?.said ?? "") ? { ...groups, share: true } : undefined,
  ),
  p("part", "MEASURE SHARE &BY|&EACH|&$|&','|&OF", (_, figure) => ({ ...figure, share: true })),
  // "What share of each publisher's calls converted".
  p("part", "SHARE OF? EACH group-names figure?", (setting, share, groups, figure) => {
    if (figure?.measures === undefined) return { ...groups, share: true };
    const part = rate(setting, share, figure);
    return part?.share ? undefined : both(groups, part);
  }),
  p("part", "SHARE OF? figure figure", (setting, _share, whole, part) => rateOfTwo(setting, whole, part)),
  p("part", "SHARE OF? ALL? PERIOD? NOUN", (setting, share, period, noun) =>
    asPart.test(share.word?.said ?? "") && setting.previous === undefined
      ? undefined
      : both(period, rate(setting, share, counting(setting, noun) ?? {})),
  ),
  p(
    "part",
    "SHARE OF? ALL? PERIOD? !FLAGGED figure when? MEASURE? OF|WITH such !predicate",
    (_, _share, period, figure, when, { word }, { filters = [] }) =>
      // "Is spent on".
      /^$|^(spent|paid|earned|made)$/.test(word?.said ?? "")
        ? both(period, when, both(figure, { portion: filters }))
        : undefined,
  ),
  // "Times out most, as a percentage of requests", "as a percentage of their calls".
  p("part", "SHARE|AS_RATE OF? ALL? theirs? NOUN?", (setting, share, theirs) =>
    setting.previous === undefined && asPart.test(share.word?.said ?? "")
      ? { asRate: theirs.word ? "of theirs" : "of all" }
      : undefined,
  ),
  p("theirs", "'their'|'its'", () => ({ word: {} })),
  // "What percent of revenue came from the top 3 publishers", "calls of the top 5 campaigns combined".
  p("part", "WHICH SHARE OF? ALL? when? figure|NOUN when? few making-up? together?", ofFew("total", "share")),
  p("part", "SHARE|much OF? ALL? when? figure|NOUN when? OF? few together", ofFew("total", "share")),
  p("part", "ALL? figure|NOUN when? OF? few making-up? together", ofFew("total")),
  p("few", "ALL? end COUNT DIM|GRAIN|KIND", ranked),
  p("few", "ALL? COUNT end DIM|GRAIN|KIND", (setting, count, end, name) => ranked(setting, end, count, name)),
  p("together", "'together'|'combined'|'altogether'|'collectively'|'jointly'"),
  p(
    "making-up",
    "'account'|'accounts'|'accounted'|'make'|'makes'|'made'|'bring'|'brings'|'brought'|'send'|'sent'|'contribute' 'for'|'up'|'in'?",
  ),
  p("such", "names|FLAGGED|DAYS|several-days|weekdays|PARTS|hours|exclusion"),
  p("such", "NOUN? OF? FLAG|FLAGGED callers?", (_, _noun, fact) => fact),
  p("such", "NOUN exclusion", (_, _noun, exclusion) => exclusion),
  // "Cached pings as a percentage of all pings".
  p("part", "MEASURE SHARE ALL? NOUN &BY|&EACH|&$|&','|&when", (setting, { measures: [name = ""] = [] }, share) => {
    const fact = factCounted(setting.subject, name);
    const isRate = rateOf(setting.subject, name) !== undefined;
    return fact && !isRate && setting.previous === undefined && /^as .*of/.test(share.word?.said ?? "")
      ? portioned(setting, {}, { filters: [fact] })
      : undefined;
  }),
  p("part", "SHARE OF? ALL? whole when? PARTICLE? part-of-it !predicate !of-which", (setting, ...parts) => {
    const [, whole, when, , part = {}] = parts;
    return both(when, portioned(setting, whole, part));
  }),
  // "What percentage of calls over 5 minutes came from Texas": what the verb tells is the part.
  p("part", "SHARE OF? ALL? PERIOD? whole clauses predicate|of-which !predicate", (setting, _share, ...parts) =>
    portioned(setting, both(...parts.slice(0, -1)), parts.at(-1) ?? {}),
  ),
  // "What part of Acme's revenue comes from Texas", "of the profit on weekends last month was made in Ohio".
  p("part", "SHARE OF? ALL? names? amount-whole clauses? &TOLD predicate !predicate", (_, _share, ...parts) =>
    asPortion(both(...parts.slice(0, -1)), parts.at(-1)),
  ),
  // "What percentage of calls that converted came from Texas", where the first of it is a rate of the catalog.
  p("part", "MEASURE clauses? &TOLD predicate !predicate", (setting, figure, more, part) =>
    portioned(setting, both(ofRateSaid(setting, figure), more), part),
  ),
  // "Of the calls that connected last month, what percentage lasted more than two minutes".
  p("part", "among AND? WHICH? SHARE OF? said-of-it", (setting, among, ...parts) =>
    parts.some(({ word }) => asPart.test(word?.said ?? "")) ? undefined : portioned(setting, among, parts.at(-1) ?? {}),
  ),
  p(
    "part",
    "among HOW_MANY OF? said-of-it",
    (setting, among, _many, part) =>
      portioned(setting, {}, part) && both({ measures: [setting.subject.defaultMeasure] }, among, part),
  ),
  p("among", "^ OF|SCOPE ALL? whole|such-ones rest? ','?", (_, ...parts) => both(...parts.slice(-2))),
  // "Of our payout in October, what share (how much) went to Acme", "of all we paid out, how much went to each publisher".
  p("part", "amount-among AND? WHICH? SHARE|much OF? part-of-it", (_, amount, ...parts) =>
    asPortion(amount, parts.at(-1)),
  ),
  p("part", "amount-among AND? WHICH? SHARE|much OF? EACH group-names", (_, amount, ...parts) => {
    const [share = {}, groups = {}] = parts.slice(-2);
    return both(amount, { groups: groups.groups ?? [] }, share.word === undefined ? {} : { share: true });
  }),
  p("amount-among", "^ OF|SCOPE ALL? amount-whole rest? ','?", (_, ...parts) => both(...parts.slice(-2))),
  p("much", "'how' 'much'"),
  p("amount-whole", "PERIOD? figure", ({ subject }, when, { measures = [] }) =>
    measures.some((name) => measureOf(subject, name).aggregate.kind === "count") ? undefined : both(when, { measures }),
  ),
  // "What percent of weekend calls converted".
  p("part", "SHARE OF? ALL? PERIOD? such-kind FLAGGED when? !predicate", (setting, _share, when, which, fact, more) =>
    setting.subject.words.some((noun) => new RegExp(`^${noun}s? \\w+ed$`).test(fact.word?.said ?? ""))
      ? portioned(setting, both(when, which, more), { filters: fact.filters ?? [] })
      : undefined,
  ),
  p("said-of-it", "part-of-it|predicate"),
  p("clauses", "clause clauses?"),
  // "Share of calls with a promo code that converted", where nothing is told of them.
  p("of-which", "&RELATIVE fact-told"),
  p("clause", "!predicate PARTICLE? condition|when", (_, _particle, clause) => clause),
  p("predicate", "&TOLD PARTICLE? part-of-it", (_, _particle, part) => part),
  p("predicate", "!RELATIVE fact-told"),
  p("fact-told", "NOT? FLAG", (setting, not, { filters = [], word }) =>
    not.word !== undefined
      ? negated(setting, not, { filters })
      : /^on /.test(word?.said ?? "")
        ? undefined
        : { filters },
  ),
  p("part", "HOW_MANY SCOPE ALL whole part-of-it", (setting, _many, _scope, whole, part) =>
    portioned(setting, whole, part),
  ),
  // "What portion of the bids were above $40": of the number that they are named by.
  p("part", "SHARE OF? ALL? MEASURE rest? OF|WITH? amount when? !when !predicate", (setting, _share, ...parts) => {
    const [counted = {}, rest, bounds = {}, when] = parts;
    const quantity = numberNamed(setting, counted);
    const part = quantity === undefined ? undefined : ofRecords(setting, { word: { quantity } }, bounds);
    return part && both(rest, when, { measures: counted.measures ?? [], portion: part.filters ?? [] });
  }),
  // "Of those that came from Texas, how many converted".
  p("such-ones", "'ones'? OF|WITH? names|FLAG|FLAGGED|of-length", (_, { filters = [] }) => ({ filters })),
  p("whole", "PERIOD whole"),
  p("whole", "NOUN|FLAGGED"),
  // "Of webhook timeouts", "of tag updates".
  p("whole", "names", ({ subject }, { filters = [], word }) =>
    word?.isPlural && filters.every(({ field }) => findDimension(subject, field)?.values !== undefined)
      ? { filters }
      : undefined,
  ),
  p("whole", "FLAG|names NOUN", (_, kind) => kind),
  p("whole", "FLAGGED OF ALL? NOUN", (_, kind) => kind),
  p("whole", "NOUN !TOLD OF names", (_, _noun, names) => names),
  p("part-of-it", "VERB? OF|WITH? FLAG|FLAGGED|alternatives|condition"),
  p("part-of-it", "OF NOUN FLAG|FLAGGED|of-length", (_, _noun, part) => ({ filters: part.filters ?? [] })),
  // "Lasted less than 10 seconds and did not connect", "payable but not receivable": both.
  p("part-of-it", "OF|WITH? names|FLAG|FLAGGED|of-length|exclusion AND|BUT|&but-not part-of-it", (_, one, ...parts) =>
    both({ filters: one.filters ?? [] }, { filters: parts.at(-1)?.filters ?? [] }),
  ),
  p("but-not", "NOT", (_, { word }) => (/^(but|and|yet) not$|^not$/.test(word?.said ?? "") ? {} : undefined)),
  // "Succeeded on the first attempt".
  p("part-of-it", "FLAG FLAG", (_, one, other) =>
    /^on /.test(other.word?.said ?? "")
      ? both({ filters: one.filters ?? [] }, { filters: other.filters ?? [] })
      : undefined,
  ),
  // "How many …, and what percentage of its calls is that".
  p("part", "AND AND? WHICH? SHARE OF? 'its'|'their'? ALL? NOUN $|&','", ({ previous }, ...parts) =>
    previous === undefined && !parts.some(({ word }) => asPart.test(word?.said ?? "")) ? { rateToo: true } : undefined,
  ),
  // "How many calls came in, and what share of them converted", "how many bids did we get, and what share won".
  p("figures", "AND AND? WHICH? SHARE OF? !FLAGGED FLAG|names|MEASURE", ({ subject }, ...parts) => {
    const { measures: [name] = [], filters: [fact] = [] } = parts.at(-1) ?? {};
    const rate = findMeasure(subject, rateOf(subject, name ?? (fact && countOf(subject, fact)) ?? "") ?? "");
    const of = rate?.aggregate.kind === "ratio" ? rate.aggregate.of : undefined;
    const whole = subject.measures.find(({ aggregate }) => isDeepStrictEqual(aggregate, of));
    return rate && whole && { measures: [whole.name, rate.name], those: 2 };
  }),
  // "How many of Acme's calls converted last month, in percent": of those that are named.
  p(
    "part",
    "HOW_MANY OF? ALL? whole|names when? part-of-it when? in-percent",
    (setting, _, whole, before, part, when) =>
      both(before, when, portioned(setting, { filters: whole.filters ?? [] }, part)),
  ),
  p("in-percent", "','? SHARE $", (_, { word }) =>
    /^(in|as) .*(percent|percentage|%)$/.test(word?.said ?? "") ? { word: {} } : undefined,
  ),
  // "What percent failed".
  p("part", "SHARE FLAG", (setting, share, fact) =>
    setting.previous !== undefined || / (of|to)\b/.test(share.word?.said ?? "")
      ? undefined
      : portioned(setting, {}, fact),
  ),
  // "What percentage of calls failed or were shorter than 10 seconds", where the first of it is a rate of the catalog.
  p("part", "MEASURE OR alternative|alternatives", (setting, rate, other) => {
    const fact = ofRateSaid(setting, rate);
    return fact && portioned(setting, {}, anyOf(setting, fact, other) ?? {});
  }),
];

/** The part of a figure for which a condition holds, as a percentage of the whole. */
const asPortion = (figure: Piece | undefined, part: Piece = {}): Piece | undefined =>
  part.filters && both(figure, { portion: part.filters });

/** "Percentage of calls that converted": the fact that the rate is of. */
function ofRateSaid({ subject }: Setting, { measures: [name = ""] = [], word }: Piece): Piece | undefined {
  const flag = subject.flags.find(({ measure }) => rateOf(subject, measure ?? "") === name);
  const isSaid = /^(percent|share|proportion|%)/.test(word?.said ?? "");
  return isSaid && flag ? { filters: [{ field: flag.name, op: "is", values: [true] }] } : undefined;
}

/** What the first few groups, by the figure itself, have of it together. */
function ofFew(...overGroups: readonly OverGroups[]): Make {
  return (setting, ...parts) => {
    const figure = counting(setting, parts.find(({ measures, noun }) => measures ?? noun) ?? {});
    const few = parts.find(({ ranked: group }) => group !== undefined);
    const [by, other] = figure?.measures ?? [];
    if (few === undefined || by === undefined || other !== undefined) return undefined;
    const whens = parts.filter(({ period, versus }) => (period ?? versus) !== undefined);
    return unifyAll([{ measures: [by] }, few, { orderBy: few.orderBy ?? by, overGroups: [...overGroups] }, ...whens]);
  };
}

/** "As a percentage of", "as a rate". */
const asPart = /^as (an? )?(percent|percentage|%|share|rates?)(?!\w)/;
